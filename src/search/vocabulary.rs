//! Which words do tools have? Each once, by number, with what tells at a glance that two words are not alike.

use std::rc::Rc;

use crate::map::Map;

/// A word by its number.
pub(super) type WordId = u32;

/// A word.
#[derive(Debug)]
pub(super) struct Word {
    pub text: Rc<str>,
    pub letters: Letters,
}

/// How many letters a word has, and which.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters {
    pub count: usize,
    /// A bit for each letter; some letters share one.
    kinds: u32,
}

/// The words that were read so far.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    numbers: Map<Rc<str>, WordId>,
    words: Vec<Word>,
}

impl Vocabulary {
    /// The number of a word, which is new or known.
    pub(super) fn intern(&mut self, text: &str) -> WordId {
        if let Some(number) = self.number(text) {
            return number;
        }
        let (number, text) = (self.words.len() as WordId, Rc::<str>::from(text));
        self.numbers.insert(text.clone(), number);
        self.words.push(Word { letters: Letters::of(text.chars()), text });
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

impl Letters {
    pub(super) fn of(word: impl Iterator<Item = char>) -> Self {
        let none = Letters { count: 0, kinds: 0 };
        word.fold(none, |all, c| Letters { count: all.count + 1, kinds: all.kinds | 1 << (c as u32 % u32::BITS) })
    }

    /// Edits that it takes at least to make one word of the other: each edit brings or removes one letter at the most.
    pub(super) fn least_distance(self, other: Letters) -> usize {
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
                let least = Letters::of(a.chars()).least_distance(Letters::of(b.chars()));
                assert!(least <= distance, "{a} {b}: {least} > {distance}");
                told += usize::from(least > 2);
            }
        }
        assert!(told > words.len(), "{told}");
    }

    #[test]
    fn a_word_has_one_number() {
        let mut vocabulary = Vocabulary::default();
        let numbers = ["get", "issue", "get"].map(|word| vocabulary.intern(word));
        assert_eq!((numbers, vocabulary.words().len()), ([0, 1, 0], 2));
        assert_eq!((vocabulary.number("issue"), vocabulary.number("iss")), (Some(1), None));
    }
}
