//! Profiles: named rows of settings over all stages, our own and one per published system.
//!
//! No file but the [`table`] names a profile, and no code branches on one: a system is its row.

mod info;
mod row;
mod setters;
mod settings;
mod table;

pub use row::{OwnConfig, Profile};
pub use settings::Settings;
pub use table::PROFILES;
