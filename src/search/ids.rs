//! Defines the numbers that the search uses as ids. Each is a separate type, so that they cannot be confused, and
//! indexes the columns that have a value or a list for each id.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

macro_rules! id {
    ($(#[$documentation:meta])* $name:ident) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub u32);

        impl $name {
            pub(crate) fn new(index: usize) -> Self {
                $name(index as u32)
            }

            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<$name> for usize {
            fn from(id: $name) -> usize {
                id.index()
            }
        }

        impl<T> Index<$name> for [T] {
            type Output = T;

            fn index(&self, id: $name) -> &T {
                &self[id.index()]
            }
        }

        impl<T> IndexMut<$name> for [T] {
            fn index_mut(&mut self, id: $name) -> &mut T {
                &mut self[id.index()]
            }
        }

        impl<T> Index<$name> for Vec<T> {
            type Output = T;

            fn index(&self, id: $name) -> &T {
                &self[id.index()]
            }
        }

        impl<T> IndexMut<$name> for Vec<T> {
            fn index_mut(&mut self, id: $name) -> &mut T {
                &mut self[id.index()]
            }
        }
    };
}

id! {
    /// A document of the index, which is one version of one tool. A changed tool becomes a new document.
    Doc
}

id! {
    /// A distinct term of the vocabulary.
    Term
}

id! {
    /// A server of one owner. 0 stands for tools without a server.
    ServerId
}

impl ServerId {
    pub(crate) const NONE: ServerId = ServerId(0);
}

/// A column of lists: all items in one vector, and the end of each row's list.
#[derive(Clone, Debug)]
pub(crate) struct Lists<K, T> {
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
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = T>) {
        self.items.extend(row);
        self.ends.push(self.items.len() as u32);
    }

    /// Returns the list of a row.
    pub(crate) fn row(&self, row: K) -> &[T] {
        let row = row.into();
        let from = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[from as usize..self.ends[row] as usize]
    }
}
