//! Sorts lists through two functions only: each type that the standard library sorts by itself adds some KB of wasm.

use std::cmp::Ordering;

/// A list in order; equals stay as they stand.
pub(crate) fn sorted<T>(mut list: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let order = order(list.len(), &|a, b| compare(&list[a], &list[b]));
    arrange(order, &mut |a, b| list.swap(a, b));
    list
}

/// Swaps the entries of a list until each position holds the entry that stood at `order[position]`.
#[inline(never)]
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        // Each pass follows one cycle of the order and marks its positions as done.
        let mut at = start;
        while order[at] != start {
            let from = order[at];
            swap(at, from);
            order[at] = at;
            at = from;
        }
        order[at] = at;
    }
}

/// The positions of a list in order, by a merge sort from the bottom up. The standard library's sort is up to a third faster
/// for 100,000 entries in random order, and takes 5 KB of wasm for this one function.
#[inline(never)]
pub(crate) fn order(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    let mut merged = order.clone();
    let mut run = 1;
    while run < len {
        for start in (0..len).step_by(2 * run) {
            let (middle, end) = ((start + run).min(len), (start + 2 * run).min(len));
            let (mut left, mut right) = (start, middle);
            // Two runs that already stand in order are kept, so that a sorted list takes one comparison an entry.
            let is_in_order = middle == end || compare(order[middle - 1], order[middle]).is_le();
            for place in &mut merged[start..end] {
                let takes_left =
                    left < middle && (is_in_order || right == end || compare(order[left], order[right]).is_le());
                let from = if takes_left { &mut left } else { &mut right };
                *place = order[*from];
                *from += 1;
            }
        }
        std::mem::swap(&mut order, &mut merged);
        run *= 2;
    }
    order
}

/// Numbers that are sorted faster by swapping neighbours than by their bytes.
const FEW: usize = 50;

/// Sorts numbers. What is sorted often is packed into numbers for it.
#[inline(never)]
pub(crate) fn sort_numbers(numbers: &mut [u64]) {
    // The standard library's sort takes 4 KB in the wasm. This one sorts by one byte after the other, from the lowest.
    if numbers.len() < FEW {
        for end in 1..numbers.len() {
            let mut at = end;
            while at > 0 && numbers[at] < numbers[at - 1] {
                numbers.swap(at, at - 1);
                at -= 1;
            }
        }
        return;
    }
    let mut other = numbers.to_vec();
    for shift in (0..u64::BITS).step_by(8) {
        let byte = |number: u64| (number >> shift) as usize & 0xFF;
        if numbers.is_sorted_by_key(|number| byte(*number)) {
            continue;
        }
        let mut ends = [0usize; 256];
        numbers.iter().for_each(|number| ends[byte(*number)] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        for number in numbers.iter().rev() {
            let end = &mut ends[byte(*number)];
            *end -= 1;
            other[*end] = *number;
        }
        numbers.copy_from_slice(&other);
    }
}

/// Two numbers as one that is in the order of the first, then of the second.
pub(crate) fn pack(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The two numbers of [`pack`].
pub(crate) fn unpack(packed: u64) -> (u32, u32) {
    ((packed >> 32) as u32, packed as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_sort_and_keeps_equals_as_they_stand() {
        let mut dice = 1u32;
        for len in (0..70).chain([1_000, 1_023, 1_025]) {
            let list: Vec<(u32, usize)> = (0..len)
                .map(|at| {
                    dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ((dice >> 16) % 40, at)
                })
                .collect();
            let mut theirs = list.clone();
            theirs.sort_by_key(|entry| entry.0);
            let ours = sorted(list, |a, b| a.0.cmp(&b.0));
            assert_eq!(ours, theirs);
            assert_eq!(sorted(ours, |a, b| a.0.cmp(&b.0)), theirs, "a sorted list stays as it is");
        }
    }

    #[test]
    fn numbers_are_sorted_by_all_of_their_bytes() {
        let mut dice = 1u64;
        for len in (0..120).chain([5_000]) {
            for bits in [1, 16, 40, 64] {
                let mut ours: Vec<u64> = (0..len)
                    .map(|_| {
                        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                        dice >> (64 - bits)
                    })
                    .collect();
                let mut theirs = ours.clone();
                theirs.sort_unstable();
                sort_numbers(&mut ours);
                assert_eq!(ours, theirs, "{len} numbers of {bits} bits");
            }
        }
    }

    #[test]
    fn an_order_that_contradicts_itself_loses_nothing() {
        let mut list = sorted((0..1_000).collect(), |_: &u32, _| Ordering::Greater);
        list.sort_unstable();
        assert_eq!(list, (0..1_000).collect::<Vec<u32>>());
    }
}
