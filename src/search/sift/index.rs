//! Where does each word stand? Tools as documents of fields, and for each word the documents that hold it.

use std::rc::Rc;

use crate::catalog::{Catalog, Tool, ToolId};
use crate::map::Map;
use crate::sort::sorted;

use super::confidence::Calibration;
use super::fields::{FIELDS, Field, each_text};
use super::identity::{Identity, Names};
use super::lexicon::Lexicon;
use super::terms::{Cut, each_word};
use super::weights::Without;

/// A word of the index, as its place in the list of words.
pub(super) type Term = u32;

/// How often a word stands in a field of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub term: Term,
    pub field: Field,
    pub count: u16,
}

/// The same, from the word's side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posting {
    pub document: u32,
    pub field: Field,
    pub count: u16,
}

/// A tool as its words.
#[derive(Debug)]
pub(super) struct Document {
    /// In the order of words and fields.
    pub occurrences: Vec<Occurrence>,
    /// How many words each field has.
    pub lengths: [u32; FIELDS],
    /// The words of the name, each once, that mean something.
    pub name: Vec<Term>,
    /// The words of the server's name.
    pub server_name: Vec<Term>,
    /// The words of the name and the lead, as they stand.
    pub own: Vec<Term>,
    /// Words that stand side by side in the name, the lead or the name of a parameter; sorted.
    pub pairs: Vec<(Term, Term)>,
    /// Which server it belongs to; 0 for none.
    pub server: usize,
    /// What it may be called.
    pub identity: Identity,
}

impl Document {
    /// Whether a word stands in any field.
    pub(super) fn has(&self, term: Term) -> bool {
        self.occurrences.binary_search_by(|at| at.term.cmp(&term)).is_ok()
    }
}

/// Words side by side that are kept of one tool.
const PAIRS: usize = 500;
/// Words that no tool has any more may outnumber the others by so many before all is read anew.
const DEAD_WORDS: usize = 1_000;

/// The words of a catalog.
#[derive(Debug)]
pub struct Index {
    pub(super) lexicon: Lexicon,
    revision: Option<u64>,
    pub(super) words: Map<Rc<str>, Term>,
    pub(super) terms: Vec<Rc<str>>,
    pub(super) alphabetical: Vec<Term>,
    servers: Vec<Rc<str>>,
    pub(super) places: Map<ToolId, usize>,
    pub(super) documents: Vec<Rc<Document>>,
    pub(super) postings: Vec<Vec<Posting>>,
    pub(super) names: Names,
    pub(super) calibration: Calibration,
}

impl Index {
    /// An empty index; groups of words are synonyms beside those of the tables.
    pub fn new(synonyms: &[Vec<String>], without: Without) -> Self {
        Index {
            lexicon: Lexicon::new(synonyms, without),
            revision: None,
            words: Map::default(),
            terms: Vec::new(),
            alphabetical: Vec::new(),
            servers: Vec::new(),
            places: Map::default(),
            documents: Vec::new(),
            postings: Vec::new(),
            names: Names::default(),
            calibration: Calibration::default(),
        }
    }

    /// Brings the index up to the catalog. Only tools that are new to it are read.
    pub fn follow(&mut self, catalog: &Catalog) {
        if self.revision == Some(catalog.revision()) {
            return;
        }
        self.revision = Some(catalog.revision());
        self.read_all(catalog);
        let live = self.postings.iter().filter(|postings| !postings.is_empty()).count();
        if self.terms.len() - live > live + DEAD_WORDS {
            self.places.clear();
            self.words.clear();
            self.terms.clear();
            self.alphabetical.clear();
            self.servers.clear();
            self.postings.clear();
            self.read_all(catalog);
        }
        self.names = Names::of(self.documents.iter().map(|document| &document.identity));
        self.calibration = Calibration::default();
    }

    fn read_all(&mut self, catalog: &Catalog) {
        let (places, documents) = (std::mem::take(&mut self.places), std::mem::take(&mut self.documents));
        for tool in catalog.tools() {
            let known = places.get(&tool.id).map(|place| documents[*place].clone());
            let document = known.unwrap_or_else(|| Rc::new(self.read(tool)));
            self.places.insert(tool.id, self.documents.len());
            self.documents.push(document);
        }
        self.thread();
    }

    /// Puts the documents' words in the order of the words.
    fn thread(&mut self) {
        let mut counts = vec![0; self.terms.len()];
        let all = self.documents.iter().flat_map(|document| &document.occurrences);
        all.for_each(|occurrence| counts[occurrence.term as usize] += 1);
        self.postings = counts.into_iter().map(Vec::with_capacity).collect();
        for (place, document) in self.documents.iter().enumerate() {
            for Occurrence { term, field, count } in &document.occurrences {
                let posting = Posting { document: place as u32, field: *field, count: *count };
                self.postings[*term as usize].push(posting);
            }
        }
        if self.alphabetical.len() < self.terms.len() {
            let terms = (0..self.terms.len() as Term).collect();
            self.alphabetical = sorted(terms, |a, b| self.text(*a).cmp(self.text(*b)));
        }
    }

    fn read(&mut self, tool: &Tool) -> Document {
        let mut places: Vec<(Term, Field)> = Vec::new();
        let mut lengths = [0; FIELDS];
        let (mut name, mut server_name, mut own, mut pairs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        each_text(tool, &mut |field, text| {
            let mut before: Option<Term> = None;
            each_word(text, &mut |word, cut| {
                let is_empty = self.lexicon.is_stop_word(&word);
                if is_empty && !matches!(field, Field::Name | Field::Server) {
                    return;
                }
                let term = self.intern(&self.lexicon.stem(&word));
                places.push((term, field));
                if cut == Cut::Joined {
                    return;
                }
                lengths[field as usize] += 1;
                match field {
                    Field::Name if !is_empty && !name.contains(&term) => name.push(term),
                    Field::Server => server_name.push(term),
                    _ => {}
                }
                if matches!(field, Field::Name | Field::Lead) {
                    own.push(term);
                }
                if matches!(field, Field::Name | Field::Lead | Field::Parameter) {
                    pairs.extend(before.map(|before| (before, term)));
                }
                before = Some(term);
            });
        });
        let mut occurrences: Vec<Occurrence> = Vec::new();
        for (term, field) in sorted(places, Ord::cmp) {
            match occurrences.last_mut() {
                Some(last) if (last.term, last.field) == (term, field) => last.count = last.count.saturating_add(1),
                _ => occurrences.push(Occurrence { term, field, count: 1 }),
            }
        }
        pairs.truncate(PAIRS);
        let mut pairs = sorted(pairs, Ord::cmp);
        pairs.dedup();
        let server = tool.server().map_or(0, |server| self.server(server));
        Document { occurrences, lengths, name, server_name, own, pairs, server, identity: Identity::of(tool) }
    }

    pub(super) fn server(&mut self, name: &str) -> usize {
        match self.servers.iter().position(|known| **known == *name) {
            Some(at) => at + 1,
            None => {
                self.servers.push(name.into());
                self.servers.len()
            }
        }
    }

    pub(super) fn intern(&mut self, word: &str) -> Term {
        if let Some(term) = self.words.get(word) {
            return *term;
        }
        let (term, word) = (self.terms.len() as Term, Rc::<str>::from(word));
        self.terms.push(word.clone());
        self.words.insert(word, term);
        term
    }

    /// Where a tool stands.
    pub(super) fn place(&self, tool: &Tool) -> Option<usize> {
        self.places.get(&tool.id).copied()
    }

    /// The place of a stem, if any tool ever had it.
    pub(super) fn term(&self, stem: &str) -> Option<Term> {
        self.words.get(stem).copied()
    }

    /// The stem of a place.
    pub(super) fn text(&self, term: Term) -> &str {
        &self.terms[term as usize]
    }

    /// The stems with a beginning.
    pub(super) fn beginning_with(&self, beginning: &str) -> impl Iterator<Item = Term> {
        let from = self.alphabetical.partition_point(|term| self.text(*term) < beginning);
        let (beginning, rest) = (beginning.to_owned(), &self.alphabetical[from..]);
        rest.iter().copied().take_while(move |term| self.text(*term).starts_with(&*beginning))
    }

    /// How many servers there are, with one for tools that have none.
    pub(super) fn servers(&self) -> usize {
        self.servers.len() + 1
    }

    /// The name of a server, none for 0.
    pub(super) fn server_name(&self, server: usize) -> Option<&Rc<str>> {
        self.servers.get(server.checked_sub(1)?)
    }
}
