//! The corpus of a search: the tools that it looks at, with what the searcher keeps between searches of them.

use std::sync::{Arc, Mutex, OnceLock};

use crate::catalog::{Catalog, Owner};
use crate::lock::lock;
use crate::map::Set;

use super::index::Index;
use super::query::terms::KnownWords;
use super::ranker_options::{Weights, Without};
use super::view::View;

/// Some tools of a catalog, in its order. It holds for one revision of the catalog.
#[derive(Debug)]
pub struct Corpus {
    /// Their positions in the catalog, rising.
    positions: Vec<u32>,
    view: OnceLock<Arc<View>>,
    /// The view of an earlier state of the catalog.
    before: Mutex<Option<Arc<View>>>,
    /// What words mean among these tools.
    pub(super) words: KnownWords,
}

impl Corpus {
    /// The tools at these positions of the catalog, which rise.
    pub fn new(positions: Vec<u32>) -> Self {
        Corpus { positions, view: OnceLock::new(), before: Mutex::default(), words: KnownWords::default() }
    }

    /// A corpus of a later state of the catalog, to which what was counted of these tools is carried over where few have
    /// changed.
    pub fn followed_by(&self, positions: Vec<u32>) -> Self {
        let before = self.view.get().cloned().or_else(|| lock(&self.before).clone());
        Corpus { before: Mutex::new(before), ..Corpus::new(positions) }
    }

    /// Those of the tools that models of an owner know by some names.
    pub fn of_names(&self, catalog: &Catalog, owner: Owner, names: &Set<&str>) -> Self {
        let position = |name: &&str| {
            let tool = catalog.by_name_for(owner, name).filter(|tool| *tool.model_name == **name)?;
            catalog.position(tool).filter(|position| self.place_of(*position).is_some())
        };
        let mut positions: Vec<u32> = names.iter().filter_map(position).map(|position| position as u32).collect();
        positions.sort_unstable();
        Corpus::new(positions)
    }

    /// Those of the tools that another corpus has too.
    pub fn among(&self, other: &Corpus) -> Self {
        let is_there = |position: &u32| other.place_of(*position as usize).is_some();
        Corpus::new(self.positions.iter().copied().filter(is_there).collect())
    }

    /// The positions of the tools in the catalog, rising.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// How many tools there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Where a tool stands among them, by its position in the catalog.
    pub fn place_of(&self, position: usize) -> Option<usize> {
        self.positions.binary_search(&(position as u32)).ok()
    }

    /// What the sift ranker counts over them, in an index that was brought up to the catalog.
    pub(super) fn view(&self, index: &Index, without: Without) -> &View {
        self.view.get_or_init(|| {
            let before = lock(&self.before).take();
            Arc::new(View::of(index, &self.positions, before, Weights::of(without)))
        })
    }
}
