//! Recognises invisible characters, and letters that look like Latin ones. A word that mixes scripts is read as the
//! Latin word that it looks like, so that search and reader see the same.

/// Latin letters, and the letters that look like each of them in either case.
const LOOK_ALIKES: &[(char, &str)] = &[
    ('a', "аαɑΑ"),
    ('b', "вВΒ"),
    ('c', "сϲ"),
    ('d', "ԁ"),
    ('e', "еҽΕ"),
    ('g', "ɡց"),
    ('h', "һհнНΗ"),
    ('i', "іιıΙ"),
    ('j', "ј"),
    ('k', "кκΚ"),
    ('l', "ӏӀ"),
    ('m', "мΜ"),
    ('n', "ոռΝ"),
    ('o', "оοօΟ"),
    ('p', "рρΡ"),
    ('q', "ԛ"),
    ('s', "ѕЅ"),
    ('t', "тτΤ"),
    ('u', "սυ"),
    ('v', "νѵ"),
    ('w', "ԝ"),
    ('x', "хχΧ"),
    ('y', "уγΥҮ"),
    ('z', "Ζ"),
];

/// Capitals that are looked up by their small letters.
const CYRILLIC_CAPITALS: std::ops::RangeInclusive<char> = '\u{410}'..='\u{42f}';

/// Mathematical alphabets: letters in 13 styles, capitals before small ones, then digits in five styles.
const STYLED_LETTERS: std::ops::RangeInclusive<char> = '\u{1d400}'..='\u{1d6a3}';
const STYLED_DIGITS: std::ops::RangeInclusive<char> = '\u{1d7ce}'..='\u{1d7ff}';

/// Returns true if a character is invisible: joiners, direction marks, tags, variation selectors.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Returns true if a word has letters that stand for Latin ones: next to plain Latin letters, or in a mathematical
/// style.
pub(crate) fn is_mixed(letters: &[char]) -> bool {
    letters.iter().any(|letter| STYLED_LETTERS.contains(letter))
        || (letters.iter().any(char::is_ascii_alphabetic) && letters.iter().any(|letter| folded(*letter) != *letter))
}

/// Returns the Latin letter that another letter looks like, in the same case; other characters are returned unchanged.
pub(crate) fn folded(letter: char) -> char {
    if letter.is_ascii() {
        return letter;
    }
    if STYLED_LETTERS.contains(&letter) {
        let at = (letter as u32 - *STYLED_LETTERS.start() as u32) % 52;
        return char::from(if at < 26 { b'A' + at as u8 } else { b'a' + (at - 26) as u8 });
    }
    if STYLED_DIGITS.contains(&letter) {
        return char::from(b'0' + ((letter as u32 - *STYLED_DIGITS.start() as u32) % 10) as u8);
    }
    let latin = |wanted: char| LOOK_ALIKES.iter().find(|(_, like)| like.contains(wanted)).map(|(latin, _)| *latin);
    // A Cyrillic capital is 32 code points before its small letter.
    let small = char::from_u32(letter as u32 + 32).filter(|_| CYRILLIC_CAPITALS.contains(&letter));
    match (latin(letter), small.and_then(latin)) {
        (Some(latin), _) if letter.is_uppercase() => latin.to_ascii_uppercase(),
        (Some(latin), _) => latin,
        (None, Some(latin)) => latin.to_ascii_uppercase(),
        (None, None) => letter,
    }
}
