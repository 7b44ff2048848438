//! Refuses to build a wheel without the words of packs and the tables, which `scripts/python-sources.mjs` writes beside the Python sources.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // A source distribution has the Python sources at its root.
    let is_there = ["python", "."].iter().any(|folder| root.join(folder).join("toolsift/packs.jsonl.gz").exists());
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    assert!(
        is_there || !is_release,
        "python/toolsift/packs.jsonl.gz is missing: run `node scripts/python-sources.mjs` first"
    );
}
