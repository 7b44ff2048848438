//! The short form of `npm run fuzz`: runs every target with its stored inputs, and with some inputs derived from them.

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
fn snapshots_are_restored_or_refused() {
    run("snapshot", 75);
}

#[test]
fn steps_in_any_order_are_answered() {
    run("steps", 37);
}
