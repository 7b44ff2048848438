//! The places of some tools among the slots of an index.

use crate::search::ids::{Place, Slot};
use crate::search::index::slots::Slots;

/// The place of a tool that is not among them.
const ABSENT: Place = Place(u32::MAX);
/// So many neighbouring slots share a page. Pages without any of the tools take a number each: a session that sees 100 of
/// 50,000 tools keeps some KB of places.
const PAGE: usize = 256;

/// Which slots some tools have, and the place of each of them. It holds for one state of the catalog.
#[derive(Debug)]
pub(crate) struct Places {
    /// The slots of the tools, in catalog order.
    pub slots: Vec<Slot>,
    /// By page of slots: where its rows begin.
    pages: Vec<u32>,
    /// By slot of a page: the place in `slots`, or [`ABSENT`]. The first rows are those of every page without such a tool.
    rows: Vec<Place>,
}

impl Places {
    /// The tools at some positions of the catalog, in rising order.
    pub(crate) fn of(slots: &Slots, positions: &[u32]) -> Self {
        let mut pages: Vec<u32> = vec![0; slots.len() / PAGE + 1];
        let mut rows = vec![ABSENT; PAGE];
        let slots: Vec<Slot> = positions.iter().map(|position| slots.at(*position as usize)).collect();
        for (place, slot) in slots.iter().enumerate() {
            let page = &mut pages[slot.index() / PAGE];
            if *page == 0 {
                *page = rows.len() as u32;
                rows.resize(rows.len() + PAGE, ABSENT);
            }
            rows[*page as usize + slot.index() % PAGE] = Place::new(place);
        }
        Places { slots, pages, rows }
    }

    /// How many tools there are.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// The place of the tool in a slot, if it is among them. Tools that came later, for other sessions, have none.
    pub(crate) fn place(&self, slot: Slot) -> Option<Place> {
        let page = *self.pages.get(slot.index() / PAGE)?;
        let place = *self.rows.get(page as usize + slot.index() % PAGE)?;
        (place != ABSENT).then_some(place)
    }

    /// Whether the tool in a slot is among them.
    pub(crate) fn has(&self, slot: Slot) -> bool {
        self.place(slot).is_some()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, RegisterOptions};

    #[test]
    fn exactly_the_tools_at_the_positions_have_places() {
        let mut catalog = Catalog::new(10_000, []);
        let tools: Vec<String> = (0..2_000).map(|at| format!(r#"{{"name":"tool_{at}"}}"#)).collect();
        catalog.register(&format!("[{}]", tools.join(",")), &RegisterOptions::default()).unwrap();
        let mut slots = Slots::default();
        slots.follow(&catalog);
        let last = 1_999;
        for positions in [vec![], vec![0], vec![last], (0..=last).collect(), (200..300).chain([1_024, last]).collect()]
        {
            let positions: Vec<u32> = positions;
            let places = Places::of(&slots, &positions);
            for position in 0..=last {
                let place = positions.iter().position(|other| *other == position).map(Place::new);
                assert_eq!(places.place(slots.at(position as usize)), place, "{position} of {}", positions.len());
            }
            // Slots that came later have none.
            assert_eq!(
                (places.place(Slot(last + 1)), places.place(Slot(10_000)), places.has(Slot(u32::MAX))),
                (None, None, false)
            );
        }
    }
}
