//! Document frequencies: in how many of some tools each term stands. They are counted once and follow small changes.

use crate::map::Map;
use crate::search::ids::Term;

/// Below this share of distinct terms, a table over the whole vocabulary would be mostly empty.
const DENSE_FROM: usize = 16;

/// Document frequencies by term.
#[derive(Clone, Debug)]
pub(crate) enum Frequencies {
    /// By the number of the term.
    Dense(Vec<u32>),
    /// Of some terms of a large vocabulary.
    Sparse(Map<Term, u32>),
}

impl Frequencies {
    /// No tool yet, of tools that have at most so many `terms` together, out of a vocabulary.
    pub(crate) fn new(terms: usize, vocabulary: usize) -> Self {
        match terms.saturating_mul(DENSE_FROM) >= vocabulary {
            true => Frequencies::Dense(vec![0; vocabulary]),
            false => Frequencies::Sparse(Map::default()),
        }
    }

    /// In how many tools a term stands.
    pub(crate) fn of(&self, term: Term) -> u32 {
        match self {
            Frequencies::Dense(counts) => counts.get(term.index()).copied().unwrap_or(0),
            Frequencies::Sparse(counts) => counts.get(&term).copied().unwrap_or(0),
        }
    }

    /// Counts the distinct terms of one tool more.
    pub(crate) fn add(&mut self, terms: &[Term]) {
        for term in terms {
            *self.count(*term) += 1;
        }
    }

    /// Counts the terms of one tool less, which was counted before.
    pub(crate) fn subtract(&mut self, terms: &[Term]) {
        for term in terms {
            let count = self.count(*term);
            *count = count.saturating_sub(1);
        }
    }

    fn count(&mut self, term: Term) -> &mut u32 {
        match self {
            Frequencies::Dense(counts) => {
                if counts.len() <= term.index() {
                    counts.resize(term.index() + 1, 0);
                }
                &mut counts[term]
            }
            Frequencies::Sparse(counts) => counts.entry(term).or_default(),
        }
    }
}
