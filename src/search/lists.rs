//! A column of lists: all items one behind the other, and where the list of each row ends.

/// Lists by row.
#[derive(Debug)]
pub(super) struct Lists<T> {
    items: Vec<T>,
    ends: Vec<u32>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// Adds a row.
    pub(super) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.ends.push(self.items.len() as u32);
    }

    /// The list of a row.
    pub(super) fn row(&self, row: u32) -> &[T] {
        let from = row.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.items[from as usize..self.ends[row as usize] as usize]
    }
}
