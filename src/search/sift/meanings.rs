//! The meaning of a word among the tools that are searched: the terms that stand for it, and the tools in which they stand
//! with their saturated frequencies. It does not depend on the request, so the meanings of words in use are kept, as BM25S
//! (Lù 2024) computes scores before queries come.

use std::sync::Arc;
use std::sync::OnceLock;

use crate::limits;
use crate::map::Map;
use crate::search::slots::Slot;

use crate::search::vocabulary::Term;

/// How a term of the catalog stands for a word of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Via {
    /// It is the word, or a form of it.
    Itself,
    /// It means the same.
    Synonym,
    /// It begins alike.
    Relative,
    /// It was probably meant.
    Repair,
    /// It is two words of the request in one, or half of one.
    Compound,
}

/// What a word of a request means in a catalog.
#[derive(Debug)]
pub(super) struct Meaning {
    /// The word as it was written, in lower case.
    pub word: String,
    /// The terms that stand for it, and what each counts.
    pub via: Vec<(Term, f64, Via)>,
    /// The idf of the word; where no tool has it, of what stands for it.
    pub idf: f64,
    /// The words of the catalog that it was compared with for typos.
    pub comparisons: usize,
    matches: OnceLock<Matches>,
}

/// The tools in which a word stands.
#[derive(Debug, Default)]
pub(super) struct Matches {
    /// Their slots, each once.
    pub slots: Vec<Slot>,
    /// The saturated frequency in each: 0 to 1.
    pub gains: Vec<f64>,
}

impl Meaning {
    pub(super) fn new(word: String, via: Vec<(Term, f64, Via)>, idf: f64, comparisons: usize) -> Self {
        Meaning { word, via, idf, comparisons, matches: OnceLock::new() }
    }

    /// The term of the word itself, where a tool has it.
    pub(super) fn itself(&self) -> Option<Term> {
        self.via.iter().find(|(.., via)| *via == Via::Itself).map(|(term, ..)| *term)
    }

    /// Whether nothing in the catalog stands for it.
    pub(super) fn is_unknown(&self) -> bool {
        self.via.is_empty()
    }

    /// The tools in which it stands; `make` finds them the first time.
    pub(super) fn matches(&self, make: impl FnOnce() -> Matches) -> &Matches {
        self.matches.get_or_init(make)
    }

    /// About how many bytes it takes; the word stands beside it as its key once more.
    fn bytes(&self) -> usize {
        let matches = self.matches.get().map_or(0, Matches::bytes);
        size_of::<Self>() + size_of::<String>() + 2 * self.word.len() + size_of_val(&*self.via) + matches
    }
}

impl Matches {
    fn bytes(&self) -> usize {
        self.slots.len() * (size_of::<Slot>() + size_of::<f64>())
    }
}

/// Meanings in use, by word. They are kept in two generations: when the younger one is full, the older one is dropped, so
/// that words in use stay and no entry needs a time.
#[derive(Debug, Default)]
pub(super) struct Meanings {
    younger: Generation,
    older: Generation,
}

#[derive(Debug, Default)]
struct Generation {
    meanings: Map<String, Arc<Meaning>>,
    bytes: usize,
}

impl Meanings {
    /// The meaning of a word, where it is kept.
    pub(super) fn get(&mut self, word: &str) -> Option<Arc<Meaning>> {
        if let Some(meaning) = self.younger.meanings.get(word) {
            return Some(meaning.clone());
        }
        let meaning = self.older.meanings.remove(word)?;
        self.older.bytes = self.older.bytes.saturating_sub(meaning.bytes());
        self.keep(meaning.clone());
        Some(meaning)
    }

    /// Keeps a meaning.
    pub(super) fn keep(&mut self, meaning: Arc<Meaning>) {
        self.grow(meaning.bytes());
        self.younger.meanings.insert(meaning.word.clone(), meaning);
    }

    /// Counts the tools of a meaning, which are matched after it was kept.
    pub(super) fn matched(&mut self, matches: &Matches) {
        self.grow(matches.bytes());
    }

    fn grow(&mut self, bytes: usize) {
        self.younger.bytes += bytes;
        if self.younger.bytes > limits::MEANING_BYTES {
            self.older = std::mem::take(&mut self.younger);
        }
    }

    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.younger.bytes + self.older.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meaning(word: &str, tools: usize) -> Arc<Meaning> {
        let meaning = Arc::new(Meaning::new(word.to_owned(), Vec::new(), 0.0, 0));
        meaning.matches(|| Matches { slots: vec![0; tools], gains: vec![0.0; tools] });
        meaning
    }

    #[test]
    fn words_in_use_stay_and_others_go() {
        let mut meanings = Meanings::default();
        let tools = limits::MEANING_BYTES / 100 / size_of::<(Slot, f64)>();
        meanings.keep(meaning("used", tools));
        meanings.keep(meaning("unused", tools));
        for other in 0..1_000 {
            meanings.keep(meaning(&format!("other {other}"), tools));
            assert!(meanings.get("used").is_some(), "{other}");
            assert!(meanings.bytes() <= 2 * limits::MEANING_BYTES + meaning("x", tools).bytes());
        }
        assert!(meanings.get("unused").is_none() && meanings.get("other 0").is_none());
        assert!(meanings.get("other 999").is_some());
    }
}
