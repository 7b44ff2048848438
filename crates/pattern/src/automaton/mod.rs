//! Finds the matches of a pattern with an automaton whose threads move through the text together, so that the time
//! grows at most with states × characters. Characters with which no match can begin are skipped.

mod alphabet;
mod fragment;
mod set;

use alphabet::{Alphabet, Beside};
use fragment::State;

pub(crate) use alphabet::WORD;
pub(crate) use fragment::{Fragment, Look, Program};
pub(crate) use set::CharSet;

/// A compiled pattern.
pub(crate) struct Automaton {
    states: Vec<State>,
    alphabet: Alphabet,
    /// For every class of characters: true if a match can begin with it.
    begins: Vec<bool>,
    /// For every state: the last step in which it was visited.
    seen: Vec<u32>,
    step: u32,
    ahead: Vec<u16>,
    /// The number of states visited in all texts so far, which is the cost of the search.
    pub visited: usize,
}

/// A thread: its state, and the place in the text at which it began.
#[derive(Clone, Copy, Debug)]
struct Thread {
    state: u16,
    start: usize,
}

impl Automaton {
    pub(crate) fn new(program: Program) -> Self {
        let states = program.fragment.finish();
        let looks = states.iter().any(|state| matches!(state, State::Look(_)));
        let alphabet = Alphabet::new(&program.sets, looks);
        let (begins, seen) = (vec![true; alphabet.classes()], vec![0; states.len()]);
        let mut automaton = Automaton { states, alphabet, begins, seen, step: 0, ahead: Vec::new(), visited: 0 };
        automaton.begins = (0..automaton.begins.len()).map(|class| automaton.may_begin(class as u16)).collect();
        automaton.visited = 0;
        automaton
    }

    /// Returns true if a match can begin with a character of a class, whatever is before it.
    fn may_begin(&mut self, class: u16) -> bool {
        let begins_with = |before: Beside| {
            let mut next = Vec::new();
            self.step(&[Thread { state: 0, start: 0 }], (before, class), &mut next).is_some() || !next.is_empty()
        };
        Beside::ALL.into_iter().any(begins_with)
    }

    /// Returns the leftmost match in a text; of several matches there, the one that the pattern prefers.
    pub(crate) fn find<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (mut list, mut next) = (Vec::new(), Vec::new());
        let mut before = Beside::Nothing;
        let mut found = None;
        for (at, c) in text.char_indices().map(|(at, c)| (at, Some(c))).chain([(text.len(), None)]) {
            let class = c.map_or(self.alphabet.end(), |c| self.alphabet.class(c));
            if found.is_none() && self.begins[usize::from(class)] {
                list.push(Thread { state: 0, start: at });
            } else if found.is_some() && list.is_empty() {
                break;
            }
            if !list.is_empty() {
                next.clear();
                if let Some(start) = self.step(&list, (before, class), &mut next) {
                    found = Some(start..at);
                }
                std::mem::swap(&mut list, &mut next);
            }
            before = self.alphabet.beside(class);
        }
        found.map(|range| &text[range])
    }

    /// Moves threads, preferred ones first, past a character of a class: each continues through forks and conditions
    /// until it reads, accepts or dies. If two threads reach the same state, only the preferred one continues. Threads
    /// that read are added to `next`. If a thread accepts before the character, its start is returned, and less
    /// preferred threads are dropped.
    fn step(&mut self, threads: &[Thread], at: (Beside, u16), next: &mut Vec<Thread>) -> Option<usize> {
        let Automaton { states, alphabet, seen, step, ahead, visited, .. } = self;
        let (before, class) = at;
        *step += 1;
        for thread in threads {
            ahead.push(thread.state);
            while let Some(state) = ahead.pop() {
                *visited += 1;
                if std::mem::replace(&mut seen[usize::from(state)], *step) == *step {
                    continue;
                }
                let to = |by: i16| state.wrapping_add_signed(by);
                match states[usize::from(state)] {
                    State::Read(set) if alphabet.holds(set, class) => {
                        next.push(Thread { state: to(1), start: thread.start });
                    }
                    State::Read(_) => {}
                    State::Fork(first, second) => ahead.extend([to(second), to(first)]),
                    State::Jump(by) => ahead.push(to(by)),
                    State::Look(look) if is(look, before, alphabet.beside(class)) => ahead.push(to(1)),
                    State::Look(_) => {}
                    State::Accept => {
                        ahead.clear();
                        return Some(thread.start);
                    }
                }
            }
        }
        None
    }
}

fn is(look: Look, before: Beside, after: Beside) -> bool {
    let line_ends = |beside: Beside| matches!(beside, Beside::Nothing | Beside::Newline);
    let is_edge = (before == Beside::Word) != (after == Beside::Word);
    match look {
        Look::TextStart => before == Beside::Nothing,
        Look::TextEnd => after == Beside::Nothing,
        Look::LineStart => line_ends(before),
        Look::LineEnd => line_ends(after),
        Look::WordEdge => is_edge,
        Look::NoWordEdge => !is_edge,
    }
}

#[cfg(test)]
mod tests;
