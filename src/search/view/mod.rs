//! What a search looks at: a corpus of tools, with statistics over exactly these tools that are computed once.

use std::sync::{Arc, Mutex, OnceLock};

use crate::catalog::Catalog;
use crate::lock::lock;
use crate::map::Set;

use crate::search::index::Index;

pub(crate) mod frequencies;
pub(crate) mod idf;
pub(crate) mod null_scores;
pub(crate) mod places;
mod statistics;

pub(crate) use statistics::{NORMS, Statistics};

/// Some tools of a catalog, in its order. It holds for one revision of the catalog.
#[derive(Debug)]
pub struct Corpus {
    /// Their positions in the catalog, rising.
    positions: Vec<u32>,
    statistics: OnceLock<Arc<Statistics>>,
    /// What was known of the tools that were searched in an earlier state of the catalog.
    before: Mutex<Option<Arc<Statistics>>>,
}

impl Corpus {
    /// The tools at these positions of the catalog, which rise.
    pub fn new(positions: Vec<u32>) -> Self {
        Corpus { positions, statistics: OnceLock::new(), before: Mutex::default() }
    }

    /// A corpus of a later state of the catalog, to which what is known of these tools is carried over where few have
    /// changed.
    pub fn followed_by(&self, positions: Vec<u32>) -> Self {
        let known = self.statistics.get().cloned();
        let before = known.or_else(|| lock(&self.before).clone());
        Corpus { before: Mutex::new(before), ..Corpus::new(positions) }
    }

    /// Those of the tools that have one of some names.
    pub fn of_names(&self, catalog: &Catalog, names: &Set<&str>) -> Self {
        let has = |position: &&u32| names.contains(&*catalog.tools()[**position as usize].model_name);
        Corpus::new(self.positions.iter().filter(has).copied().collect())
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

    /// By place: whether a tool is also one of `part`, some of these tools.
    pub(crate) fn holding(&self, part: &Corpus) -> Vec<bool> {
        let mut wanted = part.positions.iter().peekable();
        self.positions.iter().map(|position| wanted.next_if_eq(&position).is_some()).collect()
    }

    /// What the sift ranker counts over them, in an index that was brought up to the catalog.
    pub(crate) fn statistics(&self, index: &Index) -> &Statistics {
        self.statistics.get_or_init(|| {
            let before = lock(&self.before).take();
            Arc::new(Statistics::of(index, &self.positions, before))
        })
    }
}
