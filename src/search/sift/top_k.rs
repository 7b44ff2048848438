//! The exact best of many candidates, without sorting the others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::score::Candidate;
use super::statistics::Statistics;

/// The `most` best candidates by falling score, equals in catalog order. Candidates without a score are left out.
pub(super) fn top_k(candidates: &[Candidate], statistics: &Statistics, most: usize) -> Vec<Candidate> {
    // Scores are finite and not negative, and the bits of such numbers are in the order of the numbers.
    let key = |at: usize| {
        let candidate = &candidates[at];
        let place = statistics.place(candidate.slot).unwrap_or(u32::MAX);
        (candidate.score().to_bits(), Reverse(place), at as u32)
    };
    let is_hit = |at: &usize| candidates[*at].words > 0.0;
    let hits = (0..candidates.len()).filter(is_hit).map(key);
    let mut best: Vec<_> = if most >= candidates.len() {
        hits.collect()
    } else {
        let mut heap = BinaryHeap::with_capacity(most + 1);
        for key in hits {
            if heap.len() < most {
                heap.push(Reverse(key));
            } else if heap.peek().is_some_and(|Reverse(worst)| key > *worst) {
                heap.pop();
                heap.push(Reverse(key));
            }
        }
        heap.into_iter().map(|Reverse(key)| key).collect()
    };
    best.sort_unstable_by(|a, b| b.cmp(a));
    best.into_iter().map(|(.., at)| candidates[at as usize]).collect()
}
