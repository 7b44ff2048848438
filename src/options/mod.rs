//! Reads the host's options from plain values, over the settings of a profile.
//!
//! Every reader refuses what it does not know, names the value and what would have been allowed, and changes nothing
//! on an error.
//!
//! They are written by hand, because errors name paths, ranges and nearest names. A version derived by serde was 390 lines
//! longer.
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
