//! The exact best of many candidates, without sorting the others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::score::Candidate;
use super::statistics::Statistics;

/// The `most` best candidates by falling score, equals in catalog order.
pub(super) fn top_k(candidates: &[Candidate], statistics: &Statistics, most: usize) -> Vec<Candidate> {
    // Scores are finite and not negative, and the bits of such numbers are in the order of the numbers.
    let key = |at: usize, score: u64| {
        let place = statistics.place(candidates[at].slot).unwrap_or(u32::MAX);
        (score, Reverse(place), at as u32)
    };
    let hits = candidates.iter().map(|candidate| candidate.score().to_bits()).enumerate();
    let mut best: Vec<_> = if most >= candidates.len() {
        hits.map(|(at, score)| key(at, score)).collect()
    } else {
        let mut heap = BinaryHeap::with_capacity(most + 1);
        let mut least = 0;
        for (at, score) in hits {
            if heap.len() < most {
                heap.push(Reverse(key(at, score)));
            } else if score >= least {
                heap.push(Reverse(key(at, score)));
                heap.pop();
            }
            least = heap.peek().map_or(0, |Reverse((score, ..))| *score);
        }
        heap.into_iter().map(|Reverse(key)| key).collect()
    };
    best.sort_unstable_by(|a, b| b.cmp(a));
    best.into_iter().map(|(.., at)| candidates[at as usize]).collect()
}
