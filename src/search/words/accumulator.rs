//! Accumulates the scores of tools, term by term, from the postings that a query touches.

use crate::search::ids::{Place, Slot};
use crate::search::places::Places;
use crate::search::pool::{Pool, Pooled};

/// The score of the tool at a place of the corpus.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Scored {
    pub score: f64,
    pub place: Place,
}

/// Memory for sums, kept between queries. Rounds are counted on over all queries, so that nothing has to be cleared.
#[derive(Debug, Default)]
pub(in crate::search) struct Scratch {
    sums: Vec<Sum>,
    round: u64,
}

/// The sum of one tool.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    /// What the rounds before the last one add up to.
    before: f64,
    all: f64,
    /// The last round in which something was added.
    round: u64,
}

/// Sums by place: each round adds the largest of the values that it has for a tool.
pub(in crate::search) struct Accumulator<'a> {
    places: &'a Places,
    scratch: Pooled<'a, Scratch>,
    /// The rounds of this query come behind this one.
    start: u64,
    touched: Vec<Place>,
}

impl<'a> Accumulator<'a> {
    pub(in crate::search) fn new(places: &'a Places, scratch: &'a Pool<Scratch>) -> Self {
        let mut scratch = scratch.take();
        if scratch.sums.len() < places.len() {
            scratch.sums.resize(places.len(), Sum::default());
        }
        Accumulator { places, start: scratch.round, scratch, touched: Vec::new() }
    }

    /// Begins a round.
    pub(in crate::search) fn begin(&mut self) {
        self.scratch.round += 1;
    }

    /// Adds a value to the tool in a slot if it is searched and this is its largest value of the round.
    pub(in crate::search) fn add(&mut self, slot: Slot, value: f64) {
        let Some(place) = self.places.place(slot) else { return };
        let round = self.scratch.round;
        let sum = &mut self.scratch.sums[place];
        if sum.round <= self.start {
            self.touched.push(place);
            sum.all = 0.0;
        }
        if sum.round < round {
            *sum = Sum { before: sum.all, all: sum.all, round };
        }
        sum.all = sum.all.max(sum.before + value);
    }

    /// What was added to the tool at a place.
    pub(in crate::search) fn score(&self, place: Place) -> f64 {
        let sum = &self.scratch.sums[place];
        if sum.round > self.start { sum.all } else { 0.0 }
    }

    /// The tools to which something was added and that score at least so much, in no particular order. Everything begins
    /// anew.
    pub(in crate::search) fn take(&mut self, least: f64) -> Vec<Scored> {
        let mut scored = Vec::with_capacity(self.touched.len());
        for place in self.touched.drain(..) {
            let score = self.scratch.sums[place].all;
            if score >= least {
                scored.push(Scored { score, place });
            }
        }
        self.start = self.scratch.round;
        scored
    }
}
