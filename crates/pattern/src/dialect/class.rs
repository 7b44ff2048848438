//! Defines the character classes that patterns can name, and adds case variants to sets.

use crate::automaton::{CharSet, WORD};

use super::fold::variants;

/// The Unicode classes that `\p{…}` supports. Scripts consist of their main blocks, and `Lu` and `Ll` also contain
/// circled letters.
pub(super) const UNICODE_CLASSES: &[&str] = &[
    "L", "Lu", "Ll", "N", "Any", "Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Han", "Hiragana", "Katakana",
    "Hangul",
];

/// Returns the set of `\d`, `\w` or `\s`, which are ASCII in RE2.
pub(super) fn perl(letter: char) -> CharSet {
    match letter {
        'd' => CharSet::of('0', '9'),
        'w' => CharSet::from_pairs(WORD),
        _ => CharSet::from_pairs(&[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')]),
    }
}

/// Returns the class with a POSIX name.
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

/// Returns the class with a Unicode name, if it is one of [`UNICODE_CLASSES`].
pub(super) fn unicode(name: &str) -> Option<CharSet> {
    let pairs: &[(char, char)] = match name {
        // Vowel signs, which are marks, are also alphabetic and stay in: separating them would need a table of 250
        // ranges.
        "L" => return Some(CharSet::where_true(|c| c.is_alphabetic() && !c.is_numeric())),
        "Lu" => return Some(CharSet::where_true(char::is_uppercase)),
        "Ll" => return Some(CharSet::where_true(char::is_lowercase)),
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

/// Adds every case variant of every letter in the set.
pub(super) fn fold(set: &mut CharSet) {
    let variants: Vec<(char, char)> =
        set.ranges().iter().flat_map(|(low, high)| variants(*low, *high)).map(|c| (c, c)).collect();
    set.add(&CharSet::from_pairs(&variants));
    set.close();
}
