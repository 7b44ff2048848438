//! Finds where a pattern matches: an automaton whose threads go through the text together, so that time never grows
//! faster than states × characters. What threads did once is looked up where they come to do it again.

mod alphabet;
mod fragment;
mod memo;
#[cfg(test)]
pub(crate) mod oracle;
mod set;
mod threads;

use alphabet::{Alphabet, Beside};
use fragment::State;
use memo::Memo;
use threads::{Thread, Threads};

pub(crate) use alphabet::WORD;
pub(crate) use fragment::{Fragment, Look, Program};
pub(crate) use set::CharSet;

/// A compiled pattern, with what it has learnt from the texts so far.
pub(crate) struct Automaton {
    states: Vec<State>,
    alphabet: Alphabet,
    threads: Threads,
    memo: Memo,
}

impl Automaton {
    pub(crate) fn new(program: Program) -> Self {
        let states = program.fragment.finish();
        let looks = states.iter().any(|state| matches!(state, State::Look(_)));
        let alphabet = Alphabet::new(&program.sets, looks);
        Automaton { threads: Threads::new(states.len()), memo: Memo::new(alphabet.classes()), states, alphabet }
    }

    /// States that were visited in all texts so far: what the search has cost.
    pub(crate) fn visited(&self) -> usize {
        self.threads.visited
    }

    /// The leftmost match in a text; of those that begin there, the one that the pattern prefers.
    pub(crate) fn find<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let might_match = !self.memo.is_worth(text) || self.matches(text).unwrap_or(true);
        if might_match { self.locate(text) } else { None }
    }

    /// Whether there is a match; none where the memo cannot tell.
    fn matches(&mut self, text: &str) -> Option<bool> {
        let Automaton { states, alphabet, threads, memo } = self;
        let mut here = memo::START;
        for class in text.chars().map(|c| alphabet.class(c)).chain([alphabet.end()]) {
            here = match memo.after(here, class) {
                Some(known) => known,
                None => {
                    let (list, before) = memo.threads(here);
                    let mut next = Vec::new();
                    match threads.step((states, alphabet), &list, (before, class), &mut next) {
                        Some(_) => memo.accept(here, class),
                        None => memo.learn(here, class, &next, alphabet.beside(class))?,
                    }
                }
            };
            if here == memo::ACCEPTED {
                return Some(true);
            }
        }
        Some(false)
    }

    fn locate<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let Automaton { states, alphabet, threads, .. } = self;
        let (mut list, mut next) = (Vec::new(), Vec::new());
        let mut before = Beside::Nothing;
        let mut found = None;
        let classes = text.char_indices().map(|(at, c)| (at, alphabet.class(c)));
        for (at, class) in classes.chain([(text.len(), alphabet.end())]) {
            if found.is_none() {
                list.push(Thread { state: 0, start: at });
            } else if list.is_empty() {
                break;
            }
            next.clear();
            if let Some(start) = threads.step((states, alphabet), &list, (before, class), &mut next) {
                found = Some(start..at);
            }
            std::mem::swap(&mut list, &mut next);
            before = alphabet.beside(class);
        }
        found.map(|range| &text[range])
    }
}

#[cfg(test)]
mod tests;
