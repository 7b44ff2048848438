//! Unicode's simple case folding, from the small letters of capitals and the few small letters that share a capital with
//! another. The Turkish i's stand alone.

use std::sync::OnceLock;

/// Small letters that fold to the letter beside them, since both have the same capital (Unicode's `CaseFolding.txt`).
const SHARED_CAPITALS: [(char, char); 25] = [
    ('\u{00B5}', 'μ'),
    ('\u{017F}', 's'),
    ('\u{0345}', 'ι'),
    ('\u{03C2}', 'σ'),
    ('\u{03D0}', 'β'),
    ('\u{03D1}', 'θ'),
    ('\u{03D5}', 'φ'),
    ('\u{03D6}', 'π'),
    ('\u{03F0}', 'κ'),
    ('\u{03F1}', 'ρ'),
    ('\u{03F5}', 'ε'),
    ('\u{1C80}', 'в'),
    ('\u{1C81}', 'д'),
    ('\u{1C82}', 'о'),
    ('\u{1C83}', 'с'),
    ('\u{1C84}', 'т'),
    ('\u{1C85}', 'т'),
    ('\u{1C86}', 'ъ'),
    ('\u{1C87}', 'ѣ'),
    ('\u{1C88}', 'ꙋ'),
    ('\u{1E9B}', 'ṡ'),
    ('\u{1FBE}', 'ι'),
    ('\u{1FD3}', '\u{0390}'),
    ('\u{1FE3}', '\u{03B0}'),
    ('\u{FB05}', '\u{FB06}'),
];

/// The other cases of every letter in a range of code points.
pub(super) fn variants(low: u32, high: u32) -> impl Iterator<Item = char> {
    let pairs = table();
    let start = pairs.partition_point(|(letter, _)| (*letter as u32) < low);
    pairs[start..].iter().take_while(move |(letter, _)| *letter as u32 <= high).map(|(_, other)| *other)
}

/// Every letter that has case with each of the others that fold to the same letter, by rising code point.
pub(super) fn table() -> &'static [(char, char)] {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let folding =
            ('\0'..=LAST_CASED).map(|letter| (folded(letter), letter)).filter(|(folded, letter)| folded != letter);
        let letters = folding.flat_map(|(folded, letter)| [(folded, folded), (folded, letter)]);
        let mut letters: Vec<(char, char)> = letters.collect();
        letters.sort_unstable();
        letters.dedup();
        let mut pairs = Vec::new();
        for same in letters.chunk_by(|a, b| a.0 == b.0) {
            for (_, letter) in same {
                pairs.extend(same.iter().filter(|(_, other)| other != letter).map(|(_, other)| (*letter, *other)));
            }
        }
        pairs.sort_unstable();
        pairs
    })
}

/// The last letter that has case; what lies beyond is not looked at.
const LAST_CASED: char = '\u{1E943}';

/// The letter to which another folds. The dotted capital I, whose small form is two characters, stays.
fn folded(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    let small = lower.next().filter(|_| lower.next().is_none()).unwrap_or(letter);
    let shared = SHARED_CAPITALS.binary_search_by_key(&small, |(from, _)| *from);
    shared.map_or(small, |at| SHARED_CAPITALS[at].1)
}
