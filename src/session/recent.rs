//! What a session remembers of the latest calls: when it searched, and a number for each query or failed call.

use std::collections::VecDeque;

use crate::prebuilt::digest;

/// Limits how often a session may search, by a sliding window over the host's clock.
#[derive(Clone, Debug, Default)]
pub struct RateLimit {
    /// The times of the calls that were let through, oldest first.
    calls: VecDeque<f64>,
}

impl RateLimit {
    /// The window, in milliseconds.
    const WINDOW: f64 = 60_000.0;

    /// Lets a call through at a time in milliseconds, if fewer than `most` were within the last minute. Time that runs
    /// backwards counts as standing still.
    pub fn admit(&mut self, now: f64, most: usize) -> bool {
        let now = self.calls.back().map_or(now, |last| now.max(*last));
        while self.calls.front().is_some_and(|first| now - first >= Self::WINDOW) {
            self.calls.pop_front();
        }
        let admitted = self.calls.len() < most;
        if admitted {
            self.calls.push_back(now);
        }
        admitted
    }
}

/// Numbers by the hash of what they belong to: a query, or a call with its arguments and the reason of its failure. Only the
/// latest are kept.
#[derive(Clone, Debug, Default)]
pub struct Recent(VecDeque<(u64, usize)>);

impl Recent {
    const CAPACITY: usize = 32;

    /// The number of an entry; 0 for a new one.
    pub fn get(&self, texts: &[impl AsRef<str>]) -> usize {
        let key = key(texts);
        self.0.iter().find(|(known, _)| *known == key).map_or(0, |(_, number)| *number)
    }

    /// Sets the number of an entry, which becomes the latest.
    pub fn set(&mut self, texts: &[impl AsRef<str>], number: usize) {
        let key = key(texts);
        self.0.retain(|(known, _)| *known != key);
        self.0.push_back((key, number));
        if self.0.len() > Self::CAPACITY {
            self.0.pop_front();
        }
    }
}

fn key(texts: &[impl AsRef<str>]) -> u64 {
    // No text holds this byte, so that `ab` `c` is not `a` `bc`.
    let bytes: Vec<u8> = texts.iter().flat_map(|text| text.as_ref().bytes().chain([0xff])).collect();
    digest(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_slides() {
        let mut rate = RateLimit::default();
        let admitted: Vec<bool> =
            [0.0, 1.0, 2.0, 59_999.0, 60_000.0, 60_000.5, 60_001.0].iter().map(|now| rate.admit(*now, 2)).collect();
        assert_eq!(admitted, [true, true, false, false, true, false, true]);
        assert!(!rate.admit(0.0, 2), "a clock that is set back frees nothing");
    }

    #[test]
    fn the_latest_numbers_are_kept() {
        let mut recent = Recent::default();
        recent.set(&["ab", "c"], 5);
        assert_eq!((recent.get(&["ab", "c"]), recent.get(&["a", "bc"])), (5, 0));
        for other in 0..Recent::CAPACITY {
            recent.set(&[other.to_string()], 1);
        }
        assert_eq!((recent.get(&["ab", "c"]), recent.get(&["0"])), (0, 1));
    }
}
