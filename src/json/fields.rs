//! Whole texts, the items of lists and the fields of objects, whose values stay text.

use super::fault::Fault;
use super::scan::Scanner;
use super::string::decoded;

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

/// Reads a text that is a string.
pub(crate) fn string(json: &str) -> Result<String, Fault> {
    let json = checked(json)?;
    if json.starts_with('"') { decoded(json, 0) } else { Err(Fault { what: "expected a string", at: 0 }) }
}
