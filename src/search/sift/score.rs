//! Scores the tools that hold words of a request: BM25F (Robertson, Zaragoza and Taylor 2004: fields are weighted and
//! length-normalised, summed, and saturated once), and what tools gain that fit as a whole.

use crate::search::slots::Slot;

use super::fields::FIELDS;
use super::index::{Index, Posting};
use super::query_terms::{Matches, Meaning, QueryTerm};
use super::scratch::Scratch;
use super::statistics::Statistics;
use super::weights::Weights;

/// A tool and its score, by what that is owed to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Candidate {
    pub slot: Slot,
    /// The number of its server; 0 for none.
    pub server_number: u32,
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
    /// By field and length: what an occurrence counts.
    norms: Vec<[f64; NORMS]>,
}

/// Lengths of fields for which the norm is worked out beforehand; few fields are longer.
const NORMS: usize = 64;

impl<'a> Scorer<'a> {
    pub(super) fn new(index: &'a Index, statistics: &'a Statistics, weights: &'a Weights) -> Self {
        let norm = |field: usize, length: usize| {
            let relative = length.max(1) as f64 / statistics.averages[field];
            weights.fields[field] / (1.0 - weights.length + weights.length * relative)
        };
        let norms = (0..FIELDS).map(|field| std::array::from_fn(|length| norm(field, length))).collect();
        Scorer { index, statistics, weights, norms }
    }

    /// What a posting counts: weighted by its field, and the less the longer the field is beside the average.
    pub(super) fn frequency(&self, posting: &Posting) -> f64 {
        let (field, length) = (posting.field as usize, posting.length as usize);
        let norm = match self.norms[field].get(length) {
            Some(norm) => *norm,
            None => {
                let relative = length as f64 / self.statistics.averages[field];
                self.weights.fields[field] / (1.0 - self.weights.length + self.weights.length * relative)
            }
        };
        norm * f64::from(posting.count)
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
        self.cover_names(terms, scratch);
        self.find_pairs(terms, scratch);
        candidates.reserve(touched.len());
        for slot in touched.drain(..) {
            let (sum, covered) = std::mem::take(&mut scratch.sums[slot as usize]);
            let coverage = 1.0 - self.weights.coverage * (1.0 - covered / total);
            let words = sum / total * coverage;
            let server_number = self.index.columns.servers[slot as usize];
            candidates.push(Candidate { slot, server_number, words, ..Candidate::default() });
        }
        scratch.touched = touched;
        self.lift_names(scratch, candidates);
        self.lift_pairs(total, scratch, candidates);
        self.lift_servers(scratch, candidates);
        scratch.clear_names();
        scratch.clear_covered();
    }

    /// The best score of a request.
    pub(super) fn best(&self, terms: &[QueryTerm], scratch: &mut Scratch, candidates: &mut Vec<Candidate>) -> f64 {
        self.score(terms, scratch, candidates);
        candidates.iter().fold(0.0, |best, candidate| candidate.score().max(best))
    }

    /// The tools in which a word stands, with saturated frequencies.
    fn matches<'m>(&self, meaning: &'m Meaning, scratch: &mut Scratch) -> &'m Matches {
        meaning.matches(|| {
            let most: u32 = meaning.via.iter().map(|(term, ..)| self.statistics.frequency(self.index, *term)).sum();
            let mut slots = Vec::with_capacity(self.statistics.len().min(most as usize));
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

    /// Notes what the request covers of each term, its idf times what the term counts, and adds that up for the names in
    /// which the term stands.
    fn cover_names(&self, terms: &[QueryTerm], scratch: &mut Scratch) {
        for (term, worth, _) in terms.iter().flat_map(|term| &term.meaning.via) {
            let covered = &mut scratch.covered[*term as usize];
            if *covered == 0.0 {
                scratch.covered_terms.push(*term);
            }
            *covered = covered.max(*worth);
        }
        for term in &scratch.covered_terms {
            let covered = &mut scratch.covered[*term as usize];
            *covered *= self.statistics.idf_of(self.index, *term);
            if self.weights.names > 0.0 {
                for slot in self.index.names_with(*term).iter().filter(|slot| self.statistics.has(**slot)) {
                    let sum = &mut scratch.names[*slot as usize];
                    if *sum == 0.0 {
                        scratch.named.push(*slot);
                    }
                    *sum += *covered;
                }
            }
        }
    }

    fn lift_names(&self, scratch: &Scratch, candidates: &mut [Candidate]) {
        if scratch.named.is_empty() {
            return;
        }
        let sums = self.statistics.name_sums(self.index);
        for candidate in candidates {
            let covered = scratch.names[candidate.slot as usize];
            if let Some(place) = self.statistics.place(candidate.slot).filter(|_| covered > 0.0) {
                candidate.name = candidate.words * self.weights.names * (covered / sums[place as usize]);
            }
        }
    }

    /// Adds up the weight of neighbouring words of the request that are neighbours in a tool too.
    fn find_pairs(&self, terms: &[QueryTerm], scratch: &mut Scratch) {
        if self.weights.pairs == 0.0 {
            return;
        }
        let apart = || terms.iter().filter(|term| !term.is_joined);
        for (a, b) in apart().zip(apart().skip(1)) {
            let (Some(first), Some(second)) = (a.meaning.itself(), b.meaning.itself()) else { continue };
            let weight = (a.weight + b.weight) / 2.0;
            // Only tools that have both terms in one field are looked at closer.
            scratch.begin_marks();
            let paired = |posting: &&Posting| posting.field.has_pairs() && self.statistics.has(posting.slot);
            for posting in self.index.postings(first).iter().filter(paired) {
                scratch.mark(posting.slot, posting.field as u8);
            }
            let mut last = None;
            for posting in self.index.postings(second).iter().filter(paired) {
                if last != Some(posting.slot) && scratch.is_marked(posting.slot, posting.field as u8) {
                    let pairs = self.index.columns.pairs.row(posting.slot);
                    last = Some(posting.slot);
                    if pairs.binary_search(&(first, second)).is_ok() {
                        let sum = &mut scratch.pairs[posting.slot as usize];
                        if *sum == 0.0 {
                            scratch.paired.push(posting.slot);
                        }
                        *sum += weight;
                    }
                }
            }
        }
    }

    fn lift_pairs(&self, total: f64, scratch: &mut Scratch, candidates: &mut [Candidate]) {
        if scratch.paired.is_empty() {
            return;
        }
        for candidate in candidates {
            candidate.pairs = self.weights.pairs * scratch.pairs[candidate.slot as usize] / total;
        }
        scratch.clear_pairs();
    }

    /// Lifts the tools of servers: by the share of the server's name that the request covers, and by what fits best on
    /// the server, the sum of its three best tools, beside that of the best server.
    fn lift_servers(&self, scratch: &mut Scratch, candidates: &mut [Candidate]) {
        if self.weights.servers == 0.0 && self.weights.server_names == 0.0 {
            return;
        }
        let mut touched: Vec<u32> = Vec::new();
        for candidate in candidates.iter() {
            let best = &mut scratch.servers[candidate.server_number as usize];
            if best[0] == 0.0 {
                touched.push(candidate.server_number);
            }
            let mut score = candidate.words + candidate.name + candidate.pairs;
            if score > best[2] {
                for place in best {
                    if score > *place {
                        std::mem::swap(place, &mut score);
                    }
                }
            }
        }
        let sum = |best: &[f64; 3]| best[0] + best[1] + best[2];
        let top = touched.iter().filter(|server| **server > 0);
        let top = top.map(|server| sum(&scratch.servers[*server as usize])).fold(0.0, f64::max);
        for server in &touched {
            let terms = self.index.servers.terms.row(*server);
            let all = terms.iter().fold(0.0, |sum, term| sum + self.statistics.idf_of(self.index, *term));
            let covered = terms.iter().fold(0.0, |sum, term| sum + scratch.covered[*term as usize]);
            let named = if all > 0.0 { covered / all } else { 0.0 };
            let best = &mut scratch.servers[*server as usize];
            let fits = if top > 0.0 { sum(best) / top } else { 0.0 };
            let lift = (1.0 + self.weights.servers * fits) * (1.0 + self.weights.server_names * named) - 1.0;
            // From here on the first number is what the server's tools gain.
            best[0] = if *server > 0 && top > 0.0 { lift } else { 0.0 };
        }
        for candidate in candidates.iter_mut() {
            let base = candidate.words + candidate.name + candidate.pairs;
            candidate.server = base * scratch.servers[candidate.server_number as usize][0];
        }
        touched.iter().for_each(|server| scratch.servers[*server as usize] = [0.0; 3]);
    }
}
