//! Remembers the latest calls of a session: the times of its searches, and a number for each query or failed call.

use std::collections::VecDeque;

use crate::prebuilt::digest;

/// Limits how often a session may search, with a sliding window of one minute over the host's clock.
#[derive(Clone, Debug, Default)]
pub struct RateLimit {
    /// The times of the admitted calls, oldest first.
    calls: VecDeque<f64>,
}

impl RateLimit {
    /// The window, in milliseconds.
    const WINDOW: f64 = 60_000.0;

    /// Admits a call at time `now` (in milliseconds), if fewer than `most` were admitted within the last minute. If the
    /// clock goes back, the time of the last call counts instead.
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

/// Numbers, by the hash of a query, or of a call with its arguments and the reason of its failure. Only the latest 32
/// are kept.
#[derive(Clone, Debug, Default)]
pub struct Recent(VecDeque<(u64, usize)>);

impl Recent {
    const CAPACITY: usize = 32;

    /// Returns the number of an entry, or 0 for a new one.
    pub fn get(&self, texts: &[impl AsRef<str>]) -> usize {
        let key = key(texts);
        self.0.iter().find(|(known, _)| *known == key).map_or(0, |(_, number)| *number)
    }

    /// Sets the number of an entry, which becomes the latest one.
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
    // No UTF-8 text has this byte, so that `ab` `c` differs from `a` `bc`.
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
