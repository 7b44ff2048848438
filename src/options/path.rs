//! Reads types with serde's derive from an [`OptionValue`], and names in every error the path of the option that is wrong,
//! such as `options.limits.tools`.

use std::fmt::{self, Display};
use std::slice::Iter;

use serde::de::{
    self, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};

use crate::error::{Error, ErrorCode, excerpt};
use crate::limits;
use crate::text::nearest;

use super::value::OptionValue;

/// Reads a value that errors call by a name.
pub(super) fn read<'de, T: Deserialize<'de>>(name: &str, value: &OptionValue) -> Result<T, Error> {
    let at = At { parent: None, key: Key::Name(name), value };
    T::deserialize(&at).map_err(|fault| fault.located(&at))
}

/// A value and the path to it. The path is a chain of borrowed keys, which is written out for errors only.
struct At<'v> {
    parent: Option<&'v At<'v>>,
    key: Key<'v>,
    value: &'v OptionValue,
}

/// One step of a path.
enum Key<'v> {
    /// The key of an object.
    Name(&'v str),
    /// The position in a list.
    Position(usize),
}

impl Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            write!(f, "{parent}.")?;
        }
        match self.key {
            Key::Name(name) => f.write_str(name),
            Key::Position(at) => write!(f, "{at}"),
        }
    }
}

/// What is wrong with a value. The readers of serde do not know the path; it is added where they return to [`At`].
#[derive(Debug)]
pub(super) enum Fault {
    /// The value is not what is wanted, which the text says.
    Value(ErrorCode, String),
    /// An object has a key that it must not have.
    Key { key: String, allowed: &'static [&'static str] },
    /// The path is in the error already.
    Located(Error),
}

impl Fault {
    fn located(self, at: &At<'_>) -> Error {
        match self {
            Fault::Value(code, help) => Error::new(code, format!("{at} is {}; {help}", at.value.describe())),
            Fault::Key { key, allowed } => {
                let help = match nearest(&key, allowed.iter().copied()) {
                    Some(meant) => format!("did you mean {meant}?"),
                    None => format!("there are {}", allowed.join(", ")),
                };
                Error::new(ErrorCode::OptionUnknown, format!("{at} has no {}; {help}", excerpt(&key)))
            }
            Fault::Located(error) => error,
        }
    }
}

impl de::Error for Fault {
    fn custom<T: Display>(help: T) -> Self {
        Fault::Value(ErrorCode::OptionInvalid, help.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Fault::Value(ErrorCode::OptionInvalid, format!("it must be {wanted}"))
    }

    /// The readers of options say this of a number outside of its range only.
    fn invalid_value(_: Unexpected<'_>, range: &dyn Expected) -> Self {
        Fault::Value(ErrorCode::LimitOutOfRange, range.to_string())
    }

    fn unknown_field(key: &str, allowed: &'static [&'static str]) -> Self {
        Fault::Key { key: key.to_owned(), allowed }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Fault {}

impl At<'_> {
    fn wanted<T>(&self, kind: &dyn Expected) -> Result<T, Fault> {
        let fault: Fault = de::Error::invalid_type(Unexpected::Unit, kind);
        Err(Fault::Located(fault.located(self)))
    }

    /// Reads an object, or refuses it.
    fn entries<'de, V: Visitor<'de>>(&self, entries: &[(String, OptionValue)], visitor: V) -> Result<V::Value, Fault> {
        let entries = Entries { at: self, rest: entries.iter(), value: None };
        visitor.visit_map(entries).map_err(|fault| Fault::Located(fault.located(self)))
    }
}

impl<'de> Deserializer<'de> for &At<'_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let read = match self.value {
            OptionValue::Null => visitor.visit_unit(),
            OptionValue::Bool(value) => visitor.visit_bool(*value),
            OptionValue::Number(value) => visitor.visit_f64(*value),
            OptionValue::Text(text) => visitor.visit_str(text),
            OptionValue::List(list) if list.len() > limits::LIST_ENTRIES => Err(too_many()),
            OptionValue::List(list) => visitor.visit_seq(Items { at: self, rest: list.iter(), position: 0 }),
            OptionValue::Map(entries) if entries.len() > limits::LIST_ENTRIES => Err(too_many()),
            OptionValue::Map(entries) => return self.entries(entries, visitor),
        };
        read.map_err(|fault| Fault::Located(fault.located(self)))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let read = if *self.value == OptionValue::Null { visitor.visit_none() } else { visitor.visit_some(self) };
        read.map_err(|fault| Fault::Located(fault.located(self)))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let OptionValue::List(_) = self.value else { return self.wanted(&"a list") };
        self.deserialize_any(visitor)
    }

    /// Nothing at all is an empty object.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.value {
            OptionValue::Map(entries) => self.entries(entries, visitor),
            OptionValue::Null => self.entries(&[], visitor),
            _ => self.wanted(&"an object"),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct
        tuple tuple_struct map enum identifier ignored_any
    }
}

fn too_many() -> Fault {
    de::Error::custom(format!("it must be at most {} entries", limits::LIST_ENTRIES))
}

/// The entries of an object that are still to be read.
struct Entries<'a> {
    at: &'a At<'a>,
    rest: Iter<'a, (String, OptionValue)>,
    /// The value of the key that was read last.
    value: Option<At<'a>>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(At { parent: Some(self.at), key: Key::Name(key), value });
        seed.deserialize(key.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let value = self.value.take().ok_or_else(|| de::Error::custom("a value was read without its key"))?;
        seed.deserialize(&value)
    }
}

/// The entries of a list that are still to be read.
struct Items<'a> {
    at: &'a At<'a>,
    rest: Iter<'a, OptionValue>,
    position: usize,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(value) = self.rest.next() else { return Ok(None) };
        let item = At { parent: Some(self.at), key: Key::Position(self.position), value };
        self.position += 1;
        seed.deserialize(&item).map(Some)
    }
}
