//! The query language: one syntax tree ([`Query`]), and the dialects in which a query can be written ([`Grammar`]).
//!
//! | form | `plain` | `commands` | `full` |
//! |---|---|---|---|
//! | words | the text as it stands | words | words; lines are parts of the query |
//! | `select:a,b` | | `select:` or `SELECT:` | in any case; commas and line breaks separate |
//! | `/pattern/`, `/pattern/i` | | | a regular expression |
//! | `+word` | | the word must occur | the word must occur |
//! | `-word` | | | the word must not occur |
//! | `server:name` | | | only tools of these servers |
//! | `how many` | | | asks to count |
//!
//! Reading a query never fails: whatever is none of these forms is words.

mod demands;
mod keywords;
mod parse;
mod tree;

pub(super) use demands::{Demands, Occurrence};
pub(super) use keywords::{Keywords, words};
pub(super) use parse::terms;
pub use tree::{Grammar, Query, Term};
