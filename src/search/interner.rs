//! Interns the words of tools: each distinct word is stored once, under a number, with a signature of its letters.

use std::rc::Rc;

use crate::map::Map;
use crate::spelling::Signature;

/// A word by its number.
pub(super) type WordId = u32;

/// A word.
#[derive(Debug)]
pub(super) struct Word {
    pub text: Rc<str>,
    pub signature: Signature,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_one_number() {
        let mut interner = Interner::default();
        let numbers = ["get", "issue", "get"].map(|word| interner.intern(word));
        assert_eq!((numbers, interner.words().len()), ([0, 1, 0], 2));
        assert_eq!((interner.number("issue"), interner.number("iss")), (Some(1), None));
    }
}
