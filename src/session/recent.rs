//! Remembers a number for each of the latest queries or calls, so that a session can go on instead of repeating itself.

use crate::prebuilt::digest;

/// Entries that are remembered; the oldest is forgotten first.
const MOST: usize = 32;

/// Numbers by what they belong to: a query, or a call with its arguments and the reason of its failure.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent(Vec<(u64, usize)>);

impl Recent {
    /// The number of an entry; 0 for a new one. Texts are told apart by their hashes.
    pub(super) fn get(&self, texts: &[impl AsRef<str>]) -> usize {
        let key = key(texts);
        self.0.iter().find(|(known, _)| *known == key).map_or(0, |(_, number)| *number)
    }

    /// Sets the number of an entry, which becomes the latest.
    pub(super) fn set(&mut self, texts: &[impl AsRef<str>], number: usize) {
        let key = key(texts);
        self.0.retain(|(known, _)| *known != key);
        self.0.push((key, number));
        if self.0.len() > MOST {
            self.0.remove(0);
        }
    }
}

fn key(texts: &[impl AsRef<str>]) -> u64 {
    // No text holds this byte, so that `ab` `c` is not `a` `bc`.
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend_from_slice(text.as_ref().as_bytes());
        bytes.push(0xff);
    }
    digest(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_the_latest() {
        let mut recent = Recent::default();
        recent.set(&["ab", "c"], 5);
        assert_eq!((recent.get(&["ab", "c"]), recent.get(&["a", "bc"])), (5, 0));
        for other in 0..MOST {
            recent.set(&[other.to_string()], 1);
        }
        assert_eq!((recent.get(&["ab", "c"]), recent.get(&["0"])), (0, 1));
    }
}
