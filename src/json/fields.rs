//! Whole texts, the items of lists and the fields of objects, whose values stay text.

use std::borrow::Cow;

use super::fault::Fault;
use super::scan::Scanner;
use super::string::{decoded, quoted, unquoted};

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

/// An item of a list: its text, and its entries where it is an object. One pass over the list reads both.
pub(crate) struct Item<'a> {
    pub text: &'a str,
    /// The entries, or why a key of theirs cannot be read. None for an item that is no object.
    pub fields: Option<Result<Fields<'a>, Fault>>,
}

/// The items of a list with the entries of each.
pub(crate) fn items_with_fields(json: &str) -> Result<Vec<Item<'_>>, Fault> {
    let mut scanner = Scanner::new(json);
    let mut items = Vec::new();
    scanner.each(b'[', &mut |scanner| {
        items.push(item(json, scanner)?);
        Ok(())
    })?;
    scanner.end()?;
    Ok(items)
}

fn item<'a>(json: &'a str, scanner: &mut Scanner<'a>) -> Result<Item<'a>, Fault> {
    if scanner.peek() != Some(b'{') {
        return Ok(Item { text: scanner.skip()?, fields: None });
    }
    let from = scanner.place();
    let fields = Fields::scan(scanner)?;
    // A key that cannot be read breaks its own item only.
    let fields = fields.map_err(|fault| Fault { at: fault.at - from, ..fault });
    Ok(Item { text: &json[from..scanner.place()], fields: Some(fields) })
}

/// The entries of an object in their order, values as text. A key is borrowed unless it holds escapes.
pub(crate) struct Fields<'a>(Vec<(Cow<'a, str>, &'a str)>);

impl<'a> Fields<'a> {
    /// Reads an object.
    pub(crate) fn read(json: &'a str) -> Result<Self, Fault> {
        let mut scanner = Scanner::new(json);
        let fields = Fields::scan(&mut scanner)?;
        scanner.end()?;
        fields
    }

    /// Passes over an object. The inner error is that of a key with half a surrogate pair; the outer one is that of a
    /// text that is no JSON.
    fn scan(scanner: &mut Scanner<'a>) -> Result<Result<Self, Fault>, Fault> {
        let mut entries = Vec::new();
        let mut unreadable = None;
        scanner.each(b'{', &mut |scanner| {
            scanner.peek();
            let at = scanner.place();
            let key = unquoted(scanner.raw_key()?, at);
            let value = scanner.skip()?;
            match key {
                Ok(key) => entries.push((key, value)),
                Err(fault) => unreadable = unreadable.or(Some(fault)),
            }
            Ok(())
        })?;
        Ok(unreadable.map_or(Ok(Fields(entries)), Err))
    }

    /// The value of a key; the last one where it is repeated, as JavaScript reads it.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// The keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }

    /// The keys with their values.
    pub(crate) fn entries(&self) -> &[(Cow<'a, str>, &'a str)] {
        &self.0
    }
}

/// Adds an entry to the text of an object, which is empty before the first entry and lacks its end: see [`closed`].
pub(crate) fn push_entry(object: &mut String, key: &str, value: &str) {
    object.push(if object.is_empty() { '{' } else { ',' });
    object.push_str(&quoted(key));
    object.push(':');
    object.push_str(value);
}

/// The text of an object whose entries were added by [`push_entry`].
pub(crate) fn closed(object: String) -> String {
    (if object.is_empty() { "{".to_owned() } else { object }) + "}"
}

/// Reads a text that is a string.
pub(crate) fn string(json: &str) -> Result<String, Fault> {
    let json = checked(json)?;
    if json.starts_with('"') { decoded(json, 0) } else { Err(Fault { what: "expected a string", at: 0 }) }
}
