//! How do words travel? In alphabetical order, those that some tool has, and for each tool where they stand in it; at the
//! end what chance finds. Who is called how and which words stand where is worked out anew, which takes less time.

use std::rc::Rc;

use crate::catalog::{Catalog, Tool};
use crate::prebuilt::{Reader, Writer};

use super::candidates::Candidates;
use super::confidence;
use super::fields::{FIELDS, Field};
use super::identity::Identity;
use super::index::{Document, Index, Occurrence, Term};
use super::weights::{Weights, Without};

/// How often a word is counted in a field at the most, and one.
const COUNTS: usize = u16::MAX as usize + 1;

impl Index {
    /// Writes the words of a catalog that it was brought up to, with what chance finds among those of its tools that are
    /// searched.
    pub(crate) fn write(&self, searched: &[&Tool], without: Without, to: &mut Writer) {
        let is_live = |term: &&Term| !self.postings[**term as usize].is_empty();
        let live: Vec<Term> = self.alphabetical.iter().filter(is_live).copied().collect();
        let mut places = vec![0; self.terms.len()];
        to.count(live.len());
        for (place, term) in live.into_iter().enumerate() {
            places[term as usize] = place as Term;
            to.text(self.text(term));
        }
        self.documents.iter().for_each(|document| write(document, &places, to));
        let candidates = Candidates::of(self, searched.iter().copied());
        confidence::write(self, &candidates, &Weights::of(without), to);
    }

    /// Takes in the words of a catalog that was just read from the same bytes, if that is what they are.
    pub(crate) fn load(&mut self, catalog: &Catalog, from: &mut Reader<'_>) -> Option<()> {
        let words = from.texts()?;
        self.words.reserve(words.len());
        self.terms.reserve(words.len());
        for word in words {
            if self.terms.last().is_some_and(|last| **last >= *word) {
                return None;
            }
            let term = self.intern(word);
            self.alphabetical.push(term);
        }
        for (place, tool) in catalog.tools().iter().enumerate() {
            let server = tool.server().map_or(0, |server| self.server(server));
            self.documents.push(Rc::new(read(tool, server, self.terms.len(), from)?));
            self.places.insert(tool.id, place);
        }
        self.follow(catalog);
        self.calibration = confidence::read(from)?;
        Some(())
    }
}

fn write(document: &Document, places: &[Term], to: &mut Writer) {
    let place = |term: Term| places[term as usize];
    let occurrence = |at: &Occurrence| (place(at.term) * FIELDS as Term + at.field as Term, at.count.into());
    to.pairs(document.occurrences.iter().map(occurrence).collect());
    to.numbers(&document.lengths, &|length| length);
    for terms in [&document.name, &document.server_name, &document.own] {
        to.numbers(terms, &place);
    }
    to.pairs(document.pairs.iter().map(|(a, b)| (place(*a), place(*b))).collect());
}

fn read(tool: &Tool, server: usize, words: usize, from: &mut Reader<'_>) -> Option<Document> {
    let places = from.pairs((words * FIELDS, COUNTS))?;
    let mut occurrences = Vec::with_capacity(places.len());
    let mut next = 0;
    for (place, count) in places {
        if place < next {
            return None;
        }
        next = place + 1;
        let field = Field::ALL[place as usize % FIELDS];
        occurrences.push(Occurrence { term: place / FIELDS as Term, field, count: count as u16 });
    }
    let lengths = from.numbers(u32::MAX as usize)?.try_into().ok()?;
    let [name, server_name, own] = [from.numbers(words)?, from.numbers(words)?, from.numbers(words)?];
    let pairs = from.pairs((words, words))?;
    Some(Document { occurrences, lengths, name, server_name, own, pairs, server, identity: Identity::of(tool) })
}
