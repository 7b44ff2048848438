//! The index of the ranker: postings by term over slots, columns by slot, and the names by which tools are called. It
//! follows the catalog; only tools that are new to it are read.

pub(super) mod columns;
pub(super) mod embedding_text;
pub(super) mod fields;
pub(super) mod name_keys;
pub(super) mod names;
pub(super) mod prebuilt;
pub(super) mod reader;
pub(super) mod schema_texts;
pub(super) mod tool_texts;

use crate::catalog::{Catalog, Tool};
use crate::search::ids::{Slot, Term};
use crate::search::pool::Pool;
use crate::search::postings::push_to;
use crate::search::sift::calibration::chances::Measured;
use crate::search::sift::index::columns::{Columns, Row, Servers};
use crate::search::sift::index::fields::Field;
use crate::search::sift::index::names::Names;
use crate::search::sift::index::reader::Reader;
use crate::search::sift::score::scratch::Scratch;
use crate::search::sift::score::weights::Without;
use crate::search::sift::text::lexicon::Lexicon;
use crate::search::slots::{Change, Slots};
use crate::search::vocabulary::Vocabulary;
use crate::search::words::column::Column;

/// How often a term stands in a field of a tool, and how long that field is.
#[derive(Clone, Copy, Debug)]
pub(in crate::search::sift) struct Posting {
    pub slot: Slot,
    /// Words of the field.
    pub length: u16,
    pub field: Field,
    pub count: u8,
}

/// The terms of a catalog.
#[derive(Debug)]
pub struct Index {
    pub(in crate::search::sift) lexicon: Lexicon,
    /// How often everything was read anew: slots and terms of another epoch mean other things.
    pub(in crate::search::sift) epoch: u64,
    pub(in crate::search) slots: Slots,
    pub(in crate::search::sift) vocabulary: Vocabulary,
    /// By term, in the order of slots and fields.
    postings: Vec<Vec<Posting>>,
    /// By term: the tools that have it in their names as a word of its own that is no stop word.
    name_postings: Vec<Vec<Slot>>,
    pub(in crate::search::sift) columns: Columns,
    pub(in crate::search::sift) servers: Servers,
    pub(in crate::search) names: Names,
    /// What chance finds among some tools, where a prebuilt index brought it along.
    pub(in crate::search::sift) measured: Option<Measured>,
    pub(in crate::search::sift) scratch: Pool<Scratch>,
}

impl Index {
    /// An empty index; groups of words are synonyms beside those of the tables.
    pub fn new(synonyms: &[Vec<String>], without: Without) -> Self {
        Index {
            lexicon: Lexicon::new(synonyms, without),
            epoch: 0,
            slots: Slots::default(),
            vocabulary: Vocabulary::default(),
            postings: Vec::new(),
            name_postings: Vec::new(),
            columns: Columns::default(),
            servers: Servers::default(),
            names: Names::default(),
            measured: None,
            scratch: Pool::default(),
        }
    }

    /// Whether the index is up to the catalog.
    pub fn follows(&self, catalog: &Catalog) -> bool {
        self.slots.follows(catalog)
    }

    /// Brings the index up to the catalog.
    pub fn follow(&mut self, catalog: &Catalog) {
        let first = match self.slots.follow(catalog) {
            Change::None => return,
            Change::From(slot) => slot,
            Change::All => {
                self.epoch += 1;
                self.vocabulary = Vocabulary::default();
                self.postings.clear();
                self.name_postings.clear();
                self.columns = Columns::default();
                self.servers = Servers::default();
                self.names = Names::default();
                Slot(0)
            }
        };
        self.measured = None;
        let mut reader = Reader::default();
        for slot in (first.index()..self.slots.len()).map(Slot::new) {
            if let Some(position) = self.slots.position(slot) {
                self.read(&catalog.tools()[position], slot, &mut reader);
            }
        }
        self.vocabulary.sort();
    }

    fn read(&mut self, tool: &Tool, slot: Slot, reader: &mut Reader) {
        let Index { lexicon, vocabulary, servers, .. } = self;
        let (row, occurrences) = reader.read(tool, lexicon, vocabulary, servers);
        let mut terms: Vec<Term> = occurrences.iter().map(|occurrence| occurrence.term).collect();
        terms.dedup();
        self.columns.terms.push(terms);
        for occurrence in occurrences {
            let length = row.lengths[occurrence.field as usize];
            self.post(occurrence.term, Posting { slot, length, field: occurrence.field, count: occurrence.count });
        }
        self.push(tool, slot, row);
    }

    /// Adds the row of the tool in the next slot.
    pub(in crate::search::sift) fn push(&mut self, tool: &Tool, slot: Slot, row: Row) {
        for term in &row.name {
            push_to(&mut self.name_postings, *term, slot);
        }
        self.columns.push(row, tool.effect);
        self.names.push(Some(tool));
    }

    /// Adds a posting behind those that its term has already.
    pub(in crate::search::sift) fn post(&mut self, term: Term, posting: Posting) {
        push_to(&mut self.postings, term, posting);
    }

    /// The tools that have a term in their names, in the order of slots.
    pub(in crate::search::sift) fn names_with(&self, term: Term) -> &[Slot] {
        self.name_postings.get(term.index()).map_or(&[], Vec::as_slice)
    }

    /// The terms that stand in names.
    pub(in crate::search::sift) fn name_terms(&self) -> impl Iterator<Item = Term> {
        (0..self.name_postings.len()).map(Term::new)
    }

    /// Where a term stands, in the order of slots and fields; tools that have left the catalog are among them.
    pub(in crate::search::sift) fn postings(&self, term: Term) -> &[Posting] {
        self.postings.get(term.index()).map_or(&[], Vec::as_slice)
    }

    /// The postings of a term in one tool.
    pub(in crate::search::sift) fn postings_in(&self, term: Term, slot: Slot) -> &[Posting] {
        let postings = self.postings(term);
        let postings = &postings[postings.partition_point(|posting| posting.slot < slot)..];
        &postings[..postings.partition_point(|posting| posting.slot == slot)]
    }
}
