//! Says which tools contain some words: a question of the query language that needs no ranking.

use crate::search::sift::index::Index;
use crate::search::sift::scope::Statistics;
use crate::search::sift::text::tokenizer::{Cut, each_word};
use crate::text::normalized;

/// By place: whether a tool has every word of a text that is no stop word, in any form and field; or, where that is
/// enough, whether the text stands in one of its names.
pub(in crate::search) fn having(index: &Index, statistics: &Statistics, text: &str, or_in_name: bool) -> Vec<bool> {
    let none = || vec![false; statistics.len()];
    let having = |word: &str| {
        let mut having = none();
        if let Some(term) = index.vocabulary.term(&index.lexicon.stem(word)) {
            statistics.each_posting(index, term, &mut |place, _| having[place] = true);
        }
        having
    };
    let (mut all, mut run, mut says_something) = (vec![true; statistics.len()], none(), false);
    each_word(text, &mut |word, cut| {
        let is_stop = index.lexicon.is_stop_word(word);
        says_something |= !is_stop;
        if cut == Cut::Joined {
            run = having(word);
        } else if !is_stop {
            let word = having(word);
            let is_part = cut == Cut::Part;
            all.iter_mut().zip(word).zip(&run).for_each(|((all, word), run)| *all &= word || (is_part && *run));
        }
    });
    let mut found = if says_something { all } else { none() };
    if or_in_name {
        let text = normalized(text);
        for (found, slot) in found.iter_mut().zip(&statistics.places.slots) {
            *found |= index.names.contain(*slot, &text);
        }
    }
    found
}
