//! Says how far a result can be trusted, by comparing its best score with scores that arise by chance. For these, bags
//! of words are drawn from the catalog's own texts, as many words as the request has.

use crate::lock::lock;
use crate::prebuilt::Encoder;
use crate::search::hit::Confidence;
use crate::search::ids::Term;
use crate::search::index::Index;
use crate::search::sift::calibration::chances::{Kind, SIZES, digest_of};
use crate::search::sift::query::meanings::Relation;
use crate::search::sift::query::terms::{Interpreter, QueryTerm, Word};
use crate::search::sift::scope::Statistics;
use crate::search::sift::score::Scorer;
use crate::search::sift::score::candidate::Candidate;
use crate::search::sift::score::scratch::Scratch;
use crate::search::sift::score::weights::{Weights, Without};
use crate::search::sift::text::tokenizer::is_unspaced;

/// Bags of each size. With few bags, the numbers that are drawn decide which requests load.
const BAGS: usize = 41;
/// What counts as chance: this share of what lies one standard deviation above the mean of the bags' best scores. The scores
/// of small bags spread wider than those of large ones, so that a short request must stand further above their mean. Of
/// requests which a catalog cannot serve, 4.1 % load anything with it, in the mean of ten labelled catalogs.
const OF_WIDE: f64 = 0.79;
/// Below this share of what chance finds nothing fits. On five labelled sets 2 % of the answerable requests fell below
/// it, of which a third had a right tool among their first five.
const NONE: f64 = 0.5;
/// From what chance finds on, what was found can be trusted: on eight labelled sets, 88 % of such requests had a right tool
/// among their first five.
const HIGH: f64 = 1.0;
/// Words that stand in enrichments alone outweigh the others so far in a request of another language; in one of the language of
/// the definitions, fewer are such.
const FOREIGN: f64 = 3.0;
/// Chance is measured with the words of enrichments if at least one tool in so many has any of the kind.
const FEW: usize = 4;
/// Below this chance is none: where there is a single tool, whatever matches it is meant for it.
const LEAST_CHANCE: f64 = 1e-6;

/// Writes what chance finds among the tools at some positions, all of it.
pub(crate) fn write(index: &Index, positions: &[u32], without: Without, to: &mut Encoder) {
    let (weights, statistics) = (Weights::of(without), Statistics::of(index, positions, None));
    let scorer = Scorer::new(index, &statistics, &weights);
    to.word(digest_of(positions));
    for size in 0..SIZES.len() {
        to.word(chance(&scorer, &mut index.scratch.take(), Kind::Written, size).to_bits());
    }
}

/// The best score of a request, as a multiple of what chance finds for so many words of its kind.
pub(in crate::search::sift) fn over_chance(
    scorer: &Scorer<'_>,
    scratch: &mut Scratch,
    best: f64,
    terms: &[QueryTerm],
) -> f64 {
    if best <= 0.0 {
        return 0.0;
    }
    let kind = kind_of(scorer, terms);
    // Pairs that overlap are found together.
    let words = if kind == Kind::SaidInPairs { terms.len().div_ceil(2) } else { terms.len() };
    let above = SIZES.iter().position(|size| *size >= words).unwrap_or(SIZES.len() - 1);
    let upper = chance(scorer, scratch, kind, above);
    let chance = if above == 0 || SIZES[above] <= words {
        upper
    } else {
        let lower = chance(scorer, scratch, kind, above - 1);
        let (from, to) = (SIZES[above - 1] as f64, SIZES[above] as f64);
        lower + (upper - lower) * (words as f64 - from) / (to - from)
    };
    best / chance.max(LEAST_CHANCE)
}

/// How far a score can be trusted that is such a multiple.
pub(in crate::search::sift) fn confidence(over_chance: f64) -> Confidence {
    if over_chance < NONE {
        Confidence::None
    } else if over_chance < HIGH {
        Confidence::Low
    } else {
        Confidence::High
    }
}

/// Of which words a request is, by the weight of those that are known.
fn kind_of(scorer: &Scorer<'_>, terms: &[QueryTerm]) -> Kind {
    let mut weights = [0.0; Kind::COUNT];
    for QueryTerm { meaning, weight } in terms {
        if let [(term, _, Relation::Itself), ..] = meaning.terms[..] {
            weights[kind_of_term(scorer, term) as usize] += weight;
        }
    }
    let [written, said, in_pairs] = weights;
    match () {
        _ if written * FOREIGN >= said + in_pairs => Kind::Written,
        _ if said >= in_pairs => Kind::Said,
        _ => Kind::SaidInPairs,
    }
}

/// Of which kind of requests a term is.
fn kind_of_term(scorer: &Scorer<'_>, term: Term) -> Kind {
    let Scorer { index, statistics, .. } = *scorer;
    let mut postings = statistics.parts(index.postings(term), |posting| posting.slot).flatten();
    match postings.any(|posting| !posting.field.is_said() && statistics.place(posting.slot).is_some()) {
        true => Kind::Written,
        false if index.vocabulary.text(term).starts_with(is_unspaced) => Kind::SaidInPairs,
        false => Kind::Said,
    }
}

/// What chance finds for one size of bags.
fn chance(scorer: &Scorer<'_>, scratch: &mut Scratch, kind: Kind, size: usize) -> f64 {
    let known = lock(&scorer.statistics.chances)[kind as usize][size];
    let chance = known.unwrap_or_else(|| measure(scorer, scratch, kind, size));
    lock(&scorer.statistics.chances)[kind as usize][size] = Some(chance);
    chance
}

fn measure(scorer: &Scorer<'_>, scratch: &mut Scratch, kind: Kind, size: usize) -> f64 {
    let Scorer { index, statistics, weights, .. } = *scorer;
    let mut draw = Draw(SIZES[size] as u64);
    let mut candidates: Vec<Candidate> = Vec::new();
    let interpreter = Interpreter::of_stems(index, statistics, weights);
    let said = Said::of(scorer, kind);
    // Where few tools have such words, each of these is rare, and a request that shares any with one of them seems to mean it.
    if kind != Kind::Written && said.tools * FEW < statistics.len() {
        return chance(scorer, scratch, Kind::Written, size);
    }
    let mut best: Vec<f64> = Vec::with_capacity(BAGS);
    for _ in 0..BAGS {
        let words = match kind {
            Kind::Written => bag(index, statistics, SIZES[size], &mut draw),
            Kind::Said | Kind::SaidInPairs => said.bag(index, SIZES[size], &mut draw),
        };
        best.push(scorer.best(&interpreter.terms(&words), scratch, &mut candidates));
    }
    let (mean, deviation) = mean_and_deviation(&best);
    // Words of a bag that come from the same tool fit it by more than chance, the likelier the fewer tools there are: among a
    // handful of tools, most bags hold two words of one.
    OF_WIDE * (mean + deviation) * (1.0 - 1.0 / (statistics.len().max(1) as f64).sqrt())
}

/// The mean of some numbers and their standard deviation. A square root is the same in every runtime.
fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().fold(0.0, |sum, number| sum + number) / count;
    let variance = numbers.iter().fold(0.0, |sum, number| sum + (number - mean) * (number - mean)) / count;
    (mean, variance.sqrt())
}

/// Terms of the names and leads of tools, each from another.
fn bag(index: &Index, statistics: &Statistics, size: usize, draw: &mut Draw) -> Vec<Word> {
    let word = |draw: &mut Draw| {
        let slot = statistics.places.slots[draw.below(statistics.len())?];
        let terms = index.columns.leads.row(slot);
        Some((index.vocabulary.text(terms[draw.below(terms.len())?]).to_owned(), 1.0))
    };
    (0..size).filter_map(|_| word(draw)).collect()
}

/// The terms of a kind that stand in enrichments alone.
#[derive(Default)]
struct Said {
    /// In alphabetical order, since ids tell what the catalog was before; each with how often it and those before it stand.
    terms: Vec<(Term, usize)>,
    /// How many tools have any.
    tools: usize,
}

impl Said {
    /// None where the kind is that of definitions.
    fn of(scorer: &Scorer<'_>, kind: Kind) -> Self {
        let Scorer { index, statistics, .. } = *scorer;
        let (mut said, mut sum, mut has) = (Said::default(), 0, vec![false; statistics.len()]);
        if kind == Kind::Written {
            return said;
        }
        for term in statistics.starting_with(index, "") {
            if kind_of_term(scorer, *term) == kind {
                statistics.each_posting(index, *term, &mut |place, posting| {
                    has[place] = true;
                    sum += usize::from(posting.count);
                });
                said.terms.push((*term, sum));
            }
        }
        said.tools = has.into_iter().filter(|has| *has).count();
        said
    }

    /// Some of them, the likelier the more often they stand.
    fn bag(&self, index: &Index, size: usize, draw: &mut Draw) -> Vec<Word> {
        let all = self.terms.last().map_or(0, |(_, sum)| *sum);
        let places = (0..size).filter_map(|_| draw.below(all));
        let terms = places.map(|place| self.terms[self.terms.partition_point(|(_, sum)| *sum <= place)].0);
        terms.map(|term| (index.vocabulary.text(term).to_owned(), 1.0)).collect()
    }
}

/// Numbers without a pattern, the same in every run (Knuth's linear congruential generator for 64 bits).
struct Draw(u64);

impl Draw {
    /// A number below another, unless that is 0.
    fn below(&mut self, bound: usize) -> Option<usize> {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize).checked_rem(bound)
    }
}
