//! Finds the tools that fit a query.
//!
//! A query is read by a [`Grammar`] (`query`); a [`Ranker`] takes it and the tools of a [`Corpus`], and answers with hits that
//! explain themselves (`hit`); [`SearchSettings`] say how many of them count. `evaluate` leads a query through these steps.
//!
//! - `index`: what every ranker reads of the tools. It follows the catalog; a [`Corpus`] says which tools are searched.
//! - `words`: the rankers of the published systems, which match words as they are written.
//! - `pattern`: regular expressions in linear time.
//! - `sift`: the ranker of our own. `text` cuts texts into words; `scope` counts them over the tools that are searched;
//!   `query` reads a request; `score` ranks; `calibration` says how sure that is; `answer` selects what is shown and
//!   explains it.
//! - `resolve`: tools by name, however a model writes it.

mod corpus;
mod evaluate;
mod hit;
mod ids;
mod index;
mod number;
mod pattern;
mod query;
mod resolve;
mod settings;
mod sift;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::disallowed_methods)]
mod tests;
mod top_k;
mod words;

pub use corpus::Corpus;
pub use evaluate::Search;
pub use hit::{Confidence, Explained, Found, Hit, HitPart, How, Need, SearchedField, Stage, Verdict};
pub use index::Index;
pub(crate) use index::words::Needs;
pub(crate) use pattern::fault as pattern_fault;
pub use query::{Grammar, Query, Token};
pub use resolve::NameIndex;
pub use settings::{Cutoff, Ranker, SearchSettings, Universe};
pub(crate) use sift::write_chances;
pub use sift::{Ingredient, Without};
