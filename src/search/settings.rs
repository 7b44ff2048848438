//! How a search is made: the settings of the search stage.

use super::hit::Stage;
use super::index::words::Needs;
use super::query::Grammar;
use super::ranker_options::Without;

/// How tools are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ranker {
    /// A regular expression over names and descriptions, every match in catalog order; where nothing matches, the
    /// fuzzy stage.
    Pattern,
    /// Words in the parts of names, weighted against hints and descriptions.
    Parts,
    /// Words in names and descriptions, the name before the rest.
    Overlap,
    /// BM25 over names, descriptions and parameter names.
    Bm25,
    /// Fields, forms, synonyms, slips, and what fits as a whole.
    Sift,
}

impl Ranker {
    /// Every value with its text form.
    pub const ALL: &[(&str, Ranker)] = &[
        ("pattern", Ranker::Pattern),
        ("parts", Ranker::Parts),
        ("overlap", Ranker::Overlap),
        ("bm25", Ranker::Bm25),
        ("sift", Ranker::Sift),
    ];
}

/// Which tools are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Universe {
    /// Those that are held back, revealed or not.
    Deferred,
    /// Those that are held back, revealed or not, and those that every session starts with.
    Deferrable,
    /// All that the session may see.
    All,
}

impl Universe {
    /// Every value with its text form.
    pub const ALL: &[(&str, Universe)] =
        &[("deferred", Universe::Deferred), ("deferrable", Universe::Deferrable), ("all", Universe::All)];
}

/// Which hits are worth showing beside the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cutoff {
    /// All.
    None,
    /// Those with at least half of its score.
    HalfOfBest,
}

impl Cutoff {
    /// Every value with its text form.
    pub const ALL: &[(&str, Cutoff)] = &[("none", Cutoff::None), ("half-of-best", Cutoff::HalfOfBest)];
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
        let most = if self.needs().terms { EXPLAINED } else { usize::MAX };
        self.shown(Stage::Sift, None).min(most)
    }

    /// What the index reads of tools for such searches.
    pub(crate) fn needs(&self) -> Needs {
        Needs {
            terms: self.ranker == Ranker::Sift || self.grammar == Grammar::Full,
            trigrams: self.ranker != Ranker::Sift || self.grammar == Grammar::Commands,
            documents: self.ranker == Ranker::Bm25,
            compared: self.ranker == Ranker::Pattern,
        }
    }

    /// The number of hits of a step that are shown, for the number that was asked for.
    pub fn shown(&self, stage: Stage, asked: Option<usize>) -> usize {
        let own = if stage == Stage::Fuzzy { FUZZY_HITS } else { usize::MAX };
        asked.or(self.hits).unwrap_or(own).min(self.most_hits)
    }
}
