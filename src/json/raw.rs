//! Puts JSON that is text already into an answer as it is, in the form that serde_json writes. That form asks a reader for
//! itself; serde_json's own reader would add 10 KB to the wasm.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::fault::Fault;
use super::fields::checked;

/// JSON text to be written as it is, without the white space around it.
pub(crate) fn raw(json: &str) -> Result<Box<RawValue>, Fault> {
    Box::<RawValue>::deserialize(Text(checked(json)?)).map_err(|Unread| Fault { what: "expected a value", at: 0 })
}

/// A text that reads as what it is asked to be: a map whose only key is the name under which it is asked for.
struct Text<'a>(&'a str);

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = Unread;

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Unread> {
        visitor.visit_map(Entry { name: Some(name), text: self.0 })
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Unread> {
        Err(Unread)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

struct Entry<'a> {
    name: Option<&'a str>,
    text: &'a str,
}

impl<'de> MapAccess<'de> for Entry<'de> {
    type Error = Unread;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unread> {
        self.name.take().map(|name| seed.deserialize(text(name))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Unread> {
        seed.deserialize(text(self.text))
    }
}

fn text(text: &str) -> StrDeserializer<'_, Unread> {
    text.into_deserializer()
}

/// The error for every other request of the serializer. It carries no text, since no caller reads it.
#[derive(Debug)]
struct Unread;

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no JSON text")
    }
}

impl std::error::Error for Unread {}

impl de::Error for Unread {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Unread
    }
}
