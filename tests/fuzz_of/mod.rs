//! The fuzz targets. Each target takes any bytes, uses a part of the library with them, and panics if the library
//! breaks one of its guarantees. `npm run fuzz` searches for such bytes; `tests/fuzz.rs` replays the inputs in
//! `lab/fuzz/corpus`.
//!
//! Texts are used directly, so that a corpus can be read and a dictionary helps. If random text would rarely be valid,
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
