//! Writes and reads the index as bytes: the terms in alphabetical order, and the columns and postings of each tool. The
//! names by which tools are called are computed again, which is faster than reading them.

use crate::catalog::Catalog;
use crate::error::Result;
use crate::prebuilt::{contradiction, put, take};
use crate::search::analysis::tokenizer::{Cut, each_word};
use crate::search::fields::{FIELDS, Field};
use crate::search::ids::Doc;
use crate::search::ids::Term;
use crate::search::index::Index;
use crate::search::index::analyzer::Occurrence;
use crate::search::index::columns::Row;
use crate::search::null_scores::Measured;

/// The columns of a tool: the terms of its name, the lengths of its fields, and the terms of its first sentence.
type Columns = (Vec<u32>, [u16; FIELDS], Vec<u32>);

impl Index {
    /// Writes an index that has read every tool exactly once.
    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        let terms = self.vocabulary.sorted();
        let mut numbers_of = vec![0; self.vocabulary.len()];
        for (number, term) in terms.iter().enumerate() {
            numbers_of[*term] = number as u32;
        }
        put(terms.iter().map(|term| self.vocabulary.text(*term)).collect::<Vec<&str>>(), to);
        let numbers = |terms: &[Term]| terms.iter().map(|term| numbers_of[*term]).collect::<Vec<u32>>();
        let mut postings: Vec<Postings> = vec![Postings::default(); terms.len()];
        for doc in (0..self.versions.len()).map(Doc::new) {
            let (name, leads) = (self.columns.names.row(doc), self.columns.leads.row(doc));
            put((numbers(name), self.columns.lengths[doc], numbers(leads)), to);
            for one in self.columns.occurrences.row(doc) {
                postings[numbers_of[one.term] as usize].push(doc.0 * FIELDS as u32 + one.field as u32, one.count);
            }
        }
        postings.into_iter().for_each(|postings| put(postings.numbers, to));
    }

    /// Loads the index of a catalog that was just read from the same bytes.
    ///
    /// # Errors
    /// `index_invalid` if the bytes are not such an index.
    pub(crate) fn load(&mut self, catalog: &Catalog, from: &mut &[u8]) -> Result<()> {
        self.versions.follow(catalog);
        let texts: Vec<&str> = take(from)?;
        if !texts.is_sorted_by(|a, b| a < b) {
            return Err(contradiction());
        }
        self.vocabulary.reserve(texts.len());
        texts.iter().for_each(|text| _ = self.vocabulary.intern(text));
        let terms = |numbers: Vec<u32>| match numbers.iter().all(|number| (*number as usize) < texts.len()) {
            true => Ok(numbers.into_iter().map(Term).collect()),
            false => Err(contradiction()),
        };
        let mut rows: Vec<Row> = Vec::new();
        for tool in catalog.tools() {
            let (name, lengths, leads): Columns = take(from)?;
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
            rows.push(Row { lengths, name: terms(name)?, lead: terms(leads)?, server });
            self.names.push(tool);
        }
        let mut occurrences: Vec<Vec<Occurrence>> = vec![Vec::new(); rows.len()];
        for term in (0..texts.len()).map(Term::new) {
            for (place, count) in unpacked(&take::<Vec<u32>>(from)?, rows.len() * FIELDS).ok_or_else(contradiction)? {
                let field = Field::ALL[place % FIELDS];
                occurrences[place / FIELDS].push(Occurrence { term, field, count });
            }
        }
        for ((row, occurrences), tool) in rows.into_iter().zip(occurrences).zip(catalog.tools()) {
            self.columns.push(row, tool.effect, &occurrences);
        }
        self.vocabulary.sort();
        self.measured = Some(Measured::read(from)?);
        Ok(())
    }
}

/// The places of a term in ascending order, each with its count. A place is written as the difference from the one
/// before; its lowest bit says whether the count follows. Most counts are 1, and are left out.
#[derive(Clone, Default)]
struct Postings {
    numbers: Vec<u32>,
    last: u32,
}

impl Postings {
    fn push(&mut self, place: u32, count: u8) {
        self.numbers.push((place - self.last) << 1 | u32::from(count != 1));
        if count != 1 {
            self.numbers.push(count.into());
        }
        self.last = place;
    }
}

/// Returns the places, which are below `bound`, with their counts, or `None` if the numbers are no postings.
fn unpacked(numbers: &[u32], bound: usize) -> Option<Vec<(usize, u8)>> {
    let mut postings: Vec<(usize, u8)> = Vec::with_capacity(numbers.len());
    let mut numbers = numbers.iter();
    while let Some(step) = numbers.next() {
        let last = postings.last().map(|(place, _)| *place);
        let place = (step >> 1) as usize + last.unwrap_or(0);
        let count = if step & 1 == 0 { 1 } else { u8::try_from(*numbers.next()?).ok()? };
        if place >= bound || last == Some(place) {
            return None;
        }
        postings.push((place, count));
    }
    Some(postings)
}
