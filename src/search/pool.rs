//! Keeps working memory between searches. Searches that run at the same time each get their own.

use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

use crate::lock::lock;

/// Working memory that no search uses now: at most as much as searches have run at the same time.
#[derive(Debug, Default)]
pub(super) struct Pool<T>(Mutex<Vec<T>>);

impl<T: Default> Pool<T> {
    /// Working memory for one search, which goes back when it is dropped.
    pub(super) fn take(&self) -> Pooled<'_, T> {
        Pooled { pool: self, memory: lock(&self.0).pop().unwrap_or_default() }
    }
}

/// Working memory of one search.
#[derive(Debug)]
pub(super) struct Pooled<'a, T: Default> {
    pool: &'a Pool<T>,
    memory: T,
}

impl<T: Default> Deref for Pooled<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.memory
    }
}

impl<T: Default> DerefMut for Pooled<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.memory
    }
}

impl<T: Default> Drop for Pooled<'_, T> {
    fn drop(&mut self) {
        lock(&self.pool.0).push(std::mem::take(&mut self.memory));
    }
}
