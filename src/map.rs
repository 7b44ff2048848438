//! The hash map and hash set of the core: hashbrown's, with foldhash under a seed that is drawn once per process.
//! The seed keeps words that were crafted to collide from slowing every search. It also makes the order of entries
//! differ from run to run, so no answer may depend on it: nothing in the core iterates a map or a set.

use std::hash::BuildHasher;
use std::sync::OnceLock;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

/// A hash map.
pub type Map<K, V> = hashbrown::HashMap<K, V, Seeded>;

/// A hash set.
pub type Set<K> = hashbrown::HashSet<K, Seeded>;

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

/// A random number. Natively the standard library draws it from the operating system; in wasm the seed is set before
/// the first map is made.
fn draw() -> u64 {
    #[cfg(target_family = "wasm")]
    use foldhash::fast::RandomState;
    #[cfg(not(target_family = "wasm"))]
    use std::hash::RandomState;
    RandomState::default().hash_one(0)
}

fn from([own, shared]: [u64; 2]) -> (u64, SharedSeed) {
    (own, SharedSeed::from_u64(shared))
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
