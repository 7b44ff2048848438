//! The map against that of the standard library: every byte pair is one operation.

use std::collections::HashMap;

use super::{Map, Set};

pub(crate) fn map(data: &[u8]) {
    let (mut ours, mut theirs) = (Map::<String, usize>::default(), HashMap::<String, usize>::new());
    for (round, pair) in data.chunks_exact(2).enumerate() {
        // Few keys, so that they meet.
        let key = format!("key{}", pair[1] % 64);
        match pair[0] % 16 {
            0..=4 => assert_eq!(ours.insert(key.clone(), round), theirs.insert(key, round)),
            5 | 6 => {
                *ours.get_or_insert_with(key.clone(), || round) += 1;
                *theirs.entry(key).or_insert(round) += 1;
            }
            7..=10 => assert_eq!(ours.remove(&*key), theirs.remove(&key)),
            11 => assert_eq!(ours.get_mut(&*key).map(|value| *value), theirs.get(&key).copied()),
            12 => assert_eq!(ours.contains_key(&*key), theirs.contains_key(&key)),
            13 => {
                let by = usize::from(pair[1] % 5) + 1;
                ours.retain(|_, value| *value % by > 0);
                theirs.retain(|_, value| *value % by > 0);
            }
            14 if pair[1] == 0 => {
                ours.clear();
                theirs.clear();
            }
            _ => assert_eq!(ours.get(&*key), theirs.get(&key)),
        }
        assert_eq!((ours.len(), ours.is_empty()), (theirs.len(), theirs.is_empty()));
    }
    let mut values: (Vec<usize>, Vec<usize>) = (ours.values().copied().collect(), theirs.values().copied().collect());
    values.0.sort_unstable();
    values.1.sort_unstable();
    assert_eq!(values.0, values.1);
    assert!(theirs.iter().all(|(key, value)| ours.get(key) == Some(value)));
    let (one, other): (Set<u8>, Set<u8>) = (data.iter().copied().collect(), data.iter().rev().copied().collect());
    assert!(one == other && data.iter().all(|byte| one.contains(byte)));
}
