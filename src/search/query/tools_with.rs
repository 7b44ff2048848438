//! Says which tools contain some words: a question of the query language that needs no ranking.

use crate::search::analysis::tokenizer::{Cut, each_word};
use crate::search::index::Index;
use crate::search::view::View;
use crate::text::normalized;

/// By document: whether a tool has every word of a text that is no stop word, in any form and field; or, where that is
/// enough, whether the text stands in one of its names.
pub(crate) fn tools_with(index: &Index, view: &View, text: &str, or_in_name: bool) -> Vec<bool> {
    let none = || vec![false; view.docs()];
    let tools_with = |word: &str| {
        let mut tools = none();
        if let Some(term) = index.vocabulary.term(&index.lexicon.stem(word)) {
            view.postings(term).into_iter().flatten().for_each(|posting| tools[posting.doc] = true);
        }
        tools
    };
    let (mut all, mut run, mut says_something) = (vec![true; view.docs()], none(), false);
    each_word(text, |word, cut| {
        let is_stop = index.lexicon.is_stop_word(word);
        says_something |= !is_stop;
        if cut == Cut::Joined {
            run = tools_with(word);
        } else if !is_stop {
            let word = tools_with(word);
            let is_part = cut == Cut::Part;
            all.iter_mut().zip(word).zip(&run).for_each(|((all, word), run)| *all &= word || (is_part && *run));
        }
    });
    let mut found = if says_something { all } else { none() };
    if or_in_name {
        let text = normalized(text);
        let has_in_name = index.names.containing(&text);
        for doc in view.in_order() {
            found[*doc] = found[*doc] || has_in_name(view.slot(*doc));
        }
    }
    found
}
