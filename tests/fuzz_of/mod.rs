//! What the fuzzer calls. Each target takes any bytes, uses a part of the library with them, and panics where something
//! that is promised does not hold. `npm run fuzz` looks for such bytes; `tests/fuzz.rs` replays those that are kept in
//! `lab/fuzz/corpus`.
//!
//! Texts are taken as they are, so that a corpus can be read and a dictionary helps. Where text would hardly ever be valid,
//! [`Input`] turns bytes into choices.

mod calls;
mod catalogs;
mod indexes;
mod input;
mod ranking;
pub mod replay;
mod script;
mod searches;
mod sound;
mod states;
#[path = "../../examples/answers/step.rs"]
mod step;
mod steps;

/// A part of the library, used with any bytes.
pub type Target = fn(&[u8]);

/// The targets by name. Each has a program in `lab/fuzz/fuzz_targets`, and most a dictionary in `lab/fuzz/dictionaries`.
pub const TARGETS: [(&str, Target); 9] = [
    ("calls", calls::calls),
    ("catalog", catalogs::catalog),
    ("enrichment", catalogs::enrichment),
    ("history", states::history),
    ("prebuilt", indexes::prebuilt),
    ("query", searches::query),
    ("ranking", ranking::ranking),
    ("snapshot", states::snapshot),
    ("steps", steps::steps),
];
