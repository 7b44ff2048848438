//! The short form of `npm run fuzz`: every target with its kept inputs, and with some that are made from them.
//!
//! 1. What was found once stays found.
//! 2. Nothing that is promised fails for inputs like these. `tests/fuzz_of` says what each target checks.
//! 3. The fuzzer, the corpus and this file know the same targets, and the fuzzer's copy of the crate has its dependencies.

// It reads the corpus.
#![cfg(not(target_family = "wasm"))]
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::fuzz_of::TARGETS;
use crate::fuzz_of::replay::replay;

fn run(name: &str, more: usize) {
    let (_, body) = TARGETS.iter().find(|(target, _)| *target == name).unwrap();
    replay(name, *body, more);
}

#[test]
fn calls_of_a_model_stay_within_the_scope() {
    run("calls", 37);
}

#[test]
fn definitions_are_taken_or_reported() {
    run("catalog", 100);
}

#[test]
fn enrichments_are_read_or_refused() {
    run("enrichment", 50);
}

#[test]
fn conversations_are_rebuilt_within_the_bounds() {
    run("history", 75);
}

#[test]
fn options_are_taken_or_refused() {
    run("options", 100);
}

#[test]
fn indexes_are_refused_or_work() {
    run("prebuilt", 100);
}

#[test]
fn queries_are_answered() {
    run("query", 37);
}

#[test]
fn a_catalog_that_changed_is_searched_as_one_made_at_once() {
    run("ranking", 25);
}

#[test]
fn a_tool_is_the_same_in_every_shape() {
    run("shapes", 50);
}

#[test]
fn snapshots_are_restored_or_refused() {
    run("snapshot", 75);
}

#[test]
fn steps_in_any_order_are_answered() {
    run("steps", 37);
}

#[test]
fn every_target_has_a_program_and_a_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = |folder: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.map(|name| name.trim_end_matches(".rs").to_owned()).collect()
    };
    let programs = names("fuzz/fuzz_targets");
    assert_eq!(names("fuzz/corpus"), programs);
    let manifest = fs::read_to_string(root.join("fuzz/Cargo.toml")).unwrap();
    let of = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let here = [of("tests/fuzz.rs"), of("src/oracles.rs")].concat();
    for name in &programs {
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "fuzz/Cargo.toml leaves {name} out");
        assert!(here.contains(&format!("(\"{name}\"")), "no test replays {name}");
    }
    assert!(TARGETS.iter().all(|(name, _)| programs.contains(*name)));
}

#[test]
fn the_copy_of_the_crate_has_its_dependencies() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let of = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let (crate_, copy) = (of("Cargo.toml"), of("fuzz/core/Cargo.toml"));
    let section = crate_.split("\n[dependencies]\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let names: Vec<&str> = section.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).collect();
    assert!(names.len() > 3, "{names:?}");
    for name in names {
        assert!(copy.contains(&format!("\n{name} = ")), "fuzz/core/Cargo.toml lacks {name}");
    }
    for line in crate_.lines().filter(|line| line.starts_with("edition") || line.starts_with("rust-version")) {
        assert!(copy.contains(line), "fuzz/core/Cargo.toml lacks {line}");
    }
}
