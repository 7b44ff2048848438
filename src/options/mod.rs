//! Reads the host's options from plain values, over the settings of a profile.
//!
//! Every reader refuses what it does not know, names the value and what would have been allowed, and changes nothing
//! on an error.
//!
//! Rust programs use [`Settings::from_options`](crate::Settings::from_options) and its like. The module is public, though no
//! part of what the crate promises, for programs of this repository that carry out for a Rust program what the package does
//! for JavaScript.

mod calls;
mod forms;
mod own_config;
mod path;
mod settings;
mod types;
mod value;

pub use calls::{SearchOptions, assemble, evict, names, register, restore, scope, search, session, turn, which};
pub use settings::settings;
pub use value::OptionValue;

#[cfg(test)]
mod tests;
