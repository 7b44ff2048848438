//! Interns the words of tools: each distinct word is stored once, under a number, with a signature of its letters.

use std::rc::Rc;

use crate::map::Map;

/// A word by its number.
pub(super) type WordId = u32;

/// A word.
#[derive(Debug)]
pub(super) struct Word {
    pub text: Rc<str>,
    pub signature: Signature,
}

/// How many letters a word has, and which: enough to tell that two words are not similar without comparing them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signature {
    pub count: usize,
    /// A bit for each letter; some letters share one.
    kinds: u32,
}

/// The distinct words of the tools that were read so far.
#[derive(Debug, Default)]
pub(super) struct Interner {
    numbers: Map<Rc<str>, WordId>,
    words: Vec<Word>,
}

impl Interner {
    /// The number of a word, which is new or known.
    pub(super) fn intern(&mut self, text: &str) -> WordId {
        if let Some(number) = self.number(text) {
            return number;
        }
        let (number, text) = (self.words.len() as WordId, Rc::<str>::from(text));
        self.numbers.insert(text.clone(), number);
        self.words.push(Word { signature: Signature::of(text.chars()), text });
        number
    }

    /// The number of a word, if any tool ever had it.
    pub(super) fn number(&self, text: &str) -> Option<WordId> {
        self.numbers.get(text).copied()
    }

    /// The words by number.
    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }
}

impl Signature {
    pub(super) fn of(word: impl Iterator<Item = char>) -> Self {
        let none = Signature { count: 0, kinds: 0 };
        word.fold(none, |all, c| Signature { count: all.count + 1, kinds: all.kinds | 1 << (c as u32 % u32::BITS) })
    }

    /// A lower bound on the edit distance of two words: each edit adds or removes at most one kind of letter.
    pub(super) fn least_distance(self, other: Signature) -> usize {
        let lacks = |a: u32, b: u32| (a & !b).count_ones() as usize;
        lacks(self.kinds, other.kinds).max(lacks(other.kinds, self.kinds)).max(self.count.abs_diff(other.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::EditDistance;

    #[test]
    fn no_word_is_nearer_than_its_letters_say() {
        let words = ["", "a", "ab", "ba", "issue", "issues", "isseu", "tissue", "create", "recreate", "日本語", "本日"];
        let mut told = 0;
        for a in words {
            for b in words {
                let (from, to): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
                let distance = EditDistance::default().between(&from, &to);
                let least = Signature::of(a.chars()).least_distance(Signature::of(b.chars()));
                assert!(least <= distance, "{a} {b}: {least} > {distance}");
                told += usize::from(least > 2);
            }
        }
        assert!(told > words.len(), "{told}");
    }

    #[test]
    fn a_word_has_one_number() {
        let mut interner = Interner::default();
        let numbers = ["get", "issue", "get"].map(|word| interner.intern(word));
        assert_eq!((numbers, interner.words().len()), ([0, 1, 0], 2));
        assert_eq!((interner.number("issue"), interner.number("iss")), (Some(1), None));
    }
}
