//! Which tools may be found, and how rare are words among them? What a session may not see does not count, so that no
//! score tells of it.

use crate::catalog::Tool;

use super::index::{Index, Posting, Term};
use super::number::ln;

/// The tools that are searched, as documents of the index.
pub(super) struct Candidates {
    is_in: Vec<bool>,
    count: usize,
}

impl Candidates {
    pub(super) fn of<'t>(index: &Index, tools: impl Iterator<Item = &'t Tool>) -> Self {
        let mut candidates = Candidates { is_in: vec![false; index.documents.len()], count: 0 };
        for place in tools.filter_map(|tool| index.place(tool)) {
            candidates.is_in[place] = true;
            candidates.count += 1;
        }
        candidates
    }

    pub(super) fn all(index: &Index) -> Self {
        Candidates { is_in: vec![true; index.documents.len()], count: index.documents.len() }
    }

    /// Whether a document is one of them.
    pub(super) fn have(&self, document: usize) -> bool {
        self.is_in[document]
    }

    /// Where a word stands, in the order of the documents.
    pub(super) fn holding<'p>(&'p self, index: &'p Index, term: Term) -> impl Iterator<Item = &'p Posting> {
        index.postings[term as usize].iter().filter(|posting| self.is_in[posting.document as usize])
    }

    /// Whether any of them has a word.
    pub(super) fn hold(&self, index: &Index, term: Term) -> bool {
        self.holding(index, term).next().is_some()
    }

    /// How rare it is that any of some words stands in a tool: the inverse document frequency of Okapi BM25, in the
    /// form that is never negative.
    pub(super) fn rarity(&self, index: &Index, terms: &[Term]) -> f64 {
        let holding = match terms {
            [term] => {
                // In the order of documents, so that those of several fields stand together.
                let mut last = None;
                self.holding(index, *term).filter(|p| last.replace(p.document) != Some(p.document)).count()
            }
            _ => {
                let mut is_counted = vec![false; self.is_in.len()];
                let postings = terms.iter().flat_map(|term| self.holding(index, *term));
                postings.filter(|p| !std::mem::replace(&mut is_counted[p.document as usize], true)).count()
            }
        };
        let (holding, all) = (holding as f64, self.count as f64);
        ln(1.0 + (all - holding + 0.5) / (holding + 0.5))
    }
}
