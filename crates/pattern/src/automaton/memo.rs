//! Remembers what threads did: the same threads do the same at the same class of characters, so each such step is taken
//! once and looked up afterwards, as long as that pays.

use std::collections::HashMap;
use std::sync::Arc;

use super::alphabet::Beside;
use super::threads::Thread;

/// What the memo may hold, in entries of two bytes: enough for the few dozen situations that usual patterns come to.
const MOST_ENTRIES: usize = 128 * 1024;
/// Situations.
const MOST_SITUATIONS: usize = 512;
/// A full memo pays if it was read so many times as often as there are situations in it.
const PAYS: usize = 20;

const UNKNOWN: u16 = u16::MAX;
/// In place of a situation: a thread accepts.
pub(super) const ACCEPTED: u16 = u16::MAX - 1;
/// The situation at the start of a text.
pub(super) const START: u16 = 0;

/// Threads in their order, and what stands before the place where they are.
type Situation = (Beside, Arc<[u16]>);

/// Situations, and where each class of characters leads from them.
pub(super) struct Memo {
    classes: usize,
    situations: Vec<Situation>,
    numbers: HashMap<Situation, u16>,
    next: Vec<u16>,
    entries: usize,
    /// Bytes of text since it was last emptied.
    read: usize,
    pays: bool,
}

impl Memo {
    pub(super) fn new(classes: usize) -> Self {
        let mut memo = Memo {
            classes,
            situations: Vec::new(),
            numbers: HashMap::new(),
            next: Vec::new(),
            entries: 0,
            read: 0,
            pays: true,
        };
        memo.number(&[], Beside::Nothing);
        memo
    }

    /// Says that a text comes. Whether the memo is worth asking.
    pub(super) fn is_worth(&mut self, text: &str) -> bool {
        self.read += text.len();
        self.pays
    }

    /// Where a class leads from a situation, if that is known.
    pub(super) fn after(&self, situation: u16, class: u16) -> Option<u16> {
        let next = self.next[usize::from(situation) * self.classes + usize::from(class)];
        (next != UNKNOWN).then_some(next)
    }

    /// The threads of a situation, with one that begins there, and what stands before them.
    pub(super) fn threads(&self, situation: u16) -> (Vec<Thread>, Beside) {
        let (before, states) = &self.situations[usize::from(situation)];
        let beginning = [0];
        (states.iter().chain(&beginning).map(|state| Thread { state: *state, start: 0 }).collect(), *before)
    }

    /// Remembers that a class leads from a situation to one where a thread has accepted.
    pub(super) fn accept(&mut self, situation: u16, class: u16) -> u16 {
        self.next[usize::from(situation) * self.classes + usize::from(class)] = ACCEPTED;
        ACCEPTED
    }

    /// Remembers that a class leads from a situation to these threads; none if the memo is full and did not pay.
    pub(super) fn learn(&mut self, situation: u16, class: u16, threads: &[Thread], before: Beside) -> Option<u16> {
        let states: Vec<u16> = threads.iter().map(|thread| thread.state).collect();
        if self.entries + self.classes + states.len() > MOST_ENTRIES || self.situations.len() == MOST_SITUATIONS {
            self.pays = self.read >= self.situations.len() * PAYS;
            if !self.pays {
                return None;
            }
            *self = Memo::new(self.classes);
            return Some(self.number(&states, before));
        }
        let next = self.number(&states, before);
        self.next[usize::from(situation) * self.classes + usize::from(class)] = next;
        Some(next)
    }

    /// The number of a situation, which is new or known.
    fn number(&mut self, states: &[u16], before: Beside) -> u16 {
        let situation: Situation = (before, states.into());
        if let Some(known) = self.numbers.get(&situation) {
            return *known;
        }
        let number = self.situations.len() as u16;
        self.situations.push(situation.clone());
        self.numbers.insert(situation, number);
        self.next.resize(self.next.len() + self.classes, UNKNOWN);
        self.entries += self.classes + states.len();
        number
    }
}
