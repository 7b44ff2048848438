//! Holds an option as the host wrote it: a JSON-like value that can also be `NaN` or infinite.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::error::{self, Error, ErrorCode};

/// A value as the host wrote it. Unlike a JSON value it keeps `NaN` and the infinities, so that an error can name them
/// instead of showing `null`.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// Any number.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<OptionValue>),
    /// Named values in their order.
    Map(Vec<(String, OptionValue)>),
}

impl OptionValue {
    /// Converts anything that serializes: `json!({ … })`, a parsed configuration file, a struct of the host.
    pub(super) fn of(options: &(impl Serialize + ?Sized)) -> error::Result<Self> {
        let plain = serde_json::to_value(options).and_then(OptionValue::deserialize);
        plain.map_err(|e| Error::new(ErrorCode::OptionInvalid, format!("options are not plain data: {e}")))
    }

    /// Describes the value for an error message: JSON, shortened.
    pub(super) fn describe(&self) -> String {
        match self {
            OptionValue::Null => "null".to_owned(),
            OptionValue::Bool(value) => value.to_string(),
            OptionValue::Number(value) => crate::json::number_text(*value),
            OptionValue::Text(text) => crate::error::excerpt(text),
            OptionValue::List(list) => format!("a list of {}", list.len()),
            OptionValue::Map(map) => format!("an object of {} keys", map.len()),
        }
    }
}

/// The nesting limit. Options nest three levels; a cyclic object would nest without end.
const DEPTH: usize = 8;

impl<'de> de::Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Nested(DEPTH).deserialize(deserializer)
    }
}

/// Reads a value with at most this number of nested levels.
struct Nested(usize);

impl<'de> DeserializeSeed<'de> for Nested {
    type Value = OptionValue;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<OptionValue, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Nested {
    fn inner<E: de::Error>(&self) -> Result<Nested, E> {
        self.0.checked_sub(1).map(Nested).ok_or_else(|| E::custom(format!("nested deeper than {DEPTH} levels")))
    }
}

impl<'de> Visitor<'de> for Nested {
    type Value = OptionValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("plain data")
    }

    fn visit_bool<E>(self, value: bool) -> Result<OptionValue, E> {
        Ok(OptionValue::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<OptionValue, E> {
        Ok(OptionValue::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<OptionValue, E> {
        Ok(OptionValue::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<OptionValue, E> {
        Ok(OptionValue::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<OptionValue, E> {
        Ok(OptionValue::Text(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<OptionValue, E> {
        Ok(OptionValue::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<OptionValue, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element_seed(self.inner()?)? {
            list.push(value);
        }
        Ok(OptionValue::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OptionValue, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            entries.push((key, map.next_value_seed(self.inner()?)?));
        }
        Ok(OptionValue::Map(entries))
    }
}
