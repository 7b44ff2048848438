//! Keeps, for each scope in use, what is the same for all its sessions: where the tools stand, which of them are searched,
//! and what they cost together. The least recently used views are evicted first.

use std::rc::Rc;

use crate::assembly::Totals;
use crate::catalog::Catalog;
use crate::limits;
use crate::map::Map;
use crate::profile::Settings;
use crate::search::Corpus;
use crate::session::{Scope, Standing, ToolState, View};
use crate::sort::sort_numbers;

/// What all sessions of one scope share, for one revision of the catalog.
#[derive(Debug)]
pub(super) struct Shared {
    pub view: View,
    /// The tools that are searched.
    pub corpus: Corpus,
    pub totals: Totals,
}

/// The views of a catalog.
#[derive(Debug, Default)]
pub(super) struct Views {
    revision: Option<u64>,
    views: Map<Scope, Entry>,
    clock: u64,
    /// About how many bytes the views take.
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    shared: Rc<Shared>,
    used: u64,
    bytes: usize,
}

impl Views {
    /// What the sessions of a scope share.
    pub(super) fn of(&mut self, catalog: &Catalog, settings: &Settings, scope: &Scope) -> Rc<Shared> {
        if self.revision != Some(catalog.revision()) {
            *self = Views { revision: Some(catalog.revision()), ..Views::default() };
        }
        self.clock += 1;
        if let Some(entry) = self.views.get_mut(scope) {
            entry.used = self.clock;
            // Statistics are made as they are needed.
            let bytes = entry.shared.bytes();
            self.bytes = self.bytes + bytes - entry.bytes;
            entry.bytes = bytes;
            return entry.shared.clone();
        }
        let view = View::of(catalog, &settings.eligibility, scope);
        let universe = settings.discovery.search.universe;
        let corpus = Corpus::new(view.positions(|standing| universe.holds(state_of(standing))));
        let shared = Rc::new(Shared { view, corpus, totals: Totals::default() });
        let bytes = shared.bytes();
        self.bytes += bytes;
        self.views.insert(scope.clone(), Entry { shared: shared.clone(), used: self.clock, bytes });
        if self.bytes > limits::VIEW_BYTES {
            self.evict();
        }
        shared
    }

    /// Evicts the least recently used half of the views, so that the cost of looking for them is spread over many.
    fn evict(&mut self) {
        let mut uses: Vec<u64> = self.views.values().map(|entry| entry.used).collect();
        sort_numbers(&mut uses);
        let Some(oldest) = uses.get(uses.len() / 2).copied().filter(|_| uses.len() > 1) else { return };
        self.views.retain(|_, entry| entry.used >= oldest);
        self.bytes = self.views.values().map(|entry| entry.bytes).sum();
    }
}

impl Shared {
    fn bytes(&self) -> usize {
        self.view.bytes() + self.corpus.bytes() + self.totals.bytes()
    }
}

/// Where a tool stands in a session that has revealed nothing.
pub(super) fn state_of(standing: Standing) -> ToolState {
    match standing {
        Standing::Eager => ToolState::Eager,
        Standing::Pinned => ToolState::Pinned,
        Standing::Deferred => ToolState::Deferred,
    }
}
