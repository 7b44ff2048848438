//! The exact best of many candidates, without sorting the others.

use std::cmp::Ordering;

use crate::sort::sorted;

use super::score::Candidate;
use super::statistics::Statistics;

/// Candidates are collected in so many times the wanted number before the worst of them are dropped.
const SLACK: usize = 4;

/// The `most` best candidates by falling score, equals in catalog order.
pub(super) fn top_k(candidates: &[Candidate], statistics: &Statistics, most: usize) -> Vec<Candidate> {
    let order = |a: &Candidate, b: &Candidate| -> Ordering {
        let place = |candidate: &Candidate| statistics.place(candidate.slot);
        b.score().total_cmp(&a.score()).then_with(|| place(a).cmp(&place(b)))
    };
    if most >= candidates.len() {
        return sorted(candidates.to_vec(), order);
    }
    let room = most.saturating_mul(SLACK).max(1);
    let mut best: Vec<Candidate> = Vec::with_capacity(room + 1);
    // The score of the worst that is still among the best, once there are enough.
    let mut least = 0.0;
    for candidate in candidates {
        if candidate.score() < least {
            continue;
        }
        best.push(*candidate);
        if best.len() > room {
            best = sorted(best, order);
            best.truncate(most);
            least = best.last().map_or(0.0, Candidate::score);
        }
    }
    let mut best = sorted(best, order);
    best.truncate(most);
    best
}
