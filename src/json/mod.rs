//! Reads JSON: values stay text until somebody looks into them, and an error names what was expected and where.
//!
//! serde_json does the same with borrowed `RawValue`s, at 20 KB more in the wasm, most of them for its error messages.
//! It writes the answers here; a test compares what both readers accept.

mod number;
mod raw;
mod scan;
mod string;
mod value;

use std::fmt;

pub(crate) use scan::Scanner;

pub(crate) use number::{number, number_text};
pub(crate) use raw::raw;
pub(crate) use string::{quoted, string, unit};
pub(crate) use value::{Object, Value};

/// What is wrong with a text, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    what: &'static str,
    at: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.what, self.at)
    }
}

/// A whole text that is one value, without the white space around it.
pub(crate) fn checked(json: &str) -> Result<&str, Fault> {
    let mut scanner = Scanner::new(json);
    let value = scanner.skip()?;
    scanner.end()?;
    Ok(value)
}

/// The items of a list, as text.
pub(crate) fn items(json: &str) -> Result<Vec<&str>, Fault> {
    let mut scanner = Scanner::new(json);
    let mut items = Vec::new();
    scanner.each(b'[', &mut |scanner| {
        items.push(scanner.skip()?);
        Ok(())
    })?;
    scanner.end()?;
    Ok(items)
}

/// The entries of an object in their order, values as text.
pub(crate) struct Fields<'a>(Vec<(String, &'a str)>);

impl<'a> Fields<'a> {
    /// Reads an object.
    pub(crate) fn read(json: &'a str) -> Result<Self, Fault> {
        let mut scanner = Scanner::new(json);
        let mut entries = Vec::new();
        scanner.each(b'{', &mut |scanner| {
            entries.push((scanner.key()?, scanner.skip()?));
            Ok(())
        })?;
        scanner.end()?;
        Ok(Fields(entries))
    }

    /// The value of a key; the last one where it is repeated, as JavaScript reads it.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// The keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The keys with their values.
    pub(crate) fn entries(&self) -> &[(String, &'a str)] {
        &self.0
    }
}

#[cfg(test)]
mod tests;
