//! The exact best of many scores, without sorting the others.

use std::cmp::Ordering;

/// Up to so many are inserted one by one into those that are the best so far. Of n scores in no particular order, about
/// k ln(n / k) are ever among the best k.
const INSERTED: usize = 1_000;

/// The places of the `most` best of some scores, best first; `ties` orders places of equal scores.
pub(super) fn top_k(scores: &[f64], most: usize, ties: impl Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let compare = |a: usize, b: usize| scores[b].total_cmp(&scores[a]).then_with(|| ties(a, b));
    if most >= scores.len() || most > INSERTED {
        let mut best: Vec<usize> = (0..scores.len()).collect();
        best.sort_by(|a, b| compare(*a, *b));
        best.truncate(most);
        return best;
    }
    let mut best: Vec<usize> = Vec::with_capacity(most + 1);
    // The worst score that is still among the best, once there are enough.
    let mut least = 0.0;
    for (at, score) in scores.iter().enumerate() {
        if *score < least {
            continue;
        }
        let place = best.partition_point(|other| compare(*other, at).is_lt());
        best.insert(place, at);
        best.truncate(most);
        if best.len() == most {
            least = best.last().map_or(0.0, |last| scores[*last]);
        }
    }
    best
}
