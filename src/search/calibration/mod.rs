//! Computes how far a result can be trusted ([`over_chance`]), by comparing its best score with the scores of random
//! words (null scores), and the probability that each hit is the wanted tool ([`Likelihood`]). For the null scores,
//! bags of words are drawn from the catalog's own texts, with as many words as the request has ([`Words`]).

mod words;

use crate::lock::lock;
use crate::prebuilt::put;
use crate::search::hit::Confidence;
use crate::search::ids::Doc;
use crate::search::index::Index;
use crate::search::null_scores::{Kind, SIZES, digest_of};
use crate::search::query::terms::{Interpreter, QueryTerm};
use crate::search::ranker_options::{Weights, Without};
use crate::search::ranking::scratch::{Scratch, with_scratch};
use crate::search::ranking::{Candidate, Scorer, sharpened};
use crate::search::view::{View, idf};

use words::{Draw, Words, kind_of};

/// The number of bags of each size. With fewer bags, the random numbers would decide which requests load tools.
const BAGS: usize = 41;
/// Null score = 0.79 × (mean + standard deviation) of the best scores of the bags. The scores of small bags spread
/// wider than those of large ones, so that a short request must be further above their mean. Of requests which a
/// catalog cannot serve, 4.1 % load anything with it, in the mean of ten labelled catalogs.
const NULL_SCALE: f64 = 0.79;
/// If the best score is below this share of the null score, nothing fits. On five labelled sets, 2 % of the answerable
/// requests were below it. A third of these had a right tool among their first five hits.
const NONE_BELOW: f64 = 0.5;
/// If the best score of a message of more than [`LONG_WORDS`] words is below this share of the null score, nothing
/// fits. Most words of such a message are about things that no tool does. Of 98 such messages with a right tool among
/// their first five hits, 2 are below this bound; 20 would be below [`NONE_BELOW`].
const NONE_BELOW_IN_LONG: f64 = 0.3;
/// A request of more words is a long message.
const LONG_WORDS: usize = 32;
/// If the best score is at least this multiple of the null score, the result can be trusted: on eight labelled sets,
/// 88 % of such requests had a right tool among their first five hits.
const HIGH_FROM: f64 = 1.0;
/// How strongly the lost weight of translated words ([`strangeness`]) lowers the confidence. Of requests that no
/// tool serves, 11.2 % load a tool ahead with the value 0, 8.7 % with this value, and 8.0 % without translations, on
/// average over ten labelled catalogs with packs.
const STRANGE: f64 = 1.3;
/// The smallest null score to divide by. With a single tool the null score is 0, because whatever matches is meant for
/// that tool.
const SMALLEST_NULL_SCORE: f64 = 1e-6;

/// Writes the null scores of every size of bags, measured among the tools at these positions.
pub(crate) fn write(index: &Index, positions: &[u32], without: Without, to: &mut Vec<u8>) {
    let weights = Weights::of(without);
    let view = View::of(index, positions, None, weights);
    let scorer = Scorer::new(index, &view, &weights);
    let sizes: [usize; SIZES.len()] = std::array::from_fn(|size| size);
    let scores = sizes.map(|size| with_scratch(|scratch| null_score(&scorer, scratch, Kind::Written, size)));
    put((digest_of(positions), scores), to);
}

/// Returns the best score of a request as a multiple of the null score for this number and kind of words.
/// `is_unenriched` is true if the best tool has no enrichment, but others have.
pub(crate) fn over_chance(
    scorer: &Scorer<'_>,
    scratch: &mut Scratch,
    best: f64,
    is_unenriched: bool,
    terms: &[QueryTerm],
) -> f64 {
    if best <= 0.0 {
        return 0.0;
    }
    let kind = match kind_of(scorer, terms) {
        Kind::Written if is_unenriched => Kind::Unenriched,
        kind => kind,
    };
    // Two overlapping pairs are found together, so that they count as one word.
    let words = if kind == Kind::ColloquialInPairs { terms.len().div_ceil(2) } else { terms.len() };
    let above = SIZES.iter().position(|size| *size >= words).unwrap_or(SIZES.len() - 1);
    let upper = null_score(scorer, scratch, kind, above);
    let null_score = if above == 0 || SIZES[above] <= words {
        upper
    } else {
        let lower = null_score(scorer, scratch, kind, above - 1);
        let (from, to) = (SIZES[above - 1] as f64, SIZES[above] as f64);
        lower + (upper - lower) * (words as f64 - from) / (to - from)
    };
    best / (1.0 + strangeness(scorer, terms)) / null_score.max(SMALLEST_NULL_SCORE)
}

/// Translating a word that no tool has makes it count less. Returns how much weight the request lost by that, as a
/// share of its weight, times [`STRANGE`]. A word that no tool has counts against every tool, so it weighs much. Once it
/// is translated, it weighs only as much as its translations. If most of a request is translated, the request is in
/// another language, and nothing is lost.
fn strangeness(scorer: &Scorer<'_>, terms: &[QueryTerm]) -> f64 {
    let (mut own, mut translated, mut lost) = (0.0, 0.0, 0.0);
    for QueryTerm { expanded, weight } in terms {
        if expanded.is_translated() {
            translated += weight;
            lost += weight * (idf(0, scorer.view.len()) / expanded.idf - 1.0);
        } else {
            own += weight;
        }
    }
    if translated > own || translated == 0.0 { 0.0 } else { STRANGE * lost / (own + translated) }
}

/// Returns how far a result can be trusted. `over_chance` is its best score as a multiple of the null score, and
/// `words` is the number of words of the request.
pub(crate) fn confidence(over_chance: f64, words: usize) -> Confidence {
    if over_chance < if words > LONG_WORDS { NONE_BELOW_IN_LONG } else { NONE_BELOW } {
        Confidence::None
    } else if over_chance < HIGH_FROM {
        Confidence::Low
    } else {
        Confidence::High
    }
}

/// Returns the null score for one size of bags.
fn null_score(scorer: &Scorer<'_>, scratch: &mut Scratch, kind: Kind, size: usize) -> f64 {
    let known = lock(&scorer.view.null_scores)[kind as usize][size];
    let score = known.unwrap_or_else(|| measure(scorer, scratch, kind, size));
    lock(&scorer.view.null_scores)[kind as usize][size] = Some(score);
    score
}

fn measure(scorer: &Scorer<'_>, scratch: &mut Scratch, kind: Kind, size: usize) -> f64 {
    let Scorer { index, view, weights, .. } = *scorer;
    let is_unenriched = |doc: &Doc| !index.columns.is_worded(*doc);
    let docs = view.in_order().iter().copied().filter(|doc| kind != Kind::Unenriched || is_unenriched(doc));
    let docs: Vec<Doc> = docs.collect();
    let mask = (kind == Kind::Unenriched).then(|| index.mask(docs.iter().copied()));
    let scorer = &Scorer::new(index, view, weights).among(mask.as_deref());
    let Some(words) = Words::of(scorer, kind) else { return null_score(scorer, scratch, Kind::Written, size) };
    let mut draw = Draw(SIZES[size] as u64);
    let mut candidates: Vec<Candidate> = Vec::new();
    let interpreter = Interpreter::of_stems(index, view, weights);
    let mut best: Vec<f64> = Vec::with_capacity(BAGS);
    for _ in 0..BAGS {
        let query = interpreter.of_words(&words.bag(scorer, SIZES[size], &mut draw));
        best.push(scorer.best(&query, scratch, &mut candidates));
    }
    let (mean, deviation) = mean_and_deviation(&best);
    // The fewer tools there are, the more words of a bag come from the same tool, which raises its score. Among a handful of
    // tools, most bags hold two words of one.
    NULL_SCALE * (mean + deviation) * (1.0 - 1.0 / (docs.len().max(1) as f64).sqrt())
}

/// Returns the mean of some numbers and their standard deviation. Square roots are exact in every runtime.
fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().fold(0.0, |sum, number| sum + number) / count;
    let variance = numbers.iter().fold(0.0, |sum, number| sum + (number - mean) * (number - mean)) / count;
    (mean, variance.sqrt())
}

/// The score of the candidate "none of these" in the sum of [`Likelihood`], as a multiple of the null score.
const NONE_OF_THESE: f64 = 0.6;

/// The likelihoods of the candidates of one request. Confidence tells whether anything fits, likelihood which hit.
///
/// Each score is raised to the power of 6. The likelihood of a hit is its share of the sum over all candidates. One
/// more candidate stands for "none of these"; its score is the null score times [`NONE_OF_THESE`]. Both constants were
/// fitted by log loss over the first hits of five labelled sets; the optimum is flat, and among first hits of a
/// likelihood of about a half, about half are right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likelihood {
    total: f64,
}

impl Likelihood {
    /// Makes the likelihoods of the candidates of a request. `others` is the sum of the sharpened scores of matches
    /// that are no candidates, and `null_score` is the null score of the request.
    pub(crate) fn over(candidates: &[Candidate], others: f64, null_score: f64) -> Self {
        let total = candidates.iter().fold(others, |sum, one| sum + sharpened(one.by_words()));
        Likelihood { total: total + sharpened(NONE_OF_THESE * null_score) }
    }

    /// Returns the likelihood of a score, from 0 to 1.
    pub(crate) fn of(self, score: f64) -> f64 {
        if self.total > 0.0 { sharpened(score) / self.total } else { 0.0 }
    }
}
