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

/// What a weight of 1 is in the sums.
const ONE: f64 = (1u64 << 52) as f64;

/// The likelihoods of the candidates of one request.
#[derive(Clone, Copy, Debug)]
pub(in crate::search::sift) struct Likelihood {
    total: f64,
}

impl Likelihood {
    /// Over all candidates of a request; `chance` is the score that such a request reaches by chance.
    pub(in crate::search::sift) fn over(candidates: &[Candidate], chance: f64) -> Self {
        // Candidates come in no particular order, and only sums of whole numbers are the same in any order.
        let whole = |score: f64| (weight(score) * ONE) as u128;
        let total = candidates.iter().fold(whole(CHANCE * chance), |total, one| total + whole(one.by_words()));
        Likelihood { total: total as f64 / ONE }
    }

    /// That of a score, from 0 to 1.
    pub(in crate::search::sift) fn of(self, score: f64) -> f64 {
        if self.total > 0.0 { weight(score) / self.total } else { 0.0 }
    }
}

/// By multiplication alone, which gives the same bits in every runtime.
fn weight(score: f64) -> f64 {
    let square = score * score;
    const { assert!(SHARPNESS == 6) };
    square * square * square
}
