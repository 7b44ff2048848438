//! Keeps the parameters of a tool: the JSON Schema of an object, as compact JSON text in its original order.
//!
//! Schemas are most of a catalog's bytes, and nearly all of them are never sent. Therefore a schema is checked and kept
//! as text; a tree is built only for the few that may need a repair.

mod changes;
mod compact;
mod definitions;
mod keywords;
mod numbers;
mod parameter_names;
mod references;
mod repair;
mod values;

use std::sync::OnceLock;

use serde_json::value::RawValue;

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::{self, Fault, Fields, Object, Value};
use crate::limits;

pub use changes::{SchemaChange, SchemaRule};

pub(super) use changes::Changes;
use compact::compact;
use numbers::Numbers;
use parameter_names::Safe;

/// The parameters of a tool: compact JSON text of an object schema.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    text: Box<str>,
    /// The texts that models see instead of `text`. A schema of a prebuilt index is checked when it is first needed.
    others: OnceLock<Option<Box<Others>>>,
    unreached: Unreached,
}

/// The texts that models see, if they differ from the kept text.
#[derive(Clone, Debug)]
struct Others {
    /// The schema with the server's names of parameters.
    own: Option<Box<str>>,
    /// The schema with names that every vendor accepts.
    safe: Option<Safe>,
}

/// The part of a registered schema that is not kept, because no reference uses it.
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
pub(super) const EMPTY: &str = r#"{"type":"object","properties":{}}"#;

impl Schema {
    /// Returns the size of the part that was left out. For a prebuilt index it is 0.
    pub fn unreached(&self) -> Unreached {
        self.unreached
    }

    /// Reads a schema from a text that is known to be one JSON value. The second value has the repairs.
    ///
    /// # Errors
    /// `schema_invalid` if it is not the schema of an object, `schema_too_large` beyond [`limits::SCHEMA_BYTES`] or
    /// [`limits::SCHEMA_DEPTH`], `text_invalid` for half a surrogate pair.
    pub(super) fn of_checked(json: &str) -> Result<(Self, Changes)> {
        check_size(json)?;
        let mut changes = Changes::default();
        if !json.starts_with(['{', '[']) {
            return Err(no_object(json));
        }
        let (mut text, is_suspect) = compact(json)?;
        if text == "[]" {
            changes.note(SchemaRule::Keywords, "", format!("[] is {EMPTY} now"));
            text = EMPTY.into();
        }
        if text.starts_with('[') {
            return Err(no_object(json));
        }
        let mut schema = Schema { text: text.into(), others: OnceLock::from(None), unreached: Unreached::default() };
        if is_suspect && changes.is_empty() {
            schema.mend(&mut changes)?;
        }
        Ok((schema, changes))
    }

    /// Prunes and repairs the text, and gives parameters names that every vendor accepts.
    fn mend(&mut self, changes: &mut Changes) -> Result<()> {
        let (numbers, mut root) = Numbers::read(&self.text).map_err(invalid)?;
        self.prune(&mut root, &numbers);
        check_root(&root, &numbers)?;
        let repaired = repair::repaired(&root, &numbers, changes);
        if !changes.is_empty() {
            root = repaired;
            self.text = numbers.write(&root).into();
            self.prune(&mut root, &numbers);
        }
        if !root.contains_key("type") {
            changes.note(SchemaRule::Type, "", "parameters had no type; \"object\" was added".to_owned());
            // It is added at the start, where vendors and both official MCP clients want it.
            let mut typed = Object::from_iter([("type".to_owned(), "object".into())]);
            typed.append(&mut root);
            root = typed;
            self.text = numbers.write(&root).into();
        }
        check_size(&self.text)?;
        let safe = Safe::of(root, &numbers, changes);
        self.others = OnceLock::from(safe.map(|safe| Box::new(Others { own: None, safe: Some(safe) })));
        Ok(())
    }

    fn prune(&mut self, root: &mut Object, numbers: &Numbers) {
        if definitions::prune(root) {
            let before = std::mem::replace(&mut self.text, numbers.write(root).into());
            self.unreached.bytes += before.len().saturating_sub(self.text.len()) as u32;
            self.unreached.chars += before.chars().count().saturating_sub(self.text.chars().count()) as u32;
        }
    }

    /// Makes a schema from a prebuilt index. It is checked when it is first needed, because most schemas are never
    /// sent.
    pub(crate) fn kept(text: &str) -> Option<Self> {
        (text.len() <= limits::SCHEMA_BYTES).then(|| Schema {
            text: text.into(),
            others: OnceLock::new(),
            unreached: Unreached::default(),
        })
    }

    /// Returns the kept text, checked or not.
    pub(crate) fn kept_text(&self) -> &str {
        &self.text
    }

    /// Returns the names of the top-level properties, in their order.
    pub fn property_names(&self) -> Vec<String> {
        let properties = Fields::read(self.as_str()).ok().and_then(|root| root.get("properties"));
        let properties = properties.and_then(|properties| Fields::read(properties).ok());
        properties.map(|properties| properties.keys().map(str::to_owned).collect()).unwrap_or_default()
    }

    /// Returns the names of the required properties.
    pub fn required_names(&self) -> Vec<String> {
        let required = Fields::read(self.as_str()).ok().and_then(|root| root.get("required"));
        let names = required.and_then(|names| json::items(names).ok()).unwrap_or_default();
        names.into_iter().map(json::string).collect::<std::result::Result<_, _>>().unwrap_or_default()
    }

    /// Returns the compact JSON text, with the server's names of parameters. If a prebuilt index has an invalid schema,
    /// this is the schema of a tool without parameters.
    pub fn as_str(&self) -> &str {
        self.others().and_then(|others| others.own.as_deref()).unwrap_or(&self.text)
    }

    /// Returns the compact JSON text, with names of parameters that every vendor accepts.
    pub(crate) fn with_safe_names(&self) -> &str {
        self.safe().map_or_else(|| self.as_str(), |safe| &safe.text)
    }

    /// Returns the changed names of parameters in [`Schema::with_safe_names`], each with the server's name.
    pub(crate) fn safe_names(&self) -> &[(Box<str>, Box<str>)] {
        self.safe().map_or(&[], Safe::names)
    }

    /// Returns arguments with the server's names of parameters.
    pub(crate) fn restored(&self, arguments: Box<RawValue>) -> Box<RawValue> {
        match self.safe() {
            Some(safe) => safe.restored(arguments),
            None => arguments,
        }
    }

    fn safe(&self) -> Option<&Safe> {
        self.others()?.safe.as_ref()
    }

    fn others(&self) -> Option<&Others> {
        let read = || {
            let json = json::checked(&self.text).map_err(invalid);
            let Ok((Schema { text, others, .. }, _)) = json.and_then(Schema::of_checked) else {
                return Some(Box::new(Others { own: Some(EMPTY.into()), safe: None }));
            };
            let safe = others.into_inner().flatten().and_then(|others| others.safe);
            let own = Some(text).filter(|text| *text != self.text);
            (own.is_some() || safe.is_some()).then(|| Box::new(Others { own, safe }))
        };
        self.others.get_or_init(read).as_deref()
    }
}

/// Refuses a root that no repair can make the schema of an object.
fn check_root(root: &Object, numbers: &Numbers) -> Result<()> {
    let must_be = |what: &str, got: &Value| {
        let message = format!("parameters.{what}, got {}", numbers.excerpt(got));
        Err(Error::new(ErrorCode::SchemaInvalid, message))
    };
    let is_map = |it: &Value| it.is_object() || it.is_null() || it.as_array().is_some_and(Vec::is_empty);
    if let Some(properties) = root.get("properties").filter(|it| !is_map(it)) {
        return must_be("properties must be an object", properties);
    }
    // An unknown type can only mean an object, and so can a list of types with an object in it.
    let kind = root.get("type").and_then(|kind| Some((kind, values::leaf(keywords::Kind::Types, kind, numbers)?)));
    match kind.filter(|(_, known)| !known.to_string().contains(r#""object""#)) {
        Some((kind, _)) => must_be("type must be \"object\"", kind),
        None => Ok(()),
    }
}

fn no_object(json: &str) -> Error {
    let message = format!("parameters must be the JSON Schema of an object, got {}", excerpt_json(json));
    Error::new(ErrorCode::SchemaInvalid, message)
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
    fn a_mended_schema_keeps_the_text_of_its_numbers() {
        let numbers = r#"{"maximum":1e400,"multipleOf":1.50,"minItems":-0,"maxItems":2.00,"enum":[123456789012345678901,1.5,1.50,1E2,-0,-0.0,31.245270191439438,1e-400,"-1.50","\"1.50","\\",12]}"#;
        for (from, to) in [
            (r#"{"properties":{"1 2":N}}"#, r#"{"type":"object","properties":{"1 2":N}}"#),
            (r#"{"type":"object","not":N,"$defs":{"1":N}}"#, r#"{"type":"object","properties":{}}"#),
            (
                r##"{"properties":{"a":{"$ref":"#/$defs/1"}},"$defs":{"1":N,"2":{}}}"##,
                r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/1"}},"$defs":{"1":N}}"##,
            ),
            (
                r#"{"type":"object","oneOf":[{"properties":{"a":N}},{"properties":{"a":N}},{"properties":{"a":{"const":1.0}}},{"properties":{"a":{"const":1.00}}}]}"#,
                r#"{"type":"object","properties":{"a":{"anyOf":[N,{"const":1.0},{"const":1.00}]}}}"#,
            ),
        ] {
            let [from, to] = [from, to].map(|json| json.replace('N', numbers));
            let schema = Schema::read(&from).map(|(schema, _)| schema).unwrap_or_default();
            assert_eq!(schema.as_str(), to, "{from}");
            let kept = numbers.trim_matches(['{', '}']);
            assert_eq!(schema.with_safe_names().contains(kept), to.contains(kept), "{from}");
            assert_eq!(read(&to), Ok(to));
        }
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
            (r#"{"type":"string"}"#, ErrorCode::SchemaInvalid),
            ("[{}]", ErrorCode::SchemaInvalid),
            (r#"{"type":["string","null"]}"#, ErrorCode::SchemaInvalid),
            (r#"{"type":"object","properties":[{"name":"a"}]}"#, ErrorCode::SchemaInvalid),
            (r#"{"type":"object","properties":"a"}"#, ErrorCode::SchemaInvalid),
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
            (&"{\"$defs\":{\"d\":{\"properties\":{\"a\":{\"$ref\":\"#/$defs/d\"},\"b\":{\"title\":\"T\"}}}},\"anyOf\":[{\"$ref\":\"#/$defs/d\"}]}".replace('T', &"x".repeat(limits::SCHEMA_BYTES / 2)), ErrorCode::SchemaTooLarge),
        ] {
            assert_eq!(read(json).map_err(|e| e.code()), Err(code), "{}", excerpt_json(json));
        }
        assert!(read(r#"{"type":"object","title":"\ud83d\ude00"}"#).is_ok(), "a whole pair");
        assert!(read(r#"{"type":"object","title":"\\ud83d"}"#).is_ok(), "an escaped backslash, no surrogate");
    }
}
