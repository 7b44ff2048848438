//! Finds where a pattern matches: an automaton whose threads go through the text together, so that time never grows
//! faster than states × characters. Characters with which no match can begin are passed over.

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
    /// For every class of characters, whether a match can begin with one.
    begins: Vec<bool>,
    /// For every state, the step in which it was seen last.
    seen: Vec<u32>,
    step: u32,
    ahead: Vec<u16>,
    /// States that were visited in all texts so far: what the search has cost.
    pub visited: usize,
}

/// Where a thread stands, and where in the text it began.
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

    /// Whether a match can begin with a character of a class, whatever stands before it.
    fn may_begin(&mut self, class: u16) -> bool {
        let begins_with = |before: Beside| {
            let mut next = Vec::new();
            self.step(&[Thread { state: 0, start: 0 }], (before, class), &mut next).is_some() || !next.is_empty()
        };
        Beside::ALL.into_iter().any(begins_with)
    }

    /// The leftmost match in a text; of those that begin there, the one that the pattern prefers.
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

    /// Takes threads, the preferred ones first, past a character of a class: each goes on through forks and places until it
    /// reads, accepts or dies. Where two meet in a state, only the preferred one goes on. Those that read are added to
    /// `next`; if one accepts before the character, the result is where that one began, and those behind it are dropped.
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
