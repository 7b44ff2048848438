//! Finds the tools that fit a query.
//!
//! Each folder uses only the folders above it:
//!
//! - `analysis`: text → words, sentences, clauses, stems, stop words, synonyms.
//! - `index`: the data about tools that every ranker reads. It is kept up to date with the catalog.
//! - `view`: a [`Corpus`] of searched tools, with document frequencies and averages over exactly these tools.
//! - `query`: the query language ([`Grammar`]), and the terms that the words of a request stand for in a view.
//! - `ranking`: our own ranker; `published`: the rankers of the published systems.
//! - `calibration`: the confidence of a result.
//! - `answer`: selects the hits that are shown, and explains them.
//! - `searcher` joins these for our own ranker, and `evaluate` evaluates a query in any dialect with any ranker.
//!
//! `ranker_options`, `fields`, `ids`, `hit` and `top_k` are used by all of them; `resolve` finds tools by name, in any
//! form that a model writes.
//!
//! Rare branches are functions with `#[inline(never)]`: V8 compiles a function as a whole when it is first called, which
//! took most of the time of the first search.
//!
//! | question | files |
//! |---|---|
//! | How is a hit scored? | `searcher` has the steps in order; `query/terms`, `ranking/mod`, `ranking/sentences` |
//! | What else changes a score? | `answer/needs`, `ranking/host_scores`; `answer/mod` makes the public score |
//! | By which constants? | `ranker_options` |
//! | What decides the confidence and the likelihoods? | `calibration/mod`; `calibration/words` draws what it compares with |
//! | Where is a confidence set to none or high without the scores? | `evaluate`, `resolve`; `searcher` for named tools |
//! | Which hits come first where scores do not decide? | `query/named`, `answer/needs`, `answer/crowding` |
//! | What do `+word`, `server:` and `/pattern/` do? | `query/mod`, `query/parse`, `evaluate` |
//! | What is counted over which tools? | `corpus`, `view/mod`, `view/postings` |
//! | What is read of a tool? | `index/tool_texts`, `index/schema_texts`, `analysis/tokenizer`, `index/analyzer` |

mod analysis;
mod answer;
mod calibration;
mod corpus;
mod evaluate;
mod fields;
mod hit;
mod ids;
mod index;
mod null_scores;
mod published;
mod query;
mod ranker_options;
mod ranking;
mod resolve;
mod searcher;
mod settings;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
mod top_k;
mod view;

pub use analysis::translations::Translations;
pub(crate) use calibration::write as write_chances;
pub use corpus::Corpus;
pub use hit::{Confidence, Explained, Found, Hit, HitPart, How, Need, SearchedField, Stage, Verdict};
pub use index::Index;
pub(crate) use published::pattern::fault as pattern_fault;
pub use query::{Grammar, Query, Token};
pub use ranker_options::{Ingredient, Without};
pub use resolve::{NameIndex, may_mean};
pub use searcher::Search;
pub use settings::{Cutoff, Ranker, SearchSettings, Universe};
