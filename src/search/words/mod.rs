//! The index of the rankers that match words as they are written: columns of texts and words by slot. A column is read when
//! a search first needs it; after a change of the catalog only new tools are read.

pub(super) mod accumulator;
pub(super) mod bm25;
pub(super) mod column;
pub(super) mod documents;
pub(super) mod fuzzy;
pub(super) mod fuzzy_words;
pub(super) mod lower_cased;
pub(super) mod name_parts;
pub(super) mod overlap;
pub(super) mod parts;
pub(super) mod ranking;
pub(super) mod text_column;
pub(super) mod text_statistics;

use std::sync::{RwLock, RwLockReadGuard};

use crate::catalog::Catalog;
use crate::lock::{read, write};
use crate::search::ids::Slot;
use crate::search::pool::Pool;
use crate::search::sift::Names;
use crate::search::slots::{Change, Slots};
use crate::search::words::accumulator::Scratch;
use crate::search::words::column::{Column, follow};
use crate::search::words::documents::Documents;
use crate::search::words::fuzzy_words::FuzzyWords;
use crate::search::words::lower_cased::LowerCased;
use crate::search::words::name_parts::NameParts;

/// The texts and words of a catalog.
#[derive(Debug)]
pub struct TextIndex {
    pub(in crate::search) slots: Slots,
    columns: RwLock<Columns>,
    pub(in crate::search) scratch: Pool<Scratch>,
}

/// What rankers read, by slot.
#[derive(Debug, Default)]
pub(in crate::search) struct Columns {
    pub lower_cased: LowerCased,
    pub name_parts: NameParts,
    pub fuzzy_words: FuzzyWords,
    pub documents: Documents,
    pub names: Names,
}

impl Columns {
    /// Columns that no tool was read into. The code that sets them to nothing is compiled once.
    fn new() -> Self {
        Columns::default()
    }
}

impl Default for TextIndex {
    fn default() -> Self {
        TextIndex { slots: Slots::default(), columns: RwLock::new(Columns::new()), scratch: Pool::default() }
    }
}

impl TextIndex {
    /// Whether the index is up to the catalog.
    pub fn follows(&self, catalog: &Catalog) -> bool {
        self.slots.follows(catalog)
    }

    /// Forgets tools that have left the catalog, and makes room for those that are new to it.
    pub fn follow(&mut self, catalog: &Catalog) {
        let columns = &mut *write(&self.columns);
        match self.slots.follow(catalog) {
            Change::None => {}
            Change::All => *columns = Columns::new(),
            Change::From(_) => {
                for slot in (0..self.slots.len()).map(Slot::new) {
                    if self.slots.position(slot).is_none() {
                        columns.lower_cased.forget(slot);
                        columns.name_parts.forget(slot);
                    }
                }
            }
        }
    }

    /// The columns, of which one is brought up to the catalog.
    pub(in crate::search) fn read(
        &self,
        catalog: &Catalog,
        column: fn(&mut Columns) -> &mut dyn Column,
    ) -> RwLockReadGuard<'_, Columns> {
        follow(column(&mut write(&self.columns)), &self.slots, catalog);
        read(&self.columns)
    }
}
