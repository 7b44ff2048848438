//! A text that is searched for words many times. A bit set of neighbouring letters rules most words out without reading
//! the text: a text that lacks a pair of letters of the word does not contain the word.

use crate::text::beginning;

/// Bits of a text's pairs, as a power of two: a description of a few sentences sets a quarter of them.
const BITS: u32 = 9;
const CELL: usize = u32::BITS as usize;

/// A text that is searched again and again.
#[derive(Debug)]
pub(super) struct Passage {
    text: Box<str>,
    pairs: [u32; (1 << BITS) / CELL],
}

/// What is looked for in texts.
#[derive(Debug)]
pub(super) struct Needle {
    text: String,
    pairs: Vec<usize>,
}

impl Passage {
    pub(super) fn new(text: String) -> Self {
        let mut passage = Passage { pairs: Default::default(), text: text.into() };
        for two in passage.text.as_bytes().windows(2) {
            let pair = bit(two);
            passage.pairs[pair / CELL] |= 1 << (pair % CELL);
        }
        passage
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn holds(&self, needle: &Needle) -> bool {
        self.holds_within(needle, usize::MAX)
    }

    /// Whether so many bytes of the beginning hold it.
    pub(super) fn holds_within(&self, needle: &Needle, bytes: usize) -> bool {
        self.might_hold(needle) && beginning(&self.text, bytes).contains(&*needle.text)
    }

    /// False only where the text does not hold it.
    pub(super) fn might_hold(&self, needle: &Needle) -> bool {
        needle.pairs.iter().all(|pair| self.pairs[pair / CELL] & (1 << (pair % CELL)) != 0)
    }
}

impl Needle {
    pub(super) fn new(text: String) -> Self {
        let mut pairs = Vec::with_capacity(text.len());
        for two in text.as_bytes().windows(2) {
            pairs.push(bit(two));
        }
        Needle { pairs, text }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// The bit of a pair of bytes.
fn bit(pair: &[u8]) -> usize {
    let both = pair.iter().fold(0u32, |sum, byte| (sum << 8) | u32::from(*byte));
    (both.wrapping_mul(0x9e37_79b1) >> (u32::BITS - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_holds_what_its_text_contains() {
        let texts =
            ["", "a", "create issue", "Größe 日本語", &"the quick brown fox jumps over the lazy dog ".repeat(9)];
        let whole = texts.concat();
        let ends: Vec<usize> = (0..=whole.len()).filter(|at| whole.is_char_boundary(*at)).collect();
        let needles =
            ends.windows(6).flat_map(|ends| ends[1..].iter().map(|end| &whole[ends[0]..*end])).chain(["", "xyz"]);
        let (mut held, mut passed, mut all) = (0, 0, 0);
        let passages: Vec<Passage> = texts.iter().map(|text| Passage::new((*text).to_owned())).collect();
        for needle in needles.map(|needle| Needle::new(needle.to_owned())) {
            for passage in &passages {
                let contains = passage.text().contains(needle.text());
                assert_eq!(passage.holds(&needle), contains, "{needle:?} in {passage:?}");
                assert!(passage.might_hold(&needle) || !contains);
                held += usize::from(contains);
                passed += usize::from(passage.might_hold(&needle));
                all += 1;
            }
        }
        assert!(held > 1_000 && passed < (held + all) / 2, "{held} held, {passed} passed of {all}");
    }
}
