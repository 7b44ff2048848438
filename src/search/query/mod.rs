//! Defines the query language: the parsed query ([`Query`]), and the dialects in which it can be written ([`Grammar`]).
//!
//! | form | `plain` | `commands` | `full` |
//! |---|---|---|---|
//! | words | the unchanged text | words | words; lines are parts of the query |
//! | `select:a,b` | | `select:` or `SELECT:` | in any case; commas and line breaks separate |
//! | `/pattern/`, `/pattern/i` | | | a regular expression |
//! | `+word` | | the word must occur | the word must occur |
//! | `-word` | | | the word must not occur |
//! | `server:name` | | | only tools of these servers |
//! | `-server:name` | | | no tools of these servers |
//! | `how many` | | | means `count` |
//!
//! Parsing a query never fails: any text in none of these forms is read as words.

mod demands;
pub(super) mod named;
mod parse;
mod similar;
pub(super) mod terms;

use crate::limits;
use crate::macros::choices;

pub(super) use demands::Demands;
pub(super) use parse::tokens;

choices! {
    /// The dialect in which a query is read.
    pub enum Grammar {
        /// The query is the unchanged text.
        Plain = "plain",
        /// `select:name,name` names tools; a word after `+` must occur; other words rank.
        Commands = "commands",
        /// The forms of `commands`, and `-not`, `server:name` and `/pattern/`. Text that fits none of them is read as
        /// words, never as an error.
        Full = "full",
    }
}

/// A parsed query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query<'q> {
    /// A text that the ranker reads unchanged.
    Text(&'q str),
    /// The tools with these names. Names are trimmed and not blank, but may repeat.
    Select(Vec<&'q str>),
    /// The tools that a regular expression matches.
    Pattern(&'q str),
    /// The tools that fit some words.
    Words(Vec<Token<'q>>),
}

/// A part of a query in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'q> {
    /// A word that ranks.
    Word(&'q str),
    /// A word that must occur, and ranks.
    Must(&'q str),
    /// A word that must not occur.
    Not(&'q str),
    /// The tool must belong to a server that this name means. If it means none, it is a word.
    Server(&'q str),
    /// The tool must not belong to a server that this name means. If it means none, it is ignored.
    NotServer(&'q str),
    /// The end of a line, which ends a part of the query.
    Break,
}

/// The words of a query in ASCII lower case, for the ranker of name parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keywords {
    /// Words that must occur in the name, the description or the hint.
    pub required: Vec<String>,
    /// Words that rank.
    pub optional: Vec<String>,
}

impl Keywords {
    /// Returns the words of some tokens.
    pub(crate) fn of(tokens: &[Token<'_>]) -> Self {
        let mut keywords = Keywords::default();
        for token in tokens {
            match token {
                Token::Must(word) => keywords.required.push(word.to_ascii_lowercase()),
                Token::Word(word) => keywords.optional.push(word.to_ascii_lowercase()),
                Token::Not(_) | Token::Server(_) | Token::NotServer(_) | Token::Break => {}
            }
        }
        keywords
    }

    /// Returns the words of a text without any syntax.
    pub(crate) fn plain(text: &str) -> Self {
        Keywords { required: Vec::new(), optional: words(text).map(str::to_ascii_lowercase).collect() }
    }

    /// Returns true if there are no words.
    pub(crate) fn is_empty(&self) -> bool {
        self.required.is_empty() && self.optional.is_empty()
    }

    /// Returns the required words, then the others.
    pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
        self.required.iter().chain(&self.optional)
    }
}

/// Returns the words of a text, up to the limit of rankers.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().take(limits::QUERY_WORDS)
}
