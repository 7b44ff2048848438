//! Implements Unicode's simple case folding with the case mappings of the standard library. The Turkish i's have no
//! variants.

use std::sync::OnceLock;

/// Returns the case variants of every letter in a range of code points.
pub(super) fn variants(low: u32, high: u32) -> impl Iterator<Item = char> {
    let pairs = table();
    let start = pairs.partition_point(|(letter, _)| (*letter as u32) < low);
    pairs[start..].iter().take_while(move |(letter, _)| *letter as u32 <= high).map(|(_, other)| *other)
}

/// Returns every letter that has case variants, with each variant, ascending by code point.
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

/// The last letter that has case; later characters are not checked.
const LAST_CASED: char = '\u{1E943}';

/// Folds a letter to the small letter of its capital, so that small letters with the same capital fold to the same
/// letter. A letter whose capital or small form has several characters stays unchanged, and so does the dotless i.
fn folded(letter: char) -> char {
    fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
        chars.next().filter(|_| chars.next().is_none())
    }
    let capital = single(letter.to_uppercase()).filter(|_| letter != 'ı').unwrap_or(letter);
    single(capital.to_lowercase()).unwrap_or(letter)
}
