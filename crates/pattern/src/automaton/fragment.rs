//! Builds the states of a pattern from its atoms outwards: fragments are concatenated, made alternatives, or repeated.
//! Jumps are relative, so that a fragment can be copied unchanged.

use crate::MAX_STATES;

use super::set::CharSet;

/// Counting stops here, before sums could overflow.
const MOST_COUNTED: u64 = u64::MAX / 2;

/// The action of a thread in a state. Forks and jumps go this number of states forward or back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum State {
    /// Reads a character of the set with this number, and goes to the next state.
    Read(u16),
    /// Continues in both states; matches of the first are preferred.
    Fork(i16, i16),
    /// Continues in another state.
    Jump(i16),
    /// Continues in the next state if the place in the text fulfils this condition.
    Look(Look),
    /// The pattern matched.
    Accept,
}

/// Conditions on a place in a text, as in RE2: lines end at `\n`, words are ASCII.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Look {
    TextStart,
    TextEnd,
    LineStart,
    LineEnd,
    WordEdge,
    NoWordEdge,
}

/// A whole pattern: its states, and the sets that they read by number.
#[derive(Debug)]
pub(crate) struct Program {
    pub fragment: Fragment,
    pub sets: Vec<CharSet>,
}

/// A part of a pattern: a thread enters at the first state and leaves after the last one.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    /// Empty if there would be more than [`MAX_STATES`].
    states: Vec<State>,
    count: u64,
    matches_empty: bool,
}

impl Fragment {
    pub(crate) fn empty() -> Self {
        Fragment { states: Vec::new(), count: 0, matches_empty: true }
    }

    pub(crate) fn read(set: u16) -> Self {
        Fragment { states: vec![State::Read(set)], count: 1, matches_empty: false }
    }

    pub(crate) fn look(look: Look) -> Self {
        Fragment { states: vec![State::Look(look)], count: 1, matches_empty: true }
    }

    /// Returns the number of states, even if they are not built.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn then(&mut self, other: &Fragment) {
        self.append(other);
        self.matches_empty &= other.matches_empty;
    }

    /// Builds alternatives, of which the first is preferred.
    pub(crate) fn either(mut options: Vec<Fragment>) -> Self {
        let Some(last) = options.pop() else { return Self::empty() };
        let mut ahead = options.iter().fold(last.count, |sum, option| sum.saturating_add(option.count + 2));
        let mut whole = Self::empty();
        whole.matches_empty = last.matches_empty;
        for option in &options {
            ahead = ahead.saturating_sub(option.count + 2);
            whole.push(State::Fork(1, by(option.count + 2)));
            whole.append(option);
            whole.push(State::Jump(by(ahead + 1)));
            whole.matches_empty |= option.matches_empty;
        }
        whole.append(&last);
        whole
    }

    /// Repeats a fragment `min` to `max` times, or without limit.
    pub(crate) fn repeat(&self, min: u32, max: Option<u32>, greedy: bool) -> Self {
        let fork = |on: i16, out: i16| if greedy { State::Fork(on, out) } else { State::Fork(out, on) };
        let mut whole = Self::empty();
        let back = -by(self.count);
        let Some(max) = max else {
            if min == 0 && !self.matches_empty {
                whole.push(fork(1, by(self.count + 2)));
                whole.append(self);
                whole.push(State::Jump(back - 1));
                return whole;
            }
            // A star over a fragment that may be empty would stop at the empty match, so it is built as an optional
            // plus.
            if min == 0 {
                whole.push(fork(1, by(self.count + 2)));
            }
            whole.copy(self, min.max(1));
            whole.push(fork(back, 1));
            whole.matches_empty |= min == 0;
            return whole;
        };
        whole.copy(self, min);
        let optional = max.saturating_sub(min);
        for left in (1..=u64::from(optional)).rev() {
            whole.push(fork(1, by(left.saturating_mul(self.count + 1))));
            whole.append(self);
        }
        whole.matches_empty = min == 0 || self.matches_empty;
        whole
    }

    /// Returns the states of a whole pattern.
    pub(super) fn finish(mut self) -> Vec<State> {
        self.states.push(State::Accept);
        self.states
    }

    fn copy(&mut self, other: &Fragment, times: u32) {
        (0..times).for_each(|_| self.append(other));
        self.matches_empty = other.matches_empty;
    }

    fn push(&mut self, state: State) {
        self.grow(1, &[state]);
    }

    fn append(&mut self, other: &Fragment) {
        self.grow(other.count, &other.states);
    }

    fn grow(&mut self, count: u64, states: &[State]) {
        self.count = self.count.saturating_add(count).min(MOST_COUNTED);
        if self.count <= MAX_STATES as u64 {
            self.states.extend_from_slice(states);
        } else {
            self.states = Vec::new();
        }
    }
}

/// Converts a distance. Longer ones belong only to states that [`Fragment::grow`] leaves out.
fn by(states: u64) -> i16 {
    i16::try_from(states).unwrap_or(i16::MAX)
}
