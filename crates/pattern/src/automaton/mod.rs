//! Finds the matches of a pattern with an automaton whose threads move through the text together, so that the time
//! grows at most with states × characters. What threads did in earlier texts is remembered, so that a text without a
//! match takes one look-up for each character.

mod alphabet;
mod fragment;
mod set;

use alphabet::{Alphabet, Beside};
use fragment::State;

pub(crate) use alphabet::WORD;
pub(crate) use fragment::{Fragment, Look, Program};
pub(crate) use set::CharSet;

/// The maximum number of situations that are remembered. Usual patterns have a few dozen.
const MOST_SITUATIONS: usize = 512;
/// In place of the number of a situation: it is not known.
const UNKNOWN: u16 = u16::MAX;
/// In place of the number of a situation: a match, or perhaps one if too many situations are known.
const MATCH: u16 = u16::MAX - 1;

/// A compiled pattern.
pub(crate) struct Automaton {
    states: Vec<State>,
    alphabet: Alphabet,
    /// The situations between two characters: what is before, and the states of the threads. The first one is at the
    /// start of a text.
    situations: Vec<(Beside, Vec<u16>)>,
    /// The number of the next situation, for every situation and class of characters.
    next: Vec<u16>,
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
        let (situations, next) = (vec![(Beside::Nothing, Vec::new())], vec![UNKNOWN; alphabet.classes()]);
        let (seen, ahead) = (vec![0; states.len()], Vec::new());
        Automaton { states, alphabet, situations, next, seen, step: 0, ahead, visited: 0 }
    }

    /// Returns the leftmost match in a text; of several matches there, the one that the pattern prefers.
    pub(crate) fn find<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        if self.may_match(text) { self.locate(text) } else { None }
    }

    /// Returns false if a text has no match.
    fn may_match(&mut self, text: &str) -> bool {
        let mut here = 0;
        for c in text.chars().map(Some).chain([None]) {
            let class = c.map_or(self.alphabet.end(), |c| self.alphabet.class(c));
            here = match self.next[self.place(here, class)] {
                UNKNOWN => self.learn(here, class),
                known => known,
            };
            if here == MATCH {
                return true;
            }
        }
        false
    }

    fn place(&self, situation: u16, class: u16) -> usize {
        usize::from(situation) * self.alphabet.classes() + usize::from(class)
    }

    /// Returns the situation to which a class of characters leads from another, and remembers it.
    fn learn(&mut self, here: u16, class: u16) -> u16 {
        if self.situations.len() == MOST_SITUATIONS {
            return MATCH;
        }
        let (before, states) = &self.situations[usize::from(here)];
        let (before, mut threads) = (*before, Vec::new());
        threads.extend(states.iter().chain(&[0]).map(|state| Thread { state: *state, start: 0 }));
        let mut next = Vec::new();
        let number = if self.step(&threads, (before, class), &mut next).is_some() {
            MATCH
        } else {
            let mut states: Vec<u16> = next.iter().map(|thread| thread.state).collect();
            states.sort_unstable();
            let situation = (self.alphabet.beside(class), states);
            let count = self.situations.len();
            self.visited += count;
            self.situations.iter().position(|known| *known == situation).unwrap_or_else(|| {
                self.situations.push(situation);
                self.next.resize(self.next.len() + self.alphabet.classes(), UNKNOWN);
                count
            }) as u16
        };
        let place = self.place(here, class);
        self.next[place] = number;
        number
    }

    fn locate<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let (mut list, mut next) = (Vec::new(), Vec::new());
        let mut before = Beside::Nothing;
        let mut found = None;
        for (at, c) in text.char_indices().map(|(at, c)| (at, Some(c))).chain([(text.len(), None)]) {
            let class = c.map_or(self.alphabet.end(), |c| self.alphabet.class(c));
            if found.is_none() {
                list.push(Thread { state: 0, start: at });
            } else if list.is_empty() {
                break;
            }
            next.clear();
            if let Some(start) = self.step(&list, (before, class), &mut next) {
                found = Some(start..at);
            }
            std::mem::swap(&mut list, &mut next);
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
