//! Where does an entry stand? Positions by hash, whatever the entries are.

/// Positions by hash: open addressing, at most three quarters full.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// A hash, and the position after the one that it stands for; 0 where nothing is.
    slots: Vec<(u32, u32)>,
    used: usize,
}

impl Table {
    /// The slot of a position that has a hash and is the one.
    #[inline(never)]
    pub(super) fn find(&self, hash: u32, is_it: &mut dyn FnMut(usize) -> bool) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                (_, 0) => return None,
                (other, next) if other == hash && is_it(next as usize - 1) => return Some(slot),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// What a slot stands for.
    pub(super) fn position(&self, slot: usize) -> usize {
        self.slots[slot].1 as usize - 1
    }

    /// Lets a slot stand for another position.
    pub(super) fn set(&mut self, slot: usize, position: usize) {
        self.slots[slot].1 = position as u32 + 1;
    }

    /// Takes in a position that is new.
    #[inline(never)]
    pub(super) fn add(&mut self, hash: u32, position: usize) {
        self.reserve(1);
        self.put((hash, position as u32 + 1));
        self.used += 1;
    }

    /// Makes room for so many more at once: what grows step by step is put anew with every step.
    #[inline(never)]
    pub(super) fn reserve(&mut self, more: usize) {
        const LEAST: usize = 8;
        let wanted = (self.used + more) * 4;
        if wanted > self.slots.len() * 3 {
            let slots = vec![(0, 0); (wanted / 3 + 1).next_power_of_two().max(LEAST)];
            let before = std::mem::replace(&mut self.slots, slots);
            before.into_iter().filter(|(_, next)| *next > 0).for_each(|entry| self.put(entry));
        }
    }

    fn put(&mut self, entry: (u32, u32)) {
        let mask = self.slots.len() - 1;
        let mut slot = entry.0 as usize & mask;
        while self.slots[slot].1 > 0 {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = entry;
    }

    /// Frees a slot, and moves up what had to stand behind it.
    #[inline(never)]
    pub(super) fn free(&mut self, mut slot: usize) {
        let mask = self.slots.len() - 1;
        self.used -= 1;
        self.slots[slot] = (0, 0);
        loop {
            slot = (slot + 1) & mask;
            let entry = std::mem::take(&mut self.slots[slot]);
            if entry.1 == 0 {
                return;
            }
            self.put(entry);
        }
    }
}
