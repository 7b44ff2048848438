//! The index that every ranker reads. It follows the catalog: only tools that are new to it are read, each into the next
//! slot.
//!
//! - One vocabulary has the terms of all tools by number.
//! - Postings and columns hold the stems of a tool by field, for the sift ranker (`analyzer`, `columns`).
//! - `words` has what the published rankers need, who cut texts otherwise.
//! - `names` are the names by which tools are called.
//!
//! Only what the settings of a search need is read ([`Needs`]).

pub(super) mod analyzer;
pub(super) mod columns;
pub(super) mod names;
pub(super) mod prebuilt;
pub(super) mod schema_texts;
pub(super) mod slots;
pub(super) mod tool_texts;
pub(super) mod vocabulary;
pub(super) mod words;

use crate::catalog::{Catalog, Tool};
use crate::search::analysis::lexicon::Lexicon;
use crate::search::fields::Field;
use crate::search::ids::{Slot, Term};
use crate::search::index::analyzer::Analyzer;
use crate::search::index::columns::{Columns, Row, Servers};
use crate::search::index::names::Names;
use crate::search::index::slots::{Change, Slots};
use crate::search::index::vocabulary::{Vocabulary, push_to};
use crate::search::index::words::{Needs, Words};
use crate::search::ranker_options::Without;
use crate::search::ranking::scratch::Pool;
use crate::search::view::null_scores::Measured;

/// How often a term stands in a field of a tool, and how long that field is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting {
    pub slot: Slot,
    /// How many words the field has.
    pub length: u16,
    pub field: Field,
    pub count: u8,
}

/// What searches read of the tools of a catalog.
#[derive(Clone, Debug)]
pub struct Index {
    needs: Needs,
    pub(crate) lexicon: Lexicon,
    /// How often everything was read anew: slots and terms of another epoch mean other things.
    pub(crate) epoch: u64,
    pub(crate) slots: Slots,
    pub(crate) vocabulary: Vocabulary,
    /// By term, in the order of slots and fields.
    postings: Vec<Vec<Posting>>,
    /// By term: the tools that have it in their names as a word of its own that is no stop word.
    name_postings: Vec<Vec<Slot>>,
    pub(crate) columns: Columns,
    pub(crate) words: Words,
    pub(crate) servers: Servers,
    pub(crate) names: Names,
    /// What chance finds among some tools, where a prebuilt index brought it along.
    pub(crate) measured: Option<Measured>,
    pub(crate) scratch: Pool,
}

impl Index {
    /// An empty index for searches that need so much; groups of words are synonyms beside those of the tables.
    pub(crate) fn new(synonyms: &[Vec<String>], without: Without, needs: Needs) -> Self {
        Index {
            needs,
            lexicon: Lexicon::new(synonyms, without),
            epoch: 0,
            slots: Slots::default(),
            vocabulary: Vocabulary::default(),
            postings: Vec::new(),
            name_postings: Vec::new(),
            columns: Columns::default(),
            words: Words::default(),
            servers: Servers::default(),
            names: Names::default(),
            measured: None,
            scratch: Pool::default(),
        }
    }

    /// Whether the index is up to the catalog.
    pub(crate) fn follows(&self, catalog: &Catalog) -> bool {
        self.slots.follows(catalog)
    }

    /// Brings the index up to the catalog.
    pub(crate) fn follow(&mut self, catalog: &Catalog) {
        let first = match self.slots.follow(catalog) {
            Change::None => return,
            Change::From(slot) => slot,
            Change::All => {
                self.epoch += 1;
                self.vocabulary = Vocabulary::default();
                self.postings.clear();
                self.name_postings.clear();
                self.columns = Columns::default();
                self.words = Words::default();
                self.servers = Servers::default();
                self.names = Names::default();
                Slot(0)
            }
        };
        self.measured = None;
        let mut analyzer = Analyzer::default();
        for slot in (first.index()..self.slots.len()).map(Slot::new) {
            // New slots are those of tools in the catalog.
            let Some(position) = self.slots.position(slot) else { continue };
            let tool = &catalog.tools()[position];
            if self.needs.terms {
                self.read_terms(tool, slot, &mut analyzer);
            }
            self.read_words(tool, slot);
        }
        if self.needs.terms {
            self.vocabulary.sort();
        }
    }

    fn read_terms(&mut self, tool: &Tool, slot: Slot, analyzer: &mut Analyzer) {
        let Index { lexicon, vocabulary, servers, .. } = self;
        let (row, occurrences) = analyzer.read(tool, lexicon, vocabulary, servers);
        let mut terms: Vec<Term> = occurrences.iter().map(|occurrence| occurrence.term).collect();
        terms.dedup();
        self.columns.terms.push(terms);
        for occurrence in occurrences {
            let length = row.lengths[occurrence.field as usize];
            self.post(occurrence.term, Posting { slot, length, field: occurrence.field, count: occurrence.count });
        }
        self.push(tool, slot, row);
    }

    /// Reads what is not in a prebuilt index of the tool in a slot, the next one.
    fn read_words(&mut self, tool: &Tool, slot: Slot) {
        self.names.push(tool);
        self.words.push(tool, slot, self.needs, &mut self.vocabulary);
    }

    /// Adds the row of the tool in a slot, the next one.
    fn push(&mut self, tool: &Tool, slot: Slot, row: Row) {
        for term in &row.name {
            push_to(&mut self.name_postings, *term, slot);
        }
        self.columns.push(row, tool.effect);
    }

    /// Adds a posting behind those that its term has already.
    fn post(&mut self, term: Term, posting: Posting) {
        push_to(&mut self.postings, term, posting);
    }

    /// The tools that have a term in their names, in the order of slots.
    pub(crate) fn names_with(&self, term: Term) -> &[Slot] {
        self.name_postings.get(term.index()).map_or(&[], Vec::as_slice)
    }

    /// Where a term stands, in the order of slots and fields; tools that have left the catalog are among them.
    pub(crate) fn postings(&self, term: Term) -> &[Posting] {
        self.postings.get(term.index()).map_or(&[], Vec::as_slice)
    }

    /// The postings of a term in one tool.
    pub(crate) fn postings_in(&self, term: Term, slot: Slot) -> &[Posting] {
        let postings = self.postings(term);
        let postings = &postings[postings.partition_point(|posting| posting.slot < slot)..];
        &postings[..postings.partition_point(|posting| posting.slot == slot)]
    }
}
