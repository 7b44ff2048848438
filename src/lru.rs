//! A map that knows which of its entries was used least recently. The owner of the map decides when an entry is
//! evicted.

use std::hash::Hash;

use crate::map::Map;

#[derive(Debug)]
pub(crate) struct Lru<K, V> {
    /// The values by key, each with the clock of its last use.
    entries: Map<K, (V, u64)>,
    /// The number of uses so far.
    clock: u64,
}

impl<K, V> Default for Lru<K, V> {
    fn default() -> Self {
        Lru { entries: Map::default(), clock: 0 }
    }
}

impl<K: Clone + Eq + Hash, V> Lru<K, V> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.values().map(|(value, _)| value)
    }

    /// Returns the value of a key, which becomes the most recently used one.
    pub(crate) fn get<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<&V>
    where
        K: std::borrow::Borrow<Q>,
    {
        let (value, used) = self.entries.get_mut(key)?;
        self.clock += 1;
        *used = self.clock;
        Some(value)
    }

    /// Adds or replaces an entry, which becomes the most recently used one.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.clock += 1;
        self.entries.insert(key, (value, self.clock));
    }

    pub(crate) fn remove(&mut self, key: &K) {
        self.entries.remove(key);
    }

    /// Removes the least recently used entry. It looks at every entry, so that it suits maps of at most some thousands
    /// of entries.
    pub(crate) fn evict(&mut self) {
        let oldest = self.entries.iter().min_by_key(|(_, (_, used))| *used).map(|(key, _)| key.clone());
        if let Some(key) = oldest {
            self.entries.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_entry_is_evicted() {
        let mut lru: Lru<String, usize> = Lru::default();
        for (at, key) in ["a", "b", "c"].into_iter().enumerate() {
            lru.insert(key.to_owned(), at);
        }
        let kept = |lru: &Lru<String, usize>| {
            let mut values: Vec<usize> = lru.values().copied().collect();
            values.sort_unstable();
            values
        };
        assert_eq!(lru.get("a"), Some(&0));
        lru.insert("b".to_owned(), 3);
        lru.evict();
        assert_eq!((kept(&lru), lru.get("c")), (vec![0, 3], None));
        lru.evict();
        assert_eq!((kept(&lru), lru.len()), (vec![3], 1));
    }
}
