//! The places of some tools among the slots of an index.

use super::slots::{Slot, Slots};

/// The place of a tool that is not among them.
pub(super) const ABSENT: u32 = u32::MAX;

/// Which slots some tools have, and the place of each of them. It holds for one state of the catalog.
#[derive(Debug)]
pub(super) struct Places {
    /// The slots of the tools, in catalog order.
    pub slots: Vec<Slot>,
    /// By slot: the place in `slots`, or [`ABSENT`].
    by_slot: Vec<u32>,
}

/// The place of a slot, by slot. Tools that came later, for other sessions, have no place.
#[inline(always)]
pub(super) fn place_of(by_slot: &[u32], slot: Slot) -> u32 {
    by_slot.get(slot as usize).copied().unwrap_or(ABSENT)
}

impl Places {
    /// The tools at some positions of the catalog, in rising order.
    pub(super) fn of(slots: &Slots, positions: &[u32]) -> Self {
        let mut by_slot = vec![ABSENT; slots.len()];
        let slots: Vec<Slot> = positions.iter().map(|position| slots.at(*position as usize)).collect();
        for (place, slot) in slots.iter().enumerate() {
            by_slot[*slot as usize] = place as u32;
        }
        Places { slots, by_slot }
    }

    /// How many tools there are.
    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// By slot: the place of the tool, or [`ABSENT`].
    pub(super) fn by_slot(&self) -> &[u32] {
        &self.by_slot
    }

    /// The place of the tool in a slot, if it is among them.
    #[inline(always)]
    pub(super) fn place(&self, slot: Slot) -> Option<u32> {
        let place = place_of(&self.by_slot, slot);
        (place != ABSENT).then_some(place)
    }

    /// Whether the tool in a slot is among them.
    #[inline(always)]
    pub(super) fn has(&self, slot: Slot) -> bool {
        place_of(&self.by_slot, slot) != ABSENT
    }

    /// About how many bytes this takes.
    pub(super) fn bytes(&self) -> usize {
        (self.slots.len() + self.by_slot.len()) * size_of::<u32>()
    }
}
