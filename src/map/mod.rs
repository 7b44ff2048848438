//! How are things found by key? Through one table of hashes and positions for keys of every type, with FNV-1a: entries
//! stand in their order, the same in every runtime. The standard map is a copy of a larger table for each type, and its
//! hasher rests on a secret that wasm has no way to draw.

mod table;

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

use table::Table;

/// FNV-1a, 64 bits.
#[derive(Clone)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        // The table looks at the lowest bits; in the highest more has been stirred.
        self.0 ^ self.0.rotate_left(32)
    }
}

fn hash(key: &(impl Hash + ?Sized)) -> u32 {
    let mut hasher = Fnv::default();
    key.hash(&mut hasher);
    hasher.finish() as u32
}

/// A map.
#[derive(Clone, Debug)]
pub(crate) struct Map<K, V> {
    table: Table,
    entries: Vec<(K, V)>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map { table: Table::default(), entries: Vec::new() }
    }
}

impl<K: Hash + Eq, V> Map<K, V> {
    fn slot<Q: Hash + Eq + ?Sized>(&self, hash: u32, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.table.find(hash, &mut |at| self.entries[at].0.borrow() == key)
    }

    fn position<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.slot(hash(key), key).map(|slot| self.table.position(slot))
    }

    pub(crate) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.position(key).map(|at| &self.entries[at].1)
    }

    pub(crate) fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.position(key).map(|at| &mut self.entries[at].1)
    }

    pub(crate) fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.position(key).is_some()
    }

    /// The value of a key, which is made where there is none.
    pub(crate) fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let hash = hash(&key);
        let at = match self.slot(hash, &key) {
            Some(slot) => self.table.position(slot),
            None => {
                self.table.add(hash, self.entries.len());
                self.entries.push((key, make()));
                self.entries.len() - 1
            }
        };
        &mut self.entries[at].1
    }

    /// Makes room for so many more.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.table.reserve(more);
        self.entries.reserve(more);
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        let hash = hash(&key);
        match self.slot(hash, &key) {
            Some(slot) => {
                let at = self.table.position(slot);
                self.entries[at].1 = value;
            }
            None => {
                self.table.add(hash, self.entries.len());
                self.entries.push((key, value));
            }
        }
    }

    /// Takes an entry out; the last one comes in its place.
    pub(crate) fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let slot = self.slot(hash(key), key)?;
        let (at, last) = (self.table.position(slot), self.entries.len() - 1);
        if let Some(moved) = self.table.find(hash(&self.entries[last].0), &mut |position| position == last) {
            self.table.set(moved, at);
        }
        self.table.free(slot);
        Some(self.entries.swap_remove(at).1)
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.entries.retain_mut(|(key, value)| keep(key, value));
        self.table = Table::default();
        for (at, (key, _)) in self.entries.iter().enumerate() {
            self.table.add(hash(key), at);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        *self = Map::default();
    }
}

impl<K: Hash + Eq, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Map::default();
        let entries = entries.into_iter();
        map.reserve(entries.size_hint().0);
        entries.for_each(|(key, value)| map.insert(key, value));
        map
    }
}

/// A set.
#[derive(Clone, Debug)]
pub struct Set<K>(Map<K, ()>);

impl<K> Default for Set<K> {
    fn default() -> Self {
        Set(Map::default())
    }
}

impl<K: Hash + Eq> Set<K> {
    /// Whether a key is in it.
    pub fn contains<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }

    /// Puts a key in; whether it is new.
    pub(crate) fn insert(&mut self, key: K) -> bool {
        let before = self.0.len();
        self.0.get_or_insert_with(key, || ());
        self.0.len() > before
    }
}

impl<K: Hash + Eq> PartialEq for Set<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.entries.iter().all(|(key, ())| other.contains(key))
    }
}

impl<K: Hash + Eq> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        keys.into_iter().for_each(|key| _ = self.insert(key));
    }
}

impl<K: Hash + Eq> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Set::default();
        set.extend(keys);
        set
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn agrees_with_the_standard_map() {
        let (mut ours, mut theirs) = (Map::<String, u32>::default(), HashMap::<String, u32>::new());
        let mut dice = 1u32;
        for round in 0..20_000 {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = (dice >> 16) % 300;
            let name = format!("key{key}");
            match dice >> 29 {
                0..=2 => {
                    ours.insert(name.clone(), round);
                    theirs.insert(name, round);
                }
                3 => *ours.get_or_insert_with(name.clone(), || 7) += 1,
                4..=6 => assert_eq!(ours.remove(&*name), theirs.remove(&name)),
                _ if key == 0 => {
                    ours.retain(|_, value| *value % 3 > 0);
                    theirs.retain(|_, value| *value % 3 > 0);
                }
                _ => assert_eq!(ours.get(&*name), theirs.get(&name)),
            }
            if dice >> 29 == 3 {
                *theirs.entry(format!("key{key}")).or_insert(7) += 1;
            }
            assert_eq!(ours.len(), theirs.len());
        }
        assert!(theirs.iter().all(|(key, value)| ours.get(key) == Some(value)) && !theirs.is_empty());
    }

    #[test]
    fn sets_are_equal_whatever_the_order() {
        let (a, b): (Set<&str>, Set<&str>) = (["a", "b"].into_iter().collect(), ["b", "a", "b"].into_iter().collect());
        assert!(a == b && a.contains("b") && !a.contains("c"));
        assert!(a != ["a", "c"].into_iter().collect());
    }
}
