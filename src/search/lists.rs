//! A column of lists: all items one behind the other, and where the list of each row ends.

use std::marker::PhantomData;

/// Lists by row, each of which has an id.
#[derive(Debug)]
pub(super) struct Lists<K, T> {
    items: Vec<T>,
    ends: Vec<u32>,
    rows: PhantomData<K>,
}

impl<K, T> Default for Lists<K, T> {
    fn default() -> Self {
        Lists { items: Vec::new(), ends: Vec::new(), rows: PhantomData }
    }
}

impl<K: Into<usize>, T> Lists<K, T> {
    /// Adds a row.
    pub(super) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.ends.push(self.items.len() as u32);
    }

    /// The list of a row.
    pub(super) fn row(&self, row: K) -> &[T] {
        let row = row.into();
        let from = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[from as usize..self.ends[row] as usize]
    }
}
