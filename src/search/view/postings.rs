//! An inverted index over some tools: for each term, the documents that have it, with the term's frequency summed over
//! all fields. It never changes.

use crate::map::Map;
use crate::search::ids::{Doc, Term};
use crate::search::index::Index;

use super::lengths::Lengths;

/// If fewer than 1/16 of the vocabulary's terms occur, a map is used: an array over all terms would be mostly empty.
const DENSE_SHARE: usize = 16;

/// A document that has a term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting {
    pub doc: Doc,
    /// The frequency of the term, weighted by field and normalised by the field's length.
    pub frequency: f32,
}

/// A document that has a term in its name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NamePosting {
    pub doc: Doc,
    /// The sum of the idf of all terms in the name, computed when this index was built.
    pub all: f32,
}

/// An inverted index as columns.
#[derive(Debug)]
pub(crate) struct Postings {
    numbers: Numbers,
    postings: Vec<Posting>,
    /// Indexed by a term's local id: the start of its postings. The last entry is the end.
    starts: Vec<u32>,
    /// The documents that have a term in their names.
    names: Vec<NamePosting>,
    name_starts: Vec<u32>,
    /// Indexed by a term's local id: whether a definition has the term, and not only enrichments.
    are_defined: Vec<bool>,
}

/// Maps each term that occurs to its local id (0, 1, 2, …).
#[derive(Debug)]
enum Numbers {
    /// By term; `u32::MAX` for terms that do not occur.
    Dense(Vec<u32>),
    /// Few terms of a large vocabulary.
    Sparse(Map<Term, u32>),
}

impl Postings {
    /// Makes the postings of some documents. `idf` returns the idf of a document frequency.
    pub(crate) fn of(index: &Index, docs: &[Doc], lengths: &Lengths, idf: impl Fn(u32) -> f64) -> Self {
        let columns = &index.columns;
        let (mut counts, mut name_counts) = (vec![0u32; index.vocabulary.len()], vec![0u32; index.vocabulary.len()]);
        for doc in docs {
            columns.each_term(*doc, |term, occurrences| counts[term] += u32::from(lengths.counts(occurrences)));
            columns.names.row(*doc).iter().for_each(|term| name_counts[*term] += 1);
        }
        let frequencies = counts.clone();
        let terms: Vec<Term> = (0..counts.len()).map(Term::new).filter(|term| counts[*term] > 0).collect();
        let (mut starts, mut name_starts) = (vec![0; terms.len() + 1], vec![0; terms.len() + 1]);
        for (number, term) in terms.iter().enumerate() {
            starts[number + 1] = starts[number] + counts[*term];
            name_starts[number + 1] = name_starts[number] + name_counts[*term];
            // From here on, `counts` is the place of the next posting of a term.
            counts[*term] = starts[number];
            name_counts[*term] = name_starts[number];
        }
        let all = |starts: &[u32]| starts[terms.len()] as usize;
        let mut postings = vec![Posting { doc: Doc(0), frequency: 0.0 }; all(&starts)];
        let mut names = vec![NamePosting::default(); all(&name_starts)];
        let mut defined = vec![false; counts.len()];
        for doc in docs.iter().copied() {
            let field_lengths = &columns.lengths[doc];
            columns.each_term(doc, |term, occurrences| {
                if !lengths.counts(occurrences) {
                    return;
                }
                let frequency = lengths.frequency(occurrences, field_lengths) as f32;
                postings[counts[term] as usize] = Posting { doc, frequency };
                counts[term] += 1;
                defined[term] |= occurrences.iter().any(|one| !one.field.is_colloquial());
            });
            let name = columns.names.row(doc);
            let all = name.iter().fold(0.0, |sum, term| sum + idf(frequencies[*term])) as f32;
            for term in name {
                names[name_counts[*term] as usize] = NamePosting { doc, all };
                name_counts[*term] += 1;
            }
        }
        let are_defined = terms.iter().map(|term| defined[*term]).collect();
        let numbers = if terms.len().saturating_mul(DENSE_SHARE) >= counts.len() {
            let mut numbers = vec![u32::MAX; counts.len()];
            terms.iter().enumerate().for_each(|(number, term)| numbers[*term] = number as u32);
            Numbers::Dense(numbers)
        } else {
            Numbers::Sparse(terms.iter().enumerate().map(|(number, term)| (*term, number as u32)).collect())
        };
        Postings { numbers, postings, starts, names, name_starts, are_defined }
    }

    /// Returns the documents that have a term, in the catalog's order when this index was built.
    pub(crate) fn row(&self, term: Term) -> &[Posting] {
        self.number(term).map_or(&[], |at| &self.postings[self.starts[at] as usize..self.starts[at + 1] as usize])
    }

    /// Returns the documents that have a term in their names, except as a stop word.
    pub(crate) fn names(&self, term: Term) -> &[NamePosting] {
        self.number(term)
            .map_or(&[], |at| &self.names[self.name_starts[at] as usize..self.name_starts[at + 1] as usize])
    }

    /// Returns, by number of a term, how many documents have it.
    pub(crate) fn document_frequencies(&self) -> impl Iterator<Item = u32> {
        self.starts.windows(2).map(|ends| ends[1] - ends[0])
    }

    /// Returns how many documents have a term.
    pub(crate) fn document_frequency(&self, term: Term) -> u32 {
        self.number(term).map_or(0, |at| self.starts[at + 1] - self.starts[at])
    }

    /// Returns true if the definition of any document has a term.
    pub(crate) fn is_defined(&self, term: Term) -> bool {
        self.number(term).is_some_and(|at| self.are_defined[at])
    }

    /// Returns the number of a term, if it occurs.
    pub(crate) fn number(&self, term: Term) -> Option<usize> {
        let number = match &self.numbers {
            Numbers::Dense(numbers) => numbers.get(term.index()).copied().filter(|number| *number != u32::MAX),
            Numbers::Sparse(numbers) => numbers.get(&term).copied(),
        };
        number.map(|number| number as usize)
    }
}
