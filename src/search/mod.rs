//! Finds the tools that fit a query.
//!
//! A query is read by a [`Grammar`] (`query`); a [`Ranker`] takes it and the tools of a [`Corpus`], and answers with hits that
//! explain themselves (`hit`); [`SearchSettings`] say how many of them count. `evaluate` leads a query through these steps.
//!
//! - `words`: the rankers of the published systems, which match words as they are written, and their index.
//! - `pattern`: regular expressions in linear time.
//! - `sift`: the ranker of our own. `text` cuts texts into words; `index` keeps where words stand; `scope` counts them over
//!   the tools that are searched; `query` reads a request; `score` ranks; `calibration` says how sure that is; `answer`
//!   selects what is shown and explains it.
//! - `resolve` and `select`: tools by name, however a model writes it.

mod corpus;
mod evaluate;
mod hit;
mod ids;
mod lists;
mod number;
#[cfg(all(not(target_family = "wasm"), any(test, toolsift_oracles)))]
pub(crate) mod oracle;
mod pattern;
mod places;
mod pool;
mod postings;
mod query;
mod rank;
mod resolve;
mod select;
mod sift;
mod slots;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::disallowed_methods)]
mod tests;
mod top_k;
mod vocabulary;
mod words;

pub use corpus::Corpus;
pub use hit::{Confidence, Explained, Found, Hit, HitPart, How, SearchedField, Stage, Verdict};
pub(crate) use pattern::fault as pattern_fault;
pub use query::{Grammar, Query, Term};
pub use rank::Search;
pub use resolve::NameIndex;
pub use sift::{Index, Ingredient, Without, embedding_text};
pub use words::TextIndex;

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
    /// The same, and those that every session starts with.
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

impl SearchSettings {
    /// The number of hits that get reasons if the host does not say how many hits it wants.
    pub fn most_explained(&self) -> usize {
        let most = if self.needs_index() { EXPLAINED } else { usize::MAX };
        self.shown(Stage::Sift, None).min(most)
    }

    /// Whether a search looks into the [`Index`].
    pub fn needs_index(&self) -> bool {
        self.ranker == Ranker::Sift || self.grammar == Grammar::Full
    }

    /// Whether a search looks into the [`TextIndex`].
    pub fn needs_texts(&self) -> bool {
        self.ranker != Ranker::Sift || self.grammar == Grammar::Commands
    }

    /// The number of hits of a step that are shown, for the number that was asked for.
    pub fn shown(&self, stage: Stage, asked: Option<usize>) -> usize {
        let own = if stage == Stage::Fuzzy { words::fuzzy::MOST_HITS } else { usize::MAX };
        asked.or(self.hits).unwrap_or(own).min(self.most_hits)
    }
}
