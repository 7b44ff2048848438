//! Takes the threads of an automaton past a character: each goes on through forks and places until it reads, accepts or
//! dies. Where two meet in a state, only the preferred one goes on.

use super::alphabet::{Alphabet, Beside};
use super::fragment::{Look, State};

/// Where a thread stands, and where in the text it began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thread {
    pub state: u16,
    pub start: usize,
}

/// What a step needs to remember which states were seen in it.
pub(super) struct Threads {
    seen: Vec<u32>,
    step: u32,
    ahead: Vec<u16>,
    /// States that were visited so far.
    pub(super) visited: usize,
}

impl Threads {
    pub(super) fn new(states: usize) -> Self {
        Threads { seen: vec![0; states], step: 0, ahead: Vec::new(), visited: 0 }
    }

    /// Takes threads, the preferred ones first, past a character of a class. Those that read it are added to `next`; if
    /// one accepts before it, the result is where that one began, and those behind it are dropped.
    pub(super) fn step(
        &mut self,
        (states, alphabet): (&[State], &Alphabet),
        threads: &[Thread],
        (before, class): (Beside, u16),
        next: &mut Vec<Thread>,
    ) -> Option<usize> {
        self.step += 1;
        for thread in threads {
            self.ahead.push(thread.state);
            while let Some(state) = self.ahead.pop() {
                self.visited += 1;
                if std::mem::replace(&mut self.seen[usize::from(state)], self.step) == self.step {
                    continue;
                }
                let to = |by: i16| state.wrapping_add_signed(by);
                match states[usize::from(state)] {
                    State::Read(set) if alphabet.holds(set, class) => {
                        next.push(Thread { state: to(1), start: thread.start });
                    }
                    State::Read(_) => {}
                    State::Fork(first, second) => self.ahead.extend([to(second), to(first)]),
                    State::Jump(by) => self.ahead.push(to(by)),
                    State::Look(look) if is(look, before, alphabet.beside(class)) => self.ahead.push(to(1)),
                    State::Look(_) => {}
                    State::Accept => {
                        self.ahead.clear();
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
