//! Lower-cases text with Unicode's mapping, kept as runs of letters. The standard library's table has an entry for
//! every letter, and rules of its own for the end of a word: together they were a twentieth of the compressed wasm.

/// The one letter that becomes two: an i and the dot that it keeps.
const DOTTED_I: char = '\u{130}';
const DOT: char = '\u{307}';
const SIGMA: char = 'Σ';
const FINAL_SIGMA: char = 'ς';

/// A text in lower case. A capital sigma at the end of a word becomes the small one that stands there.
pub(crate) fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut lower = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if c == SIGMA && ends_word(&text[..at], &text[at + SIGMA.len_utf8()..]) {
            lower.push(FINAL_SIGMA);
        } else {
            push_lower(&mut lower, c);
        }
    }
    lower
}

/// Adds a letter to a text in lower case.
#[inline(never)]
pub(crate) fn push_lower(text: &mut String, c: char) {
    if c == DOTTED_I {
        text.push('i');
        text.push(DOT);
    } else {
        text.push(small(c));
    }
}

/// What a letter is in lower case.
pub(crate) fn lower_letters(c: char) -> impl Iterator<Item = char> {
    let (letter, dot) = if c == DOTTED_I { ('i', Some(DOT)) } else { (small(c), None) };
    std::iter::once(letter).chain(dot)
}

/// Every capital with its small letter, except [`DOTTED_I`].
pub(crate) fn capitals() -> Vec<(char, char)> {
    let mut capitals = Vec::new();
    for run in RUNS.chunks_exact(RUN) {
        for at in 0..run[1] {
            if let Some(capital) = char::from_u32((run[0] + at * run[2]) as u32) {
                capitals.push((capital, small(capital)));
            }
        }
    }
    capitals
}

fn small(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let code = c as i32;
    let (mut low, mut high) = (0, RUNS.len() / RUN);
    while low < high {
        let middle = low.midpoint(high);
        if RUNS[middle * RUN] <= code { low = middle + 1 } else { high = middle }
    }
    let Some(run) = RUNS[..low * RUN].rchunks_exact(RUN).next() else { return c };
    let past = code - run[0];
    let is_in = past % run[2] == 0 && past / run[2] < run[1];
    if is_in { char::from_u32((code + run[3]) as u32).unwrap_or(c) } else { c }
}

/// Whether a letter between two texts ends a word: behind a letter with case, and before none.
fn ends_word(before: &str, after: &str) -> bool {
    let has_case = |c: Option<char>| c.is_some_and(|c| c.is_lowercase() || c.is_uppercase());
    has_case(before.chars().rev().find(|c| !is_passed_over(*c)))
        && !has_case(after.chars().find(|c| !is_passed_over(*c)))
}

/// Marks that may stand inside a word: the usual ones of those that Unicode passes over.
fn is_passed_over(c: char) -> bool {
    matches!(c, '\'' | '.' | ':' | '^' | '`' | '\u{ad}' | '·' | '\u{300}'..='\u{36f}' | '’')
}

/// Numbers of a run.
const RUN: usize = 4;

/// Runs of capitals by rising code point: the first, how many, how far apart, and how far from their small letters.
#[rustfmt::skip]
static RUNS: [i32; 185 * RUN] = [
    0x41, 26, 1, 32, 0xc0, 23, 1, 32, 0xd8, 7, 1, 32, 0x100, 24, 2, 1, 0x132, 3, 2, 1, 0x139, 8, 2, 1,
    0x14a, 23, 2, 1, 0x178, 1, 1, -121, 0x179, 3, 2, 1, 0x181, 1, 1, 210, 0x182, 2, 2, 1, 0x186, 1, 1, 206,
    0x187, 1, 1, 1, 0x189, 2, 1, 205, 0x18b, 1, 1, 1, 0x18e, 1, 1, 79, 0x18f, 1, 1, 202, 0x190, 1, 1, 203,
    0x191, 1, 1, 1, 0x193, 1, 1, 205, 0x194, 1, 1, 207, 0x196, 1, 1, 211, 0x197, 1, 1, 209, 0x198, 1, 1, 1,
    0x19c, 1, 1, 211, 0x19d, 1, 1, 213, 0x19f, 1, 1, 214, 0x1a0, 3, 2, 1, 0x1a6, 1, 1, 218, 0x1a7, 1, 1, 1,
    0x1a9, 1, 1, 218, 0x1ac, 1, 1, 1, 0x1ae, 1, 1, 218, 0x1af, 1, 1, 1, 0x1b1, 2, 1, 217, 0x1b3, 2, 2, 1,
    0x1b7, 1, 1, 219, 0x1b8, 1, 1, 1, 0x1bc, 1, 1, 1, 0x1c4, 1, 1, 2, 0x1c5, 1, 1, 1, 0x1c7, 1, 1, 2, 0x1c8, 1, 1, 1,
    0x1ca, 1, 1, 2, 0x1cb, 9, 2, 1, 0x1de, 9, 2, 1, 0x1f1, 1, 1, 2, 0x1f2, 2, 2, 1, 0x1f6, 1, 1, -97,
    0x1f7, 1, 1, -56, 0x1f8, 20, 2, 1, 0x220, 1, 1, -130, 0x222, 9, 2, 1, 0x23a, 1, 1, 10795, 0x23b, 1, 1, 1,
    0x23d, 1, 1, -163, 0x23e, 1, 1, 10792, 0x241, 1, 1, 1, 0x243, 1, 1, -195, 0x244, 1, 1, 69, 0x245, 1, 1, 71,
    0x246, 5, 2, 1, 0x370, 2, 2, 1, 0x376, 1, 1, 1, 0x37f, 1, 1, 116, 0x386, 1, 1, 38, 0x388, 3, 1, 37,
    0x38c, 1, 1, 64, 0x38e, 2, 1, 63, 0x391, 17, 1, 32, 0x3a3, 9, 1, 32, 0x3cf, 1, 1, 8, 0x3d8, 12, 2, 1,
    0x3f4, 1, 1, -60, 0x3f7, 1, 1, 1, 0x3f9, 1, 1, -7, 0x3fa, 1, 1, 1, 0x3fd, 3, 1, -130, 0x400, 16, 1, 80,
    0x410, 32, 1, 32, 0x460, 17, 2, 1, 0x48a, 27, 2, 1, 0x4c0, 1, 1, 15, 0x4c1, 7, 2, 1, 0x4d0, 48, 2, 1,
    0x531, 38, 1, 48, 0x10a0, 38, 1, 7264, 0x10c7, 1, 1, 7264, 0x10cd, 1, 1, 7264, 0x13a0, 80, 1, 38864,
    0x13f0, 6, 1, 8, 0x1c89, 1, 1, 1, 0x1c90, 43, 1, -3008, 0x1cbd, 3, 1, -3008, 0x1e00, 75, 2, 1,
    0x1e9e, 1, 1, -7615, 0x1ea0, 48, 2, 1, 0x1f08, 8, 1, -8, 0x1f18, 6, 1, -8, 0x1f28, 8, 1, -8, 0x1f38, 8, 1, -8,
    0x1f48, 6, 1, -8, 0x1f59, 4, 2, -8, 0x1f68, 8, 1, -8, 0x1f88, 8, 1, -8, 0x1f98, 8, 1, -8, 0x1fa8, 8, 1, -8,
    0x1fb8, 2, 1, -8, 0x1fba, 2, 1, -74, 0x1fbc, 1, 1, -9, 0x1fc8, 4, 1, -86, 0x1fcc, 1, 1, -9, 0x1fd8, 2, 1, -8,
    0x1fda, 2, 1, -100, 0x1fe8, 2, 1, -8, 0x1fea, 2, 1, -112, 0x1fec, 1, 1, -7, 0x1ff8, 2, 1, -128,
    0x1ffa, 2, 1, -126, 0x1ffc, 1, 1, -9, 0x2126, 1, 1, -7517, 0x212a, 1, 1, -8383, 0x212b, 1, 1, -8262,
    0x2132, 1, 1, 28, 0x2160, 16, 1, 16, 0x2183, 1, 1, 1, 0x24b6, 26, 1, 26, 0x2c00, 48, 1, 48, 0x2c60, 1, 1, 1,
    0x2c62, 1, 1, -10743, 0x2c63, 1, 1, -3814, 0x2c64, 1, 1, -10727, 0x2c67, 3, 2, 1, 0x2c6d, 1, 1, -10780,
    0x2c6e, 1, 1, -10749, 0x2c6f, 1, 1, -10783, 0x2c70, 1, 1, -10782, 0x2c72, 1, 1, 1, 0x2c75, 1, 1, 1,
    0x2c7e, 2, 1, -10815, 0x2c80, 50, 2, 1, 0x2ceb, 2, 2, 1, 0x2cf2, 1, 1, 1, 0xa640, 23, 2, 1, 0xa680, 14, 2, 1,
    0xa722, 7, 2, 1, 0xa732, 31, 2, 1, 0xa779, 2, 2, 1, 0xa77d, 1, 1, -35332, 0xa77e, 5, 2, 1, 0xa78b, 1, 1, 1,
    0xa78d, 1, 1, -42280, 0xa790, 2, 2, 1, 0xa796, 10, 2, 1, 0xa7aa, 1, 1, -42308, 0xa7ab, 1, 1, -42319,
    0xa7ac, 1, 1, -42315, 0xa7ad, 1, 1, -42305, 0xa7ae, 1, 1, -42308, 0xa7b0, 1, 1, -42258, 0xa7b1, 1, 1, -42282,
    0xa7b2, 1, 1, -42261, 0xa7b3, 1, 1, 928, 0xa7b4, 8, 2, 1, 0xa7c4, 1, 1, -48, 0xa7c5, 1, 1, -42307,
    0xa7c6, 1, 1, -35384, 0xa7c7, 2, 2, 1, 0xa7cb, 1, 1, -42343, 0xa7cc, 8, 2, 1, 0xa7dc, 1, 1, -42561,
    0xa7f5, 1, 1, 1, 0xff21, 26, 1, 32, 0x10400, 40, 1, 40, 0x104b0, 36, 1, 40, 0x10570, 11, 1, 39,
    0x1057c, 15, 1, 39, 0x1058c, 7, 1, 39, 0x10594, 2, 1, 39, 0x10c80, 51, 1, 64, 0x10d50, 22, 1, 32,
    0x118a0, 32, 1, 32, 0x16e40, 32, 1, 32, 0x16ea0, 25, 1, 27, 0x1e900, 34, 1, 34,
];

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // What the standard library says is the measure here.
mod tests {
    use super::*;

    #[test]
    fn letters_are_as_the_standard_library_has_them() {
        let same_version = char::UNICODE_VERSION == (17, 0, 0);
        for c in '\0'..=char::MAX {
            let standard: Vec<char> = c.to_lowercase().collect();
            let is_known = same_version || standard != [c];
            let own: Vec<char> = lower_letters(c).collect();
            let mut pushed = String::new();
            push_lower(&mut pushed, c);
            assert!(pushed.chars().eq(own.iter().copied()), "{c}: {pushed}");
            assert!(own == standard || !is_known || (!same_version && own == [c]), "{c}: {own:?}");
        }
        assert_eq!(capitals().len(), 1_487);
    }

    #[test]
    fn texts_are_as_the_standard_library_has_them() {
        for text in
            ["", "Get_ISSUE", "ΟΔΟΣ ΣΟΦΟΣ, Σ", "ΑΣ.", "Α.Σ", "ΑΣ'Β", "Σ1Σ", "日Σ", "İstanbul", "ÅÉẞ Ǆ ꙊѢ", "ΆΣ\u{301}Α"]
        {
            assert_eq!(lower(text), text.to_lowercase(), "{text}");
        }
    }
}
