//! Keeps what the tools of a view cost together, by format, and the listing of those that are held back. Both are worked out
//! when a request first needs them.

use std::sync::Mutex;

use crate::error::Result;
use crate::lock::lock;

use super::activation::Gate;
use super::cost::Tally;
use super::wire::Format;

/// What is kept for one view.
#[derive(Debug, Default)]
pub struct Totals {
    sums: Mutex<Vec<(Format, Sums)>>,
    /// By what is held back.
    listings: Mutex<Vec<(Gate, String)>>,
}

/// Sums over the tools of a view in one format.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// Every visible tool, and what it would take to list every skill.
    pub all: Tally,
    /// Every tool that can be held back.
    pub deferred: Tally,
}

impl Totals {
    /// The sums in a format, as `count` finds them the first time.
    pub(super) fn sums(&self, format: Format, count: impl FnOnce() -> Result<Sums>) -> Result<Sums> {
        if let Some((_, sums)) = lock(&self.sums).iter().find(|(known, _)| *known == format) {
            return Ok(*sums);
        }
        let sums = count()?;
        lock(&self.sums).push((format, sums));
        Ok(sums)
    }

    /// The listing of what a gate holds back, as `write` makes it the first time.
    pub(super) fn listing(&self, gate: Gate, write: impl FnOnce() -> String) -> String {
        if let Some((_, listing)) = lock(&self.listings).iter().find(|(known, _)| *known == gate) {
            return listing.clone();
        }
        let listing = write();
        lock(&self.listings).push((gate, listing.clone()));
        listing
    }
}
