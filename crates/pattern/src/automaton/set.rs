//! Defines sets of characters that a state reads, as sorted ranges that can be joined and negated.

const LAST: u32 = char::MAX as u32;

/// A set of characters as ranges of code points, sorted and separate after [`CharSet::close`].
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CharSet {
    ranges: Vec<(u32, u32)>,
}

impl CharSet {
    pub(crate) fn of(low: char, high: char) -> Self {
        Self::from_pairs(&[(low, high)])
    }

    pub(crate) fn from_pairs(pairs: &[(char, char)]) -> Self {
        CharSet { ranges: pairs.iter().map(|(low, high)| (*low as u32, *high as u32)).collect() }
    }

    pub(crate) fn where_true(is_in: fn(char) -> bool) -> Self {
        let mut set = CharSet::default();
        for c in ('\0'..=char::MAX).filter(|c| is_in(*c)) {
            let code = c as u32;
            match set.ranges.last_mut() {
                Some((_, high)) if *high + 1 == code => *high = code,
                _ => set.ranges.push((code, code)),
            }
        }
        set
    }

    pub(crate) fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    pub(crate) fn add(&mut self, other: &CharSet) {
        self.ranges.extend_from_slice(&other.ranges);
    }

    pub(crate) fn negate(&mut self) {
        self.close();
        let mut outside = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0;
        for (low, high) in &self.ranges {
            if *low > next {
                outside.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= LAST {
            outside.push((next, LAST));
        }
        self.ranges = outside;
    }

    /// Sorts the ranges, and joins ranges that overlap or touch.
    pub(crate) fn close(&mut self) {
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(self.ranges.len());
        self.ranges.sort_unstable();
        for &(low, high) in &self.ranges {
            match joined.last_mut() {
                Some((_, end)) if low <= *end + 1 => *end = high.max(*end),
                _ => joined.push((low, high)),
            }
        }
        self.ranges = joined;
    }

    /// Returns the code points at which membership changes: the first of each range, and the one after its last.
    pub(super) fn edges(&self) -> impl Iterator<Item = u32> {
        self.ranges.iter().flat_map(|(low, high)| [*low, high + 1])
    }

    /// Returns true if a closed set contains a code point.
    pub(super) fn holds(&self, code: u32) -> bool {
        let at = self.ranges.partition_point(|(_, high)| *high < code);
        self.ranges.get(at).is_some_and(|(low, _)| *low <= code)
    }
}
