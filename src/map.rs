//! Hash maps and sets with a seed drawn once per process, so that words crafted to collide cannot slow down searches.
//! The order of their entries is arbitrary: no answer may depend on it.

use std::hash::{BuildHasher, Hash};
use std::sync::OnceLock;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

/// A hash map.
pub type Map<K, V> = hashbrown::HashMap<K, V, Seeded>;
/// A hash set.
pub type Set<K> = hashbrown::HashSet<K, Seeded>;

static SEED: OnceLock<(u64, SharedSeed)> = OnceLock::new();

/// Builds hashers with the seed of the process.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seeded;

impl BuildHasher for Seeded {
    type Hasher = FoldHasher<'static>;

    fn build_hasher(&self) -> Self::Hasher {
        let (own, shared) = SEED.get_or_init(|| from([draw(), draw()]));
        FoldHasher::with_seed(*own, shared)
    }
}

/// Sets the seed. In wasm, where the standard library has no randomness, the binding calls this at the start. If a seed
/// is set already, nothing changes.
pub fn seed(random: [u64; 2]) {
    SEED.get_or_init(|| from(random));
}

/// Returns a random number, which the standard library gets from the operating system. In wasm it is always the same.
fn draw() -> u64 {
    std::hash::RandomState::default().hash_one(0)
}

fn from([own, shared]: [u64; 2]) -> (u64, SharedSeed) {
    (own, SharedSeed::from_u64(shared))
}

/// Returns the hash of a key, which is the same only within this process: for tables that keep positions instead of
/// keys.
pub(crate) fn hash_of(key: &(impl Hash + ?Sized)) -> u64 {
    Seeded.hash_one(key)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

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
