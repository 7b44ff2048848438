//! The corpus of a search: the tools that it looks at, with statistics over exactly these tools that are computed once.

use std::sync::OnceLock;

use crate::catalog::Catalog;
use crate::map::Set;

use super::sift::{Index, Statistics};
use super::slots::Slots;
use super::text_statistics::TextStatistics;

/// Some tools of a catalog, in its order. It holds for one revision of the catalog.
#[derive(Debug)]
pub struct Corpus {
    /// Their positions in the catalog, rising.
    positions: Vec<u32>,
    statistics: OnceLock<Statistics>,
    texts: OnceLock<TextStatistics>,
}

impl Corpus {
    /// The tools at these positions of the catalog, which rise.
    pub fn new(positions: Vec<u32>) -> Self {
        Corpus { positions, statistics: OnceLock::new(), texts: OnceLock::new() }
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

    /// What the ranker of our own counts over them, in an index that was brought up to the catalog.
    pub(super) fn statistics(&self, index: &Index) -> &Statistics {
        self.statistics.get_or_init(|| Statistics::of(index, &self.positions))
    }

    /// What the other rankers count over them, in slots that were brought up to the catalog.
    pub(super) fn texts(&self, slots: &Slots, catalog: &Catalog) -> &TextStatistics {
        self.texts.get_or_init(|| TextStatistics::of(slots, catalog, &self.positions))
    }

    /// About how many bytes this takes.
    pub fn bytes(&self) -> usize {
        let statistics = self.statistics.get().map_or(0, Statistics::bytes);
        let texts = self.texts.get().map_or(0, TextStatistics::bytes);
        size_of::<Self>() + size_of_val(&*self.positions) + statistics + texts
    }
}
