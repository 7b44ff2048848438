//! The arguments of a call as a JSON object, whatever form they came in.

use serde_json::value::RawValue;

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::{self, Fault, Fields, Object};
use crate::limits;
use crate::markers::{NOT_AN_OBJECT, NOT_JSON, TOO_LONG};

/// The arguments of a call: an object, kept as it was written.
pub(super) struct Arguments(Box<RawValue>);

impl Arguments {
    /// Reads JSON text. Nothing and `null` are an empty object, and a JSON string is read once more, since some
    /// vendors pass arguments as text.
    ///
    /// # Errors
    /// `arguments_invalid`.
    pub(super) fn read(json: &str) -> Result<Self> {
        let invalid = |message: String| Error::new(ErrorCode::ArgumentsInvalid, message);
        let text = json.trim();
        if text.len() > limits::ARGUMENTS_BYTES {
            return Err(invalid(format!("{TOO_LONG}{} bytes; at most {}", text.len(), limits::ARGUMENTS_BYTES)));
        }
        let text = if matches!(text, "" | "null" | "\"\"") { "{}" } else { text };
        let not_json = |e: Fault| invalid(format!("{NOT_JSON}{e} in {}", excerpt_json(text)));
        if text.starts_with('"') {
            let inner = json::string(text).map_err(not_json)?;
            let is_string_again = inner.trim_start().starts_with('"');
            return if is_string_again { Err(not_an_object(text)) } else { Arguments::read(&inner) };
        }
        let raw = json::raw(text).map_err(not_json)?;
        if text.starts_with('{') { Ok(Arguments(raw)) } else { Err(not_an_object(text)) }
    }

    /// As a map, for a discovery tool to look into.
    ///
    /// # Errors
    /// `arguments_invalid` for what is JSON in form only: half a surrogate pair, or nesting beyond 128 levels.
    pub(super) fn to_map(&self) -> Result<Object> {
        serde_json::from_str(self.0.get()).map_err(|e| {
            let message = format!("arguments cannot be read: {e} in {}", excerpt_json(self.0.get()));
            Error::new(ErrorCode::ArgumentsInvalid, message)
        })
    }

    /// Their names, with the values as they were written.
    pub(super) fn fields(&self) -> std::result::Result<Fields<'_>, Fault> {
        Fields::read(self.0.get())
    }

    /// As they were written.
    pub(super) fn into_raw(self) -> Box<RawValue> {
        self.0
    }
}

fn not_an_object(text: &str) -> Error {
    Error::new(ErrorCode::ArgumentsInvalid, format!("{NOT_AN_OBJECT}{}", excerpt_json(text)))
}
