//! Working memory of the ranker, kept between queries of a thread: every sum in it is 0 where no score is being computed.

use std::cell::RefCell;

use crate::search::ids::{Doc, ServerId, Term};
use crate::search::ranking::Candidate;

/// Sums that are made while a request is scored.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// By document: the frequency of one word, over all terms that stand for it.
    pub frequencies: Vec<f32>,
    /// By document: what the words of the request add up to.
    pub sums: Vec<Sum>,
    /// The documents that have any word.
    pub matched: Docs,
    /// What the words of the request give each of these.
    pub words: Vec<f32>,
    /// The documents that have one word.
    pub of_word: Docs,
    /// By document: how much of its name the request covers.
    pub names: Vec<Name>,
    /// The documents of whose names it covers any part.
    pub named: Vec<Doc>,
    /// By server: what its tools gain by its name.
    pub servers: Vec<f32>,
    /// The servers whose number in `servers` is not 0.
    pub named_servers: Vec<ServerId>,
    /// The terms of the request, each with the most that it counts for a word.
    pub terms: Vec<(Term, f64)>,
    /// A buffer for the candidates of a request.
    pub candidates: Vec<Candidate>,
}

/// What the words of a request add up to in a document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    pub score: f32,
    /// The weight of the words that it has.
    pub covered: f32,
}

/// How much of a name a request covers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Name {
    /// The sum of the idf of the terms that it covers.
    pub covered: f32,
    /// The sum of the idf of all terms of the name.
    pub all: f32,
}

/// A list of documents, each at most once, that is filled without a branch.
#[derive(Debug, Default)]
pub(crate) struct Docs {
    /// One more than there are documents.
    room: Vec<Doc>,
    len: usize,
}

impl Docs {
    /// Adds a document where it is new.
    pub(crate) fn push_if(&mut self, doc: Doc, is_new: bool) {
        self.room[self.len] = doc;
        self.len += usize::from(is_new);
    }

    /// The documents.
    pub(crate) fn all(&self) -> &[Doc] {
        &self.room[..self.len]
    }

    /// Keeps some of the documents.
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
    /// Makes room for so many documents and servers.
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

/// Runs with the working memory of this thread.
pub(crate) fn with_scratch<T>(run: impl FnOnce(&mut Scratch) -> T) -> T {
    thread_local! {
        static SCRATCH: RefCell<Scratch> = RefCell::default();
    }
    SCRATCH.with_borrow_mut(run)
}
