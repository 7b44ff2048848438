//! Estimates for every hit how likely it is the tool that is meant. Confidence says whether anything fits; this says which.
//!
//! The likelihood of a hit is its score's share of all candidates' scores, each to the power of [`SHARPNESS`], with one more
//! candidate that stands for "none of these": what chance finds, times [`CHANCE`]. Both constants were fitted by log loss
//! over the first hits of five labelled sets; the optimum is flat, and among first hits of a likelihood of about a half,
//! about half are right.

use crate::search::sift::score::candidate::Candidate;

/// The power of the scores.
const SHARPNESS: u32 = 6;
/// What chance counts against a candidate of the same score.
const CHANCE: f64 = 0.6;

/// What a weight of 1 is in the sums. Weights stay below 1,024 and candidates below 2^32, so that no sum overflows.
const ONE: f64 = (1u128 << 80) as f64;

/// The likelihoods of the candidates of one request.
#[derive(Clone, Copy, Debug)]
pub(in crate::search::sift) struct Likelihood {
    total: u128,
}

impl Likelihood {
    /// Over all candidates of a request; `chance` is the score that such a request reaches by chance.
    pub(in crate::search::sift) fn over(candidates: &[Candidate], chance: f64) -> Self {
        let total = candidates.iter().fold(weight(CHANCE * chance), |total, one| total + weight(one.by_words()));
        Likelihood { total }
    }

    /// That of a score, from 0 to 1.
    pub(in crate::search::sift) fn of(self, score: f64) -> f64 {
        if self.total > 0 { weight(score) as f64 / self.total as f64 } else { 0.0 }
    }
}

/// A whole number: candidates come in no particular order, and only sums of whole numbers are the same in any order. By
/// multiplication alone, which gives the same bits in every runtime.
fn weight(score: f64) -> u128 {
    let square = score * score;
    const { assert!(SHARPNESS == 6) };
    (square * square * square * ONE) as u128
}
