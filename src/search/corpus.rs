//! Defines the corpus of a search: the tools to search, with data that the searcher caches between searches of them.

use std::sync::{Arc, Mutex, OnceLock};

use crate::catalog::{Catalog, Owner};
use crate::lock::lock;
use crate::map::Set;

use super::index::Index;
use super::query::terms::KnownWords;
use super::ranker_options::{Weights, Without};
use super::view::View;

/// Some tools of a catalog, in its order. A corpus is valid for one revision of the catalog.
#[derive(Debug)]
pub struct Corpus {
    /// Their positions in the catalog, ascending.
    positions: Vec<u32>,
    view: OnceLock<Arc<View>>,
    /// The view of an earlier state of the catalog.
    before: Mutex<Option<Arc<View>>>,
    /// The expanded words of earlier requests.
    pub(super) words: KnownWords,
}

impl Corpus {
    /// Makes the corpus of the tools at these positions of the catalog, in ascending order.
    pub fn new(positions: Vec<u32>) -> Self {
        Corpus { positions, view: OnceLock::new(), before: Mutex::default(), words: KnownWords::default() }
    }

    /// Makes the corpus for a later state of the catalog. If few tools have changed, it reuses the counts of this
    /// corpus.
    pub fn followed_by(&self, positions: Vec<u32>) -> Self {
        let before = self.view.get().cloned().or_else(|| lock(&self.before).clone());
        Corpus { before: Mutex::new(before), ..Corpus::new(positions) }
    }

    /// Returns the corpus of the tools in this one that models of an owner know by these names.
    pub fn of_names(&self, catalog: &Catalog, owner: Owner, names: &Set<&str>) -> Self {
        let position = |name: &&str| {
            let tool = catalog.by_name_for(owner, name).filter(|tool| *tool.model_name == **name)?;
            catalog.position(tool).filter(|position| self.place_of(*position).is_some())
        };
        let mut positions: Vec<u32> = names.iter().filter_map(position).map(|position| position as u32).collect();
        positions.sort_unstable();
        Corpus::new(positions)
    }

    /// Returns the corpus of the tools that are in both corpora.
    pub fn among(&self, other: &Corpus) -> Self {
        let is_there = |position: &u32| other.place_of(*position as usize).is_some();
        Corpus::new(self.positions.iter().copied().filter(is_there).collect())
    }

    /// Returns the positions of the tools in the catalog, ascending.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// Returns the number of tools.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns the place of a tool in this corpus, by its position in the catalog.
    pub fn place_of(&self, position: usize) -> Option<usize> {
        self.positions.binary_search(&(position as u32)).ok()
    }

    /// Returns the view of the tools for the sift ranker. The index must be up to date with the catalog.
    pub(super) fn view(&self, index: &Index, without: Without) -> &View {
        self.view.get_or_init(|| {
            let before = lock(&self.before).take();
            Arc::new(View::of(index, &self.positions, before, Weights::of(without)))
        })
    }
}
