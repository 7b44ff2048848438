//! Replays the stored inputs of a fuzz target, and then inputs derived from them, the same in every run.

use std::fs;
use std::path::{Path, PathBuf};

/// Made inputs are at most this long.
const LONGEST: usize = 4_096;

/// The kept inputs of a target, in the order of their names.
fn kept(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lab/fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// Runs a target with every kept input and with `more` that are made from them.
pub fn replay(target: &str, body: fn(&[u8]), more: usize) {
    let kept = kept(target);
    assert!(!kept.is_empty(), "nothing is kept for {target}");
    for (path, bytes) in &kept {
        let _named = Named(bytes, path.display().to_string());
        body(bytes);
    }
    let mut dice = 1u64;
    let mut below = |bound: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % bound.max(1)
    };
    for round in 0..more {
        let mut bytes = kept[below(kept.len())].1.clone();
        for _ in 0..=below(4) {
            let at = below(bytes.len() + 1);
            let end = at + below((bytes.len() - at).min(16) + 1);
            match below(5) {
                0 => drop(bytes.drain(at..end)),
                1 => bytes.insert(at, below(256) as u8),
                2 => bytes[at..end].iter_mut().for_each(|byte| *byte ^= 1 << (end % 8)),
                3 => {
                    let part = bytes[at..end].to_vec();
                    bytes.splice(at..at, part);
                }
                _ => {
                    let other = &kept[below(kept.len())].1;
                    let from = below(other.len() + 1);
                    bytes.splice(at.., other[from..].iter().copied());
                }
            }
        }
        bytes.truncate(LONGEST);
        let _named = Named(&bytes, format!("made input {round}"));
        body(&bytes);
    }
}

/// Says which input it was when a target panics.
struct Named<'b>(&'b [u8], String);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the input is {}: b\"{}\"", self.1, self.0.escape_ascii());
        }
    }
}
