//! Computes the edit distance of two words, and finds the candidate that is most similar to a misspelt word.

/// Restricted Damerau-Levenshtein distance (optimal string alignment) in characters. It reuses its rows, so that
/// comparing one word with thousands allocates only once.
#[derive(Default)]
pub(crate) struct EditDistance {
    before: Vec<usize>,
    above: Vec<usize>,
    row: Vec<usize>,
}

impl EditDistance {
    pub(crate) fn between(&mut self, a: &[char], b: &[char]) -> usize {
        let EditDistance { before, above, row } = self;
        above.clear();
        above.extend(0..=b.len());
        before.resize(b.len() + 1, 0);
        row.resize(b.len() + 1, 0);
        for (i, x) in a.iter().enumerate() {
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let mut best = (above[j + 1] + 1).min(row[j] + 1).min(above[j] + usize::from(x != y));
                if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                    best = best.min(before[j - 1] + 1);
                }
                row[j + 1] = best;
            }
            std::mem::swap(before, above);
            std::mem::swap(above, row);
        }
        above[b.len()]
    }

    /// Returns 1 − distance / length of the longer word: 1 for equal words, 0 if no letter is in place.
    pub(crate) fn similarity(&mut self, a: &[char], b: &[char]) -> f64 {
        let longer = a.len().max(b.len());
        if longer == 0 { 1.0 } else { 1.0 - self.between(a, b) as f64 / longer as f64 }
    }
}

/// The minimum similarity of a candidate.
const LEAST_ALIKE: f64 = 0.5;
/// The maximum length of a word. A longer word is not a typo, and the time grows with the square of the length.
const LONGEST: usize = 100;
/// The maximum number of letter comparisons for one word: about 20 ms. A catalog of 20,000 names of 20 letters needs
/// less than a tenth of it.
const COMPARISONS: usize = 8_000_000;

/// Returns the most similar candidate, if its similarity is at least [`LEAST_ALIKE`]; of equal ones, the first. Lengths
/// and letters rule out most candidates without a comparison. After [`COMPARISONS`], the remaining candidates are not
/// compared.
pub(crate) fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let word: Vec<char> = letters(word).collect();
    if word.len() > LONGEST {
        return None;
    }
    let shape = Signature::of(word.iter().copied());
    let mut distance = EditDistance::default();
    let mut other = Vec::new();
    let mut best: Option<(f64, &str)> = None;
    let mut left = COMPARISONS;
    for candidate in candidates {
        let of_candidate = Signature::of(letters(candidate));
        let longer = word.len().max(of_candidate.count);
        let score = |edits: usize| if longer == 0 { 1.0 } else { 1.0 - edits as f64 / longer as f64 };
        let is_better = |score: f64| score >= LEAST_ALIKE && best.is_none_or(|(top, _)| score > top);
        if of_candidate.count > LONGEST || !is_better(score(shape.least_distance(of_candidate))) {
            continue;
        }
        let Some(rest) = left.checked_sub(word.len() * of_candidate.count) else { break };
        left = rest;
        other.clear();
        other.extend(letters(candidate));
        let score = score(distance.between(&word, &other));
        if is_better(score) {
            best = Some((score, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Returns the letters of a word in lower case, at most one more than [`LONGEST`].
fn letters(word: &str) -> impl Iterator<Item = char> {
    word.chars().flat_map(char::to_lowercase).take(LONGEST + 1)
}

/// The number of letters of a word, and the set of them: enough to rule out most words that are not similar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    pub count: usize,
    /// A bit for each letter; some letters share a bit.
    kinds: u32,
}

impl Signature {
    pub(crate) fn of(word: impl Iterator<Item = char>) -> Self {
        let none = Signature { count: 0, kinds: 0 };
        word.fold(none, |all, c| Signature { count: all.count + 1, kinds: all.kinds | 1 << (c as u32 % u32::BITS) })
    }

    /// Returns a lower bound of the edit distance of two words: each edit adds or removes at most one kind of letter.
    pub(crate) fn least_distance(self, other: Signature) -> usize {
        let lacks = |a: u32, b: u32| (a & !b).count_ones() as usize;
        lacks(self.kinds, other.kinds).max(lacks(other.kinds, self.kinds)).max(self.count.abs_diff(other.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &str, b: &str) -> usize {
        EditDistance::default().between(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
    }

    #[test]
    fn distance_counts_a_swap_once() {
        assert_eq!(distance("raed", "read"), 1);
        assert_eq!(distance("wether", "weather"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("ca", "abc"), 3, "restricted: no edit inside a swapped pair");
    }

    #[test]
    fn nearest_is_none_when_nothing_is_near() {
        assert_eq!(nearest("profle", ["profile", "limits"]), Some("profile"));
        assert_eq!(nearest("zzz", ["profile", "limits"]), None);
        assert_eq!(nearest(&"a".repeat(1_000_000), ["a"]), None);
    }

    /// Finds the nearest candidate without filters and without a limit.
    fn nearest_by_force<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
        let chars = |text: &str| letters(text).collect::<Vec<_>>();
        let mut best: Option<(f64, &str)> = None;
        for candidate in candidates {
            let score = EditDistance::default().similarity(&chars(word), &chars(candidate));
            if score >= LEAST_ALIKE && best.is_none_or(|(top, _)| score > top) {
                best = Some((score, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    #[test]
    fn filters_rule_out_nothing_that_is_near() {
        let syllables = ["get", "list", "_", "issue", "repo", "s", "a", "x", "Mail", "ü"];
        let mut state = 1u64;
        let mut draw = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        let mut names: Vec<String> = Vec::new();
        for _ in 0..400 {
            names.push((0..draw(5)).map(|_| syllables[draw(syllables.len())]).collect());
        }
        let mut found = 0;
        for at in 0..names.len() {
            let candidates: Vec<&str> = names.iter().map(String::as_str).filter(|name| **name != names[at]).collect();
            let expected = nearest_by_force(&names[at], &candidates);
            assert_eq!(nearest(&names[at], candidates.iter().copied()), expected, "{:?}", names[at]);
            found += usize::from(expected.is_some());
        }
        assert!(found > 100, "{found}");
    }

    #[test]
    fn a_huge_catalog_costs_no_more_than_the_bound() {
        // The same letters in another order: no filter rules these names out, and comparing all of them would take
        // minutes.
        let wanted = "ab".repeat(50);
        let name = format!("{}{}", "a".repeat(50), "b".repeat(50));
        assert_eq!(nearest(&wanted, (0..2_000_000).map(|_| name.as_str())), Some(name.as_str()));
    }
}
