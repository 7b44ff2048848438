//! Scores the tools that hold words of a request: BM25F (Robertson, Zaragoza and Taylor 2004: fields are weighted and
//! length-normalised, summed, and saturated once), and what tools gain that fit as a whole.

use crate::search::slots::Slot;

use super::fields::FIELDS;
use super::index::{Index, Posting};
use super::query_terms::{Matches, Meaning, QueryTerm};
use super::scratch::Scratch;
use super::statistics::Statistics;
use super::vocabulary::Term;
use super::weights::Weights;

/// A tool and its score, by what that is owed to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Candidate {
    pub slot: Slot,
    /// The words of the request, as far as they stand in it: the share of their weight, below 1.
    pub words: f64,
    /// A name that the request covers.
    pub name: f64,
    /// Words side by side.
    pub pairs: f64,
    /// A server that the request names, or of which several tools fit.
    pub server: f64,
    /// A clause of the request that it fits by itself.
    pub intent: f64,
}

impl Candidate {
    pub(super) fn score(&self) -> f64 {
        self.words + self.name + self.pairs + self.server + self.intent
    }
}

/// Scores requests against the tools that are searched.
pub(super) struct Scorer<'a> {
    pub index: &'a Index,
    pub statistics: &'a Statistics,
    pub weights: &'a Weights,
    /// By field: what an occurrence counts, and what the length norm is made of.
    norms: [(f64, f64); FIELDS],
}

impl<'a> Scorer<'a> {
    pub(super) fn new(index: &'a Index, statistics: &'a Statistics, weights: &'a Weights) -> Self {
        let norm = |field: usize| (weights.fields[field], weights.length / statistics.averages[field]);
        Scorer { index, statistics, weights, norms: std::array::from_fn(norm) }
    }

    /// What a posting counts: weighted by its field, and the less the longer the field is beside the average.
    pub(super) fn frequency(&self, posting: &Posting) -> f64 {
        let (weight, slope) = self.norms[posting.field as usize];
        let length = f64::from(posting.length.max(1));
        weight * f64::from(posting.count) / (1.0 - self.weights.length + slope * length)
    }

    /// Puts the tools that hold any of the words into `candidates`, in no particular order.
    pub(super) fn score(&self, terms: &[QueryTerm], scratch: &mut Scratch, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        let total: f64 = terms.iter().map(|term| term.weight).sum();
        if total <= 0.0 {
            return;
        }
        scratch.fit(self.index.slots.len(), self.index.vocabulary.len(), self.index.servers.len());
        let mut touched = std::mem::take(&mut scratch.touched);
        for term in terms {
            let matches = self.matches(&term.meaning, scratch);
            for (slot, gain) in matches.slots.iter().zip(&matches.gains) {
                let (sum, covered) = &mut scratch.sums[*slot as usize];
                if *covered == 0.0 {
                    touched.push(*slot);
                }
                *sum += term.weight * gain;
                *covered += term.weight;
            }
        }
        candidates.extend(touched.iter().map(|slot| {
            let (sum, covered) = std::mem::take(&mut scratch.sums[*slot as usize]);
            let coverage = 1.0 - self.weights.coverage * (1.0 - covered / total);
            Candidate { slot: *slot, words: sum / total * coverage, ..Candidate::default() }
        }));
        touched.clear();
        scratch.touched = touched;
        self.cover(terms, scratch);
        self.lift_names(scratch, candidates);
        self.lift_pairs(terms, total, scratch, candidates);
        self.lift_servers(scratch, candidates);
        self.uncover(terms, scratch);
    }

    /// The best score of a request.
    pub(super) fn best(&self, terms: &[QueryTerm], scratch: &mut Scratch, candidates: &mut Vec<Candidate>) -> f64 {
        self.score(terms, scratch, candidates);
        candidates.iter().fold(0.0, |best, candidate| candidate.score().max(best))
    }

    /// The tools in which a word stands, with saturated frequencies.
    fn matches<'m>(&self, meaning: &'m Meaning, scratch: &mut Scratch) -> &'m Matches {
        meaning.matches(|| {
            let mut slots = Vec::new();
            for (term, worth, _) in &meaning.via {
                for posting in self.statistics.postings(self.index, *term) {
                    let sum = &mut scratch.frequencies[posting.slot as usize];
                    let gain = worth * self.frequency(posting);
                    // Fields that count nothing would touch a tool again and again.
                    if *sum == 0.0 && gain > 0.0 {
                        slots.push(posting.slot);
                    }
                    *sum += gain;
                }
            }
            let saturated = |slot: &Slot| {
                let frequency = std::mem::take(&mut scratch.frequencies[*slot as usize]);
                frequency / (frequency + self.weights.k1)
            };
            let gains = slots.iter().map(saturated).collect();
            Matches { slots, gains }
        })
    }

    /// Notes for every term what the request makes of it.
    fn cover(&self, terms: &[QueryTerm], scratch: &mut Scratch) {
        for (term, worth, _) in terms.iter().flat_map(|term| &term.meaning.via) {
            let covered = &mut scratch.covered[*term as usize];
            *covered = covered.max(*worth);
        }
    }

    fn uncover(&self, terms: &[QueryTerm], scratch: &mut Scratch) {
        for (term, ..) in terms.iter().flat_map(|term| &term.meaning.via) {
            scratch.covered[*term as usize] = 0.0;
        }
    }

    /// What the request covers of some terms: the sum of their idf, each times what the request makes of it.
    fn covered(&self, scratch: &Scratch, terms: &[Term]) -> f64 {
        terms.iter().fold(0.0, |sum, term| match scratch.covered[*term as usize] {
            0.0 => sum,
            worth => sum + self.statistics.idf_of(self.index, *term) * worth,
        })
    }

    fn lift_names(&self, scratch: &mut Scratch, candidates: &mut [Candidate]) {
        if self.weights.names == 0.0 {
            return;
        }
        let sums = self.statistics.name_sums(self.index);
        for candidate in candidates {
            let Some(place) = self.statistics.place(candidate.slot) else { continue };
            let all = sums[place as usize];
            if all > 0.0 {
                let covered = self.covered(scratch, self.index.columns.names.row(candidate.slot));
                candidate.name = candidate.words * self.weights.names * (covered / all);
            }
        }
    }

    /// Lifts tools in which neighbouring words of the request are neighbours too.
    fn lift_pairs(&self, terms: &[QueryTerm], total: f64, scratch: &mut Scratch, candidates: &mut [Candidate]) {
        if self.weights.pairs == 0.0 {
            return;
        }
        let mut touched: Vec<Slot> = Vec::new();
        let apart = || terms.iter().filter(|term| !term.is_joined);
        for (a, b) in apart().zip(apart().skip(1)) {
            let (Some(first), Some(second)) = (a.meaning.itself(), b.meaning.itself()) else { continue };
            let rarer = if self.statistics.frequency(self.index, first) <= self.statistics.frequency(self.index, second) {
                first
            } else {
                second
            };
            let mut last = None;
            for posting in self.statistics.postings(self.index, rarer) {
                let is_new = last.replace(posting.slot) != Some(posting.slot);
                if is_new && self.index.columns.pairs.row(posting.slot).binary_search(&(first, second)).is_ok() {
                    scratch.pairs[posting.slot as usize] += (a.weight + b.weight) / 2.0;
                    touched.push(posting.slot);
                }
            }
        }
        if !touched.is_empty() {
            for candidate in candidates {
                candidate.pairs = self.weights.pairs * scratch.pairs[candidate.slot as usize] / total;
            }
            touched.into_iter().for_each(|slot| scratch.pairs[slot as usize] = 0.0);
        }
    }

    /// Lifts the tools of servers: by the share of the server's name that the request covers, and by what fits best on
    /// the server, the sum of its three best tools, beside that of the best server.
    fn lift_servers(&self, scratch: &mut Scratch, candidates: &mut [Candidate]) {
        if self.weights.servers == 0.0 && self.weights.server_names == 0.0 {
            return;
        }
        let server_of = |slot: Slot| self.index.columns.servers[slot as usize];
        let mut touched: Vec<u32> = Vec::new();
        for candidate in candidates.iter() {
            let server = server_of(candidate.slot);
            let best = &mut scratch.servers[server as usize];
            if best[0] == 0.0 {
                touched.push(server);
            }
            let mut score = candidate.score();
            for place in best {
                if score > *place {
                    std::mem::swap(place, &mut score);
                }
            }
        }
        let sum = |best: &[f64; 3]| best[0] + best[1] + best[2];
        let top = touched.iter().filter(|server| **server > 0);
        let top = top.map(|server| sum(&scratch.servers[*server as usize])).fold(0.0, f64::max);
        for server in &touched {
            let terms = self.index.servers.terms.row(*server);
            let all = terms.iter().fold(0.0, |sum, term| sum + self.statistics.idf_of(self.index, *term));
            let named = if all > 0.0 { self.covered(scratch, terms) / all } else { 0.0 };
            let best = &mut scratch.servers[*server as usize];
            let fits = if top > 0.0 { sum(best) / top } else { 0.0 };
            let lift = (1.0 + self.weights.servers * fits) * (1.0 + self.weights.server_names * named) - 1.0;
            // From here on the first number is what the server's tools gain.
            best[0] = if *server > 0 && top > 0.0 { lift } else { 0.0 };
        }
        for candidate in candidates.iter_mut() {
            candidate.server = candidate.score() * scratch.servers[server_of(candidate.slot) as usize][0];
        }
        touched.iter().for_each(|server| scratch.servers[*server as usize] = [0.0; 3]);
    }
}
