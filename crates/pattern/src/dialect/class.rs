//! The character classes that patterns name, and the case variants of a set.

use crate::automaton::{CharSet, WORD};

use super::fold::variants;

/// The Unicode classes that `\p{…}` knows. The scripts are taken by their main blocks.
pub(super) const UNICODE_CLASSES: &[&str] = &[
    "L", "Lu", "Ll", "N", "Any", "Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Han", "Hiragana", "Katakana",
    "Hangul",
];

/// Characters that count as capitals and are no letters of the class `Lu`: numbers and letters in circles.
const CAPITALS_BESIDE_LU: &[(char, char)] = &[
    ('\u{2160}', '\u{216f}'),
    ('\u{24b6}', '\u{24cf}'),
    ('\u{1f130}', '\u{1f149}'),
    ('\u{1f150}', '\u{1f169}'),
    ('\u{1f170}', '\u{1f189}'),
];

/// Characters that count as small and are no letters of the class `Ll`: modifiers, numbers and letters in circles.
const SMALL_BESIDE_LL: &[(char, char)] = &[
    ('\u{aa}', '\u{aa}'),
    ('\u{ba}', '\u{ba}'),
    ('\u{2b0}', '\u{2b8}'),
    ('\u{2c0}', '\u{2c1}'),
    ('\u{2e0}', '\u{2e4}'),
    ('\u{345}', '\u{345}'),
    ('\u{37a}', '\u{37a}'),
    ('\u{10fc}', '\u{10fc}'),
    ('\u{1d2c}', '\u{1d6a}'),
    ('\u{1d78}', '\u{1d78}'),
    ('\u{1d9b}', '\u{1dbf}'),
    ('\u{2071}', '\u{2071}'),
    ('\u{207f}', '\u{207f}'),
    ('\u{2090}', '\u{209c}'),
    ('\u{2170}', '\u{217f}'),
    ('\u{24d0}', '\u{24e9}'),
    ('\u{2c7c}', '\u{2c7d}'),
    ('\u{a69c}', '\u{a69d}'),
    ('\u{a770}', '\u{a770}'),
    ('\u{a7f2}', '\u{a7f4}'),
    ('\u{a7f8}', '\u{a7f9}'),
    ('\u{ab5c}', '\u{ab5f}'),
    ('\u{ab69}', '\u{ab69}'),
    ('\u{10780}', '\u{10780}'),
    ('\u{10783}', '\u{10785}'),
    ('\u{10787}', '\u{107b0}'),
    ('\u{107b2}', '\u{107ba}'),
    ('\u{1e030}', '\u{1e06d}'),
];

/// `\d`, `\w` and `\s`, which are ASCII in RE2.
pub(super) fn perl(letter: char) -> CharSet {
    match letter {
        'd' => CharSet::of('0', '9'),
        'w' => CharSet::from_pairs(WORD),
        _ => CharSet::from_pairs(&[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')]),
    }
}

/// The class of a POSIX name.
pub(super) fn posix(name: &str) -> Option<CharSet> {
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
        "word" => WORD,
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    };
    Some(CharSet::from_pairs(pairs))
}

/// The class of a Unicode name, if it is one of [`UNICODE_CLASSES`].
pub(super) fn unicode(name: &str) -> Option<CharSet> {
    let pairs: &[(char, char)] = match name {
        // Vowel signs, which are marks, are alphabetic too and stay in: to tell them apart takes a table of 250 ranges.
        "L" => return Some(CharSet::where_true(|c| c.is_alphabetic() && !c.is_numeric())),
        "Lu" => return Some(CharSet::where_true(|c| c.is_uppercase() && !is_in(CAPITALS_BESIDE_LU, c))),
        "Ll" => return Some(CharSet::where_true(|c| c.is_lowercase() && !is_in(SMALL_BESIDE_LL, c))),
        "N" => return Some(CharSet::where_true(char::is_numeric)),
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
    Some(CharSet::from_pairs(pairs))
}

fn is_in(ranges: &[(char, char)], c: char) -> bool {
    ranges.iter().any(|(low, high)| (*low..=*high).contains(&c))
}

/// Adds every case variant of every letter in the set.
pub(super) fn fold(set: &mut CharSet) {
    let variants: Vec<(char, char)> =
        set.ranges().iter().flat_map(|(low, high)| variants(*low, *high)).map(|c| (c, c)).collect();
    set.add(&CharSet::from_pairs(&variants));
    set.close();
}
