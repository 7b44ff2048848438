//! Reads the host's options from plain values, over the settings of a profile.
//!
//! Every reader refuses unknown keys and values, names the value and the allowed ones, and changes nothing on an error.
//!
//! The readers are written by hand, because errors name paths, ranges and nearest names. A version with serde's derive
//! was 390 lines longer.
//!
//! Rust programs use [`Settings::from_options`](crate::Settings::from_options).

mod calls;
mod own_config;
mod reader;
mod settings;
mod value;

pub use calls::{
    RestoreOptions, SearchOptions, assemble, check_which, evict, names, prefetch, register, replay, restore, scope,
    search, session, turn, which,
};
pub use settings::settings;
pub use value::OptionValue;

#[cfg(test)]
mod tests;
