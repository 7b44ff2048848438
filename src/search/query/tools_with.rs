//! Says which tools contain some words: a question of the query language that needs no ranking.

use crate::search::analysis::tokenizer::{Cut, each_word};
use crate::search::index::Index;
use crate::search::view::Statistics;
use crate::text::normalized;

/// By place: whether a tool has every word of a text that is no stop word, in any form and field; or, where that is
/// enough, whether the text stands in one of its names.
pub(crate) fn tools_with(index: &Index, statistics: &Statistics, text: &str, or_in_name: bool) -> Vec<bool> {
    let none = || vec![false; statistics.len()];
    let tools_with = |word: &str| {
        let mut tools = none();
        if let Some(term) = index.vocabulary.term(&index.lexicon.stem(word)) {
            statistics.each_posting(index, term, |place, _| tools[place] = true);
        }
        tools
    };
    let (mut all, mut run, mut says_something) = (vec![true; statistics.len()], none(), false);
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
        for (found, slot) in found.iter_mut().zip(&statistics.places.slots) {
            *found |= has_in_name(*slot);
        }
    }
    found
}
