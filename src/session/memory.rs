//! What has the model done before? How far it has read the answers to a search, and which calls failed, as far back as
//! matters: enough to go on instead of repeating.

use std::collections::VecDeque;
use std::hash::Hasher;

use crate::map::Fnv;

/// Deeds of each kind that are remembered; the oldest is forgotten first.
const MOST: usize = 32;

/// Numbers by deed.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory(VecDeque<(u64, usize)>);

impl Memory {
    /// The number that stands for a deed; 0 where it is new. Texts are told apart by their hashes.
    pub(super) fn of(&self, deed: &[impl AsRef<str>]) -> usize {
        let key = key(deed);
        self.0.iter().find(|(known, _)| *known == key).map_or(0, |(_, number)| *number)
    }

    /// Remembers another number, as what was done last.
    pub(super) fn set(&mut self, deed: &[impl AsRef<str>], number: usize) {
        let key = key(deed);
        self.0.retain(|(known, _)| *known != key);
        self.0.push_back((key, number));
        if self.0.len() > MOST {
            self.0.pop_front();
        }
    }
}

fn key(deed: &[impl AsRef<str>]) -> u64 {
    let mut hasher = Fnv::default();
    for text in deed {
        hasher.write(text.as_ref().as_bytes());
        // No text holds this byte, so that `ab` `c` is not `a` `bc`.
        hasher.write(&[0xff]);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_the_latest() {
        let mut memory = Memory::default();
        memory.set(&["ab", "c"], 5);
        assert_eq!((memory.of(&["ab", "c"]), memory.of(&["a", "bc"])), (5, 0));
        for other in 0..MOST {
            memory.set(&[other.to_string()], 1);
        }
        assert_eq!((memory.of(&["ab", "c"]), memory.of(&["0"])), (0, 1));
    }
}
