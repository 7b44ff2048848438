//! What is in a JSON object? Its keys with their values as text. One reader for every object that is looked into, where
//! a derived one for each shape would weigh some KB of wasm.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The entries of a JSON object, in their order.
pub(crate) struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// Reads an object; the error says why the text is none.
    pub(crate) fn read(json: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// The value of a key; the last one where it is repeated, as JavaScript reads it.
    pub(crate) fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| *value)
    }

    /// The keys.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Fields(entries))
    }
}
