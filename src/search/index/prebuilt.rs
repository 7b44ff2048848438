//! Writes and reads the index as bytes: the terms in alphabetical order, and the columns and postings of each tool. The
//! names by which tools are called are computed again, which is faster than reading them.

use crate::catalog::Catalog;
use crate::prebuilt::{Decoder, Encoder};
use crate::search::analysis::tokenizer::{Cut, each_word};
use crate::search::fields::{FIELDS, Field};
use crate::search::ids::Doc;
use crate::search::ids::Term;
use crate::search::index::Index;
use crate::search::index::analyzer::Occurrence;
use crate::search::index::columns::Row;
use crate::search::null_scores::Measured;

/// One more than the largest count of a term in a field.
const COUNTS: usize = u8::MAX as usize + 1;
/// One more than the largest length of a field.
const LENGTHS: usize = u16::MAX as usize + 1;

impl Index {
    /// Writes an index that has read every tool exactly once.
    pub(crate) fn write(&self, to: &mut Encoder) {
        let terms = self.vocabulary.sorted();
        let mut numbers_of = vec![0; self.vocabulary.len()];
        to.count(terms.len());
        for (number, term) in terms.iter().enumerate() {
            numbers_of[*term] = number as u32;
            to.text(self.vocabulary.text(*term));
        }
        let numbers = |terms: &[Term]| terms.iter().map(|term| numbers_of[*term]).collect::<Vec<u32>>();
        for doc in (0..self.versions.len()).map(Doc::new) {
            to.numbers(&numbers(self.columns.names.row(doc)));
            to.numbers(&self.columns.lengths[doc].map(u32::from));
            to.numbers(&numbers(self.columns.leads.row(doc)));
        }
        let mut postings: Vec<Vec<(u32, u32)>> = vec![Vec::new(); terms.len()];
        for doc in (0..self.versions.len()).map(Doc::new) {
            for one in self.columns.occurrences.row(doc) {
                let place = doc.0 * FIELDS as u32 + one.field as u32;
                postings[numbers_of[one.term] as usize].push((place, one.count.into()));
            }
        }
        postings.into_iter().for_each(|postings| to.pairs(postings));
    }

    /// Loads the index of a catalog that was just read from the same bytes. Returns `None` if the bytes are not such an
    /// index.
    pub(crate) fn load(&mut self, catalog: &Catalog, from: &mut Decoder<'_>) -> Option<()> {
        self.versions.follow(catalog);
        let texts = from.texts()?;
        self.vocabulary.reserve(texts.len());
        for (at, text) in texts.iter().enumerate() {
            if at > 0 && texts[at - 1] >= *text {
                return None;
            }
            self.vocabulary.intern(text);
        }
        let terms = texts.len();
        let mut rows: Vec<Row> = Vec::new();
        for tool in catalog.tools() {
            let name = from.numbers(terms)?.into_iter().map(Term).collect();
            let Index { lexicon, vocabulary, servers, .. } = self;
            let server = servers.id(tool, || {
                let mut terms = Vec::new();
                each_word(tool.server().unwrap_or(""), |word, cut| {
                    if cut != Cut::Joined {
                        terms.extend(vocabulary.term(&lexicon.stem(word)));
                    }
                });
                terms
            });
            let mut lengths = [0; FIELDS];
            let read = from.numbers(LENGTHS)?;
            if read.len() != FIELDS {
                return None;
            }
            lengths.iter_mut().zip(read).for_each(|(length, read)| *length = read as u16);
            let lead = from.numbers(terms)?.into_iter().map(Term).collect();
            rows.push(Row { lengths, name, lead, server });
            self.names.push(tool);
        }
        let mut occurrences: Vec<Vec<Occurrence>> = vec![Vec::new(); rows.len()];
        for term in (0..terms).map(Term::new) {
            for (place, count) in from.pairs((rows.len() * FIELDS, COUNTS))? {
                let field = Field::ALL[place as usize % FIELDS];
                occurrences[place as usize / FIELDS].push(Occurrence { term, field, count: count as u8 });
            }
        }
        for ((row, occurrences), tool) in rows.into_iter().zip(occurrences).zip(catalog.tools()) {
            self.columns.push(row, tool.effect, &occurrences);
        }
        self.vocabulary.sort();
        self.measured = Some(Measured::read(from)?);
        Some(())
    }
}
