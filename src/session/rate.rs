//! Limits how often a session may search, by a sliding window over the host's clock.

use std::collections::VecDeque;

/// The window, in milliseconds.
const WINDOW: f64 = 60_000.0;

/// The times of the calls that were let through, oldest first; never more than the limit.
#[derive(Clone, Debug, Default)]
pub(super) struct RateLimit {
    calls: VecDeque<f64>,
}

impl RateLimit {
    /// Lets a call through at a time in milliseconds, if fewer than `most` were within the last minute. Time that runs
    /// backwards counts as standing still.
    pub(super) fn admit(&mut self, now: f64, most: usize) -> bool {
        let now = self.calls.back().map_or(now, |last| now.max(*last));
        while self.calls.front().is_some_and(|first| now - first >= WINDOW) {
            self.calls.pop_front();
        }
        let admitted = self.calls.len() < most;
        if admitted {
            self.calls.push_back(now);
        }
        admitted
    }
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
}
