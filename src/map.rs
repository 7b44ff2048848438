//! The hash map and hash set of the core: one hashbrown table of hashes and positions, over entries that stand in the order
//! in which they came. hashbrown's own map is compiled for every type of entry, 28 times here, which took 9 KB of the wasm.
//!
//! Hashes are foldhash's under a seed that is drawn once per process, so that words that were crafted to collide cannot slow
//! every search.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::OnceLock;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;
use hashbrown::HashTable;

static SEED: OnceLock<(u64, SharedSeed)> = OnceLock::new();

/// Makes hashers with the seed of the process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seeded;

impl BuildHasher for Seeded {
    type Hasher = FoldHasher<'static>;

    fn build_hasher(&self) -> Self::Hasher {
        let (own, shared) = SEED.get_or_init(|| from([draw(), draw()]));
        FoldHasher::with_seed(*own, shared)
    }
}

/// Sets the seed. The wasm boundary calls this at its start, because wasm has no randomness of its own; a later call
/// changes nothing.
#[cfg_attr(not(target_family = "wasm"), allow(dead_code))]
pub(crate) fn seed(random: [u64; 2]) {
    SEED.get_or_init(|| from(random));
}

/// A random number, which the standard library draws from the operating system.
#[cfg(not(target_family = "wasm"))]
fn draw() -> u64 {
    std::hash::RandomState::default().hash_one(0)
}

/// In wasm the seed is set before the first map is made. Another source of randomness would take 0.7 KB there.
#[cfg(target_family = "wasm")]
fn draw() -> u64 {
    0x5eed
}

fn from([own, shared]: [u64; 2]) -> (u64, SharedSeed) {
    (own, SharedSeed::from_u64(shared))
}

/// The hash of a key, the same within this process only.
pub(crate) fn hash_of(key: &(impl Hash + ?Sized)) -> u32 {
    (Seeded.hash_one(key) >> 32) as u32
}

/// Positions by hash, whatever stands at them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Positions(HashTable<(u32, u32)>);

impl Positions {
    /// The position with a hash that is the one.
    #[inline(never)]
    pub(crate) fn find(&self, hash: u32, is_it: &mut dyn FnMut(u32) -> bool) -> Option<u32> {
        self.0.find(spread(hash), |(other, at)| *other == hash && is_it(*at)).map(|(_, at)| *at)
    }

    /// Adds a position that is new.
    #[inline(never)]
    pub(crate) fn add(&mut self, hash: u32, position: u32) {
        self.0.insert_unique(spread(hash), (hash, position), spread_entry);
    }

    /// Puts another position in the place of one.
    #[inline(never)]
    pub(crate) fn replace(&mut self, hash: u32, position: u32, by: u32) {
        if let Some((_, at)) = self.0.find_mut(spread(hash), |entry| *entry == (hash, position)) {
            *at = by;
        }
    }

    /// Removes a position.
    #[inline(never)]
    fn remove(&mut self, hash: u32, position: u32) {
        if let Ok(entry) = self.0.find_entry(spread(hash), |entry| *entry == (hash, position)) {
            entry.remove();
        }
    }

    /// Makes room for so many more.
    #[inline(never)]
    pub(crate) fn reserve(&mut self, more: usize) {
        self.0.reserve(more, spread_entry);
    }
}

/// The table looks at the highest and the lowest bits.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The same of an entry. A function with a name, so that the code that makes the table larger is compiled once.
fn spread_entry((hash, _): &(u32, u32)) -> u64 {
    spread(*hash)
}

/// A map.
#[derive(Clone, Debug)]
pub struct Map<K, V> {
    positions: Positions,
    entries: Vec<(K, V)>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Map { positions: Positions::default(), entries: Vec::new() }
    }
}

impl<K: Hash + Eq, V> Map<K, V> {
    fn position<Q: Hash + Eq + ?Sized>(&self, hash: u32, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        let found = self.positions.find(hash, &mut |at| self.entries[at as usize].0.borrow() == key);
        found.map(|at| at as usize)
    }

    /// The value of a key.
    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.position(hash_of(key), key).map(|at| &self.entries[at].1)
    }

    pub(crate) fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.position(hash_of(key), key).map(|at| &mut self.entries[at].1)
    }

    /// Whether there is a key.
    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.position(hash_of(key), key).is_some()
    }

    fn push(&mut self, hash: u32, key: K, value: V) -> usize {
        let at = self.entries.len();
        self.positions.add(hash, at as u32);
        self.entries.push((key, value));
        at
    }

    /// The value of a key, which is made where there is none.
    pub(crate) fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> &mut V {
        let hash = hash_of(&key);
        let at = match self.position(hash, &key) {
            Some(at) => at,
            None => self.push(hash, key, make()),
        };
        &mut self.entries[at].1
    }

    /// Sets the value of a key. Returns the one before.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let hash = hash_of(&key);
        match self.position(hash, &key) {
            Some(at) => Some(std::mem::replace(&mut self.entries[at].1, value)),
            None => {
                self.push(hash, key, value);
                None
            }
        }
    }

    /// Removes an entry; the last one comes in its place.
    pub(crate) fn remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let hash = hash_of(key);
        let at = self.position(hash, key)?;
        let last = self.entries.len() - 1;
        self.positions.remove(hash, at as u32);
        if at < last {
            self.positions.replace(hash_of(&self.entries[last].0), last as u32, at as u32);
        }
        Some(self.entries.swap_remove(at).1)
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        let before = self.entries.len();
        self.entries.retain_mut(|(key, value)| keep(key, value));
        if self.entries.len() < before {
            self.positions = Positions::default();
            self.positions.reserve(self.entries.len());
            for (at, (key, _)) in self.entries.iter().enumerate() {
                self.positions.add(hash_of(key), at as u32);
            }
        }
    }

    /// The values, in the order of their entries.
    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.iter().map(|(_, value)| value)
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
        entries.into_iter().for_each(|(key, value)| _ = map.insert(key, value));
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
        self.0.insert(key, ()).is_none()
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

#[cfg(all(not(target_family = "wasm"), any(test, toolsift_oracles)))]
pub(crate) mod oracle;

#[cfg(test)]
mod tests {
    use std::process::Command;

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
                0..=2 => assert_eq!(ours.insert(name.clone(), round), theirs.insert(name, round)),
                3 => {
                    *ours.get_or_insert_with(name.clone(), || 7) += 1;
                    *theirs.entry(name).or_insert(7) += 1;
                }
                4..=6 => assert_eq!(ours.remove(&*name), theirs.remove(&name)),
                _ if key == 0 => {
                    ours.retain(|_, value| *value % 3 > 0);
                    theirs.retain(|_, value| *value % 3 > 0);
                }
                _ => assert_eq!(ours.get(&*name), theirs.get(&name)),
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

    const PRINTS: &str = "TOOLSIFT_PRINTS_A_DIGEST";

    #[test]
    fn every_process_has_another_seed() {
        let mine = format!("digest {}", Seeded.hash_one("word"));
        assert_eq!(mine, format!("digest {}", Seeded.hash_one("word")));
        if std::env::var_os(PRINTS).is_some() {
            println!("{mine}");
            return;
        }
        let name = "map::tests::every_process_has_another_seed";
        let test = std::env::current_exe().unwrap();
        let other = Command::new(test).args([name, "--exact", "--nocapture"]).env(PRINTS, "").output().unwrap();
        let other = String::from_utf8(other.stdout).unwrap();
        assert!(other.contains("digest ") && !other.contains(&mine), "{mine}: {other}");
    }
}
