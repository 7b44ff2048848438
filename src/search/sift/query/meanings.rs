//! The meaning of a word among the tools that are searched: the terms that stand for it, and the tools in which they stand
//! with their saturated frequencies. It does not depend on the request, so the meanings of words in use are kept, as BM25S
//! (Lù 2024) computes scores before queries come.

use std::sync::Arc;
use std::sync::OnceLock;

use crate::limits;
use crate::map::Map;
use crate::search::ids::{Slot, Term};

/// How a term of the catalog stands for a word of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search::sift) enum Relation {
    /// It is the word, or a form of it.
    Itself,
    /// It means the same.
    Synonym,
    /// It begins alike.
    Relative,
    /// It was probably meant.
    Repair,
    /// It is two words of the request in one.
    Compound,
}

/// What a word of a request means in a catalog.
#[derive(Debug)]
pub(in crate::search::sift) struct Meaning {
    /// The word as it was written, in lower case.
    pub word: String,
    /// What it is looked up as.
    pub stem: Arc<str>,
    /// The terms that stand for it, and what each counts.
    pub terms: Vec<(Term, f64, Relation)>,
    /// The idf of the word; where no tool has it, of what stands for it.
    pub idf: f64,
    /// The words of the catalog that it was compared with for typos.
    pub comparisons: usize,
    matches: OnceLock<Matches>,
}

/// The tools in which a word stands.
#[derive(Debug, Default)]
pub(in crate::search::sift) struct Matches {
    /// Their slots, each once.
    pub slots: Vec<Slot>,
    /// The saturated frequency in each: 0 to 1.
    pub gains: Vec<f64>,
}

impl Meaning {
    pub(in crate::search::sift) fn new(
        (word, stem): (&str, &str),
        terms: Vec<(Term, f64, Relation)>,
        idf: f64,
        comparisons: usize,
    ) -> Self {
        Meaning { word: word.to_owned(), stem: stem.into(), terms, idf, comparisons, matches: OnceLock::new() }
    }

    /// Whether nothing in the catalog stands for it.
    pub(in crate::search::sift) fn is_unknown(&self) -> bool {
        self.terms.is_empty()
    }

    /// The tools in which it stands; `make` finds them the first time.
    pub(in crate::search::sift) fn matches(&self, make: impl FnOnce() -> Matches) -> &Matches {
        self.matches.get_or_init(make)
    }

    /// About how many bytes it takes; the word stands beside it as its key once more.
    fn bytes(&self) -> usize {
        let matches = self.matches.get().map_or(0, Matches::bytes);
        size_of::<Self>()
            + size_of::<String>()
            + 2 * self.word.len()
            + self.stem.len()
            + size_of_val(&*self.terms)
            + matches
    }
}

impl Matches {
    fn bytes(&self) -> usize {
        self.slots.len() * (size_of::<Slot>() + size_of::<f64>())
    }
}

/// Meanings in use, by word. They are kept in two generations: when the younger one is full, the older one is dropped, so
/// that words in use stay and no entry needs a time. One request fills at most one generation, so that it evicts no word of
/// the requests just before it.
#[derive(Debug, Default)]
pub(in crate::search::sift) struct Meanings {
    younger: Generation,
    older: Generation,
    /// What the present request has put into the younger generation.
    added: usize,
}

#[derive(Debug, Default)]
struct Generation {
    /// By word: its meaning, and what it was counted with.
    meanings: Map<String, (Arc<Meaning>, usize)>,
    /// The sum of what they were counted with.
    bytes: usize,
}

impl Generation {
    fn remove(&mut self, word: &str) -> Option<(Arc<Meaning>, usize)> {
        let (meaning, bytes) = self.meanings.remove(word)?;
        self.bytes -= bytes;
        Some((meaning, bytes))
    }

    fn holds(&self, meaning: &Meaning) -> bool {
        self.meanings.get(&meaning.word).is_some_and(|(kept, _)| std::ptr::eq(&**kept, meaning))
    }
}

impl Meanings {
    /// Begins a request.
    pub(in crate::search::sift) fn begin(&mut self) {
        self.added = 0;
    }

    /// The meaning of a word, where it is kept.
    pub(in crate::search::sift) fn get(&mut self, word: &str) -> Option<Arc<Meaning>> {
        if let Some((meaning, _)) = self.younger.meanings.get(word) {
            return Some(meaning.clone());
        }
        let (meaning, bytes) = self.older.meanings.get(word)?;
        let (meaning, bytes) = (meaning.clone(), *bytes);
        if self.has_room(bytes) {
            self.older.remove(word);
            self.insert(meaning.clone(), bytes);
        }
        Some(meaning)
    }

    /// Keeps a meaning, where this request has room for it.
    pub(in crate::search::sift) fn keep(&mut self, meaning: Arc<Meaning>) {
        let bytes = meaning.bytes();
        if self.has_room(bytes) {
            self.insert(meaning, bytes);
        }
    }

    /// Counts the tools of a meaning, which it is about to hold, if it is kept.
    pub(in crate::search::sift) fn matched(&mut self, meaning: &Meaning, matches: &Matches) {
        let kept = if self.younger.holds(meaning) {
            let kept = self.younger.remove(&meaning.word);
            self.added = self.added.saturating_sub(kept.as_ref().map_or(0, |(_, bytes)| *bytes));
            kept
        } else if self.older.holds(meaning) {
            self.older.remove(&meaning.word)
        } else {
            None
        };
        let Some((kept, bytes)) = kept else { return };
        if self.has_room(bytes + matches.bytes()) {
            self.insert(kept, bytes + matches.bytes());
        }
    }

    fn has_room(&self, bytes: usize) -> bool {
        self.added + bytes <= limits::MEANING_BYTES
    }

    fn insert(&mut self, meaning: Arc<Meaning>, bytes: usize) {
        if self.younger.bytes + bytes > limits::MEANING_BYTES {
            self.older = std::mem::take(&mut self.younger);
        }
        // No word is in both generations.
        self.younger.remove(&meaning.word);
        self.older.remove(&meaning.word);
        self.younger.meanings.insert(meaning.word.clone(), (meaning, bytes));
        self.younger.bytes += bytes;
        self.added += bytes;
    }

    /// About how many bytes they take.
    pub(in crate::search::sift) fn bytes(&self) -> usize {
        self.younger.bytes + self.older.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_tools(tools: usize) -> Matches {
        Matches { slots: vec![Slot(0); tools], gains: vec![0.0; tools] }
    }

    fn new(word: &str) -> Arc<Meaning> {
        Arc::new(Meaning::new((word, word), Vec::new(), 0.0, 0))
    }

    /// Looks a word up as a request does, which matches it with so many tools if it is not known.
    fn ask(meanings: &mut Meanings, word: &str, tools: usize) {
        if meanings.get(word).is_none() {
            let meaning = new(word);
            meanings.keep(meaning.clone());
            meaning.matches(|| {
                let matches = of_tools(tools);
                meanings.matched(&meaning, &matches);
                matches
            });
        }
    }

    fn sum(meanings: &Meanings) -> usize {
        let of = |one: &Generation| one.meanings.values().map(|(meaning, _)| meaning.bytes()).sum::<usize>();
        of(&meanings.younger) + of(&meanings.older)
    }

    /// As many tools as make a hundred words fill a generation.
    const TOOLS: usize = limits::MEANING_BYTES / 100 / size_of::<(Slot, f64)>();

    #[test]
    fn words_in_use_stay_and_others_go() {
        let mut meanings = Meanings::default();
        ask(&mut meanings, "used", TOOLS);
        ask(&mut meanings, "unused", TOOLS);
        for other in 0..1_000 {
            meanings.begin();
            ask(&mut meanings, &format!("other {other}"), TOOLS);
            assert!(meanings.get("used").is_some(), "{other}");
            assert_eq!(meanings.bytes(), sum(&meanings));
            assert!(meanings.bytes() <= 2 * limits::MEANING_BYTES);
        }
        assert!(meanings.get("unused").is_none() && meanings.get("other 0").is_none());
        assert!(meanings.get("other 999").is_some());
    }

    #[test]
    fn a_request_of_many_words_evicts_none_of_the_request_before_it() {
        for before in 0..150 {
            let mut meanings = Meanings::default();
            for word in 0..before {
                meanings.begin();
                ask(&mut meanings, &format!("before {word}"), TOOLS);
            }
            meanings.begin();
            ask(&mut meanings, "short", TOOLS);
            meanings.begin();
            (0..500).for_each(|word| ask(&mut meanings, &format!("long {word}"), TOOLS));
            assert_eq!(meanings.bytes(), sum(&meanings));
            assert!(meanings.bytes() <= 2 * limits::MEANING_BYTES);
            meanings.begin();
            assert!(meanings.get("short").is_some(), "after {before} words");
        }
    }

    #[test]
    fn what_is_not_kept_is_not_counted() {
        let mut meanings = Meanings::default();
        ask(&mut meanings, "kept", 10);
        let before = meanings.bytes();
        // Words of texts and of compounds are matched and never kept, also where a word of that text is.
        for word in ["never kept", "kept"] {
            let other = new(word);
            meanings.matched(&other, &of_tools(TOOLS));
        }
        // Larger than a generation.
        ask(&mut meanings, "large", 200 * TOOLS);
        assert_eq!((meanings.bytes(), sum(&meanings)), (before, before));
        assert!(meanings.get("kept").is_some() && meanings.get("large").is_none());
    }
}
