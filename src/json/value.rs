//! Reads a whole text into a value to look into, for arguments of a model and schemas.

use serde_json::Number;

use super::fault::Fault;
use super::number::number;
use super::scan::Scanner;
use super::string::decoded;

/// Lists and objects within each other. Readers of JSON often stop here; one that calls itself must stop somewhere.
const DEPTH: usize = 127;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Value>),
    Object(Object),
}

/// The entries of an object in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Object(Vec<(String, Value)>);

impl Object {
    /// Reads an object.
    pub(crate) fn read(json: &str) -> Result<Self, Fault> {
        match Value::read(json)? {
            Value::Object(object) => Ok(object),
            _ => Err(Fault { what: "expected an object", at: 0 }),
        }
    }

    /// The value of a key; the last one where it is repeated.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The text of a key, where it has one.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_text()
    }

    /// The entries.
    pub(crate) fn entries(&self) -> &[(String, Value)] {
        &self.0
    }
}

impl Value {
    /// Reads a whole text.
    pub(crate) fn read(json: &str) -> Result<Self, Fault> {
        let mut scanner = Scanner::new(json);
        let value = read(&mut scanner, DEPTH)?;
        scanner.end()?;
        Ok(value)
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    pub(crate) fn as_number(&self) -> Option<&Number> {
        if let Value::Number(number) = self { Some(number) } else { None }
    }
}

fn read(scanner: &mut Scanner<'_>, depth: usize) -> Result<Value, Fault> {
    let kind = scanner.peek();
    let deeper = depth.checked_sub(1).ok_or(Fault { what: "nested too deep", at: scanner.place() });
    match kind {
        Some(b'[') => {
            let (inner, mut list) = (deeper?, Vec::new());
            scanner.each(b'[', &mut |scanner| {
                list.push(read(scanner, inner)?);
                Ok(())
            })?;
            Ok(Value::List(list))
        }
        Some(b'{') => {
            let (inner, mut entries) = (deeper?, Vec::new());
            scanner.each(b'{', &mut |scanner| {
                entries.push((scanner.key()?.into_owned(), read(scanner, inner)?));
                Ok(())
            })?;
            Ok(Value::Object(Object(entries)))
        }
        _ => {
            let at = scanner.place();
            let text = scanner.plain()?;
            Ok(match text.as_bytes()[0] {
                b'"' => Value::Text(decoded(text, at)?),
                b'n' => Value::Null,
                b't' | b'f' => Value::Bool(text == "true"),
                _ => Value::Number(number(text).ok_or(Fault { what: "a number out of range", at })?),
            })
        }
    }
}
