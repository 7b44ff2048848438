//! What does a request ask for? Its words against those of the catalog: themselves, words of the same meaning, words
//! that begin alike, and for words that no tool has, what was probably meant.

use crate::limits;

use super::candidates::Candidates;
use super::index::{Index, Term};
use super::lexicon::Kind;
use super::terms::{Cut, each_word};
use super::vocabulary::{relatives, repairs};
use super::weights::Weights;

/// How a word of the catalog stands for one of the request.
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

/// A word that is sought.
#[derive(Clone, Debug)]
pub(super) struct Sought {
    /// As it was written, in lower case.
    pub word: String,
    /// What stands for it in the catalog, and what that counts.
    pub via: Vec<(Term, f64, Via)>,
    /// Whether it is two words of the request in one.
    pub is_joined: bool,
    /// How rare the word is; where no tool has it, how rare what stands for it is.
    pub rarity: f64,
    /// What the word counts: how rare it is, and how much the request stresses it.
    pub weight: f64,
}

impl Sought {
    /// The word itself, where the catalog has it.
    pub(super) fn itself(&self) -> Option<Term> {
        self.via.iter().find(|(.., via)| *via == Via::Itself).map(|(term, ..)| *term)
    }

    /// Whether nothing in the catalog stands for it.
    pub(super) fn is_unknown(&self) -> bool {
        self.via.is_empty()
    }
}

/// Words from which on a request is a text, in which the place of a word says nothing.
const SHORT: usize = 15;

/// Reads the words of a request.
pub(super) fn read(index: &Index, candidates: &Candidates, text: &str, weights: &Weights) -> Vec<Sought> {
    let words = words(index, candidates, text);
    let stemmed = words.into_iter().map(|(word, stress)| (index.lexicon.stem(&word), word, stress));
    seek(index, candidates, &stemmed.collect::<Vec<_>>(), weights)
}

/// The same for words that come as stem, word and stress.
pub(super) fn seek(
    index: &Index,
    candidates: &Candidates,
    words: &[(String, String, f64)],
    weights: &Weights,
) -> Vec<Sought> {
    let reader = Reader { index, candidates, weights };
    let mut sought: Vec<Sought> = Vec::new();
    let mut places: Vec<(&str, usize)> = Vec::new();
    for (at, (stem, word, stress)) in words.iter().enumerate() {
        if let Some((_, place)) = places.iter().find(|(known, _)| known == stem) {
            let again: &mut Sought = &mut sought[*place];
            again.weight += weights.repeats * again.rarity;
            continue;
        }
        places.push((stem, sought.len()));
        let later = if words.len() <= SHORT { weights.position * at as f64 / words.len() as f64 } else { 0.0 };
        sought.push(reader.word(word, stem, stress * (1.0 - later)));
        if let Some((_, next, _)) = words.get(at + 1).filter(|_| weights.compounds > 0.0) {
            sought.extend(reader.both(word, next));
        }
    }
    sought
}

/// The words of a text with the stress that lies on them, without those that mean nothing, unless there are no others.
fn words(index: &Index, candidates: &Candidates, text: &str) -> Vec<(String, f64)> {
    const PART: f64 = 0.5;
    let mut words: Vec<(String, f64)> = Vec::new();
    let mut whole_is_known = false;
    each_word(text, &mut |word, cut| {
        if words.len() >= limits::QUERY_WORDS {
            return;
        }
        match cut {
            Cut::Whole => words.push((word, 1.0)),
            // `GitHub` is one word where a tool says so.
            Cut::Joined => {
                whole_is_known = candidates.known(index, &index.lexicon.stem(&word)).is_some();
                if whole_is_known {
                    words.push((word, 1.0));
                }
            }
            Cut::Part => words.push((word, if whole_is_known { PART } else { 1.0 })),
        }
    });
    if words.iter().any(|(word, _)| !index.lexicon.is_stop_word(word)) {
        words.retain(|(word, _)| !index.lexicon.is_stop_word(word));
    }
    words
}

struct Reader<'a> {
    index: &'a Index,
    candidates: &'a Candidates,
    weights: &'a Weights,
}

impl Reader<'_> {
    fn word(&self, word: &str, stem: &str, stress: f64) -> Sought {
        let Reader { index, weights, .. } = self;
        let itself = self.candidates.known(index, stem);
        let mut via: Vec<(Term, f64, Via)> = itself.map(|term| (term, 1.0, Via::Itself)).into_iter().collect();
        let mut add = |term: Term, worth: f64, how: Via| {
            let is_new = via.iter().all(|(other, ..)| *other != term) && self.candidates.hold(index, term);
            if worth > 0.0 && is_new {
                via.push((term, worth, how));
            }
        };
        for (kind, synonym) in index.lexicon.synonyms(stem) {
            let worth = if kind == Kind::Verb { weights.verbs } else { weights.nouns };
            let worth = if itself.is_some() { worth } else { (worth * weights.in_place).min(1.0) };
            if let Some(term) = index.term(synonym) {
                add(term, worth, Via::Synonym);
            }
        }
        if itself.is_some() {
            relatives(index, stem).for_each(|term| add(term, weights.relatives, Via::Relative));
        } else {
            for (term, likeness) in repairs(index, self.candidates, stem) {
                add(term, weights.repair * likeness, Via::Repair);
            }
            for half in halves(index, self.candidates, word) {
                add(half, weights.compounds, Via::Compound);
            }
        }
        let rarity = match itself {
            Some(term) => self.candidates.rarity(index, &[term]),
            None => self.candidates.rarity(index, &via.iter().map(|(term, ..)| *term).collect::<Vec<_>>()),
        };
        Sought { word: word.to_owned(), via, is_joined: false, rarity, weight: rarity * stress }
    }

    /// Two words that a tool writes as one.
    fn both(&self, word: &str, next: &str) -> Option<Sought> {
        let both = format!("{word}{next}");
        let term = self.candidates.known(self.index, &self.index.lexicon.stem(&both))?;
        let rarity = self.candidates.rarity(self.index, &[term]);
        let weight = self.weights.compounds * rarity;
        Some(Sought { word: both, via: vec![(term, 1.0, Via::Compound)], is_joined: true, rarity, weight })
    }
}

/// Two words of the catalog that make up one of the request, if there are such.
fn halves(index: &Index, candidates: &Candidates, word: &str) -> Vec<Term> {
    const LEAST: usize = 3;
    let cuts = word.char_indices().map(|(at, _)| at).filter(|at| *at >= LEAST && word.len() - at >= LEAST);
    let term = |half: &str| candidates.known(index, &index.lexicon.stem(half));
    let mut pairs = cuts.filter_map(|at| Some(vec![term(&word[..at])?, term(&word[at..])?]));
    pairs.next().unwrap_or_default()
}
