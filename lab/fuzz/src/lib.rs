//! The targets of `tests/fuzz_of`, compiled once for all programs.

#![allow(clippy::unwrap_used, clippy::panic, dead_code)]

#[path = "../../../tests/common/mod.rs"]
mod common;
#[path = "../../../tests/fuzz_of/mod.rs"]
pub mod fuzz_of;
#[path = "../../../tests/hostile_of/mod.rs"]
mod hostile_of;
#[path = "../../../tests/prebuilt_of/mod.rs"]
mod prebuilt_of;

/// Runs a target.
pub fn run(name: &str, data: &[u8]) {
    let (_, body) = fuzz_of::TARGETS.iter().find(|(target, _)| *target == name).unwrap_or_else(|| panic!("no target {name}"));
    body(data);
}
