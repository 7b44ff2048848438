//! Does anything fit at all? The best hit beside what chance alone would find: bags of words drawn from the catalog's
//! own texts, of as many words as the request has, show how well tools fit requests that mean nothing.

use std::cell::Cell;

use super::candidates::Candidates;
use super::fields::Field;
use super::index::{Index, Term};
use super::rank::rank;
use super::request::seek;
use super::weights::Weights;
use crate::search::hit::Confidence;

/// Sizes of bags. Between them chance is interpolated, beyond the last it stays.
const SIZES: [usize; 6] = [1, 2, 4, 8, 16, 32];
/// Bags of each size; the middle one of their best scores counts.
const BAGS: usize = 21;
/// Below this share of what chance finds nothing fits. On five labelled sets up to 6 % of the answerable requests fell
/// below it (2 % on average), and of those half had the right tool among their first five.
const NONE: f64 = 0.5;
/// From what chance finds on, what was found can be trusted: nine in ten of such requests had a right tool among their
/// first five.
const HIGH: f64 = 1.0;

/// What chance finds in a catalog, by the size of the bag; each is measured when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Calibration([Cell<Option<f64>>; SIZES.len()]);

/// The best score of a request of some words, as a multiple of what chance finds for so many.
pub(super) fn over_chance(index: &Index, weights: &Weights, best: f64, words: usize) -> f64 {
    best / chance(index, weights, words).max(f64::MIN_POSITIVE)
}

/// How far a score can be trusted that is such a multiple.
pub(super) fn confidence(over_chance: f64) -> Confidence {
    if over_chance < NONE {
        Confidence::None
    } else if over_chance < HIGH {
        Confidence::Low
    } else {
        Confidence::High
    }
}

/// The best score that chance finds for so many words.
fn chance(index: &Index, weights: &Weights, words: usize) -> f64 {
    let above = SIZES.iter().position(|size| *size >= words).unwrap_or(SIZES.len() - 1);
    let upper = measured(index, weights, above);
    if above == 0 || SIZES[above] <= words {
        return upper;
    }
    let lower = measured(index, weights, above - 1);
    let (from, to) = (SIZES[above - 1] as f64, SIZES[above] as f64);
    lower + (upper - lower) * (words as f64 - from) / (to - from)
}

fn measured(index: &Index, weights: &Weights, size: usize) -> f64 {
    let cell = &index.calibration.0[size];
    let known = cell.get().unwrap_or_else(|| measure(index, weights, SIZES[size]));
    cell.set(Some(known));
    known
}

fn measure(index: &Index, weights: &Weights, size: usize) -> f64 {
    let candidates = Candidates::all(index);
    let mut draw = Draw(size as u64);
    let mut best: Vec<f64> = (0..BAGS)
        .map(|_| {
            let words = bag(index, size, &mut draw);
            let sought = seek(index, &candidates, &words, weights);
            rank(index, &candidates, &sought, weights).iter().fold(0.0, |best, hit| hit.score().max(best))
        })
        .collect();
    best.sort_by(f64::total_cmp);
    best[BAGS / 2]
}

/// Words of the names and leads of tools, each from another.
fn bag(index: &Index, size: usize, draw: &mut Draw) -> Vec<(String, String, f64)> {
    let word = |draw: &mut Draw| {
        let document = &index.documents[draw.below(index.documents.len())?];
        let words: Vec<Term> = document.words_in(Field::Name).chain(document.words_in(Field::Lead)).collect();
        let stem = index.text(words[draw.below(words.len())?]).to_owned();
        Some((stem.clone(), stem, 1.0))
    };
    (0..size).filter_map(|_| word(draw)).collect()
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
