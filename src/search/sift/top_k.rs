//! The exact best of many candidates, without sorting the others.

use std::cmp::Ordering;

use crate::sort::sorted;

use super::candidate::Candidate;
use super::statistics::Statistics;

/// Up to so many are inserted one by one into those that are the best so far. Of n candidates in no particular order, about
/// k ln(n / k) are ever among the best k.
const INSERTED: usize = 1_000;

/// The `most` best candidates by falling score, equals in catalog order.
pub(super) fn top_k(candidates: &[Candidate], statistics: &Statistics, most: usize) -> Vec<Candidate> {
    let order = |a: &Candidate, b: &Candidate| -> Ordering {
        let place = |candidate: &Candidate| statistics.place(candidate.slot);
        b.score().total_cmp(&a.score()).then_with(|| place(a).cmp(&place(b)))
    };
    if most >= candidates.len() || most > INSERTED {
        let mut best = sorted(candidates.to_vec(), order);
        best.truncate(most);
        return best;
    }
    let mut best: Vec<Candidate> = Vec::with_capacity(most + 1);
    // The score of the worst that is still among the best, once there are enough.
    let mut least = 0.0;
    for candidate in candidates {
        if candidate.score() < least {
            continue;
        }
        let at = best.partition_point(|other| order(other, candidate).is_lt());
        best.insert(at, *candidate);
        best.truncate(most);
        if best.len() == most {
            least = best.last().map_or(0.0, Candidate::score);
        }
    }
    best
}
