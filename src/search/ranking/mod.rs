//! Scores the tools that hold words of a request: BM25F (Robertson, Zaragoza and Taylor 2004: fields are weighted and
//! length-normalised, summed, and saturated once), and what tools gain that fit as a whole.

pub(super) mod candidate;
pub(super) mod exact;
pub(super) mod host_scores;
pub(crate) mod scratch;
pub(super) mod sentences;

use crate::catalog::{Effect, RequestedEffects};
use crate::search::fields::FIELDS;
use crate::search::ids::{ServerId, Slot, Term};
use crate::search::index::{Index, Posting};
use crate::search::query::meanings::{Matches, Meaning};
use crate::search::query::terms::QueryTerm;
use crate::search::query::verbs::share;
use crate::search::ranker_options::Weights;
use crate::search::ranking::candidate::{Candidate, FITS};
use crate::search::ranking::scratch::Scratch;
use crate::search::view::{NORMS, Statistics};

/// Scores requests against the tools that are searched.
pub(crate) struct Scorer<'a> {
    pub index: &'a Index,
    pub statistics: &'a Statistics,
    pub weights: &'a Weights,
    /// By place: whether a tool may be a hit, where not all may.
    only: Option<&'a [bool]>,
    norms: &'a [[f64; NORMS]],
}

impl<'a> Scorer<'a> {
    pub(crate) fn new(index: &'a Index, statistics: &'a Statistics, weights: &'a Weights) -> Self {
        let norm = |field: usize, length: usize| {
            let relative = length.max(1) as f64 / statistics.averages[field];
            weights.fields[field] / (1.0 - weights.length + weights.length * relative.max(weights.shortest[field]))
        };
        let norms = || (0..FIELDS).map(|field| std::array::from_fn(|length| norm(field, length))).collect();
        Scorer { index, statistics, weights, only: None, norms: statistics.norms.get_or_init(norms) }
    }

    /// This scorer, for which only some tools may be hits.
    pub(crate) fn among(self, only: Option<&'a [bool]>) -> Self {
        Scorer { only, ..self }
    }

    /// What a posting counts: weighted by its field, and the less the longer the field is beside the average.
    pub(crate) fn frequency(&self, posting: &Posting) -> f64 {
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

    /// Puts the tools that fit a request into `candidates`, in no particular order, and returns how many hold any of its words.
    /// A tool that even with its name and its server cannot come near the best is left out, unless fewer than `wanted` would
    /// be there: a large catalog has thousands of these.
    pub(crate) fn score(
        &self,
        (terms, asked): (&[QueryTerm], RequestedEffects),
        wanted: usize,
        scratch: &mut Scratch,
        candidates: &mut Vec<Candidate>,
    ) -> usize {
        candidates.clear();
        let total: f64 = terms.iter().map(|term| term.weight).sum();
        if total <= 0.0 {
            return 0;
        }
        scratch.fit(self.index.slots.len(), self.index.vocabulary.len(), self.index.servers.len());
        self.add_up(terms, scratch);
        let (mut best, by_effect) = (0.0, Effect::ALL.map(|effect| share(asked, effect, self.weights.effects) / total));
        let Scratch { sums, words, touched, .. } = scratch;
        if self.only.is_some() {
            touched.retain(|slot| {
                let is_admitted = self.admits(*slot);
                if !is_admitted {
                    sums[*slot] = (0.0, 0.0);
                }
                is_admitted
            });
        }
        words.clear();
        words.extend(touched.iter().map(|slot| {
            let (sum, covered) = std::mem::take(&mut sums[*slot]);
            let coverage = 1.0 - self.weights.coverage * (1.0 - covered / total);
            let words = sum * coverage * by_effect[self.index.columns.effects[*slot] as usize];
            best = words.max(best);
            words
        }));
        let most_gain = self.cover(terms, scratch);
        let Scratch { words, touched, names, servers, named, .. } = scratch;
        let least = FITS * best / most_gain;
        let near = words.iter().filter(|words| **words >= least).count();
        let least = if near < wanted { 0.0 } else { least };
        for (slot, words) in touched.iter().zip(words.iter()).filter(|(_, words)| **words >= least) {
            let (slot, words, server_number) = (*slot, *words, self.index.columns.servers[*slot]);
            let name = if names[slot] > 0.0 { words * self.name_gain(slot, names[slot]) } else { 0.0 };
            let named = name + (words + name) * servers[server_number];
            candidates.push(Candidate { slot, server_number, words, named, ..Candidate::default() });
        }
        named.drain(..).for_each(|slot| names[slot] = 0.0);
        touched.len()
    }

    /// Adds up, for each tool that holds any word of a request, what its words count there.
    fn add_up(&self, terms: &[QueryTerm], scratch: &mut Scratch) {
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
        touched.truncate(count);
        scratch.touched = touched;
    }

    /// Whether a tool may be a hit.
    pub(crate) fn admits(&self, slot: Slot) -> bool {
        self.only.is_none_or(|only| self.statistics.place(slot).is_some_and(|place| only[place]))
    }

    /// What a tool gains by the part of its name that the request covers, as a share of what words give it.
    fn name_gain(&self, slot: Slot, covered: f64) -> f64 {
        // Words were only matched with tools that are searched, and each of these has a place.
        let place = self.statistics.place(slot).unwrap_or_default();
        let share = covered / self.statistics.name_sum(place);
        // The power of 1.5: half a name says less than half of what a whole one says.
        self.weights.names * share * share.sqrt()
    }

    /// What a tool gains by a server of which the request covers so much of the name, as a share of all else.
    fn server_gain(&self, server: ServerId, covered: f64) -> f64 {
        let terms = self.index.servers.terms.row(server);
        let all = terms.iter().fold(0.0, |sum, term| sum + self.statistics.idf_of(*term));
        self.weights.servers * covered / all
    }

    /// What a tool gains by its name, as a share of what words give it.
    pub(crate) fn name_share(&self, terms: &[QueryTerm], slot: Slot) -> f64 {
        let counted = |term: &Term| {
            let same = terms.iter().flat_map(|word| &word.meaning.terms).filter(|(other, ..)| other == term);
            same.fold(0.0, |most: f64, (_, share, _)| share.max(most)) * self.statistics.idf_of(*term)
        };
        let covered = self.index.columns.names.row(slot).iter().map(counted).sum::<f64>();
        if covered > 0.0 { self.name_gain(slot, covered) } else { 0.0 }
    }

    /// The best score of a request.
    pub(crate) fn best(&self, terms: &[QueryTerm], scratch: &mut Scratch, candidates: &mut Vec<Candidate>) -> f64 {
        self.score((terms, RequestedEffects::default()), 1, scratch, candidates);
        candidates.iter().fold(0.0, |best, candidate| candidate.score().max(best))
    }

    /// The tools in which a word stands, with saturated frequencies.
    fn matches<'m>(&self, meaning: &'m Meaning, scratch: &mut Scratch) -> &'m Matches {
        meaning.matches(|| {
            let most: u32 = meaning.terms.iter().map(|(term, ..)| self.statistics.frequency(*term)).sum();
            let mut slots = vec![Slot(0); self.statistics.len().min(most as usize)];
            let mut count = 0;
            let frequencies = &mut scratch.frequencies[..];
            for (term, share, _) in &meaning.terms {
                self.statistics.each_posting(self.index, *term, |_, posting| {
                    let slot = posting.slot;
                    let gain = share * self.frequency(posting);
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
            Matches { slots, gains }
        })
    }

    /// Adds up what the request covers of names and servers: of each term that it means, its idf times what the term counts.
    /// Returns the factor by which both together raise a tool at most.
    fn cover(&self, terms: &[QueryTerm], scratch: &mut Scratch) -> f64 {
        for (term, share, _) in terms.iter().flat_map(|term| &term.meaning.terms) {
            let covered = &mut scratch.covered[*term];
            if *covered == 0.0 {
                scratch.covered_terms.push(*term);
            }
            *covered = covered.max(*share);
        }
        for term in &scratch.covered_terms {
            let covered = &mut scratch.covered[*term];
            *covered *= self.statistics.idf_of(*term);
            if self.weights.names > 0.0 {
                self.statistics.each_name(self.index, *term, |_, slot| {
                    let sum = &mut scratch.names[slot];
                    if *sum == 0.0 {
                        scratch.named.push(slot);
                    }
                    *sum += *covered;
                });
            }
        }
        let mut most = 0.0;
        for server in &self.statistics.servers {
            let terms = self.index.servers.terms.row(*server);
            let covered = terms.iter().fold(0.0, |sum, term| sum + scratch.covered[*term]);
            let gain = if covered > 0.0 { self.server_gain(*server, covered) } else { 0.0 };
            scratch.servers[*server] = gain;
            most = gain.max(most);
        }
        scratch.covered_terms.drain(..).for_each(|term| scratch.covered[term] = 0.0);
        (1.0 + self.weights.names) * (1.0 + most)
    }
}
