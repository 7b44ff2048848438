//! Which documents fit the words of a request, and how well? BM25F (Robertson, Zaragoza and Taylor 2004: fields are
//! weighted and length-normalised, summed, and saturated once), and what tools gain that fit as a whole.

use crate::map::Map;

use super::candidates::Candidates;
use super::index::{Document, Index, Posting, Term};
use super::request::Sought;
use super::weights::Weights;

/// A document and how well it fits, by what that is owed to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Ranked {
    pub document: usize,
    /// The words of the request, as far as they stand in it: the share of their weight, below 1.
    pub words: f64,
    /// A name that the request covers.
    pub name: f64,
    /// Words side by side.
    pub pairs: f64,
    /// A server that the request names or smells of.
    pub server: f64,
    /// A part of the request that it fits by itself.
    pub intent: f64,
}

impl Ranked {
    pub(super) fn score(&self) -> f64 {
        self.words + self.name + self.pairs + self.server + self.intent
    }
}

/// The documents that hold any of the words, in catalog order.
pub(super) fn rank(index: &Index, candidates: &Candidates, sought: &[Sought], weights: &Weights) -> Vec<Ranked> {
    let total: f64 = sought.iter().map(|word| word.weight).sum();
    if total <= 0.0 {
        return Vec::new();
    }
    let mut fits = vec![(0.0f64, 0.0f64); index.documents.len()];
    let mut frequencies = vec![0.0f64; index.documents.len()];
    let mut touched: Vec<usize> = Vec::new();
    for word in sought {
        for (term, worth, _) in &word.via {
            for posting in candidates.holding(index, *term) {
                let at = posting.document as usize;
                let gain = worth * frequency(index, candidates, posting, weights);
                // Fields that count nothing would touch a document again and again.
                if frequencies[at] == 0.0 && gain > 0.0 {
                    touched.push(at);
                }
                frequencies[at] += gain;
            }
        }
        for at in touched.drain(..) {
            let frequency = std::mem::take(&mut frequencies[at]);
            fits[at].0 += word.weight * frequency / (frequency + weights.k1);
            fits[at].1 += word.weight;
        }
    }
    let hit = |(document, (sum, covered)): (usize, (f64, f64))| {
        let coverage = 1.0 - weights.coverage * (1.0 - covered / total);
        let words = sum / total * coverage;
        (words > 0.0).then_some(Ranked { document, words, ..Ranked::default() })
    };
    let mut ranked: Vec<Ranked> = fits.into_iter().enumerate().filter_map(hit).collect();
    let mut share = Share::new(index, candidates, sought);
    lift_names(&mut share, weights, &mut ranked);
    lift_pairs(index, sought, total, weights, &mut ranked);
    lift_servers(&mut share, weights, &mut ranked);
    ranked
}

/// What a posting counts: weighted by its field, and the less the longer the field is beside the catalog's average.
pub(super) fn frequency(index: &Index, candidates: &Candidates, posting: &Posting, weights: &Weights) -> f64 {
    let field = posting.field as usize;
    let length = f64::from(index.documents[posting.document as usize].lengths[field].max(1));
    let relative = length / candidates.averages[field];
    weights.fields[field] * f64::from(posting.count) / (1.0 - weights.length + weights.length * relative)
}

/// The share of some words, by how rare they are, that the request covers.
struct Share<'a> {
    index: &'a Index,
    candidates: &'a Candidates,
    words: Map<Term, Known>,
}

/// What is known of a word of the catalog.
#[derive(Default)]
struct Known {
    /// What the request makes of it.
    worth: f64,
    rarity: Option<f64>,
}

impl<'a> Share<'a> {
    fn new(index: &'a Index, candidates: &'a Candidates, sought: &[Sought]) -> Self {
        let mut words = Map::default();
        for (term, worth, _) in sought.iter().flat_map(|word| &word.via) {
            let known: &mut Known = words.entry(*term).or_default();
            known.worth = known.worth.max(*worth);
        }
        Share { index, candidates, words }
    }

    fn of(&mut self, words: &[Term]) -> f64 {
        let (mut covered, mut all) = (0.0, 0.0);
        for term in words {
            let known = self.words.entry(*term).or_default();
            let rarity = *known.rarity.get_or_insert_with(|| self.candidates.rarity(self.index, &[*term]));
            covered += rarity * known.worth;
            all += rarity;
        }
        if all > 0.0 { covered / all } else { 0.0 }
    }
}

fn lift_names(share: &mut Share<'_>, weights: &Weights, ranked: &mut [Ranked]) {
    for hit in ranked {
        hit.name = hit.words * weights.names * share.of(&share.index.documents[hit.document].name);
    }
}

fn lift_pairs(index: &Index, sought: &[Sought], total: f64, weights: &Weights, ranked: &mut [Ranked]) {
    let pair = |(a, b): (&Sought, &Sought)| Some(((a.itself()?, b.itself()?), (a.weight + b.weight) / 2.0));
    let apart = || sought.iter().filter(|word| !word.is_joined);
    let pairs: Vec<((Term, Term), f64)> = apart().zip(apart().skip(1)).filter_map(pair).collect();
    for hit in ranked {
        let document: &Document = &index.documents[hit.document];
        let found = pairs.iter().filter(|(pair, _)| document.pairs.binary_search(pair).is_ok());
        hit.pairs = weights.pairs * found.fold(0.0, |sum, (_, weight)| sum + weight) / total;
    }
}

/// Servers by what fits best on them: the sum of their three best tools, beside that of the best server.
fn lift_servers(share: &mut Share<'_>, weights: &Weights, ranked: &mut [Ranked]) {
    let index = share.index;
    let mut best = vec![[0.0f64; 3]; index.servers()];
    for hit in ranked.iter() {
        let mut score = hit.score();
        for place in &mut best[index.documents[hit.document].server] {
            if score > *place {
                std::mem::swap(place, &mut score);
            }
        }
    }
    let sum = |best: &[f64; 3]| best[0] + best[1] + best[2];
    let top = best.iter().skip(1).map(sum).fold(0.0, f64::max);
    let mut lifts = vec![None; index.servers()];
    for hit in ranked {
        let document = &index.documents[hit.document];
        if document.server > 0 && top > 0.0 {
            let lift = lifts[document.server].get_or_insert_with(|| {
                let named = share.of(&document.server_name);
                let fits = sum(&best[document.server]) / top;
                (1.0 + weights.servers * fits) * (1.0 + weights.server_names * named) - 1.0
            });
            hit.server = hit.score() * *lift;
        }
    }
}
