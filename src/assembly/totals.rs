//! Caches the total cost of the tools of a view by format, and the listing of the deferred ones. Both are computed when
//! a request first needs them.

use std::sync::Mutex;

use crate::error::Result;
use crate::lock::lock;

use super::activation::Gate;
use super::cost::Tally;
use super::wire::Format;

/// The cache of one view.
#[derive(Debug, Default)]
pub struct Totals {
    sums: Mutex<Vec<(Format, Sums)>>,
    /// The listings, by gate.
    listings: Mutex<Vec<(Gate, String)>>,
}

/// Sums over the tools of a view in one format.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// The sum of every visible tool, and of every skill as if it were sent.
    pub all: Tally,
    /// The sum of every tool that can be deferred.
    pub deferred: Tally,
}

impl Totals {
    /// Returns the sums in a format. `count` computes them the first time.
    pub(super) fn sums(&self, format: Format, count: impl FnOnce() -> Result<Sums>) -> Result<Sums> {
        if let Some((_, sums)) = lock(&self.sums).iter().find(|(known, _)| *known == format) {
            return Ok(*sums);
        }
        let sums = count()?;
        lock(&self.sums).push((format, sums));
        Ok(sums)
    }

    /// Returns the listing of the tools that a gate defers. `write` makes it the first time.
    pub(super) fn listing(&self, gate: Gate, write: impl FnOnce() -> String) -> String {
        if let Some((_, listing)) = lock(&self.listings).iter().find(|(known, _)| *known == gate) {
            return listing.clone();
        }
        let listing = write();
        lock(&self.listings).push((gate, listing.clone()));
        listing
    }
}
