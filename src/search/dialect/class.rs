//! Which characters are in a class? Sets of characters, joined, folded, negated, and written out for the engine.

use crate::sort::sorted;

use super::fold::{cased_letters, orbit};

/// The Unicode classes that `\p{…}` knows. The scripts are taken by their main blocks.
pub(super) const UNICODE_CLASSES: &[&str] = &[
    "L", "Lu", "Ll", "N", "Any", "Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Han", "Hiragana", "Katakana",
    "Hangul",
];

const LAST: u32 = char::MAX as u32;
/// Code points that are no characters.
const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);

/// A set of characters as ranges of code points, sorted and apart once closed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CharSet {
    ranges: Vec<(u32, u32)>,
}

impl CharSet {
    pub(super) fn of(low: char, high: char) -> Self {
        CharSet { ranges: vec![(low as u32, high as u32)] }
    }

    fn from_pairs(pairs: &[(char, char)]) -> Self {
        CharSet { ranges: pairs.iter().map(|(low, high)| (*low as u32, *high as u32)).collect() }
    }

    /// `\d`, `\w` and `\s`, which are ASCII in RE2.
    pub(super) fn perl(letter: char) -> Self {
        match letter {
            'd' => Self::of('0', '9'),
            'w' => Self::from_pairs(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
            _ => Self::from_pairs(&[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')]),
        }
    }

    /// The class of a POSIX name.
    pub(super) fn posix(name: &str) -> Option<Self> {
        let pairs: &[(char, char)] = match name {
            "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
            "alpha" => &[('A', 'Z'), ('a', 'z')],
            "ascii" => &[('\0', '\u{7f}')],
            "blank" => &[('\t', '\t'), (' ', ' ')],
            "cntrl" => &[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')],
            "digit" => &[('0', '9')],
            "graph" => &[('!', '~')],
            "lower" => &[('a', 'z')],
            "print" => &[(' ', '~')],
            "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
            "space" => &[('\t', '\r'), (' ', ' ')],
            "upper" => &[('A', 'Z')],
            "word" => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
            "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
            _ => return None,
        };
        Some(Self::from_pairs(pairs))
    }

    /// The class of a Unicode name, if it is one of [`UNICODE_CLASSES`].
    pub(super) fn unicode(name: &str) -> Option<Self> {
        let pairs: &[(char, char)] = match name {
            "L" => return Some(Self::where_true(|c| c.is_alphabetic() && !c.is_numeric())),
            "Lu" => return Some(Self::where_true(char::is_uppercase)),
            "Ll" => return Some(Self::where_true(char::is_lowercase)),
            "N" => return Some(Self::where_true(char::is_numeric)),
            "Any" => &[('\0', char::MAX)],
            "Latin" => &[
                ('A', 'Z'),
                ('a', 'z'),
                ('ª', 'ª'),
                ('º', 'º'),
                ('À', 'Ö'),
                ('Ø', 'ö'),
                ('ø', '\u{24f}'),
                ('\u{1e00}', '\u{1eff}'),
            ],
            "Greek" => &[('\u{370}', '\u{373}'), ('\u{375}', '\u{3ff}'), ('\u{1f00}', '\u{1fff}')],
            "Cyrillic" => &[('\u{400}', '\u{52f}'), ('\u{1c80}', '\u{1c88}'), ('\u{a640}', '\u{a69f}')],
            "Hebrew" => &[('\u{591}', '\u{5f4}')],
            "Arabic" => &[('\u{600}', '\u{6ff}'), ('\u{750}', '\u{77f}'), ('\u{8a0}', '\u{8ff}')],
            "Han" => &[
                ('々', '々'),
                ('〇', '〇'),
                ('\u{3400}', '\u{4dbf}'),
                ('\u{4e00}', '\u{9fff}'),
                ('\u{f900}', '\u{faff}'),
                ('\u{20000}', '\u{323af}'),
            ],
            "Hiragana" => &[('\u{3041}', '\u{3096}'), ('\u{309d}', '\u{309f}')],
            "Katakana" => &[('\u{30a1}', '\u{30fa}'), ('\u{30fd}', '\u{30ff}'), ('\u{31f0}', '\u{31ff}')],
            "Hangul" => &[('\u{1100}', '\u{11ff}'), ('\u{3131}', '\u{318e}'), ('\u{ac00}', '\u{d7a3}')],
            _ => return None,
        };
        Some(Self::from_pairs(pairs))
    }

    fn where_true(is_in: impl Fn(char) -> bool) -> Self {
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

    pub(super) fn add(&mut self, other: &CharSet) {
        self.ranges.extend_from_slice(&other.ranges);
    }

    /// Adds every case variant of every letter in the set.
    pub(super) fn fold(&mut self) {
        let mut variants = Vec::new();
        for (low, high) in &self.ranges {
            if let (true, Some(c)) = (low == high, char::from_u32(*low)) {
                variants.extend(orbit(c));
                continue;
            }
            let letters = cased_letters();
            let start = letters.partition_point(|(c, _)| (*c as u32) < *low);
            let inside = letters[start..].iter().take_while(|(c, _)| *c as u32 <= *high);
            inside.for_each(|(c, _)| variants.extend(orbit(*c)));
        }
        self.ranges.extend(variants.into_iter().map(|c| (c as u32, c as u32)));
        self.close();
    }

    pub(super) fn negate(&mut self) {
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

    /// Sorts the ranges and joins those that touch.
    pub(super) fn close(&mut self) {
        let ranges = sorted(std::mem::take(&mut self.ranges), |a, b| a.cmp(b));
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match joined.last_mut() {
                Some((_, end)) if low <= *end + 1 => *end = high.max(*end),
                _ => joined.push((low, high)),
            }
        }
        self.ranges = joined;
    }

    /// The set in the engine's syntax.
    pub(super) fn to_pattern(&self) -> String {
        let characters: Vec<(u32, u32)> = self.ranges.iter().flat_map(|range| without_surrogates(*range)).collect();
        match characters.as_slice() {
            // Nowhere is a word boundary also none.
            [] => r"(?:\b\B)".to_owned(),
            [(low, high)] if low == high => format!("\\x{{{low:X}}}"),
            ranges => {
                let ranges: Vec<String> =
                    ranges.iter().map(|(low, high)| format!("\\x{{{low:X}}}-\\x{{{high:X}}}")).collect();
                format!("[{}]", ranges.concat())
            }
        }
    }
}

fn without_surrogates((low, high): (u32, u32)) -> impl Iterator<Item = (u32, u32)> {
    let before = (low, high.min(SURROGATES.0 - 1));
    let after = (low.max(SURROGATES.1 + 1), high);
    [before, after].into_iter().filter(|(low, high)| low <= high)
}
