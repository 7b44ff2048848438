//! Sorting for lists that are short or sorted rarely: by comparisons of positions, so that one sort serves all types.

use std::cmp::Ordering;

/// The positions of so many items in the order of a comparison. Equal ones keep their order.
pub(crate) fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    order
}

/// Some items in rising order.
pub(crate) fn sorted<T: Copy + Ord>(items: &[T]) -> Vec<T> {
    order(items.len(), &|a, b| items[a].cmp(&items[b])).into_iter().map(|at| items[at]).collect()
}
