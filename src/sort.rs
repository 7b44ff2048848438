//! Sorts lists through two functions only: each type that the standard library sorts by itself adds some KB of wasm.

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

/// Sorts numbers. What is sorted often is packed into numbers for it.
#[inline(never)]
pub(crate) fn sort_numbers(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

/// Two numbers as one that is in the order of the first, then of the second.
pub(crate) fn pack(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The two numbers of [`pack`].
pub(crate) fn unpack(packed: u64) -> (u32, u32) {
    ((packed >> 32) as u32, packed as u32)
}
