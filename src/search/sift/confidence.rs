//! Does anything fit at all? The best hit beside what chance alone would find: bags of words drawn from the catalog's
//! own texts, of as many words as the request has, show how well tools fit requests that mean nothing.

use std::cell::RefCell;

use crate::prebuilt::{Reader, Writer, digest};
use crate::search::hit::Confidence;
use crate::sort::sorted;

use super::candidates::Candidates;
use super::index::Index;
use super::rank::rank;
use super::request::seek;
use super::weights::Weights;

/// Sizes of bags. Between them chance is interpolated, beyond the last it stays.
const SIZES: [usize; 6] = [1, 2, 4, 8, 16, 32];
/// Bags of each size; the middle one of their best scores counts.
const BAGS: usize = 21;
/// Below this share of what chance finds nothing fits. On five labelled sets 2 % of the answerable requests fell below
/// it, of which a third had a right tool among their first five.
const NONE: f64 = 0.5;
/// From what chance finds on, what was found can be trusted: 87 % of such requests had a right tool among their first
/// five.
const HIGH: f64 = 1.0;

/// What chance finds among some tools, by the size of the bag.
type Chances = [Option<f64>; SIZES.len()];

/// What chance finds, by the tools that are searched; each is measured when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Calibration(RefCell<Vec<(u64, Chances)>>);

/// Sets of tools whose chances are kept, the oldest forgotten first: sessions of as many scopes.
const SETS: usize = 32;

/// Below this chance is none: where there is a single tool, whatever matches it is meant for it.
const LEAST_CHANCE: f64 = 1e-6;

/// The best score of a request of some words, as a multiple of what chance finds for so many.
pub(super) fn over_chance(index: &Index, candidates: &Candidates, weights: &Weights, best: f64, words: usize) -> f64 {
    if best <= 0.0 {
        return 0.0;
    }
    let key = key(candidates);
    let mut sets = index.calibration.0.borrow_mut();
    let place = sets.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
        if sets.len() >= SETS {
            sets.remove(0);
        }
        sets.push((key, Chances::default()));
        sets.len() - 1
    });
    let chances = &mut sets[place].1;
    let mut measured =
        |size: usize| *chances[size].get_or_insert_with(|| measure(index, candidates, weights, SIZES[size]));
    let above = SIZES.iter().position(|size| *size >= words).unwrap_or(SIZES.len() - 1);
    let upper = measured(above);
    let chance = if above == 0 || SIZES[above] <= words {
        upper
    } else {
        let lower = measured(above - 1);
        let (from, to) = (SIZES[above - 1] as f64, SIZES[above] as f64);
        lower + (upper - lower) * (words as f64 - from) / (to - from)
    };
    best / chance.max(LEAST_CHANCE)
}

/// Writes what chance finds among some tools, all of it.
pub(super) fn write(index: &Index, candidates: &Candidates, weights: &Weights, to: &mut Writer) {
    for words in SIZES {
        over_chance(index, candidates, weights, 1.0, words);
    }
    let key = key(candidates);
    to.word(key);
    for (_, chances) in index.calibration.0.borrow().iter().filter(|(known, _)| *known == key) {
        chances.iter().for_each(|chance| to.word(chance.unwrap_or_default().to_bits()));
    }
}

/// Reads it back.
pub(super) fn read(from: &mut Reader<'_>) -> Option<Calibration> {
    let (key, mut chances) = (from.word()?, Chances::default());
    for chance in &mut chances {
        *chance = Some(Some(f64::from_bits(from.word()?)).filter(|chance| chance.is_finite())?);
    }
    Some(Calibration(RefCell::new(vec![(key, chances)])))
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

/// A number for the tools that are searched. It goes into a prebuilt index, so it is the same in every process.
fn key(candidates: &Candidates) -> u64 {
    let bytes: Vec<u8> = candidates.documents.iter().flat_map(|document| (*document as u32).to_le_bytes()).collect();
    digest(&bytes)
}

fn measure(index: &Index, candidates: &Candidates, weights: &Weights, size: usize) -> f64 {
    let mut draw = Draw(size as u64);
    let best = |_| {
        let words = bag(index, candidates, size, &mut draw);
        let sought = seek(index, candidates, &words, weights);
        rank(index, candidates, &sought, weights).iter().fold(0.0, |best: f64, hit| hit.score().max(best))
    };
    let best = sorted((0..BAGS).map(best).collect(), f64::total_cmp);
    // Words of a bag that come from the same tool fit it by more than chance, the likelier the fewer tools there are.
    best[BAGS / 2] * (1.0 - 1.0 / candidates.documents.len().max(1) as f64)
}

/// Words of the names and leads of tools, each from another.
fn bag(index: &Index, candidates: &Candidates, size: usize, draw: &mut Draw) -> Vec<(String, String, f64)> {
    let word = |draw: &mut Draw| {
        let document = candidates.documents[draw.below(candidates.documents.len())?];
        let words = &index.documents[document].own;
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
