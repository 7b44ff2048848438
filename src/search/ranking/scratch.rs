//! Working memory of the scorer, kept between queries: every sum in it is 0 where no score is being computed.

use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

use crate::lock::lock;
use crate::search::ids::{Slot, Term};
use crate::search::ranking::candidate::Candidate;

/// Sums that are made while a request is scored.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// By slot: the weighted frequency of one word.
    pub frequencies: Vec<f64>,
    /// By slot: the sum over the words, and the weight of those that it holds.
    pub sums: Vec<(f64, f64)>,
    /// By slot: what the request covers of the name, as a sum of idf.
    pub names: Vec<f64>,
    /// The slots whose sum in `names` is not 0.
    pub named: Vec<Slot>,
    /// By slot: the best score for a clause.
    pub intents: Vec<f64>,
    /// By term: what the request covers of it.
    pub covered: Vec<f64>,
    /// The terms whose number in `covered` is not 0.
    pub covered_terms: Vec<Term>,
    /// By server: what its tools gain by its name. It holds for the servers that were searched last.
    pub servers: Vec<f64>,
    /// The slots that hold any word.
    pub touched: Vec<Slot>,
    /// What the words give each of them.
    pub words: Vec<f64>,
    /// A buffer for the candidates of a request.
    pub candidates: Vec<Candidate>,
}

impl Scratch {
    /// Makes room for so many slots, terms and servers.
    pub(crate) fn fit(&mut self, slots: usize, terms: usize, servers: usize) {
        if self.frequencies.len() < slots {
            self.frequencies.resize(slots, 0.0);
            self.sums.resize(slots, (0.0, 0.0));
            self.names.resize(slots, 0.0);
            self.intents.resize(slots, 0.0);
        }
        if self.covered.len() < terms {
            self.covered.resize(terms, 0.0);
        }
        if self.servers.len() < servers {
            self.servers.resize(servers, 0.0);
        }
    }
}

/// Working memory that no search uses now: at most as much as searches have run at the same time.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Scratch>>);

impl Clone for Pool {
    /// Working memory is of no index: a copy begins without.
    fn clone(&self) -> Self {
        Pool::default()
    }
}

impl Pool {
    /// Working memory for one search, which goes back when it is dropped.
    pub(crate) fn take(&self) -> Pooled<'_> {
        Pooled { pool: self, memory: lock(&self.0).pop().unwrap_or_default() }
    }
}

/// Working memory of one search.
#[derive(Debug)]
pub(crate) struct Pooled<'a> {
    pool: &'a Pool,
    memory: Scratch,
}

impl Deref for Pooled<'_> {
    type Target = Scratch;

    fn deref(&self) -> &Scratch {
        &self.memory
    }
}

impl DerefMut for Pooled<'_> {
    fn deref_mut(&mut self) -> &mut Scratch {
        &mut self.memory
    }
}

impl Drop for Pooled<'_> {
    fn drop(&mut self) {
        lock(&self.pool.0).push(std::mem::take(&mut self.memory));
    }
}
