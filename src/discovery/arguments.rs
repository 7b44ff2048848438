//! Reads the arguments of a call, which are a JSON object in one of several forms, and reads values in them loosely.

use serde_json::value::RawValue;

use crate::count;
use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::{self, Fault, Fields, Object, Value};
use crate::limits;
use crate::markers::{NOT_AN_OBJECT, NOT_JSON, TOO_LONG};

/// Returns true if the text of arguments says that there are none.
pub(super) fn is_nothing(text: &str) -> bool {
    matches!(text.trim(), "" | "null" | "\"\"")
}

/// The arguments of a call: an object, kept as written.
pub(super) struct Arguments(Box<RawValue>);

impl Arguments {
    /// Reads JSON text. Empty text and `null` count as an empty object. A JSON string is parsed again, since some
    /// vendors pass arguments as text.
    ///
    /// # Errors
    /// `arguments_invalid`.
    pub(super) fn read(json: &str) -> Result<Self> {
        let invalid = |message: String| Error::new(ErrorCode::ArgumentsInvalid, message);
        let text = json.trim();
        if text.len() > limits::ARGUMENTS_BYTES {
            return Err(invalid(
                [TOO_LONG[0], &text.len().to_string(), TOO_LONG[1], &limits::ARGUMENTS_BYTES.to_string()].concat(),
            ));
        }
        let text = if is_nothing(text) { "{}" } else { text };
        let not_json = |e: Fault| invalid(format!("{NOT_JSON}{e} in {}", excerpt_json(text)));
        if text.starts_with('"') {
            let inner = json::string(text).map_err(not_json)?;
            let is_string_again = inner.trim_start().starts_with('"');
            return if is_string_again { Err(not_an_object(text)) } else { Arguments::read(&inner) };
        }
        let raw = json::raw(text).map_err(not_json)?;
        if text.starts_with('{') { Ok(Arguments(raw)) } else { Err(not_an_object(text)) }
    }

    /// Returns the arguments as a map, for a discovery tool.
    ///
    /// # Errors
    /// `arguments_invalid` if a value cannot be represented: half a surrogate pair, or nesting beyond 128 levels.
    pub(super) fn to_map(&self) -> Result<Object> {
        serde_json::from_str(self.0.get()).map_err(|e| {
            let message = format!("arguments cannot be read: {e} in {}", excerpt_json(self.0.get()));
            Error::new(ErrorCode::ArgumentsInvalid, message)
        })
    }

    /// Returns the names, with the values as written.
    pub(super) fn fields(&self) -> std::result::Result<Fields<'_>, Fault> {
        Fields::read(self.0.get())
    }

    /// Returns the arguments as written.
    pub(super) fn into_raw(self) -> Box<RawValue> {
        self.0
    }
}

fn not_an_object(text: &str) -> Error {
    Error::new(ErrorCode::ArgumentsInvalid, format!("{NOT_AN_OBJECT}{}", excerpt_json(text)))
}

/// Returns a value as trimmed text, as Python's `str(value or "").strip()` does in the published system: models pass
/// numbers for texts. A value that is false in Python becomes the empty text, any other value the text that Python
/// prints.
pub(super) fn loose_text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(value) if is_true(value) => printed(value),
        _ => String::new(),
    }
}

/// Returns a value as a whole number, as Python's `int(value)` does: fractions are cut off, `true` is 1, and a text
/// must be a whole number.
pub(super) fn loose_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(value) => Some(i64::from(*value)),
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().map(|float| float.trunc() as i64)),
        Value::String(text) => count::integer(&text.trim().replace('_', "")),
        _ => None,
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

/// Writes a value as Python prints it.
fn printed(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => printed_text(text),
        Value::Array(list) => format!("[{}]", list.iter().map(printed).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| format!("{}: {}", printed_text(key), printed(value));
            format!("{{{}}}", map.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

fn printed_text(text: &str) -> String {
    if text.contains('\'') && !text.contains('"') {
        return format!("\"{text}\"");
    }
    format!("'{}'", text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_and_numbers_are_read_as_python_reads_them() {
        for (value, expected) in [
            (json!(" a "), "a"),
            (json!(123), "123"),
            (json!(1.5), "1.5"),
            (json!(true), "True"),
            (json!(["file", 1, null]), "['file', 1, None]"),
            (json!({ "a": "it's" }), "{'a': \"it's\"}"),
            (json!(0), ""),
            (json!([]), ""),
            (json!(false), ""),
        ] {
            assert_eq!(loose_text(Some(&value)), expected, "{value}");
        }
        for (value, expected) in [
            (json!(7), Some(7)),
            (json!(2.9), Some(2)),
            (json!(-2.9), Some(-2)),
            (json!(true), Some(1)),
            (json!(" 7 "), Some(7)),
            (json!("7.9"), None),
            (json!("-99999999999999999999"), Some(i64::MIN)),
            (json!("99999999999999999999"), Some(i64::MAX)),
            (json!(-1e300), Some(i64::MIN)),
            (json!("three"), None),
            (json!([7]), None),
            (json!(1e300), Some(i64::MAX)),
        ] {
            assert_eq!(loose_integer(&value), expected, "{value}");
        }
    }
}
