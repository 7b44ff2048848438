//! Tests that a stage of the library uses only earlier stages.

// It reads the files of the repository.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each stage with those that it may use.
const STAGES: &[(&str, &[&str])] = &[
    ("catalog", &[]),
    ("search", &["catalog"]),
    ("session", &["catalog"]),
    ("assembly", &["catalog", "session"]),
    ("discovery", &["catalog", "search", "session", "assembly"]),
    ("options", &["catalog", "search", "session", "assembly", "discovery", "profile"]),
];
/// The folders of the search in the order of the work: each may use those before it.
const SEARCH: &[&str] =
    &["analysis", "index", "view", "query", "ranking", "published", "calibration", "answer", "searcher", "evaluate"];
const LATER: &[&str] = &["profile", "options", "facade", "bindings"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The source files below a folder, without those that hold tests.
fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let files = paths.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|path| !path.ends_with("tests.rs")).collect()
}

/// The code of a file: without its tests and comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap_or("");
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn stages_use_earlier_stages_only() {
    let all: BTreeSet<&str> = STAGES.iter().map(|(stage, _)| *stage).chain(LATER.iter().copied()).collect();
    let mut seen = 0;
    for (stage, allowed) in STAGES {
        for path in rust_files(&root().join("src").join(stage)) {
            let code = code(&path);
            for other in all.iter().filter(|other| *other != stage && !allowed.contains(other)) {
                assert!(!code.contains(&format!("crate::{other}")), "{} uses {other}", path.display());
            }
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} files");
}

#[test]
fn folders_of_the_search_use_earlier_ones_only() {
    for (at, folder) in SEARCH.iter().enumerate() {
        let path = root().join("src/search").join(folder);
        let files = if path.is_dir() { rust_files(&path) } else { vec![path.with_extension("rs")] };
        for path in files {
            let code = code(&path);
            for later in &SEARCH[at + 1..] {
                let uses = code.contains(&format!("search::{later}")) || code.contains(&format!("super::{later}::"));
                assert!(!uses, "{} uses {later}", path.display());
            }
        }
    }
}
