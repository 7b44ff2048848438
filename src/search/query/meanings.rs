//! The meaning of a word among the tools that are searched: the terms that stand for it, and the tools in which they stand
//! with their saturated frequencies. It does not depend on the request, so the meanings of words in use are kept, as BM25S
//! (Lù 2024) computes scores before queries come.

use std::sync::Arc;
use std::sync::OnceLock;

use crate::search::ids::{Slot, Term};

/// How a term of the catalog stands for a word of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// It is the word, or a form of it.
    Itself,
    /// It means the same.
    Synonym,
    /// It begins alike.
    Relative,
    /// It was probably meant.
    Repair,
}

/// What a word of a request means in a catalog.
#[derive(Debug)]
pub(crate) struct Meaning {
    /// The word as it was written, in lower case.
    pub word: String,
    /// What it is looked up as.
    pub stem: Arc<str>,
    /// The terms that stand for it, and what each counts.
    pub terms: Vec<(Term, f64, Relation)>,
    /// The idf of the word; where no tool has it, of what stands for it.
    pub idf: f64,
    /// The words of the catalog that it was compared with for typos.
    pub comparisons: usize,
    matches: OnceLock<Matches>,
}

/// The tools in which a word stands.
#[derive(Debug, Default)]
pub(crate) struct Matches {
    /// Their slots, each once.
    pub slots: Vec<Slot>,
    /// The saturated frequency in each: 0 to 1.
    pub gains: Vec<f64>,
}

impl Meaning {
    pub(crate) fn new(
        (word, stem): (&str, &str),
        terms: Vec<(Term, f64, Relation)>,
        idf: f64,
        comparisons: usize,
    ) -> Self {
        Meaning { word: word.to_owned(), stem: stem.into(), terms, idf, comparisons, matches: OnceLock::new() }
    }

    /// Whether nothing in the catalog stands for it.
    pub(crate) fn is_unknown(&self) -> bool {
        self.terms.is_empty()
    }

    /// The tools in which it stands; `make` finds them the first time.
    pub(crate) fn matches(&self, make: impl FnOnce() -> Matches) -> &Matches {
        self.matches.get_or_init(make)
    }
}
