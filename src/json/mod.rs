//! Reads JSON: values stay text until somebody looks into them, and an error names what was expected and where.
//!
//! serde_json does the same with borrowed `RawValue`s, at 20 KB more in the wasm, most of them for its error messages.
//! It writes the answers here; a test compares what both readers accept.

mod fault;
mod fields;
mod json_text;
mod number;
#[cfg(all(not(target_family = "wasm"), any(test, toolsift_oracles)))]
pub(crate) mod oracle;
mod raw;
mod scan;
mod string;
#[cfg(any(test, toolsift_oracles))]
mod theirs;
mod value;

pub(crate) use fault::Fault;
pub(crate) use fields::{Fields, Item, checked, closed, items, items_with_fields, push_entry, string};
pub use json_text::JsonText;
pub(crate) use number::{number, number_text};
pub(crate) use raw::raw;
pub(crate) use scan::{Scanner, run_end};
pub(crate) use string::{quoted, text_of, unit};
pub(crate) use value::{Object, Value};

#[cfg(test)]
mod tests;
