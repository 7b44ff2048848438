//! Expands the words of a request into terms of the catalog: the words themselves, synonyms, words with the same
//! beginning, and corrections of words that no tool has.

use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex};

use crate::catalog::RequestedEffects;
use crate::limits;
use crate::lock::lock;
use crate::map::Map;
use crate::search::analysis::lexicon::Kind;
use crate::search::analysis::sentences::sentences;
use crate::search::analysis::tokenizer::{Cut, each_word, is_unspaced};
use crate::search::analysis::translations::Translations;
use crate::search::ids::Term;
use crate::search::index::Index;
use crate::search::query::similar::{relatives, repairs};
use crate::search::ranker_options::Weights;
use crate::search::view::{View, idf};

/// The words and effects of a request, from one pass over its text.
#[derive(Debug, Default)]
pub(crate) struct AnalyzedQuery {
    /// Its words, each once.
    pub terms: Vec<QueryTerm>,
    /// The effects that its verbs ask for: *list key-value settings* does not mean the tool that sets them. Empty for a
    /// story, whose verbs tell many things.
    pub effects: RequestedEffects,
}

/// A word of a request.
#[derive(Clone, Debug)]
pub(crate) struct QueryTerm {
    pub expanded: Arc<ExpandedTerm>,
    /// Its idf times its stress, which is the weight of its sentence.
    pub weight: f64,
}

/// The relation of a term of the catalog to a word of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// It is the word, or a form of it.
    Itself,
    /// It is a synonym.
    Synonym,
    /// The host's table translates the word to it.
    Translation,
    /// It has the same beginning.
    Relative,
    /// It is a correction.
    Repair,
}

/// A word of a request, and the terms for it among the searched tools.
#[derive(Debug)]
pub(crate) struct ExpandedTerm {
    /// The word as it was written, in lower case.
    pub word: String,
    /// Its stem, by which it is looked up.
    pub stem: String,
    /// The terms for it, each with its weight. Translations come last.
    pub terms: Vec<(Term, f64, Relation)>,
    /// The idf of the word; if no tool has it, the idf of the terms for it.
    pub idf: f64,
    /// The number of words of the catalog that were compared with it to find typos.
    comparisons: usize,
}

impl ExpandedTerm {
    /// Returns true if there is no term for it in the catalog.
    pub(crate) fn is_unknown(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns true if only translations stand for it.
    pub(crate) fn is_translated(&self) -> bool {
        matches!(self.terms[..], [(.., Relation::Translation), ..])
    }

    /// Returns the term that is the word, or a form of it.
    pub(crate) fn itself(&self) -> Option<Term> {
        match self.terms[..] {
            [(term, _, Relation::Itself), ..] => Some(term),
            _ => None,
        }
    }
}

/// The maximum bytes of a request in everyday words; anything longer is a document. The words of a document are not
/// cached, since they would evict others. They are not translated, since a document also has words of tools: with
/// translations mcpbench lost 1.4 points at one, and stabletoolbench 0.7.
const REQUEST_BYTES: usize = 200;
/// A request of more words is a story.
const TOLD_WORDS: usize = 30;
/// The maximum number of cached words. A short request has 12, so these are the words of at least the last 20 requests.
const KEPT_WORDS: usize = 256;

/// A cache of expanded words of earlier requests. When it is full, it is emptied.
#[derive(Debug, Default)]
pub(crate) struct KnownWords(Mutex<Map<String, Arc<ExpandedTerm>>>);

impl KnownWords {
    fn insert(&self, word: &str, expanded: Arc<ExpandedTerm>) {
        let mut known = lock(&self.0);
        if known.len() >= KEPT_WORDS {
            known.clear();
        }
        known.insert(word.to_owned(), expanded);
    }
}

/// Expands the words of one request and its clauses. Each word is expanded once.
pub(crate) struct Interpreter<'a> {
    index: &'a Index,
    view: &'a View,
    weights: &'a Weights,
    /// Words that this request has expanded and must not expand again.
    seen: RefCell<Map<String, Arc<ExpandedTerm>>>,
    /// The cache of words of earlier requests; `None` means that it is neither read nor written.
    known: Option<&'a KnownWords>,
    /// True if words are stems already.
    are_stems: bool,
    /// The number of comparisons that may still be made to find corrections.
    comparisons: Cell<usize>,
}

/// The effects that the words of a request ask for.
#[derive(Default)]
struct Verbs {
    effects: RequestedEffects,
    before: String,
    words: usize,
}

impl Verbs {
    fn add(&mut self, word: &str) {
        self.words += 1;
        if self.words <= TOLD_WORDS {
            self.effects.add(word, Some(&*self.before).filter(|before| !before.is_empty()));
            self.before.clear();
            self.before.push_str(word);
        }
    }

    fn effects(self) -> RequestedEffects {
        if self.words > TOLD_WORDS { RequestedEffects::default() } else { self.effects }
    }
}

/// A word to be looked up, and its stress.
pub(crate) type Word = (String, f64);

impl<'a> Interpreter<'a> {
    /// Makes an interpreter for one request.
    pub(crate) fn of(
        text: &str,
        index: &'a Index,
        view: &'a View,
        weights: &'a Weights,
        known: &'a KnownWords,
    ) -> Self {
        let known = Some(known).filter(|_| text.len() <= REQUEST_BYTES);
        Interpreter { known, are_stems: false, ..Interpreter::of_stems(index, view, weights) }
    }

    /// Makes an interpreter for words that are stems already, which the words of a request are not.
    pub(crate) fn of_stems(index: &'a Index, view: &'a View, weights: &'a Weights) -> Self {
        let comparisons = Cell::new(limits::REPAIR_COMPARISONS);
        Interpreter { index, view, weights, seen: RefCell::default(), known: None, are_stems: true, comparisons }
    }

    /// Reads the words and effects of a text.
    pub(crate) fn read(&self, text: &str) -> AnalyzedQuery {
        let (words, effects) = self.words(text);
        AnalyzedQuery { effects, ..self.of_words(&words) }
    }

    /// Expands words, each once, with its highest stress.
    pub(crate) fn of_words(&self, words: &[Word]) -> AnalyzedQuery {
        let mut terms: Vec<QueryTerm> = Vec::new();
        for (word, stress) in words {
            let expanded = self.expanded(word);
            let weight = expanded.idf * stress;
            if let Some(known) = terms.iter_mut().find(|term| term.expanded.stem == expanded.stem) {
                known.weight = known.weight.max(weight);
                continue;
            }
            terms.push(QueryTerm { expanded, weight });
        }
        AnalyzedQuery { terms, effects: RequestedEffects::default() }
    }

    /// Returns the words of a text with their stress, without stop words unless there are only stop words, and the
    /// effects that its verbs ask for.
    fn words(&self, text: &str) -> (Vec<Word>, RequestedEffects) {
        const PART: f64 = 0.5;
        let mut verbs = Verbs::default();
        let lexicon = &self.index.lexicon;
        let mut words: Vec<Word> = Vec::new();
        let mut whole_is_known = false;
        for (sentence, stress) in sentences(text) {
            let before = words.len();
            if let Some(table) = self.translations() {
                table.each_run(sentence, |run| words.push((run.to_owned(), stress)));
            }
            let has_runs = words.len() > before;
            each_word(sentence, |word, cut| {
                if cut != Cut::Joined {
                    verbs.add(word);
                }
                if words.len() >= limits::QUERY_WORDS {
                    return;
                }
                match cut {
                    // Beside words of the table, pairs of characters that no tool has are only parts of these words or
                    // endings.
                    Cut::Whole if has_runs && word.starts_with(is_unspaced) && !self.is_known(word) => {}
                    Cut::Whole => words.push((word.to_owned(), stress)),
                    // `GitHub` counts as one word if a tool has it.
                    Cut::Joined => {
                        whole_is_known = self.is_known(word);
                        if whole_is_known {
                            words.push((word.to_owned(), stress));
                        }
                    }
                    Cut::Part => words.push((word.to_owned(), if whole_is_known { PART * stress } else { stress })),
                }
            });
        }
        let says_nothing = |word: &str| {
            let is_empty = |table: &Translations| table.says_nothing(&lexicon.stem(word)) && !self.is_known(word);
            lexicon.is_stop_word(word) || self.translations().is_some_and(is_empty)
        };
        let (empty, full): (Vec<Word>, Vec<Word>) = words.into_iter().partition(|(word, _)| says_nothing(word));
        (if full.is_empty() { empty } else { full }, verbs.effects())
    }

    /// Returns the table of translations for a request of at most [`REQUEST_BYTES`]. Null scores are measured with
    /// words of tools, which need no table.
    fn translations(&self) -> Option<&'a Translations> {
        self.known.map(|_| &self.index.lexicon.translations).filter(|table| !table.is_empty())
    }

    /// Returns true if a tool has a word.
    fn is_known(&self, word: &str) -> bool {
        self.view.term(self.index, &self.index.lexicon.stem(word)).is_some()
    }

    /// Expands a word. A cached word counts the comparisons that it took the first time, so that a request gets the
    /// same answer whether its words are cached or not.
    fn expanded(&self, word: &str) -> Arc<ExpandedTerm> {
        if let Some(seen) = self.seen.borrow().get(word) {
            return seen.clone();
        }
        let left = self.comparisons.get();
        let known =
            self.known.and_then(|known| lock(&known.0).get(word).cloned()).filter(|known| known.comparisons <= left);
        let expanded = known.unwrap_or_else(|| {
            let stem = if self.are_stems { word.to_owned() } else { self.index.lexicon.stem(word) };
            let expanded = Arc::new(self.expand(word, stem, left));
            // If no comparisons are left, more of them might have found more.
            if let Some(known) = self.known.filter(|_| expanded.comparisons < left) {
                known.insert(word, expanded.clone());
            }
            expanded
        });
        self.comparisons.set(left - expanded.comparisons);
        if self.known.is_none() || expanded.comparisons > 0 {
            self.seen.borrow_mut().insert(word.to_owned(), expanded.clone());
        }
        expanded
    }

    fn expand(&self, word: &str, stem: String, comparisons: usize) -> ExpandedTerm {
        let Interpreter { index, view, weights, .. } = *self;
        let itself = view.term(index, &stem);
        let mut terms: Vec<(Term, f64, Relation)> =
            itself.map(|term| (term, 1.0, Relation::Itself)).into_iter().collect();
        let mut add = |term: Term, share: f64, how: Relation| {
            let is_new = terms.iter().all(|(other, ..)| *other != term);
            if share > 0.0 && is_new && view.document_frequency(term) > 0 {
                terms.push((term, share, how));
            }
        };
        for (kind, synonym) in index.lexicon.synonyms(&stem) {
            let share = match kind {
                Kind::Verb => weights.verbs,
                Kind::Noun => weights.nouns,
                Kind::Colloquial => weights.colloquial,
            };
            let share = if itself.is_some() { share } else { (share * weights.in_place).min(1.0) };
            if let Some(term) = index.vocabulary.term(synonym) {
                add(term, share, Relation::Synonym);
            }
        }
        let table = self.translations();
        let scale = match itself {
            Some(term) if view.names(term).iter().any(|docs| !docs.is_empty()) => weights.translated_names,
            Some(_) => 1.0,
            None => weights.translated_unknown,
        };
        for (target, share) in table.into_iter().flat_map(|table| table.of(&stem)) {
            let share = (weights.translations * share).min(weights.translated) * scale;
            if let Some(term) = index.vocabulary.term(target).filter(|_| share >= weights.translated_least) {
                add(term, share, Relation::Translation);
            }
        }
        let mut left = comparisons;
        if itself.is_some() {
            if weights.relatives > 0.0 {
                relatives(index, view, &stem, |term| add(term, weights.relatives, Relation::Relative));
            }
        } else if weights.repair > 0.0 && !table.is_some_and(|table| table.has(&stem)) {
            for (term, likeness) in repairs(index, view, word, &stem, &mut left) {
                add(term, weights.repair * likeness, Relation::Repair);
            }
        }
        let is_translation = |(.., relation): &(Term, f64, Relation)| *relation == Relation::Translation;
        let (translations, mut terms): (Vec<_>, Vec<_>) = terms.into_iter().partition(is_translation);
        terms.extend(translations);
        let frequency = match (itself, &terms[..]) {
            (Some(term), _) => view.document_frequency(term),
            (None, [(term, ..)]) => view.document_frequency(*term),
            (None, []) => 0,
            (None, _) => self.union(&terms),
        };
        let idf = idf(frequency, view.len());
        ExpandedTerm { word: word.to_owned(), stem, terms, idf, comparisons: comparisons - left }
    }

    /// Returns the number of tools that have any of the terms.
    #[inline(never)]
    fn union(&self, terms: &[(Term, f64, Relation)]) -> u32 {
        let mut has = vec![false; self.index.versions.len()];
        for (term, ..) in terms {
            for posting in self.view.postings(*term).into_iter().flatten() {
                has[posting.doc] = self.view.live().is_none_or(|live| live[posting.doc]);
            }
        }
        has.into_iter().filter(|has| *has).count() as u32
    }
}
