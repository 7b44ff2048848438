//! The exact best of many scores, without sorting the others.

use std::cmp::Ordering;

/// Up to so many are inserted one by one into those that are the best so far. Of n scores in no particular order, about
/// k ln(n / k) are ever among the best k.
const INSERTED: usize = 1_000;

/// The places of the `most` best of some scores, best first; `ties` orders places of equal scores, and is asked for these alone.
pub(crate) fn top_k(scores: &[f64], most: usize, ties: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let compare = |a: usize, b: usize| scores[b].total_cmp(&scores[a]).then_with(|| ties(a, b));
    if most >= scores.len() || most > INSERTED {
        let mut best: Vec<usize> = (0..scores.len()).collect();
        best.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_are_those_of_a_sort() {
        let ties = |a: usize, b: usize| (a % 7).cmp(&(b % 7)).then(a.cmp(&b));
        for count in [0, 1, 9, 300, 3_000] {
            let scores: Vec<f64> =
                (0..count).map(|at: usize| (at.wrapping_mul(2_654_435_761) >> 7) as f64 % 32.0).collect();
            let mut sorted: Vec<usize> = (0..count).collect();
            sorted.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then_with(|| ties(*a, *b)));
            for most in [0, 1, 5, 64, 999, 1_001, usize::MAX] {
                assert_eq!(top_k(&scores, most, &ties), sorted[..most.min(count)], "the best {most} of {count}");
            }
        }
    }
}
