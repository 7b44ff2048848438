//! Reads one option together with its path, so that an error can name the path.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::json::number_text;
use crate::limits;
use crate::text::nearest;

use super::value::OptionValue;

/// A value and the path to it. The path is a chain of borrowed keys, which becomes text only for errors.
pub(super) struct Reader<'v> {
    parent: Option<&'v Reader<'v>>,
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

impl<'v> Reader<'v> {
    pub(super) fn new(name: &'v str, value: &'v OptionValue) -> Self {
        Reader { parent: None, key: Key::Name(name), value }
    }

    /// Returns the path as errors show it: `options.limits.tools`.
    fn path(&self) -> String {
        let mut path = match self.parent {
            Some(parent) => parent.path() + ".",
            None => String::new(),
        };
        match self.key {
            Key::Name(name) => path.push_str(name),
            Key::Position(at) => path.push_str(&at.to_string()),
        }
        path
    }

    fn child<'c>(&'c self, key: Key<'c>, value: &'c OptionValue) -> Reader<'c> {
        Reader { parent: Some(self), key, value }
    }

    pub(super) fn is_map(&self) -> bool {
        matches!(self.value, OptionValue::Map(_))
    }

    /// Returns the value.
    pub(super) fn value(&self) -> &'v OptionValue {
        self.value
    }

    pub(super) fn is_null(&self) -> bool {
        *self.value == OptionValue::Null
    }

    /// Returns the fields of an object with known keys. `null` counts as an empty object.
    pub(super) fn fields(self) -> Result<Fields<'v>> {
        let entries = self.entries_of_map()?;
        Ok(Fields { of: self, entries, known: RefCell::default() })
    }

    /// Returns the entries of an object with any keys.
    pub(super) fn entries(&self) -> Result<Vec<(&str, Reader<'_>)>> {
        let entries = self.entries_of_map()?;
        self.check_count(entries.len())?;
        Ok(entries.iter().map(|(key, value)| (&**key, self.child(Key::Name(key), value))).collect())
    }

    fn entries_of_map(&self) -> Result<&'v [(String, OptionValue)]> {
        match self.value {
            OptionValue::Map(entries) => Ok(entries),
            OptionValue::Null => Ok(&[]),
            _ => Err(self.invalid("an object")),
        }
    }

    pub(super) fn text(&self) -> Result<&'v str> {
        match self.value {
            OptionValue::Text(text) => Ok(text),
            _ => Err(self.invalid("a string")),
        }
    }

    pub(super) fn flag(&self) -> Result<bool> {
        match self.value {
            OptionValue::Bool(flag) => Ok(*flag),
            _ => Err(self.invalid("a boolean")),
        }
    }

    /// Reads a text that is not blank and has at most [`limits::LABEL_CHARS`] characters.
    pub(super) fn label(&self) -> Result<String> {
        let text = self.text()?;
        if text.trim().is_empty() || text.chars().count() > limits::LABEL_CHARS {
            return Err(self.invalid(&format!("a string of 1 to {} characters", limits::LABEL_CHARS)));
        }
        Ok(text.to_owned())
    }

    pub(super) fn labels(&self) -> Result<Vec<String>> {
        let OptionValue::List(_) = self.value else { return Err(self.invalid("a list of strings")) };
        self.each(|label| label.label())
    }

    /// Reads a list, each entry with `read`.
    pub(super) fn each<T>(&self, read: impl Fn(&Reader<'_>) -> Result<T>) -> Result<Vec<T>> {
        let OptionValue::List(list) = self.value else { return Err(self.invalid("a list")) };
        self.check_count(list.len())?;
        let mut entries = Vec::with_capacity(list.len());
        for (at, value) in list.iter().enumerate() {
            entries.push(read(&self.child(Key::Position(at), value))?);
        }
        Ok(entries)
    }

    /// Reads a whole number from `least` to `most`.
    pub(super) fn count(&self, least: usize, most: usize) -> Result<usize> {
        let number = self.number(least as f64..=most as f64)?;
        if number.fract() == 0.0 { Ok(number as usize) } else { Err(self.invalid("a whole number")) }
    }

    pub(super) fn number(&self, range: RangeInclusive<f64>) -> Result<f64> {
        let OptionValue::Number(number) = self.value else { return Err(self.invalid("a number")) };
        if range.contains(number) {
            return Ok(*number);
        }
        let [number, start, end] = [*number, *range.start(), *range.end()].map(number_text);
        let message = format!("{} is {number}; {start} to {end}", self.path());
        Err(Error::new(ErrorCode::LimitOutOfRange, message))
    }

    /// Reads a name and returns its value from `choices`.
    pub(super) fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let wanted = format!("one of {}", names.join(", "));
        let OptionValue::Text(text) = self.value else { return Err(self.invalid(&wanted)) };
        let found = choices.iter().find(|(name, _)| name == text);
        found.map(|(_, choice)| *choice).ok_or_else(|| match nearest(text, names.iter().copied()) {
            Some(meant) => self.invalid(&format!("{wanted}; did you mean {meant}?")),
            None => self.invalid(&wanted),
        })
    }

    pub(super) fn invalid(&self, wanted: &str) -> Error {
        let message = format!("{} is {}; it must be {wanted}", self.path(), self.value.describe());
        Error::new(ErrorCode::OptionInvalid, message)
    }

    fn check_count(&self, count: usize) -> Result<()> {
        let most = limits::LIST_ENTRIES;
        if count > most { Err(self.invalid(&format!("at most {most} entries"))) } else { Ok(()) }
    }
}

/// The fields of an object.
pub(super) struct Fields<'v> {
    pub of: Reader<'v>,
    entries: &'v [(String, OptionValue)],
    /// The keys that were looked up, which are all keys that the object may have.
    known: RefCell<Vec<&'static str>>,
}

impl Fields<'_> {
    /// Ends the reading of an object: refuses keys that were not looked up.
    pub(super) fn finish(&self) -> Result<()> {
        let known = self.known.borrow();
        let Some((key, _)) = self.entries.iter().find(|(key, _)| !known.contains(&key.as_str())) else {
            return Ok(());
        };
        let help = match nearest(key, known.iter().copied()) {
            Some(meant) => format!("did you mean {meant}?"),
            None => format!("there are {}", known.join(", ")),
        };
        Err(Error::new(ErrorCode::OptionUnknown, format!("{} has no {}; {help}", self.of.path(), excerpt(key))))
    }

    /// Returns the value of a key, if the key is there and its value is not null.
    pub(super) fn get(&self, key: &'static str) -> Option<Reader<'_>> {
        self.get_any(key).filter(|value| !value.is_null())
    }

    /// Returns the value of a key, if the key is there. The value may be null.
    pub(super) fn get_any(&self, key: &'static str) -> Option<Reader<'_>> {
        self.known.borrow_mut().push(key);
        let (_, value) = self.entries.iter().find(|(name, _)| name == key)?;
        Some(self.of.child(Key::Name(key), value))
    }

    /// Returns the value of a key that narrows what a session may see. Null is refused, with `help` in the message: the
    /// host may have failed to find its value, and null must not mean "everything".
    pub(super) fn get_narrowing(&self, key: &'static str, help: &str) -> Result<Option<Reader<'_>>> {
        match self.get_any(key) {
            Some(value) if value.is_null() => {
                let message = format!("{} is null or undefined; {help}", value.path());
                Err(Error::new(ErrorCode::OptionInvalid, message))
            }
            value => Ok(value),
        }
    }

    /// Reads the value of a key into `place`, if the key is there.
    pub(super) fn set<T>(
        &self,
        key: &'static str,
        place: &mut T,
        read: impl Fn(&Reader<'_>) -> Result<T>,
    ) -> Result<()> {
        if let Some(value) = self.get(key) {
            *place = read(&value)?;
        }
        Ok(())
    }

    /// Reads a whole number into `place`, if the key is there.
    pub(super) fn set_count(&self, key: &'static str, place: &mut usize, (least, most): (usize, usize)) -> Result<()> {
        self.set(key, place, |value| value.count(least, most))
    }

    /// Reads one of `choices` into `place`, if the key is there.
    pub(super) fn set_choice<T: Copy>(&self, key: &'static str, place: &mut T, choices: &[(&str, T)]) -> Result<()> {
        self.set(key, place, |value| value.choice(choices))
    }
}
