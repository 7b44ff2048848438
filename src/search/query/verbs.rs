//! Compares the verbs of a request with what a tool does: *list key-value settings* does not mean the tool that sets them.

use crate::catalog::{Effect, RequestedEffects};
use crate::search::analysis::tokenizer::{Cut, each_word};

/// A longer request is a story, of which the verbs tell many things.
const WORDS: usize = 30;

/// The effects that a request asks for; none for a story.
pub(crate) fn asked(text: &str) -> RequestedEffects {
    let mut asked = RequestedEffects::default();
    let mut before = String::new();
    let mut words = 0;
    each_word(text, |word, cut| {
        if cut == Cut::Joined || words > WORDS {
            return;
        }
        words += 1;
        asked.add(word, Some(&*before).filter(|before| !before.is_empty()));
        before.clear();
        before.push_str(word);
    });
    if words > WORDS { RequestedEffects::default() } else { asked }
}

/// What a tool counts by its effect, where one that contradicts the request counts `less`.
pub(crate) fn share(asked: RequestedEffects, effect: Effect, less: f64) -> f64 {
    if asked.contradicts(effect) { 1.0 - less } else { 1.0 }
}
