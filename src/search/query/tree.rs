//! The syntax tree of a query, and the dialects in which a query can be written.

/// How a query is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Grammar {
    /// As it stands.
    Plain,
    /// `select:name,name` names tools; a word behind `+` must occur; other words rank.
    Commands,
    /// The same, and `-not`, `server:name` and `/pattern/`. Never an error: what cannot be read as one of them is words.
    Full,
}

impl Grammar {
    /// Every value with its text form.
    pub const ALL: &[(&str, Grammar)] =
        &[("plain", Grammar::Plain), ("commands", Grammar::Commands), ("full", Grammar::Full)];
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
    /// The tools that fit some terms.
    Terms(Vec<Term<'q>>),
}

/// A part of a query in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term<'q> {
    /// A word that ranks.
    Word(&'q str),
    /// A word that must occur, and ranks.
    Must(&'q str),
    /// A word that must not occur.
    Not(&'q str),
    /// The tool must be of a server that `name` means. Where it means none, `written` is a word.
    Server {
        /// The text behind `server:`.
        name: &'q str,
        /// The whole term.
        written: &'q str,
    },
    /// The end of a line, which is the end of a part of the query.
    Break,
}
