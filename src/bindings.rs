//! What the bindings to JavaScript and Python need of the core and Rust programs do not: options read from plain values, a
//! search answered in numbers, the seed of the hash maps. Methods of [`ToolSift`](crate::ToolSift) for them are hidden too.
//! None of it is part of what the crate promises; it changes with the bindings.

pub use crate::facade::{Numbered, Texts};
pub use crate::map::seed;
pub use crate::session::check_id;

/// The readers of options. Rust programs use [`Settings::from_options`](crate::Settings::from_options).
pub mod options {
    pub use crate::options::*;
}
