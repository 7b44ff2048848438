//! Takes the white space out of a schema, and reads in the same pass what decides whether it has to be changed.

use std::borrow::Cow;

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json;
use crate::limits;

use super::definitions::KEYS;

/// What has to be known of an object schema: two of its values, as text, and whether it has definitions.
#[derive(Default)]
pub(super) struct Root<'a> {
    pub kind: Option<&'a str>,
    pub properties: Option<&'a str>,
    pub has_definitions: bool,
    /// Whether it holds something that vendors may refuse.
    pub may_be_refused: bool,
}

impl<'a> Root<'a> {
    /// Notes a string at any depth, with what stands behind it: keys whose values vendors refuse in some forms.
    fn look_at(&mut self, string: &str, rest: &str, is_top: bool) {
        // By far most strings are ruled out by their first letter.
        if !matches!(string.as_bytes()[1], b'$' | b'O' | b'a' | b'c' | b'e' | b'i' | b'n' | b'o' | b'r') {
            return;
        }
        let is_suspicious = match string {
            r#""$ref""# | r#""any""# | r#""OBJECT""# | r#""exclusiveMinimum""# | r#""exclusiveMaximum""# => true,
            r#""anyOf""# | r#""oneOf""# | r#""allOf""# | r#""not""# | r#""enum""# | r#""const""# => is_top,
            r#""required""# => !rest.starts_with(":["),
            r#""items""# => rest.starts_with(":["),
            _ => false,
        };
        self.may_be_refused |= is_suspicious;
    }

    /// Notes an entry of the schema. Of a repeated key the last one counts, as in JavaScript.
    fn note(&mut self, key: &str, value: &'a str) {
        match json::text_of(key) {
            Some(Ok(key)) if key == "type" => self.kind = Some(value.trim_ascii()),
            Some(Ok(key)) if key == "properties" => self.properties = Some(value.trim_ascii()),
            Some(Ok(key)) if KEYS.contains(&&*key) => self.has_definitions = true,
            _ => {}
        }
    }
}

/// The JSON text of an object without white space between its tokens; borrowed where there is none, as most clients write
/// JSON. The same pass checks depth and surrogate escapes, and reads the root.
pub(super) fn compact(json: &str) -> Result<(Cow<'_, str>, Root<'_>)> {
    let bytes = json.as_bytes();
    let (mut out, mut root) = (String::new(), Root::default());
    // Where the text begins that was not copied yet.
    let mut from = 0;
    let mut depth = 0usize;
    // The key of the root's entry, and where the value of that key begins.
    let (mut key, mut value): (&str, Option<usize>) = ("", None);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let end = string_end(json, at)?;
                let is_key = depth == 1 && value.is_none();
                if is_key {
                    key = &json[at..end];
                }
                root.look_at(&json[at..end], &json[end..], is_key);
                at = end;
                continue;
            }
            b' ' | b'\t' | b'\r' | b'\n' => {
                out.push_str(&json[from..at]);
                from = at + 1;
            }
            b'{' | b'[' if depth == limits::SCHEMA_DEPTH => {
                let message = format!("parameters nest deeper than {} levels", limits::SCHEMA_DEPTH);
                return Err(Error::new(ErrorCode::SchemaTooLarge, message));
            }
            b'{' | b'[' => depth += 1,
            b':' if depth == 1 && value.is_none() => value = Some(at + 1),
            end @ (b',' | b'}' | b']') => {
                if let Some(value) = value.take_if(|_| depth == 1) {
                    root.note(key, &json[value..at]);
                }
                depth -= usize::from(end != b',' && depth > 0);
            }
            _ => {}
        }
        at += 1;
    }
    if from == 0 {
        return Ok((Cow::Borrowed(json), root));
    }
    out.push_str(&json[from..]);
    // Strings were looked at beside the white space.
    root.may_be_refused = true;
    Ok((Cow::Owned(out), root))
}

/// The position after the string that begins at `start`.
fn string_end(json: &str, start: usize) -> Result<usize> {
    let bytes = json.as_bytes();
    let mut at = start + 1;
    while at < bytes.len() {
        let Some(run) = bytes[at..].iter().position(|byte| matches!(byte, b'"' | b'\\')) else { break };
        at += run;
        match bytes[at] {
            b'"' => return Ok(at + 1),
            b'\\' if bytes.get(at + 1) == Some(&b'u') => {
                at += match unit(json, at) {
                    Some(0xD800..=0xDBFF) if matches!(unit(json, at + 6), Some(0xDC00..=0xDFFF)) => 12,
                    Some(0xD800..=0xDFFF) => {
                        let message =
                            format!("parameters hold half a surrogate pair: {}", excerpt_json(&json[at..at + 6]));
                        return Err(Error::new(ErrorCode::TextInvalid, message));
                    }
                    _ => 2,
                }
            }
            _ => at += 2,
        }
    }
    Ok(bytes.len())
}

/// The value of a `\uXXXX` escape at a position, if there is one.
fn unit(json: &str, at: usize) -> Option<u32> {
    let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
    u32::from_str_radix(digits, 16).ok()
}
