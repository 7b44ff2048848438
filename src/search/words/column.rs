//! Columns of a text index: what a ranker reads of the tools, one row per slot.

use crate::catalog::{Catalog, Tool};
use crate::search::ids::Slot;
use crate::search::slots::Slots;

/// A column.
pub(in crate::search) trait Column {
    /// How many slots were read.
    fn len(&self) -> usize;

    /// Reads the tool in the next slot, or none where the tool has left the catalog.
    fn push(&mut self, tool: Option<&Tool>);
}

/// Reads the tools in the slots that are new to a column.
pub(in crate::search) fn follow(column: &mut dyn Column, slots: &Slots, catalog: &Catalog) {
    for slot in column.len()..slots.len() {
        column.push(slots.position(Slot::new(slot)).map(|position| &*catalog.tools()[position]));
    }
}
