//! Keeps JSON as text, for values that the core passes on unchanged.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::error::{Error, ErrorCode, Result};

/// One JSON value as text, such as the definitions of a request or the arguments of a call. It serializes as that
/// value.
#[derive(Clone, Serialize)]
#[serde(transparent)]
pub struct JsonText(Box<RawValue>);

impl JsonText {
    /// Returns the JSON text.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Parses the value. Only with serde_json's feature `preserve_order` does it keep the order of keys; the text
    /// always does.
    ///
    /// # Errors
    /// The errors of [`JsonText::parse`].
    pub fn value(&self) -> Result<serde_json::Value> {
        self.parse()
    }

    /// Parses the value as a type of the host.
    ///
    /// # Errors
    /// `not_json` when the value does not fit the type, or cannot be represented: a number that is too large for a
    /// float, half of a surrogate pair, or more than 128 levels.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        let unread = |e| Error::new(ErrorCode::NotJson, format!("JSON does not read as the wanted type: {e}"));
        serde_json::from_str(self.get()).map_err(unread)
    }
}

impl From<Box<RawValue>> for JsonText {
    fn from(raw: Box<RawValue>) -> Self {
        JsonText(raw)
    }
}

impl fmt::Display for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl fmt::Debug for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}
