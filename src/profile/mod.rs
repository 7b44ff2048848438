//! Defines profiles: named rows of settings for all stages, our own and one per published system.
//!
//! Only the [`table`] names profiles, and no code branches on a profile: its row is all that makes it different.

mod info;
mod row;
mod setters;
mod settings;
mod table;

pub use row::{OwnConfig, Profile};
pub use settings::Settings;
pub use table::PROFILES;
