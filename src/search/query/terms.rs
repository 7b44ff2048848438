//! The words of a request as terms of the catalog: the words themselves, words of the same meaning, words that begin
//! alike, and for words that no tool has, what was probably meant.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::limits;
use crate::lock::lock;
use crate::map::Map;
use crate::search::analysis::lexicon::Kind;
use crate::search::analysis::sentences::sentences;
use crate::search::analysis::tokenizer::{Cut, each_word};
use crate::search::ids::Term;
use crate::search::index::Index;
use crate::search::query::meanings::{Meaning, Relation};
use crate::search::query::similar::{relatives, repairs};
use crate::search::ranker_options::Weights;
use crate::search::view::Statistics;
use crate::search::view::idf::idf;

/// A word of a request.
#[derive(Clone, Debug)]
pub(crate) struct QueryTerm {
    pub meaning: Arc<Meaning>,
    /// Its idf times the stress that lies on it.
    pub weight: f64,
}

/// Bytes up to which the meanings of a request's words are kept. A text has so many words that they would evict each other.
const SHARED_BYTES: usize = 200;

/// Reads the words of one request and its clauses. What a word means is found once.
pub(crate) struct Interpreter<'a> {
    index: &'a Index,
    statistics: &'a Statistics,
    weights: &'a Weights,
    /// Meanings that this request looked up and must not look up again.
    meanings: RefCell<Map<String, Arc<Meaning>>>,
    /// Whether meanings come from earlier requests and are kept for later ones: the words of short requests come again.
    is_shared: bool,
    /// Whether words are stems as they stand.
    are_stems: bool,
    /// Comparisons that may still be made to repair words.
    comparisons: Cell<usize>,
}

/// A word to be looked up, and the stress that lies on it.
pub(crate) type Word = (String, f64);

impl<'a> Interpreter<'a> {
    /// An interpreter of one request.
    pub(crate) fn of(text: &str, index: &'a Index, statistics: &'a Statistics, weights: &'a Weights) -> Self {
        let is_shared = text.len() <= SHARED_BYTES;
        Interpreter { is_shared, are_stems: false, ..Interpreter::of_stems(index, statistics, weights) }
    }

    /// An interpreter of words that are stems already, whose meanings are not those of the same letters in a request.
    pub(crate) fn of_stems(index: &'a Index, statistics: &'a Statistics, weights: &'a Weights) -> Self {
        let comparisons = Cell::new(limits::REPAIR_COMPARISONS);
        let meanings = RefCell::default();
        Interpreter { index, statistics, weights, meanings, is_shared: false, are_stems: true, comparisons }
    }

    /// What the words of a text mean.
    pub(crate) fn read(&self, text: &str) -> Vec<QueryTerm> {
        self.terms(&self.words(text))
    }

    /// What some words mean, each once, with the most stress that lies on it.
    pub(crate) fn terms(&self, words: &[Word]) -> Vec<QueryTerm> {
        let mut terms: Vec<QueryTerm> = Vec::new();
        for (word, stress) in words {
            let meaning = self.meaning(word);
            let weight = meaning.idf * stress;
            if let Some(known) = terms.iter_mut().find(|term| term.meaning.stem == meaning.stem) {
                known.weight = known.weight.max(weight);
                continue;
            }
            terms.push(QueryTerm { meaning, weight });
        }
        terms
    }

    /// The words of a text with the stress that lies on them, without stop words, unless there are no others.
    fn words(&self, text: &str) -> Vec<Word> {
        const PART: f64 = 0.5;
        let lexicon = &self.index.lexicon;
        let mut words: Vec<Word> = Vec::new();
        let mut whole_is_known = false;
        for (sentence, stress) in sentences(text) {
            each_word(sentence, |word, cut| {
                if words.len() >= limits::QUERY_WORDS {
                    return;
                }
                match cut {
                    Cut::Whole => words.push((word.to_owned(), stress)),
                    // `GitHub` is one word where a tool says so.
                    Cut::Joined => {
                        whole_is_known = self.statistics.term(self.index, &lexicon.stem(word)).is_some();
                        if whole_is_known {
                            words.push((word.to_owned(), stress));
                        }
                    }
                    Cut::Part => words.push((word.to_owned(), if whole_is_known { PART * stress } else { stress })),
                }
            });
        }
        if words.iter().any(|(word, _)| !lexicon.is_stop_word(word)) {
            words.retain(|(word, _)| !lexicon.is_stop_word(word));
        }
        words
    }

    /// What a word means. A meaning that is kept from an earlier request counts the comparisons that it took then, so that
    /// a request is answered alike whether its words are known or new.
    fn meaning(&self, word: &str) -> Arc<Meaning> {
        if let Some(known) = self.meanings.borrow().get(word) {
            return known.clone();
        }
        let left = self.comparisons.get();
        let kept = if self.is_shared { lock(&self.statistics.meanings).get(word).cloned() } else { None };
        let meaning = match kept.filter(|kept| kept.comparisons <= left) {
            Some(kept) => {
                self.comparisons.set(left - kept.comparisons);
                kept
            }
            None => {
                let stem = if self.are_stems { word.to_owned() } else { self.index.lexicon.stem(word) };
                let meaning = Arc::new(self.interpret(word, &stem));
                // Where no comparison is left, more of them might have found more.
                if self.is_shared && self.comparisons.get() > 0 {
                    let mut meanings = lock(&self.statistics.meanings);
                    meanings.insert(word.to_owned(), meaning.clone());
                    if meanings.len() > limits::MEANINGS {
                        meanings.evict();
                    }
                }
                meaning
            }
        };
        if !self.is_shared || meaning.comparisons > 0 {
            self.meanings.borrow_mut().insert(word.to_owned(), meaning.clone());
        }
        meaning
    }

    fn interpret(&self, word: &str, stem: &str) -> Meaning {
        let Interpreter { index, statistics, weights, .. } = self;
        let itself = statistics.term(index, stem);
        let mut comparisons = 0;
        let mut terms: Vec<(Term, f64, Relation)> =
            itself.map(|term| (term, 1.0, Relation::Itself)).into_iter().collect();
        let mut add = |term: Term, share: f64, how: Relation| {
            let is_new = terms.iter().all(|(other, ..)| *other != term);
            if share > 0.0 && is_new && statistics.frequency(term) > 0 {
                terms.push((term, share, how));
            }
        };
        for (kind, synonym) in index.lexicon.synonyms(stem) {
            let share = match kind {
                Kind::Verb => weights.verbs,
                Kind::Noun => weights.nouns,
                Kind::Said => weights.said,
            };
            let share = if itself.is_some() { share } else { (share * weights.in_place).min(1.0) };
            if let Some(term) = index.vocabulary.term(synonym) {
                add(term, share, Relation::Synonym);
            }
        }
        if itself.is_some() {
            if weights.relatives > 0.0 {
                relatives(index, statistics, stem, |term| add(term, weights.relatives, Relation::Relative));
            }
        } else if weights.repair > 0.0 {
            let before = self.comparisons.get();
            let mut left = before;
            for (term, likeness) in repairs(index, statistics, (word, stem), &mut left) {
                add(term, weights.repair * likeness, Relation::Repair);
            }
            self.comparisons.set(left);
            comparisons = before - left;
        }
        let frequency = match (itself, &terms[..]) {
            (Some(term), _) => statistics.frequency(term),
            (None, [(term, ..)]) => statistics.frequency(*term),
            (None, []) => 0,
            (None, _) => self.union(&terms),
        };
        Meaning::new((word, stem), terms, idf(frequency, statistics.len()), comparisons)
    }

    /// In how many tools any of some terms stands.
    fn union(&self, terms: &[(Term, f64, Relation)]) -> u32 {
        let mut stands = vec![false; self.statistics.len()];
        for (term, ..) in terms {
            self.statistics.each_posting(self.index, *term, |place, _| stands[place] = true);
        }
        stands.into_iter().filter(|stands| *stands).count() as u32
    }
}
