//! Keeps the numbers of a schema as the server wrote them: a value of serde_json has no room for every number.

use serde::Serialize;

use crate::error::excerpt_json;
use crate::json::{Fault, Object, Value};
use crate::map::Map;

/// The texts of the numbers of a schema, each once. In the value of the schema, a number is the index of its text.
pub(super) struct Numbers(Vec<String>);

impl Numbers {
    /// Reads a schema. Its numbers have a meaning only together with the first value.
    pub(super) fn read(json: &str) -> Result<(Self, Object), Fault> {
        let (mut texts, mut known) = (Vec::new(), Map::default());
        let indexed = replaced(json, |number| {
            let next = texts.len();
            let index = *known.entry(number).or_insert(next);
            if index == next {
                texts.push(number.to_owned());
            }
            index.to_string()
        });
        Ok((Numbers(texts), serde_json::from_str(&indexed)?))
    }

    /// Returns the text of a number.
    fn text(&self, index: &str) -> String {
        index.parse().ok().and_then(|index: usize| self.0.get(index)).cloned().unwrap_or_default()
    }

    /// Writes a schema or a part of one.
    pub(super) fn write(&self, value: &impl Serialize) -> String {
        // Writing a value cannot fail.
        replaced(&serde_json::to_string(value).unwrap_or_default(), |index| self.text(index))
    }

    /// Writes the beginning of a part, for a message.
    pub(super) fn excerpt(&self, value: &Value) -> String {
        excerpt_json(&self.write(value))
    }

    /// Returns the nearest double of a number, or `None` for another value.
    pub(super) fn double(&self, value: &Value) -> Option<f64> {
        value.is_number().then(|| self.text(&value.to_string()).parse().ok())?
    }
}

/// Returns JSON text with other numbers.
fn replaced<'a>(json: &'a str, mut number: impl FnMut(&'a str) -> String) -> String {
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(start) = rest.bytes().position(|byte| matches!(byte, b'"' | b'-' | b'0'..=b'9')) {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let is_string = rest.starts_with('"');
        let mut is_escaped = true;
        let end = rest.bytes().position(|byte| {
            let is_end = if is_string { byte == b'"' && !is_escaped } else { matches!(byte, b',' | b']' | b'}') };
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        });
        let end = end.map_or(rest.len(), |end| end + usize::from(is_string));
        let (token, after) = rest.split_at(end);
        if is_string {
            text.push_str(token)
        } else {
            text.push_str(&number(token))
        }
        rest = after;
    }
    text + rest
}
