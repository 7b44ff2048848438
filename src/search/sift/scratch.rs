//! Working memory of the scorer, kept between queries: every sum in it is 0 where no score is being computed.

use crate::search::slots::Slot;

use super::candidate::Candidate;
use crate::search::vocabulary::Term;

/// Sums that are made while a request is scored.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// By slot: the weighted frequency of one word.
    pub frequencies: Vec<f64>,
    /// By slot: the sum over the words, and the weight of those that it holds.
    pub sums: Vec<(f64, f64)>,
    /// By slot: what the request covers of the name, as a sum of idf.
    pub names: Vec<f64>,
    /// The slots whose sum in `names` is not 0.
    pub named: Vec<Slot>,
    /// By slot: the weight of neighbouring words.
    pub pairs: Vec<f64>,
    /// The slots whose sum in `pairs` is not 0.
    pub paired: Vec<Slot>,
    /// By slot: the best score for a clause.
    pub intents: Vec<f64>,
    /// By term: what the request covers of it.
    pub covered: Vec<f64>,
    /// The terms whose number in `covered` is not 0.
    pub covered_terms: Vec<Term>,
    /// By server: the three best scores.
    pub servers: Vec<[f64; 3]>,
    /// The servers whose best score in `servers` is not 0.
    pub touched_servers: Vec<u32>,
    /// A buffer for the slots that hold any word.
    pub touched: Vec<Slot>,
    /// A buffer for the candidates of a request.
    pub candidates: Vec<Candidate>,
    /// By slot: the round in which it was marked last, and the fields that were marked then.
    marks: Vec<(u32, u16)>,
    round: u32,
}

impl Scratch {
    /// Makes room for so many slots, terms and servers.
    pub(super) fn fit(&mut self, slots: usize, terms: usize, servers: usize) {
        if self.frequencies.len() < slots {
            self.frequencies.resize(slots, 0.0);
            self.sums.resize(slots, (0.0, 0.0));
            self.names.resize(slots, 0.0);
            self.pairs.resize(slots, 0.0);
            self.intents.resize(slots, 0.0);
            self.marks.resize(slots, (0, 0));
        }
        if self.covered.len() < terms {
            self.covered.resize(terms, 0.0);
        }
        if self.servers.len() < servers {
            self.servers.resize(servers, [0.0; 3]);
        }
    }

    pub(super) fn clear_names(&mut self) {
        self.named.drain(..).for_each(|slot| self.names[slot as usize] = 0.0);
    }

    pub(super) fn clear_pairs(&mut self) {
        self.paired.drain(..).for_each(|slot| self.pairs[slot as usize] = 0.0);
    }

    pub(super) fn clear_covered(&mut self) {
        self.covered_terms.drain(..).for_each(|term| self.covered[term as usize] = 0.0);
    }

    pub(super) fn clear_servers(&mut self) {
        self.touched_servers.drain(..).for_each(|server| self.servers[server as usize] = [0.0; 3]);
    }

    /// Begins a round in which nothing is marked yet.
    pub(super) fn begin_marks(&mut self) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.marks.fill((0, 0));
            self.round = 1;
        }
    }

    /// Marks a field of a slot.
    pub(super) fn mark(&mut self, slot: Slot, field: u8) {
        let (round, fields) = &mut self.marks[slot as usize];
        *fields = if *round == self.round { *fields | 1 << field } else { 1 << field };
        *round = self.round;
    }

    /// Whether a field of a slot is marked.
    pub(super) fn is_marked(&self, slot: Slot, field: u8) -> bool {
        let (round, fields) = self.marks[slot as usize];
        round == self.round && fields & (1 << field) != 0
    }
}
