//! The query language: what a query says ([`Query`]), and the dialects in which it can be written ([`Grammar`]).
//!
//! | form | `plain` | `commands` | `full` |
//! |---|---|---|---|
//! | words | the text as it stands | words | words; lines are parts of the query |
//! | `select:a,b` | | `select:` or `SELECT:` | in any case; commas and line breaks separate |
//! | `/pattern/`, `/pattern/i` | | | a regular expression |
//! | `+word` | | the word must occur | the word must occur |
//! | `-word` | | | the word must not occur |
//! | `server:name` | | | only tools of these servers |
//! | `-server:name` | | | no tools of these servers |
//! | `how many` | | | asks to count |
//!
//! Reading a query never fails: whatever is none of these forms is words.

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
    /// How a query is read.
    pub enum Grammar {
        /// As it stands.
        Plain = "plain",
        /// `select:name,name` names tools; a word behind `+` must occur; other words rank.
        Commands = "commands",
        /// What commands have, and `-not`, `server:name` and `/pattern/`. Never an error: what cannot be read as one of them is words.
        Full = "full",
    }
}

/// A query taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query<'q> {
    /// A text that the ranker reads as it stands.
    Text(&'q str),
    /// The tools of these names: trimmed, without blanks, with repeats.
    Select(Vec<&'q str>),
    /// The tools that a regular expression matches.
    Pattern(&'q str),
    /// The tools that fit some words.
    Words(Vec<Token<'q>>),
}

/// A part of a query in words, as far as it says something of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'q> {
    /// A word that ranks.
    Word(&'q str),
    /// A word that must occur, and ranks.
    Must(&'q str),
    /// A word that must not occur.
    Not(&'q str),
    /// The tool must be of a server that this means. Where it means none, it is a word.
    Server(&'q str),
    /// The tool must not be of a server that this means. Where it means none, it says nothing.
    NotServer(&'q str),
    /// The end of a line, which is the end of a part of the query.
    Break,
}

/// The words of a query in ASCII lower case, as the ranker of name parts takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keywords {
    /// Words that must occur in the name, the description or the hint.
    pub required: Vec<String>,
    /// Words that rank.
    pub optional: Vec<String>,
}

impl Keywords {
    /// The words of some tokens.
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

    /// The words of a text that is read as it stands.
    pub(crate) fn plain(text: &str) -> Self {
        Keywords { required: Vec::new(), optional: words(text).map(str::to_ascii_lowercase).collect() }
    }

    /// Whether there is no word at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.required.is_empty() && self.optional.is_empty()
    }

    /// The required words, then the others.
    pub(crate) fn all(&self) -> impl Iterator<Item = &String> {
        self.required.iter().chain(&self.optional)
    }
}

/// The words of a text, as many as rankers look at.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().take(limits::QUERY_WORDS)
}
