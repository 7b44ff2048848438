//! How a search is made: the settings of the search stage.

use super::hit::Stage;
use super::query::Grammar;
use super::ranker_options::Without;
use crate::macros::choices;

choices! {
    /// How tools are found.
    pub enum Ranker {
        /// A regular expression over names and descriptions, every match in catalog order; where nothing matches, the
        /// fuzzy stage.
        Pattern = "pattern",
        /// Words in the parts of names, weighted against hints and descriptions.
        Parts = "parts",
        /// Words in names and descriptions, the name before the rest.
        Overlap = "overlap",
        /// BM25 over names, descriptions and parameter names.
        Bm25 = "bm25",
        /// Fields, forms, synonyms, slips, and what fits as a whole.
        Sift = "sift",
    }

    /// Which tools are searched.
    pub enum Universe {
        /// Those that are held back, revealed or not.
        Deferred = "deferred",
        /// Those that are held back, revealed or not, and those that every session starts with.
        Deferrable = "deferrable",
        /// All that the session may see.
        All = "all",
    }

    /// Which hits are worth showing beside the best.
    pub enum Cutoff {
        /// All.
        None = "none",
        /// Those with at least half of its score.
        HalfOfBest = "half-of-best",
    }
}

/// How a search is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// How the query is read.
    pub grammar: Grammar,
    /// How tools are found.
    pub ranker: Ranker,
    /// Which tools are searched.
    pub universe: Universe,
    /// Which hits are left out.
    pub cutoff: Cutoff,
    /// The number of hits if a query does not ask for one; none for the ranker's own bound.
    pub hits: Option<usize>,
    /// The most hits that a query can ask for.
    pub most_hits: usize,
    /// What the sift ranker does without.
    pub without: Without,
}

/// Hits that get reasons if the host does not say how many hits it wants, so that a search without a limit stays cheap. Only
/// the reasons of the sift ranker take long.
const EXPLAINED: usize = 50;
/// Hits of the fuzzy step if nobody says how many.
const FUZZY_HITS: usize = 5;

impl SearchSettings {
    /// The number of hits that get reasons if the host does not say how many hits it wants.
    pub fn most_explained(&self) -> usize {
        let most = if self.reads_terms() { EXPLAINED } else { usize::MAX };
        self.shown(Stage::Sift, None).min(most)
    }

    /// Whether searches read the terms of tools from the index.
    pub(crate) fn reads_terms(&self) -> bool {
        self.ranker == Ranker::Sift || self.grammar == Grammar::Full
    }

    /// The number of hits of a step that are shown, for the number that was asked for.
    pub fn shown(&self, stage: Stage, asked: Option<usize>) -> usize {
        let own = if stage == Stage::Fuzzy { FUZZY_HITS } else { usize::MAX };
        asked.or(self.hits).unwrap_or(own).min(self.most_hits)
    }
}
