//! Does a tool have a name or some words? What the query language asks of the index beside ranking.

use crate::catalog::Tool;
use crate::sort::sorted;

use super::index::Index;
use super::terms::{Cut, each_word};

/// The positions of the tools that each of some names may mean, in any spelling, in the order of the tools.
pub(in crate::search) fn called(index: &Index, tools: &[&Tool], names: &[&str]) -> Vec<Vec<usize>> {
    if names.is_empty() {
        return Vec::new();
    }
    let mut positions = vec![None; index.documents.len()];
    for (position, tool) in tools.iter().enumerate() {
        index.place(tool).into_iter().for_each(|place| positions[place] = Some(position));
    }
    let called = |name: &&str| {
        let places = index.names.called(name).into_iter();
        sorted(places.filter_map(|place| positions.get(place).copied()?).collect(), usize::cmp)
    };
    names.iter().map(called).collect()
}

/// Whether a tool has every word of a text that means something, in any form and field; or, where that is enough,
/// whether the text stands in one of its names.
pub(in crate::search) fn has_words(index: &Index, tool: &Tool, text: &str, or_in_name: bool) -> bool {
    let Some(document) = index.place(tool).map(|place| &index.documents[place]) else { return false };
    let has = |word: &str| index.term(&index.lexicon.stem(word)).is_some_and(|term| document.has(term));
    let (mut has_all, mut has_run, mut says_something) = (true, false, false);
    each_word(text, &mut |word, cut| {
        let is_empty = index.lexicon.is_stop_word(&word);
        says_something |= !is_empty;
        match cut {
            Cut::Joined => has_run = has(&word),
            Cut::Whole => has_all &= is_empty || has(&word),
            Cut::Part => has_all &= is_empty || has_run || has(&word),
        }
    });
    (has_all && says_something) || (or_in_name && document.identity.contains(text))
}
