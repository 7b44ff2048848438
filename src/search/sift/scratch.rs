//! Working memory of the scorer, kept between queries: every number in it is 0 where no score is being computed.

use crate::search::slots::Slot;

/// Sums that are made while a request is scored.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// By slot: the weighted frequency of one word.
    pub frequencies: Vec<f64>,
    /// By slot: the sum over the words, and the weight of those that it holds.
    pub sums: Vec<(f64, f64)>,
    /// By slot: the weight of neighbouring words.
    pub pairs: Vec<f64>,
    /// By slot: the best score for a clause.
    pub intents: Vec<f64>,
    /// By term: what the request makes of it.
    pub covered: Vec<f64>,
    /// By server: the three best scores.
    pub servers: Vec<[f64; 3]>,
    /// Slots that hold any word; empty where no score is being computed.
    pub touched: Vec<Slot>,
}

impl Scratch {
    /// Makes room for so many slots, terms and servers.
    pub(super) fn fit(&mut self, slots: usize, terms: usize, servers: usize) {
        if self.frequencies.len() < slots {
            self.frequencies.resize(slots, 0.0);
            self.sums.resize(slots, (0.0, 0.0));
            self.pairs.resize(slots, 0.0);
            self.intents.resize(slots, 0.0);
        }
        if self.covered.len() < terms {
            self.covered.resize(terms, 0.0);
        }
        if self.servers.len() < servers {
            self.servers.resize(servers, [0.0; 3]);
        }
    }
}
