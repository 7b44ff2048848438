//! Which tools may be found, and how rare are words among them? What a session may not see does not count, so that no
//! score tells of it.

use crate::catalog::Tool;
use crate::search::number::ln;

use super::fields::FIELDS;
use super::index::{Index, Posting, Term};

/// The tools that are searched, as documents of the index.
pub(super) struct Candidates {
    is_in: Vec<bool>,
    /// Their places, in catalog order.
    pub documents: Vec<usize>,
    /// How many words each field has, over those that have the field at all: most tools have no hint, and many no
    /// parameters.
    pub averages: [f64; FIELDS],
}

impl Candidates {
    pub(super) fn of<'t>(index: &Index, tools: impl Iterator<Item = &'t Tool>) -> Self {
        let documents: Vec<usize> = tools.filter_map(|tool| index.place(tool)).collect();
        let mut is_in = vec![false; index.documents.len()];
        let (mut sums, mut having) = ([0u64; FIELDS], [0u64; FIELDS]);
        for place in &documents {
            is_in[*place] = true;
            for (field, length) in index.documents[*place].lengths.into_iter().enumerate() {
                sums[field] += u64::from(length);
                having[field] += u64::from(length > 0);
            }
        }
        let averages = std::array::from_fn(|field| (sums[field] as f64 / having[field].max(1) as f64).max(1.0));
        Candidates { is_in, documents, averages }
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

    /// The term of a stem that some of them has.
    pub(super) fn known(&self, index: &Index, stem: &str) -> Option<Term> {
        index.term(stem).filter(|term| self.hold(index, *term))
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
        let (holding, all) = (holding as f64, self.documents.len() as f64);
        ln(1.0 + (all - holding + 0.5) / (holding + 0.5))
    }
}
