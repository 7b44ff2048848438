//! Scores the tools that hold words of a request: BM25F (Robertson, Zaragoza and Taylor 2004: fields are weighted and
//! length-normalised, summed, and saturated once), and what tools gain that fit as a whole.

pub(super) mod candidate;
pub(super) mod exact;
pub(super) mod host_scores;
pub(super) mod intents;
pub(in crate::search) mod scratch;
pub(super) mod sentences;
pub(super) mod weights;

use crate::catalog::RequestedEffects;
use crate::lock::lock;
use crate::search::ids::{ServerId, Slot};
use crate::search::index::fields::FIELDS;
use crate::search::index::{Index, Posting};
use crate::search::sift::query::agreement::share;
use crate::search::sift::query::meanings::{Matches, Meaning};
use crate::search::sift::query::terms::QueryTerm;
use crate::search::sift::scope::{NORMS, Statistics};
use crate::search::sift::score::candidate::Candidate;
use crate::search::sift::score::scratch::Scratch;
use crate::search::sift::score::weights::Weights;

/// Scores requests against the tools that are searched.
pub(in crate::search::sift) struct Scorer<'a> {
    pub index: &'a Index,
    pub statistics: &'a Statistics,
    pub weights: &'a Weights,
    /// By place: whether a tool may be a hit, where not all may.
    pub only: Option<&'a [bool]>,
    norms: &'a [[f64; NORMS]],
}

impl<'a> Scorer<'a> {
    pub(in crate::search::sift) fn new(index: &'a Index, statistics: &'a Statistics, weights: &'a Weights) -> Self {
        let norm = |field: usize, length: usize| {
            let relative = length.max(1) as f64 / statistics.averages[field];
            weights.fields[field] / (1.0 - weights.length + weights.length * relative.max(weights.shortest[field]))
        };
        let norms = || (0..FIELDS).map(|field| std::array::from_fn(|length| norm(field, length))).collect();
        Scorer { index, statistics, weights, only: None, norms: statistics.norms.get_or_init(norms) }
    }

    /// What a posting counts: weighted by its field, and the less the longer the field is beside the average.
    pub(in crate::search::sift) fn frequency(&self, posting: &Posting) -> f64 {
        let (field, length) = (posting.field as usize, posting.length as usize);
        let norm = match self.norms[field].get(length) {
            Some(norm) => *norm,
            None => {
                let relative = length as f64 / self.statistics.averages[field];
                self.weights.fields[field] / (1.0 - self.weights.length + self.weights.length * relative)
            }
        };
        let frequency = norm * f64::from(posting.count);
        if posting.field.is_of_parameters() { frequency.min(self.weights.parameters) } else { frequency }
    }

    /// Puts the tools that hold any of the words into `candidates`, in no particular order.
    pub(in crate::search::sift) fn score(
        &self,
        terms: &[QueryTerm],
        asked: RequestedEffects,
        scratch: &mut Scratch,
        candidates: &mut Vec<Candidate>,
    ) {
        let total: f64 = terms.iter().map(|term| term.weight).sum();
        if total <= 0.0 {
            candidates.clear();
            return;
        }
        scratch.fit(self.index.slots.len(), self.index.vocabulary.len(), self.index.servers.len());
        // Room for every slot, so that none is checked for when one is added.
        let mut touched = std::mem::take(&mut scratch.touched);
        touched.resize(self.index.slots.len(), Slot(0));
        let mut count = 0;
        for term in terms {
            let Matches { slots, gains } = self.matches(&term.meaning, scratch);
            let (weight, sums) = (term.weight, &mut scratch.sums[..]);
            for (slot, gain) in slots.iter().zip(gains) {
                let (sum, covered) = &mut sums[*slot];
                if *covered == 0.0 {
                    touched[count] = *slot;
                    count += 1;
                }
                *sum += weight * gain;
                *covered += weight;
            }
        }
        self.cover_names(terms, scratch);
        // Each of them is written anew.
        candidates.resize(count, Candidate::default());
        self.gather((total, asked), &touched[..count], scratch, candidates);
        scratch.touched = touched;
        scratch.clear_names();
        scratch.clear_servers();
        scratch.clear_covered();
        candidates.retain(|candidate| self.admits(candidate.slot));
    }

    /// Whether a tool may be a hit.
    pub(in crate::search::sift) fn admits(&self, slot: Slot) -> bool {
        let place = self.statistics.place(slot);
        self.only.is_none_or(|only| place.is_some_and(|place| only[place]))
    }

    /// Makes candidates of the slots that hold a word, and scores them.
    fn gather(
        &self,
        (total, asked): (f64, RequestedEffects),
        touched: &[Slot],
        scratch: &mut Scratch,
        candidates: &mut [Candidate],
    ) {
        let (servers, effects) = (&self.index.columns.servers[..], &self.index.columns.effects[..]);
        let Scratch {
            sums, names: covered_names, covered: covered_terms, servers: named_servers, touched_servers, ..
        } = scratch;
        for (candidate, slot) in candidates.iter_mut().zip(touched) {
            let at = *slot;
            let (sum, covered) = std::mem::take(&mut sums[at]);
            let coverage = 1.0 - self.weights.coverage * (1.0 - covered / total);
            // Words were only matched with tools that are searched, and each of these has a place.
            let place = self.statistics.place(*slot).unwrap_or_default();
            let words = sum / total * coverage * share(asked, effects[at], self.weights.effects);
            let name = match covered_names[at] {
                0.0 => 0.0,
                covered => {
                    let share = covered / self.statistics.name_sum(self.index, place);
                    // The power of 1.5: half a name says less than half of what a whole one says.
                    words * self.weights.names * share * share.sqrt()
                }
            };
            let server_number = servers[at];
            let named = named_servers[server_number].get_or_insert_with(|| {
                touched_servers.push(server_number);
                self.named(server_number, covered_terms)
            });
            let server = (words + name) * self.weights.servers * *named;
            *candidate = Candidate { slot: *slot, server_number, words, name, server, ..Candidate::default() };
        }
    }

    /// The best score of a request.
    pub(in crate::search::sift) fn best(
        &self,
        terms: &[QueryTerm],
        scratch: &mut Scratch,
        candidates: &mut Vec<Candidate>,
    ) -> f64 {
        self.score(terms, RequestedEffects::default(), scratch, candidates);
        candidates.iter().fold(0.0, |best, candidate| candidate.score().max(best))
    }

    /// The tools in which a word stands, with saturated frequencies.
    fn matches<'m>(&self, meaning: &'m Meaning, scratch: &mut Scratch) -> &'m Matches {
        meaning.matches(|| {
            let most: u32 = meaning.via.iter().map(|(term, ..)| self.statistics.frequency(*term)).sum();
            let mut slots = vec![Slot(0); self.statistics.len().min(most as usize)];
            let mut count = 0;
            let frequencies = &mut scratch.frequencies[..];
            for (term, worth, _) in &meaning.via {
                self.statistics.each_posting(self.index, *term, &mut |_, posting| {
                    let slot = posting.slot;
                    let gain = worth * self.frequency(posting);
                    // Fields that count nothing would touch a tool again and again.
                    if frequencies[slot] == 0.0 && gain > 0.0 {
                        slots[count] = slot;
                        count += 1;
                    }
                    frequencies[slot] += gain;
                });
            }
            slots.truncate(count);
            slots.shrink_to_fit();
            let saturated = |slot: &Slot| {
                let frequency = std::mem::take(&mut frequencies[*slot]);
                frequency / (frequency + self.weights.k1)
            };
            let gains = slots.iter().map(saturated).collect();
            let matches = Matches { slots, gains };
            lock(&self.statistics.meanings).matched(meaning, &matches);
            matches
        })
    }

    /// Notes what the request covers of each term, its idf times what the term counts, and adds that up for the names in
    /// which the term stands.
    fn cover_names(&self, terms: &[QueryTerm], scratch: &mut Scratch) {
        for (term, worth, _) in terms.iter().flat_map(|term| &term.meaning.via) {
            let covered = &mut scratch.covered[*term];
            if *covered == 0.0 {
                scratch.covered_terms.push(*term);
            }
            *covered = covered.max(*worth);
        }
        for term in &scratch.covered_terms {
            let covered = &mut scratch.covered[*term];
            *covered *= self.statistics.idf_of(*term);
            if self.weights.names > 0.0 {
                self.statistics.each_name(self.index, *term, &mut |_, slot| {
                    let sum = &mut scratch.names[slot];
                    if *sum == 0.0 {
                        scratch.named.push(slot);
                    }
                    *sum += *covered;
                });
            }
        }
    }

    /// The share of a server's name that the request covers.
    fn named(&self, server: ServerId, covered: &[f64]) -> f64 {
        let terms = self.index.servers.terms.row(server);
        let all = terms.iter().fold(0.0, |sum, term| sum + self.statistics.idf_of(*term));
        let covered = terms.iter().fold(0.0, |sum, term| sum + covered[*term]);
        if all > 0.0 { covered / all } else { 0.0 }
    }
}
