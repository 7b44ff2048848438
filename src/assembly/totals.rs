//! The total cost of the tools of a view, by format. It is counted when a request first needs it.

use std::sync::Mutex;

use crate::catalog::{Catalog, Deferral};
use crate::error::Result;
use crate::lock::lock;
use crate::session::View;

use super::activation::Gate;
use super::cost::{Tally, TokenCounter};
use super::prompt::{Disclosure, PromptText};
use super::wire::{Format, Renders};

/// Sums over the tools of one view.
#[derive(Debug, Default)]
pub struct Totals {
    sums: Mutex<Vec<(Format, Sums)>>,
    /// The listing of the tools that are held back, by what is.
    listings: Mutex<Vec<(Gate, String)>>,
}

/// Sums in one format.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// Every visible tool.
    pub all: Tally,
    /// Every tool that can be held back.
    pub deferred: Tally,
}

impl Totals {
    /// The sums in a format.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter does.
    pub(super) fn of(
        &self,
        (view, catalog): (&View, &Catalog),
        format: Format,
        (renders, counter): (&mut Renders, &TokenCounter),
    ) -> Result<Sums> {
        if let Some((_, sums)) = lock(&self.sums).iter().find(|(known, _)| *known == format) {
            return Ok(*sums);
        }
        let mut sums = Sums::default();
        for position in view.sent() {
            sums.all.add(renders.tally(&catalog.tools()[*position as usize], format, counter)?);
        }
        for position in view.deferred() {
            sums.deferred.add(renders.tally(&catalog.tools()[*position as usize], format, counter)?);
        }
        sums.all.add(sums.deferred);
        lock(&self.sums).push((format, sums));
        Ok(sums)
    }

    /// The listing of the deferred tools that are held back.
    pub(super) fn listing(
        &self,
        (view, catalog): (&View, &Catalog),
        (prompt, disclosure): (&PromptText, Disclosure),
        gate: Gate,
    ) -> String {
        if let Some((_, listing)) = lock(&self.listings).iter().find(|(known, _)| *known == gate) {
            return listing.clone();
        }
        let tools = view.deferred().iter().map(|position| &*catalog.tools()[*position as usize]);
        let listing = prompt.listing(disclosure, tools.filter(|tool| gate.holds(tool.deferral)).collect());
        lock(&self.listings).push((gate, listing.clone()));
        listing
    }

    /// About how many bytes this takes.
    pub fn bytes(&self) -> usize {
        let listings = lock(&self.listings);
        size_of::<Self>() + listings.iter().map(|(_, listing)| listing.len()).sum::<usize>()
    }
}

impl Gate {
    /// Whether every deferrable tool is held back.
    pub(super) fn holds_all(self) -> bool {
        [Deferral::Automatic, Deferral::Always].into_iter().all(|deferral| self.holds(deferral))
    }
}
