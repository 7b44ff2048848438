//! The parameters of a tool: the JSON Schema of an object, kept as compact JSON text in the order in which it was written.
//!
//! Schemas are most of a catalog's bytes and nearly all of them are never sent. Therefore a schema is checked and kept as
//! text; no tree is built from it.

mod compact;
mod definitions;
mod repair;

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::{self, Fault, Fields};
use crate::limits;

use compact::compact;

/// The parameters of a tool: compact JSON text of an object schema.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    text: Box<str>,
    /// Whether the text is the schema of an object. A schema of a prebuilt index is checked when it is first needed.
    is_sound: OnceLock<bool>,
    unreached: Unreached,
}

/// How much longer a schema was as it was registered: the definitions that no reference reaches are not kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unreached {
    /// UTF-8 bytes.
    pub bytes: u32,
    /// Characters.
    pub chars: u32,
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The schema of a tool without parameters.
const EMPTY: &str = r#"{"type":"object","properties":{}}"#;

impl Schema {
    /// The schema of a tool without parameters.
    pub fn empty() -> Self {
        Schema::sound(EMPTY.into())
    }

    fn sound(text: Box<str>) -> Self {
        Schema { text, is_sound: true.into(), unreached: Unreached::default() }
    }

    /// What was left out of it. A prebuilt index does not tell.
    pub fn unreached(&self) -> Unreached {
        self.unreached
    }

    /// Reads a schema from a text that is known to be one JSON value, in one pass. The second value says in a sentence what
    /// had to be repaired.
    ///
    /// # Errors
    /// `schema_invalid` when it is not the schema of an object, `schema_too_large` beyond [`limits::SCHEMA_BYTES`] or
    /// [`limits::SCHEMA_DEPTH`], `text_invalid` for half a surrogate pair.
    pub(super) fn of_checked<'a>(json: &'a str) -> Result<(Self, Option<String>)> {
        check_size(json)?;
        if !json.starts_with('{') {
            let message = format!("parameters must be the JSON Schema of an object, got {}", excerpt_json(json));
            return Err(Error::new(ErrorCode::SchemaInvalid, message));
        }
        let (text, root) = compact(json)?;
        if let Some(properties) = root.properties.filter(|properties| !properties.starts_with('{')) {
            let message = format!("parameters.properties must be an object, got {}", excerpt_json(properties));
            return Err(Error::new(ErrorCode::SchemaInvalid, message));
        }
        if let Some(other) = root.kind.filter(|kind| !matches!(*kind, r#""object""# | r#""OBJECT""#)) {
            let message = format!("parameters.type must be \"object\", got {}", excerpt_json(other));
            return Err(Error::new(ErrorCode::SchemaInvalid, message));
        }
        let mut unreached = Unreached::default();
        let mut prune = |text: Cow<'a, str>| match root.has_definitions.then(|| definitions::pruned(&text)).flatten() {
            Some(kept) => {
                unreached.bytes += (text.len() - kept.len()) as u32;
                unreached.chars += (text.chars().count() - kept.chars().count()) as u32;
                Cow::Owned(kept)
            }
            None => text,
        };
        let (mut text, mut note) = (prune(text), None);
        if root.may_be_refused {
            let (repaired, changed) = repair::repaired(&text).map_err(invalid)?;
            if let Some(key) = changed {
                note = Some(format!("parts of parameters that vendors refuse were changed: {key}"));
                text = prune(repaired.into());
            }
        }
        if root.kind.is_none() {
            note = note.or_else(|| Some("parameters had no type; \"object\" was added".to_owned()));
            text = with_type(&text).into();
        }
        Ok((Schema { unreached, ..Schema::sound(text.into()) }, note))
    }

    /// A schema from a prebuilt index. It is checked when it is first needed, because most schemas are never sent.
    pub(crate) fn kept(text: &str) -> Option<Self> {
        (text.len() <= limits::SCHEMA_BYTES).then(|| Schema {
            text: text.into(),
            is_sound: OnceLock::new(),
            unreached: Unreached::default(),
        })
    }

    /// The text as it was kept, checked or not.
    pub(crate) fn kept_text(&self) -> &str {
        &self.text
    }

    /// The names of the top-level properties, in their order.
    pub fn property_names(&self) -> Vec<String> {
        let properties = Fields::read(self.as_str()).ok().and_then(|root| root.get("properties"));
        let properties = properties.and_then(|properties| Fields::read(properties).ok());
        properties.map(|properties| properties.keys().map(str::to_owned).collect()).unwrap_or_default()
    }

    /// The names of the properties that must be given.
    pub fn required_names(&self) -> Vec<String> {
        let required = Fields::read(self.as_str()).ok().and_then(|root| root.get("required"));
        let names = required.and_then(|names| json::items(names).ok()).unwrap_or_default();
        names.into_iter().map(json::string).collect::<std::result::Result<_, _>>().unwrap_or_default()
    }

    /// The compact JSON text. Where a prebuilt index holds an invalid schema, this is the schema without parameters.
    pub fn as_str(&self) -> &str {
        if *self.is_sound.get_or_init(|| is_sound(&self.text)) { &self.text } else { EMPTY }
    }
}

fn check_size(json: &str) -> Result<()> {
    if json.len() <= limits::SCHEMA_BYTES {
        return Ok(());
    }
    let message = format!("parameters take {} bytes; at most {}", json.len(), limits::SCHEMA_BYTES);
    Err(Error::new(ErrorCode::SchemaTooLarge, message))
}

pub(super) fn invalid(fault: Fault) -> Error {
    Error::new(ErrorCode::SchemaInvalid, format!("parameters are no JSON Schema: {fault}"))
}

/// Whether a text is the JSON Schema of an object.
fn is_sound(text: &str) -> bool {
    Fields::read(text).is_ok_and(|root| {
        root.get("type") == Some(r#""object""#)
            && root.get("properties").is_none_or(|properties| properties.starts_with('{'))
    })
}

/// Adds `"type":"object"` in front, where vendors and both official MCP clients want it.
fn with_type(text: &str) -> String {
    let rest = &text[1..];
    let comma = if rest == "}" { "" } else { "," };
    format!("{{\"type\":\"object\"{comma}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<String> {
        Schema::read(json).map(|(schema, _)| schema.as_str().to_owned())
    }

    #[test]
    fn keeps_order_and_text_but_not_white_space() {
        let json = "{ \"type\" : \"object\",\n \"properties\": { \"b c\": {}, \"a\\\"\": { \"default\": 1.50 } } }";
        assert_eq!(read(json).as_deref(), Ok(r#"{"type":"object","properties":{"b c":{},"a\"":{"default":1.50}}}"#));
    }

    #[test]
    fn a_missing_type_is_added() {
        assert_eq!(read("{}").as_deref(), Ok(r#"{"type":"object"}"#));
        assert_eq!(read(r#"{"properties":{}}"#).as_deref(), Ok(r#"{"type":"object","properties":{}}"#));
    }

    #[test]
    fn googles_types_become_everybodys() {
        let google = r#"{"type":"OBJECT","properties":{"type":{"type":"ARRAY","items":{"type":"STRING"},"example":{"type":"KEEP"}}}}"#;
        let plain = r#"{"type":"object","properties":{"type":{"type":"array","items":{"type":"string"},"example":{"type":"KEEP"}}}}"#;
        assert_eq!(read(google).as_deref(), Ok(plain));
    }

    #[test]
    fn what_is_no_object_schema_is_refused() {
        for (json, code) in [
            ("null", ErrorCode::SchemaInvalid),
            ("true", ErrorCode::SchemaInvalid),
            ("[]", ErrorCode::SchemaInvalid),
            (r#"{"type":"string"}"#, ErrorCode::SchemaInvalid),
            (r#"{"type":["object"]}"#, ErrorCode::SchemaInvalid),
            (r#"{"type":"object","properties":[]}"#, ErrorCode::SchemaInvalid),
            (r#"{"type":"object","anyOf":[{"properties":7}]}"#, ErrorCode::SchemaInvalid),
            (r#"{"type":"object""#, ErrorCode::SchemaInvalid),
            (r#"{"type":"object","é":é}"#, ErrorCode::SchemaInvalid),
            (r#"{"type":"object","default":1 2}"#, ErrorCode::SchemaInvalid),
            (r#"{"type":"object","default":- 1}"#, ErrorCode::SchemaInvalid),
            ("{\"type\":\"object\",\"default\":tr\nue}", ErrorCode::SchemaInvalid),
            (r#"{"type":"object","enum":["a" "b"]}"#, ErrorCode::SchemaInvalid),
            (r#"{"type":"object"} {}"#, ErrorCode::SchemaInvalid),
            ("1 2", ErrorCode::SchemaInvalid),
            (r#"{"type":"object","title":"\ud83d"}"#, ErrorCode::TextInvalid),
            (r#"{"type":"object","title":"\ude00\ud83d"}"#, ErrorCode::TextInvalid),
            (&format!("{}1{}", r#"{"a":"#.repeat(70), "}".repeat(70)), ErrorCode::SchemaTooLarge),
            (&format!("{{\"title\":\"{}\"}}", "x".repeat(limits::SCHEMA_BYTES)), ErrorCode::SchemaTooLarge),
        ] {
            assert_eq!(read(json).map_err(|e| e.code()), Err(code), "{}", excerpt_json(json));
        }
        assert!(read(r#"{"type":"object","title":"\ud83d\ude00"}"#).is_ok(), "a whole pair");
        assert!(read(r#"{"type":"object","title":"\\ud83d"}"#).is_ok(), "an escaped backslash, no surrogate");
    }
}
