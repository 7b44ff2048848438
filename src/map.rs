//! How are things found by key? Hash maps with FNV-1a: the same order in every runtime, and less code than the standard
//! hasher, whose protection rests on a secret that wasm has no way to draw.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fnv>>;
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<Fnv>>;

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
        // The table looks at the highest bits, into which the last bytes have hardly been carried.
        self.0 ^ self.0.rotate_left(32)
    }
}
