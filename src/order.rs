//! Sorting by a comparison, for lists that are short or sorted rarely.

use std::cmp::Ordering;

/// The positions of so many items in the order of a comparison. Equal ones keep their order.
pub(crate) fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by(|a, b| compare(*a, *b).then(a.cmp(b)));
    order
}
