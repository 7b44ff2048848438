//! Numbers by which the search refers to things. Each is a type of its own, so that one cannot be taken for another, and
//! indexes the columns that have a value, or a list, for each of them.

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
    /// A document of the index: one version of one tool. A tool that changes becomes another document.
    Doc
}

id! {
    /// A distinct term of the vocabulary.
    Term
}

id! {
    /// A server, of one owner. 0 stands for tools without a server.
    ServerId
}

impl ServerId {
    pub(crate) const NONE: ServerId = ServerId(0);
}

/// A column of lists: all items one behind the other, and where the list of each row ends.
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

    /// The list of a row.
    pub(crate) fn row(&self, row: K) -> &[T] {
        let row = row.into();
        let from = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[from as usize..self.ends[row] as usize]
    }
}
