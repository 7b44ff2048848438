//! Postings by term: the slots of the tools in whose texts each distinct word stands.

use crate::spelling::Signature;

use super::ids::{Slot, Term};
use super::vocabulary::Vocabulary;

/// The words of a column of texts, and where each stands. Tools that have left the catalog are among them.
#[derive(Debug, Default)]
pub(super) struct Postings {
    pub vocabulary: Vocabulary,
    /// By term.
    signatures: Vec<Signature>,
    /// By term: slots in rising order.
    slots: Vec<Vec<Slot>>,
}

impl Postings {
    /// Adds a word of the tool in the last slot: each time that it stands there, or once.
    pub(super) fn add(&mut self, word: &str, slot: Slot, counts: bool) -> Term {
        let term = self.vocabulary.intern(word);
        if term.index() == self.signatures.len() {
            self.signatures.push(Signature::of(word.chars()));
        }
        if counts || self.of(term).last() != Some(&slot) {
            push_to(&mut self.slots, term, slot);
        }
        term
    }

    /// The slots in which a term stands.
    pub(super) fn of(&self, term: Term) -> &[Slot] {
        self.slots.get(term.index()).map_or(&[], Vec::as_slice)
    }

    /// The slots in which a term stands, each as often as it does, the same ones together.
    pub(super) fn counted(&self, term: Term) -> impl Iterator<Item = &[Slot]> {
        self.of(term).chunk_by(|a, b| a == b)
    }

    /// How often a term stands in a slot.
    pub(super) fn count(&self, term: Term, slot: Slot) -> usize {
        let slots = self.of(term);
        let same = &slots[slots.partition_point(|other| *other < slot)..];
        same.partition_point(|other| *other == slot)
    }

    /// The postings of each term that contains a word.
    pub(super) fn containing(&self, word: &str, found: &mut dyn FnMut(&[Slot])) {
        let signature = Signature::of(word.chars());
        for (term, other) in self.signatures.iter().enumerate() {
            if other.may_contain(signature) && self.vocabulary.text(Term::new(term)).contains(word) {
                found(&self.slots[term]);
            }
        }
    }

    /// By term: which letters it has.
    pub(super) fn signatures(&self) -> &[Signature] {
        &self.signatures
    }
}

/// Adds an item to the list of a term.
pub(super) fn push_to<T>(lists: &mut Vec<Vec<T>>, term: Term, item: T) {
    let term = term.index();
    if term >= lists.len() {
        lists.resize_with(term + 1, Vec::new);
    }
    let list = &mut lists[term];
    if list.len() == list.capacity() {
        // A quarter more: doubling would leave a third of all memory unused.
        list.reserve_exact((list.len() / 4).max(2));
    }
    list.push(item);
}
