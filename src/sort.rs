//! How are lists put in order? Through one sort of positions: each type that is sorted by itself adds some KB of wasm.

use std::cmp::Ordering;

/// A list in order; equals stay as they stand.
pub(crate) fn sorted<T>(list: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let order = order(list.len(), &|a, b| compare(&list[a], &list[b]));
    let mut slots: Vec<Option<T>> = list.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| slots[at].take()).collect()
}

/// The positions of a list in order.
#[inline(never)]
fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}
