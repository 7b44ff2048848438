//! Reads JSON with serde_json. Values stay text until they are needed, and forwarded values keep their original text.
//!
//! The text may be nested to any depth. A [`Value`] has at most 127 levels. Halves of surrogate pairs are refused only
//! in strings and keys that are read.

mod json_text;

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Number, from_str};

pub use json_text::JsonText;
pub(crate) use serde_json::{Error as Fault, Value};

/// The entries of an object in their order. Of a repeated key the last value counts, as in JavaScript.
pub(crate) type Object = serde_json::Map<String, Value>;

/// Checks that a text is one value, and returns it without the white space around it.
pub(crate) fn checked(json: &str) -> Result<&str, Fault> {
    from_str::<&RawValue>(json).map(RawValue::get)
}

/// Returns JSON text that is written unchanged, without the white space around it.
pub(crate) fn raw(json: &str) -> Result<Box<RawValue>, Fault> {
    from_str::<&RawValue>(json).map(ToOwned::to_owned)
}

/// Returns the items of a list, as text.
pub(crate) fn items(json: &str) -> Result<Vec<&str>, Fault> {
    Ok(from_str::<Vec<&RawValue>>(json)?.into_iter().map(RawValue::get).collect())
}

/// Parses a string.
pub(crate) fn string(json: &str) -> Result<String, Fault> {
    from_str(json)
}

/// Returns the text of a string, or `None` if the value is not a string. Without escapes it is borrowed.
pub(crate) fn text_of(value: &str) -> Option<Result<Cow<'_, str>, Fault>> {
    value.starts_with('"').then(|| Ok(from_str::<Text<'_>>(value)?.0))
}

/// A text, borrowed unless it has escapes.
#[derive(Deserialize)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// An item of a list: its text, and its entries if it is an object.
pub(crate) struct Item<'a> {
    pub text: &'a str,
    /// The entries, or the error if a key cannot be read. `None` for an item that is not an object.
    pub fields: Option<Result<Fields<'a>, Fault>>,
}

/// Returns the items of a list with the entries of each. A key that cannot be read breaks only its own item.
pub(crate) fn items_with_fields(json: &str) -> Result<Vec<Item<'_>>, Fault> {
    let item = |text| Item { text, fields: text.starts_with('{').then(|| Fields::read(text)) };
    Ok(items(json)?.into_iter().map(item).collect())
}

/// The entries of an object in their order, with values as text. A key is borrowed unless it has escapes.
#[derive(Default)]
pub(crate) struct Fields<'a>(Vec<(Cow<'a, str>, &'a str)>);

impl<'a> Fields<'a> {
    /// Reads an object.
    pub(crate) fn read(json: &'a str) -> Result<Self, Fault> {
        from_str(json)
    }

    /// Returns the value of a key. Of a repeated key the last value counts, as in JavaScript.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// Returns the value of a key, unless it is missing or null.
    pub(crate) fn some(&self, key: &str) -> Option<&'a str> {
        self.get(key).filter(|value| *value != "null")
    }

    /// Returns the value of a key if it is a string.
    pub(crate) fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        text_of(self.get(key)?)?.ok()
    }

    /// Returns true if the value of a key is `true`.
    pub(crate) fn is_true(&self, key: &str) -> bool {
        self.get(key) == Some("true")
    }

    /// Returns the value of a key if it is an object.
    pub(crate) fn object(&self, key: &str) -> Option<Fields<'a>> {
        Fields::read(self.get(key)?).ok()
    }

    /// Returns the items of the list at a key, or nothing if there is no list.
    pub(crate) fn items(&self, key: &str) -> Vec<&'a str> {
        self.get(key).and_then(|list| items(list).ok()).unwrap_or_default()
    }

    /// Returns the objects in the list at a key.
    pub(crate) fn objects(&self, key: &str) -> Vec<Fields<'a>> {
        self.items(key).into_iter().filter_map(|item| Fields::read(item).ok()).collect()
    }

    /// Returns the keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }

    /// Returns the keys with their values.
    pub(crate) fn entries(&self) -> &[(Cow<'a, str>, &'a str)] {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries)
    }
}

/// Keeps every entry: a map of serde would lose the order, and would copy the keys.
struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = map.next_entry::<Text<'de>, &'de RawValue>()? {
            entries.push((key.0, value.get()));
        }
        Ok(Fields(entries))
    }
}

/// Writes a text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    // Writing a string cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}

/// Adds an entry to the text of an object. The text is empty before the first entry, and [`closed`] adds its end.
pub(crate) fn push_entry(object: &mut String, key: &str, value: &str) {
    object.push(if object.is_empty() { '{' } else { ',' });
    object.push_str(&quoted(key));
    object.push(':');
    object.push_str(value);
}

/// Completes the text of an object whose entries were added by [`push_entry`].
pub(crate) fn closed(object: String) -> String {
    (if object.is_empty() { "{".to_owned() } else { object }) + "}"
}

/// Writes an object of values that are JSON text already.
pub(crate) fn object<'k>(entries: impl IntoIterator<Item = (&'k str, String)>) -> String {
    let mut object = String::new();
    entries.into_iter().for_each(|(key, value)| push_entry(&mut object, key, &value));
    closed(object)
}

/// Parses a number.
pub(crate) fn number(text: &str) -> Option<Number> {
    text.parse().ok()
}

/// Writes a number for people: as in JSON, but a whole number without a fraction.
pub(crate) fn number_text(number: f64) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() < EXACT {
        return (number as i64).to_string();
    }
    Number::from_f64(number).map_or_else(|| number.to_string(), |number| number.to_string())
}

#[cfg(test)]
mod tests;
