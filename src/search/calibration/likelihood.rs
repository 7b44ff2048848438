//! Estimates for every hit how likely it is the tool that is meant. Confidence says whether anything fits; this says which.
//!
//! The likelihood of a hit is its score's share of all candidates' scores, each to the power of 6, with one more
//! candidate that stands for "none of these": what chance finds, times [`CHANCE`]. Both constants were fitted by log loss
//! over the first hits of five labelled sets; the optimum is flat, and among first hits of a likelihood of about a half,
//! about half are right.

use crate::search::ranking::candidate::Candidate;
use crate::search::ranking::sharpened;

/// What chance counts against a candidate of the same score.
const CHANCE: f64 = 0.6;

/// The likelihoods of the candidates of one request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likelihood {
    total: f64,
}

impl Likelihood {
    /// Over the candidates of a request; `others` is the sum of the sharpened scores of what it matched beside them, and
    /// `null_score` the score that such a request reaches by chance.
    pub(crate) fn over(candidates: &[Candidate], others: f64, null_score: f64) -> Self {
        let total = candidates.iter().fold(others, |sum, one| sum + sharpened(one.by_words()));
        Likelihood { total: total + sharpened(CHANCE * null_score) }
    }

    /// That of a score, from 0 to 1.
    pub(crate) fn of(self, score: f64) -> f64 {
        if self.total > 0.0 { sharpened(score) / self.total } else { 0.0 }
    }
}
