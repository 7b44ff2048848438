//! Estimates for every hit how likely it is the tool that is meant. Confidence says whether anything fits; this says which.
//!
//! The likelihood of a hit is its score's share of all candidates' scores, each to the power of [`SHARPNESS`], with one more
//! candidate that stands for "none of these": what chance finds, times [`CHANCE`]. Both constants were fitted by log loss
//! over the first hits of five labelled sets; the optimum is flat, and among first hits of a likelihood of about a half,
//! about half are right.

use crate::search::ranking::candidate::Candidate;

/// The power of the scores.
const SHARPNESS: u32 = 6;
/// What chance counts against a candidate of the same score.
const CHANCE: f64 = 0.6;

/// The weight of the best score. Weights are whole numbers, relative to it: candidates come in no particular order, and only
/// sums of whole numbers are the same in any order.
const BEST: f64 = (1u64 << 32) as f64;

/// The likelihoods of the candidates of one request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likelihood {
    /// 1 by the best score.
    scale: f64,
    total: u64,
}

impl Likelihood {
    /// Over all candidates of a request; `chance` is the score that such a request reaches by chance.
    pub(crate) fn over(candidates: &[Candidate], chance: f64) -> Self {
        let best = candidates.iter().fold(0.0, |best, one| one.by_words().max(best));
        let scale = if best > 0.0 { 1.0 / best } else { 0.0 };
        let weights = candidates.iter().map(|one| weight(one.by_words() * scale));
        let total = weights.fold(weight(CHANCE * chance * scale), u64::saturating_add);
        Likelihood { scale, total }
    }

    /// That of a score, from 0 to 1.
    pub(crate) fn of(self, score: f64) -> f64 {
        if self.total > 0 { weight(score * self.scale) as f64 / self.total as f64 } else { 0.0 }
    }
}

/// By multiplication alone, which gives the same bits in every runtime.
fn weight(share: f64) -> u64 {
    let square = share * share;
    const { assert!(SHARPNESS == 6) };
    (square * square * square * BEST) as u64
}
