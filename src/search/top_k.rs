//! Selects the exact best of many scores without sorting the others.

use std::cmp::Ordering;

/// Returns the places of the `most` best scores, best first. `ties` orders places of equal scores, and is called only
/// for these.
pub(crate) fn top_k(scores: &[f64], most: usize, ties: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let compare = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then_with(|| ties(*a, *b)).then(a.cmp(b));
    let mut best: Vec<usize> = (0..scores.len()).collect();
    if most < best.len() {
        best.select_nth_unstable_by(most, compare);
        best.truncate(most);
    }
    best.sort_unstable_by(compare);
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
