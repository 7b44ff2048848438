//! Exports the functions that only the bindings to JavaScript and Python use: options read from plain values, searches
//! answered in numbers, and the seed of the hash maps. [`ToolSift`](crate::ToolSift) has hidden methods for them too.
//! None of this is part of the stable API; it changes with the bindings.

pub use crate::facade::{Numbered, Texts};
pub use crate::map::seed;
pub use crate::session::check_id;

/// The readers of options. Rust programs use [`Settings::from_options`](crate::Settings::from_options) instead.
pub mod options {
    pub use crate::options::*;
}
