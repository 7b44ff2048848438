//! Defines the settings of the search stage.

use super::hit::Stage;
use super::query::Grammar;
use super::ranker_options::Without;
use crate::macros::choices;

choices! {
    /// The ranker of the search.
    pub enum Ranker {
        /// A regular expression over names and descriptions, with every match in catalog order; if nothing matches, the
        /// fuzzy step.
        Pattern = "pattern",
        /// Words in the parts of names, weighted against hints and descriptions.
        Parts = "parts",
        /// Words in names and descriptions; a word in the name counts more.
        Overlap = "overlap",
        /// BM25 over names, descriptions and parameter names.
        Bm25 = "bm25",
        /// Our own ranker: words with forms, synonyms and corrections by field, and the fit of the whole tool.
        Sift = "sift",
    }

    /// The tools that are searched.
    pub enum Universe {
        /// Deferred tools, loaded or not.
        Deferred = "deferred",
        /// Deferred tools, loaded or not, and the tools that every session starts with.
        Deferrable = "deferrable",
        /// All tools that the session may see.
        All = "all",
    }

    /// The hits that are shown beside the best one.
    pub enum Cutoff {
        /// All hits.
        None = "none",
        /// Hits with at least half of its score.
        HalfOfBest = "half-of-best",
    }
}

/// The settings of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// The dialect of the query.
    pub grammar: Grammar,
    /// The ranker.
    pub ranker: Ranker,
    /// The tools that are searched.
    pub universe: Universe,
    /// The hits that are left out.
    pub cutoff: Cutoff,
    /// The number of hits if a query does not ask for one; `None` for the ranker's own number.
    pub hits: Option<usize>,
    /// The most hits that a query can ask for.
    pub most_hits: usize,
    /// The parts of the sift ranker that are switched off.
    pub without: Without,
}

/// The maximum number of hits with reasons if the host gives no limit, so that such a search stays fast. Only the
/// reasons of the sift ranker take long.
const EXPLAINED: usize = 50;
/// The number of hits of the fuzzy step if neither the query nor the settings give one.
const FUZZY_HITS: usize = 5;

impl SearchSettings {
    /// Returns the number of hits that get reasons if the host gives no limit.
    pub fn most_explained(&self) -> usize {
        let most = if self.reads_terms() { EXPLAINED } else { usize::MAX };
        self.shown(Stage::Sift, None).min(most)
    }

    /// Returns true if searches use the terms of tools from the index.
    pub(crate) fn reads_terms(&self) -> bool {
        self.ranker == Ranker::Sift || self.grammar == Grammar::Full
    }

    /// Returns the number of hits of a step that are shown, for the number that was asked for.
    pub fn shown(&self, stage: Stage, asked: Option<usize>) -> usize {
        let own = if stage == Stage::Fuzzy { FUZZY_HITS } else { usize::MAX };
        asked.or(self.hits).unwrap_or(own).min(self.most_hits)
    }
}
