//! Orders sessions by age, so that the oldest is found without a walk.

use std::collections::VecDeque;
use std::sync::Arc;

/// Entries of a queue beside those of its sessions, before the queue is swept.
const SLACK: usize = 16;

/// Ids in the order of their stamps. A session that moves to the back leaves its old entry behind; such an entry is skipped,
/// and swept when there are as many of them as there are sessions. So every operation takes constant time on average.
#[derive(Debug, Default)]
pub(super) struct Queue {
    entries: VecDeque<(Arc<str>, u64)>,
    len: usize,
}

impl Queue {
    /// How many sessions stand in it.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a session at the back, with a stamp that is greater than all others.
    pub(super) fn push(&mut self, id: Arc<str>, stamp: u64) {
        self.entries.push_back((id, stamp));
        self.len += 1;
    }

    /// Notes that a session has left: its entry counts no more.
    pub(super) fn forget(&mut self) {
        self.len = self.len.saturating_sub(1);
    }

    /// The oldest session. `is_current` says whether an id still has a stamp.
    pub(super) fn oldest(&mut self, is_current: impl Fn(&str, u64) -> bool) -> Option<Arc<str>> {
        while let Some((id, stamp)) = self.entries.front() {
            if is_current(id, *stamp) {
                return Some(id.clone());
            }
            self.entries.pop_front();
        }
        None
    }

    /// Removes what counts no more, if there is much of it.
    pub(super) fn sweep(&mut self, is_current: impl Fn(&str, u64) -> bool) {
        if self.entries.len() > 2 * self.len + SLACK {
            for _ in 0..self.entries.len() {
                let first = self.entries.pop_front();
                if let Some(entry) = first.filter(|(id, stamp)| is_current(id, *stamp)) {
                    self.entries.push_back(entry);
                }
            }
        }
    }
}
