//! Keeps the terms of an index: each distinct one once, by number, with its text in one buffer.

use hashbrown::HashTable;

use crate::map::hash_of;
use crate::search::ids::Term;

/// Distinct terms, found by text, by number and by prefix.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    texts: Texts,
    numbers: HashTable<Term>,
    /// The terms in alphabetical order, as of the last [`Vocabulary::sort`].
    sorted: Vec<Term>,
}

/// Texts, one after the other.
#[derive(Clone, Debug, Default)]
struct Texts {
    all: String,
    ends: Vec<u32>,
}

impl Texts {
    fn get(&self, term: Term) -> &str {
        let from = term.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[from as usize..self.ends[term] as usize]
    }
}

impl Vocabulary {
    /// Returns the number of a term, and adds the term if it is new.
    pub(crate) fn intern(&mut self, text: &str) -> Term {
        let hash = hash_of(text);
        if let Some(term) = self.numbers.find(hash, |term| self.texts.get(*term) == text) {
            return *term;
        }
        let term = Term::new(self.texts.ends.len());
        self.texts.all.push_str(text);
        self.texts.ends.push(self.texts.all.len() as u32);
        let texts = &self.texts;
        self.numbers.insert_unique(hash, term, |term| hash_of(texts.get(*term)));
        term
    }

    /// Returns the number of a term, if any tool ever had it.
    pub(crate) fn term(&self, text: &str) -> Option<Term> {
        self.numbers.find(hash_of(text), |term| self.texts.get(*term) == text).copied()
    }

    /// Returns the text of a term.
    pub(crate) fn text(&self, term: Term) -> &str {
        self.texts.get(term)
    }

    /// Returns the number of terms.
    pub(crate) fn len(&self) -> usize {
        self.texts.ends.len()
    }

    /// Makes room for this number of additional terms.
    pub(crate) fn reserve(&mut self, terms: usize) {
        self.texts.ends.reserve(terms);
        let texts = &self.texts;
        self.numbers.reserve(terms, |term| hash_of(texts.get(*term)));
    }

    /// Updates the alphabetical order: new terms are sorted and merged into it.
    pub(crate) fn sort(&mut self) {
        let known = self.sorted.len();
        if known == self.len() {
            return;
        }
        let mut new: Vec<(&str, Term)> =
            (known..self.len()).map(Term::new).map(|term| (self.text(term), term)).collect();
        new.sort_unstable();
        let mut merged = Vec::with_capacity(self.len());
        let mut rest = &self.sorted[..];
        for (text, term) in new {
            let at = rest.partition_point(|other| self.text(*other) < text);
            merged.extend_from_slice(&rest[..at]);
            merged.push(term);
            rest = &rest[at..];
        }
        merged.extend_from_slice(rest);
        self.sorted = merged;
    }

    /// Returns the terms in alphabetical order.
    pub(crate) fn sorted(&self) -> &[Term] {
        &self.sorted
    }

    /// Returns the terms in `sorted`, an alphabetical list, that begin with a prefix.
    pub(crate) fn starting_with<'t>(&self, sorted: &'t [Term], prefix: &str) -> &'t [Term] {
        let from = sorted.partition_point(|term| self.text(*term) < prefix);
        let rest = &sorted[from..];
        &rest[..rest.partition_point(|term| self.text(*term).starts_with(prefix))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_found_by_text_number_and_prefix() {
        let mut vocabulary = Vocabulary::default();
        for (round, words) in
            [&["issue", "get", "is"][..], &["isle", "get", "zoo"], &[], &["issuer"]].iter().enumerate()
        {
            words.iter().for_each(|word| _ = vocabulary.intern(word));
            vocabulary.sort();
            let texts: Vec<&str> = vocabulary.sorted().iter().map(|term| vocabulary.text(*term)).collect();
            assert!(texts.is_sorted() && texts.len() == vocabulary.len(), "round {round}: {texts:?}");
        }
        let starting_with = |prefix| vocabulary.starting_with(vocabulary.sorted(), prefix);
        let found = starting_with("is").iter().map(|term| vocabulary.text(*term)).collect::<Vec<_>>();
        assert_eq!(found, ["is", "isle", "issue", "issuer"]);
        assert_eq!((vocabulary.term("get"), vocabulary.term("ge"), vocabulary.len()), (Some(Term(1)), None, 6));
        assert!(starting_with("x").is_empty());
    }
}
