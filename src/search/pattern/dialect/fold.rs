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

/// Every letter that has case with each of the others that are the same, by rising code point. Final sigma is the same
/// as sigma, since both have the same capital.
pub(super) fn table() -> &'static [(char, char)] {
    static TABLE: OnceLock<Vec<(char, char)>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let direct = direct_pairs();
        let mut pairs: Vec<(char, char)> = Vec::with_capacity(direct.len() * 2);
        let mut letters: Vec<char> = direct.iter().map(|(from, _)| *from).collect();
        letters.dedup();
        for letter in letters {
            let mut same = vec![letter];
            let mut next = 0;
            while let Some(one) = same.get(next).copied() {
                let mut at = direct.partition_point(|(from, _)| *from < one);
                while let Some((_, other)) = direct.get(at).filter(|(from, _)| *from == one) {
                    if !same.contains(other) {
                        same.push(*other);
                    }
                    at += 1;
                }
                next += 1;
            }
            same[1..].iter().for_each(|other| pairs.push((letter, *other)));
        }
        pairs
    })
}

/// The last letter that has case; what lies beyond is not looked at.
const LAST_CASED: char = '\u{1E943}';

/// Every capital with its small letter, but for the dotted capital I, whose small form is two characters.
fn capitals() -> Vec<(char, char)> {
    let small = |capital: char| {
        let mut lower = capital.to_lowercase();
        lower.next().filter(|small| *small != capital && lower.next().is_none())
    };
    ('\0'..=LAST_CASED).filter_map(|letter| Some((letter, small(letter)?))).collect()
}

/// Letters with those that they fold to, both ways.
fn direct_pairs() -> Vec<(char, char)> {
    let mut pairs = capitals();
    pairs.extend(SHARED_CAPITALS);
    for at in 0..pairs.len() {
        let (from, to) = pairs[at];
        pairs.push((to, from));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
