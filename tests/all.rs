//! Compiles all integration tests into one program, so that it is linked once and not once for each file.
//!
//! `cargo test --test all search::` runs the tests of one file.

// A test says that it fails by a panic.
#![allow(clippy::unwrap_used, clippy::panic)]

mod attacks_of;
mod common;
mod fuzz_of;
mod hostile_of;
mod prebuilt_of;

mod architecture;
mod attacks;
mod cases;
mod catalog;
mod catalog_changes;
mod constant;
mod conversation;
mod effects;
mod enrichment;
mod floods;
mod fuzz;
mod host_scores;
mod hostile_queries;
mod numbers;
mod outcomes;
mod own_tools;
mod prebuilt;
mod prebuilt_hostile;
mod profiles;
mod reasons;
mod replay;
mod search;
mod sessions;
mod sift;
mod skills;
mod threads;
mod values;
