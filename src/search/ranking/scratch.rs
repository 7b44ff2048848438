//! Holds the working memory of the ranker, kept between the queries of a thread: every sum in it is 0 between two
//! computations.

use std::cell::RefCell;

use crate::search::ids::{Doc, ServerId, Term};
use crate::search::ranking::Candidate;

/// The sums that are made while a request is scored.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// By document: the frequency of one word, summed over all terms that stand for it.
    pub frequencies: Vec<f32>,
    /// By document: the sums over the words of the request.
    pub sums: Vec<Sum>,
    /// The documents that have any of the words.
    pub matched: Docs,
    /// The scores by words of the `matched` documents.
    pub words: Vec<f32>,
    /// The documents that have one word.
    pub of_word: Docs,
    /// By document: the covered part of its name.
    pub names: Vec<Name>,
    /// The documents of which any part of the name is covered.
    pub named: Vec<Doc>,
    /// By server: the gain of its tools by its name.
    pub servers: Vec<f32>,
    /// The servers whose entry in `servers` is not 0.
    pub named_servers: Vec<ServerId>,
    /// The terms of the request, each with its largest weight for a word.
    pub terms: Vec<(Term, f64)>,
    /// A buffer for the candidates of a request.
    pub candidates: Vec<Candidate>,
}

/// The sums over the words of a request for a document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    pub score: f32,
    /// The total weight of the words that it has.
    pub covered: f32,
}

/// The part of a name that a request covers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Name {
    /// The sum of the idf of the covered terms.
    pub covered: f32,
    /// The sum of the idf of all terms of the name.
    pub all: f32,
}

/// A list of documents, each at most once, that is filled without branches.
#[derive(Debug, Default)]
pub(crate) struct Docs {
    /// Room for one more than the number of documents.
    room: Vec<Doc>,
    len: usize,
}

impl Docs {
    /// Adds a document if it is new.
    pub(crate) fn push_if(&mut self, doc: Doc, is_new: bool) {
        self.room[self.len] = doc;
        self.len += usize::from(is_new);
    }

    /// Returns the documents.
    pub(crate) fn all(&self) -> &[Doc] {
        &self.room[..self.len]
    }

    /// Keeps the documents for which `keeps` returns true.
    pub(crate) fn retain(&mut self, mut keeps: impl FnMut(Doc) -> bool) {
        let len = std::mem::take(&mut self.len);
        for at in 0..len {
            let doc = self.room[at];
            self.push_if(doc, keeps(doc));
        }
    }

    /// Empties the list.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }
}

impl Scratch {
    /// Makes room for this number of documents and servers.
    pub(crate) fn fit(&mut self, docs: usize, servers: usize) {
        if self.sums.len() < docs {
            self.frequencies.resize(docs, 0.0);
            self.sums.resize(docs, Sum::default());
            self.names.resize(docs, Name::default());
            self.matched.room.resize(docs + 1, Doc(0));
            self.of_word.room.resize(docs + 1, Doc(0));
        }
        if self.servers.len() < servers {
            self.servers.resize(servers, 0.0);
        }
    }
}

/// Calls `run` with the working memory of this thread.
pub(crate) fn with_scratch<T>(run: impl FnOnce(&mut Scratch) -> T) -> T {
    thread_local! {
        static SCRATCH: RefCell<Scratch> = RefCell::default();
    }
    SCRATCH.with_borrow_mut(run)
}
