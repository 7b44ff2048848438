//! Reads the host's options from plain values, over the settings of a profile.
//!
//! Every reader refuses what it does not know, names the value and what would have been allowed, and changes nothing
//! on an error.
//!
//! They are written by hand: with structs and serde's derive they took 390 lines and 2 % of the compressed wasm more, since
//! errors have to name paths, ranges and nearest names, and every type of an option brings a reader of its own.
//!
//! Rust programs use [`Settings::from_options`](crate::Settings::from_options) and its like. The module is public, though no
//! part of what the crate promises, for programs of this repository that carry out for a Rust program what the package does
//! for JavaScript.

mod calls;
mod own_config;
mod reader;
mod settings;
mod value;

pub use calls::{
    SearchOptions, assemble, evict, names, prefetch, register, restore, scope, search, session, turn, which,
};
pub use settings::settings;
pub use value::OptionValue;

#[cfg(test)]
mod tests;
