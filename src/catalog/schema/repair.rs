//! Repairs schemas that vendors refuse. A vendor refuses a whole request for one such schema, so that one tool of a
//! server would stop the conversation. A repaired schema accepts every argument that the original accepted; the server
//! still checks arguments.

use std::borrow::Cow;

use serde_json::json;

use crate::error::excerpt_json;
use crate::json::{Object, Value};

use super::changes::{Changes, SchemaRule};
use super::definitions::KEYS;
use super::keywords::{Kind, TOP};
use super::numbers::Numbers;
use super::references::{decoded, drop_dangling, unescaped};
use super::values::{is_list_of_php, leaf};

/// The maximum number of alternatives that are read, including nested ones: references may be circular.
const ALTERNATIVES: usize = 100;

/// Repairs everything in a schema that vendors are known to refuse, and notes the changes.
///
/// - At any depth: removes values that the [table](super::keywords) does not allow, turns PHP's `[]` into the empty map
///   that it means, adds `items` to arrays without it, and removes references without a target.
/// - At the top: adds the properties of `anyOf`, `oneOf` and `allOf` to those of the root, and removes `not`, `enum`
///   and `const`.
pub(super) fn repaired(schema: &Object, numbers: &Numbers, changes: &mut Changes) -> Object {
    let mut root = Value::Object(Repair { numbers, changes, loosened: 0 }.schema(schema));
    if TOP.iter().any(|key| root.get(key).is_some()) {
        root = merged(root, changes);
    }
    drop_dangling(&mut root, changes);
    if let Value::Object(root) = root { root } else { Object::new() }
}

struct Repair<'c> {
    numbers: &'c Numbers,
    changes: &'c mut Changes,
    /// The number of changes after which a schema accepts more than before.
    loosened: usize,
}

impl Repair<'_> {
    fn note(&mut self, change: String) {
        self.changes.note(SchemaRule::Keywords, change);
        self.loosened += 1;
    }

    /// Repairs a schema that is an object.
    fn schema(&mut self, fields: &Object) -> Object {
        let mut schema = Object::new();
        let has_any_of = fields.contains_key("anyOf");
        for (key, value) in fields {
            let place = self.changes.enter(key);
            if let Some((key, value)) = self.keyword(has_any_of, key, value) {
                schema.insert(key, value);
            }
            self.changes.leave(place);
        }
        let is_array = schema.get("type").is_some_and(|kind| match kind {
            Value::Array(kinds) => kinds.contains(&json!("array")),
            kind => kind == "array",
        });
        if is_array && !schema.contains_key("items") {
            schema.insert("items".to_owned(), json!({}));
            self.changes.note(SchemaRule::Arrays, "items: {} was added to an array".to_owned());
        }
        schema
    }

    /// Repairs the value of a keyword. Returns `None` if the keyword must be removed.
    fn keyword(&mut self, has_any_of: bool, key: &str, value: &Value) -> Option<(String, Value)> {
        let (kind, loosened) = (Kind::of(key), self.loosened);
        let value = match value {
            Value::Object(list) if kind.is_list() && is_list_of_php(list) => {
                self.note("an object became a list".to_owned());
                Cow::Owned(list.values().cloned().collect())
            }
            value => Cow::Borrowed(value),
        };
        // Nested schemas note their own changes.
        let is_nested =
            kind.has_schemas() && (value.is_object() || value.as_array().is_some_and(|list| !list.is_empty()));
        let mended = match kind {
            Kind::Any => Some(value.clone().into_owned()),
            Kind::Schema => self.schema_of(key, &value),
            Kind::Schemas => self.schemas(&value),
            Kind::Map | Kind::Dependencies => self.map(kind, &value),
            // Other types of the root were refused before.
            Kind::Types if self.changes.path() == "type" => leaf(kind, &value, self.numbers).map(|_| json!("object")),
            _ => leaf(kind, &value, self.numbers),
        };
        if let Some(now) = mended.as_ref().filter(|now| !is_nested && **now != *value) {
            let (before, now) = (self.numbers.write(&value), self.numbers.write(now));
            self.changes.note(SchemaRule::Keywords, format!("{} is {} now", excerpt_json(&before), excerpt_json(&now)));
            self.loosened += usize::from(!now.eq_ignore_ascii_case(&before));
        }
        let is_loosened = self.loosened > loosened;
        let (now, mended) = match (key, mended) {
            // If a schema accepts more than before, its negation would accept less.
            ("not" | "if", Some(_)) if is_loosened => ("", None),
            ("oneOf", Some(_)) if is_loosened && has_any_of => ("", None),
            ("oneOf", Some(list)) if is_loosened => ("anyOf", Some(list)),
            ("$id", Some(id)) => identity(id, self.numbers),
            (_, mended) => (key, mended),
        };
        match mended {
            Some(mended) => {
                if now != key {
                    self.note(format!("became {now}"));
                }
                Some((now.to_owned(), mended))
            }
            None => {
                self.note(format!("{} was left out", self.numbers.excerpt(&value)));
                None
            }
        }
    }

    /// Repairs the value of a keyword that must be a schema.
    fn schema_of(&mut self, key: &str, value: &Value) -> Option<Value> {
        match value {
            Value::Object(schema) => Some(Value::Object(self.schema(schema))),
            Value::Bool(_) => Some(value.clone()),
            // A tuple in the syntax of older drafts.
            Value::Array(list) if key == "items" && !list.is_empty() => {
                self.note("a list of schemas became anyOf".to_owned());
                Some(json!({ "anyOf": self.schemas(value) }))
            }
            value => (key == "items" || *value == json!([])).then(|| json!({})),
        }
    }

    /// Repairs a list of schemas. Returns `None` if it is empty.
    fn schemas(&mut self, value: &Value) -> Option<Value> {
        let Value::Array(list) = value else { return None };
        let mut schemas = Vec::with_capacity(list.len());
        for (at, item) in list.iter().enumerate() {
            let place = self.changes.enter(&at.to_string());
            schemas.push(self.entry(Kind::Schemas, item));
            self.changes.leave(place);
        }
        (!schemas.is_empty()).then_some(Value::Array(schemas))
    }

    /// Repairs schemas by name.
    fn map(&mut self, kind: Kind, value: &Value) -> Option<Value> {
        let Value::Object(entries) = value else { return (*value == json!([])).then(|| json!({})) };
        let mut map = Object::new();
        for (name, value) in entries {
            let place = self.changes.enter(name);
            map.insert(name.clone(), self.entry(kind, value));
            self.changes.leave(place);
        }
        Some(Value::Object(map))
    }

    /// Repairs a schema in a list or a map.
    fn entry(&mut self, kind: Kind, value: &Value) -> Value {
        let list = match value {
            Value::Object(schema) => return Value::Object(self.schema(schema)),
            Value::Bool(_) => return value.clone(),
            value => Some(value).filter(|_| kind == Kind::Dependencies),
        };
        let now = list.and_then(|list| leaf(Kind::Texts, list, self.numbers)).unwrap_or_else(|| json!({}));
        if now != *value {
            self.note(format!("{} is {} now", self.numbers.excerpt(value), self.numbers.excerpt(&now)));
        }
        now
    }
}

/// Repairs an `$id`. In drafts before 2019-09, an `$id` that begins with `#` was what `$anchor` is now.
fn identity(id: Value, numbers: &Numbers) -> (&'static str, Option<Value>) {
    let text = id.as_str().unwrap_or_default();
    match text.strip_prefix('#').filter(|name| !name.is_empty()) {
        Some(name) => ("$anchor", leaf(Kind::Anchor, &name.into(), numbers)),
        None if text.trim_end_matches('#').contains('#') => ("$id", None),
        None => ("$id", Some(id)),
    }
}

/// Merges the properties of alternatives into the root. Properties that only some alternatives require are not
/// required.
fn merged(root: Value, changes: &mut Changes) -> Value {
    let mut properties = Object::new();
    gather(&root, &root, &mut ALTERNATIVES.clone(), &mut properties);
    let mut merged = Object::new();
    for (key, value) in root.as_object().into_iter().flatten() {
        if TOP.contains(&&**key) {
            let place = changes.enter(key);
            changes.note(SchemaRule::Alternatives, "was merged into the properties".to_owned());
            changes.leave(place);
        } else if key != "properties" {
            merged.insert(key.clone(), value.clone());
        }
    }
    for schemas in properties.values_mut() {
        *schemas = match schemas.as_array_mut() {
            Some(schemas) if schemas.len() == 1 => schemas.remove(0),
            _ => json!({ "anyOf": schemas }),
        };
    }
    merged.insert("properties".to_owned(), Value::Object(properties));
    Value::Object(merged)
}

/// Collects the properties of a schema, of its alternatives and of the definitions to which these refer: for each name,
/// a list of schemas. `left` is the number of alternatives that may still be read.
fn gather(root: &Value, schema: &Value, left: &mut usize, to: &mut Object) {
    for (name, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let schemas = to.entry(name.as_str()).or_insert_with(|| json!([]));
        if let Some(schemas) = schemas.as_array_mut().filter(|schemas| !schemas.contains(schema)) {
            schemas.push(schema.clone());
        }
    }
    for alternative in TOP[..3].iter().filter_map(|key| schema.get(key)?.as_array()).flatten() {
        if *left == 0 || !alternative.is_object() {
            continue;
        }
        *left -= 1;
        let reference = alternative.get("$ref").and_then(Value::as_str);
        let target = reference.map(|reference| definition(root, &decoded(reference)?));
        if let Some(alternative) = target.unwrap_or(Some(alternative)) {
            gather(root, alternative, left, to);
        }
    }
}

/// Returns the definition that a reference names. A reference to a part of one would let a schema grow: many parts may
/// contain each other.
fn definition<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let (key, name) = reference.strip_prefix("#/")?.split_once('/')?;
    KEYS.contains(&key).then(|| root.get(key)?.get(unescaped(name)))?.filter(|_| !name.contains('/'))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::catalog::schema::Schema;

    /// Checks the repaired schema, the note about it, and that the result needs no more repair.
    fn check(schema: &str, expected: &str, said: &str) {
        let (repaired, note) = Schema::read(schema).unwrap();
        assert_eq!(repaired.as_str(), expected, "{schema}");
        assert!(note.as_deref().is_some_and(|note| note.contains(said)), "{said}: {note:?}");
        let (again, note) = Schema::read(expected).unwrap();
        assert_eq!((again.as_str(), note), (expected, None), "{schema}");
    }

    /// Invalid values, their repaired form, and the key that the note names.
    const WRONG: [(&str, &str, &str); 50] = [
        (r#"{"required":{"0":"a","2":"b"}}"#, r#"{"required":["a","b"]}"#, "required: an object became a list"),
        (r#"{"enum":{"1":"x","2":"y"}}"#, r#"{"enum":["x","y"]}"#, "enum"),
        (r#"{"anyOf":{"0":{"type":"str"},"2":{}}}"#, r#"{"anyOf":[{"type":"string"},{}]}"#, "anyOf"),
        (r#"{"required":true,"type":"string"}"#, r#"{"type":"string"}"#, "required: true was left out"),
        (r#"{"required":"name","title":"t"}"#, r#"{"title":"t"}"#, "required"),
        (r#"{"required":["a",5,"b","a"]}"#, r#"{"required":["a","b"]}"#, "required"),
        (r#"{"exclusiveMinimum":true,"minimum":1}"#, r#"{"minimum":1}"#, "exclusiveMinimum"),
        (r#"{"maximum":"9","minLength":null,"title":"t"}"#, r#"{"title":"t"}"#, "maximum"),
        (r#"{"minItems":-1.50,"title":"t"}"#, r#"{"title":"t"}"#, "minItems: -1.50 was left out"),
        (r#"{"multipleOf":0.00,"title":"t"}"#, r#"{"title":"t"}"#, "multipleOf: 0.00 was left out"),
        (r#"{"multipleOf":0,"title":"t"}"#, r#"{"title":"t"}"#, "multipleOf"),
        (r#"{"minItems":-1,"maxItems":1.5,"maxLength":2.0}"#, r#"{"maxLength":2.0}"#, "minItems"),
        (r#"{"uniqueItems":"true","deprecated":true}"#, r#"{"deprecated":true}"#, "uniqueItems"),
        (r#"{"type":"any","title":"t"}"#, r#"{"title":"t"}"#, "type"),
        (r#"{"type":"str"}"#, r#"{"type":"string"}"#, "type"),
        (r#"{"type":["INTEGER","null","int"]}"#, r#"{"type":["integer","null"]}"#, "type"),
        (r#"{"type":["string","file"],"title":"t"}"#, r#"{"title":"t"}"#, "type"),
        (r#"{"type":[],"title":"t"}"#, r#"{"title":"t"}"#, "type"),
        (r#"{"type":{"type":"string"}}"#, "{}", "type"),
        (r#"{"enum":"x","title":"t"}"#, r#"{"title":"t"}"#, "enum"),
        (r#"{"enum":[],"examples":"x","title":"t"}"#, r#"{"title":"t"}"#, "enum"),
        (r#"{"description":5,"title":null,"pattern":"a"}"#, r#"{"pattern":"a"}"#, "description"),
        (r#"{"properties":[]}"#, r#"{"properties":{}}"#, "properties: [] is {} now"),
        (r#"{"properties":null,"title":"t"}"#, r#"{"title":"t"}"#, "properties"),
        (
            r#"{"properties":{"a":[],"b":"string","c":null,"d":true}}"#,
            r#"{"properties":{"a":{},"b":{},"c":{},"d":true}}"#,
            "properties.a: [] is {} now",
        ),
        (r#"{"patternProperties":[]}"#, r#"{"patternProperties":{}}"#, "patternProperties"),
        (
            r#"{"dependentRequired":{"a":"b","c":["d"],"e":1}}"#,
            r#"{"dependentRequired":{"c":["d"]}}"#,
            "dependentRequired",
        ),
        (
            r#"{"dependencies":{"a":["b","b"],"c":{"type":"Boolean"}}}"#,
            r#"{"dependencies":{"a":["b"],"c":{"type":"boolean"}}}"#,
            "dependencies.a",
        ),
        (r#"{"items":[{"type":"string"},{}]}"#, r#"{"items":{"anyOf":[{"type":"string"},{}]}}"#, "items"),
        (r#"{"type":"array","items":[]}"#, r#"{"type":"array","items":{}}"#, "items"),
        (r#"{"type":"array","items":"string"}"#, r#"{"type":"array","items":{}}"#, "items"),
        (r#"{"type":"array"}"#, r#"{"type":"array","items":{}}"#, "items: {} was added"),
        (r#"{"type":["array","null"],"title":"t"}"#, r#"{"type":["array","null"],"title":"t","items":{}}"#, "items"),
        (r#"{"type":"array","prefixItems":[{}]}"#, r#"{"type":"array","prefixItems":[{}],"items":{}}"#, "items"),
        (r#"{"additionalProperties":"false","title":"t"}"#, r#"{"title":"t"}"#, "additionalProperties"),
        (r#"{"additionalProperties":[]}"#, r#"{"additionalProperties":{}}"#, "additionalProperties"),
        (r#"{"anyOf":{"type":"string"},"title":"t"}"#, r#"{"title":"t"}"#, "anyOf"),
        (r#"{"allOf":[],"prefixItems":[],"title":"t"}"#, r#"{"title":"t"}"#, "allOf"),
        (r#"{"anyOf":["string",null,[]]}"#, r#"{"anyOf":[{},{},{}]}"#, "anyOf.0"),
        (
            r#"{"oneOf":[{"type":"string"},{"type":"float"}]}"#,
            r#"{"anyOf":[{"type":"string"},{"type":"number"}]}"#,
            "oneOf.1.type",
        ),
        (r#"{"not":{"type":"any"},"title":"t"}"#, r#"{"title":"t"}"#, "not"),
        (r#"{"not":{"type":"array"}}"#, r#"{"not":{"type":"array","items":{}}}"#, "not"),
        (r#"{"not":5,"title":"t"}"#, r#"{"title":"t"}"#, "not"),
        (r##"{"title":"t","$ref":"#/$defs/gone"}"##, r#"{"title":"t"}"#, "$ref"),
        (r##"{"$ref":"#/$defs/my%20gone"}"##, "{}", "$ref"),
        (r##"{"$ref":"#gone"}"##, "{}", "$ref"),
        (r##"{"$ref":"https://example.com/page.json"}"##, "{}", "$ref"),
        (r##"{"$ref":5}"##, "{}", "$ref"),
        (r##"{"$anchor":"a b","$id":"a#b"}"##, "{}", "$anchor"),
        (r#"{"\u0074ype":"any","title":"t"}"#, r#"{"title":"t"}"#, "type"),
    ];

    #[test]
    fn what_vendors_refuse_at_any_depth_is_mended() {
        for (from, to, said) in WRONG {
            for (open, close) in [
                (r#"{"type":"object","properties":{"a":"#, "}}"),
                (r#"{"type":"object","properties":{"required":{"items":"#, "}}}"),
                (r#"{"type":"object","properties":{"a":{"anyOf":[{"additionalProperties":"#, "}]}}}"),
                (r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}},"$defs":{"b":"##, "}}"),
                ("{ \"type\": \"object\",\n\"properties\": {\"a\": ", " } }"),
            ] {
                let compact = |text: &str| text.replace([' ', '\n'], "");
                check(&format!("{open}{from}{close}"), &format!("{}{to}{}", compact(open), compact(close)), said);
            }
        }
    }

    #[test]
    fn what_the_root_can_only_mean_is_mended() {
        for (from, to, said) in [
            ("[]", r#"{"type":"object","properties":{}}"#, "[] is"),
            ("[ ]", r#"{"type":"object","properties":{}}"#, "[] is"),
            (r#"{"type":"object","required":"a"}"#, r#"{"type":"object"}"#, "required"),
            (
                r#"{"type":"object","properties":[],"required":[]}"#,
                r#"{"type":"object","properties":{},"required":[]}"#,
                "properties",
            ),
            (r#"{"type":"object","properties":null}"#, r#"{"type":"object"}"#, "properties"),
            (r#"{"type":"object","$defs":[],"definitions":null}"#, r#"{"type":"object"}"#, "$defs"),
            (r#"{"type":["object","null"]}"#, r#"{"type":"object"}"#, "type"),
            (r#"{"type":"dict"}"#, r#"{"type":"object"}"#, "type"),
            (r#"{"type":null}"#, r#"{"type":"object"}"#, "type"),
            (r#"{"type":"OBJECT"}"#, r#"{"type":"object"}"#, "type"),
            (
                r##"{"type":"object","properties":{"a":{"$ref":"#/anyOf/0/properties/b"}},"anyOf":[{"properties":{"b":{}}}]}"##,
                r#"{"type":"object","properties":{"a":{},"b":{}}}"#,
                "properties.a.$ref",
            ),
            (
                r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":[{"type":"string"}]}"##,
                r#"{"type":"object","properties":{"a":{}}}"#,
                "$defs",
            ),
            (
                r##"{"type":"object","properties":{"a":{"$ref":"#b"},"b":{"$id":"#b"}}}"##,
                r##"{"type":"object","properties":{"a":{"$ref":"#b"},"b":{"$anchor":"b"}}}"##,
                "",
            ),
        ] {
            if said.is_empty() {
                assert_eq!(Schema::read(from).unwrap().0.as_str(), to);
            } else {
                check(from, to, said);
            }
        }
    }

    #[test]
    fn alternatives_at_the_top_are_merged() {
        check(
            r#"{"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
            r#"{"type":"object","properties":{"a":{},"b":{}}}"#,
            "anyOf",
        );
        check(
            r#"{"oneOf":[{"type":"object","properties":{"kind":{"const":"x"},"x":{}},"required":["kind","x"]},{"type":"object","properties":{"kind":{"const":"y"}},"required":["kind"]},{"type":"null"}],"type":"object"}"#,
            r#"{"type":"object","properties":{"kind":{"anyOf":[{"const":"x"},{"const":"y"}]},"x":{}}}"#,
            "oneOf",
        );
        check(
            r##"{"type":"object","allOf":[{"$ref":"#/$defs/a"},{"properties":{"b":{"$ref":"#/$defs/b"}},"required":["b"]}],"$defs":{"a":{"properties":{"a":{}},"required":["a"]},"b":{}}}"##,
            r##"{"type":"object","$defs":{"b":{}},"properties":{"a":{},"b":{"$ref":"#/$defs/b"}}}"##,
            "allOf",
        );
        check(
            r##"{"type":"object","anyOf":[{"$ref":"#/definitions/a"}],"definitions":{"a":{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}}}"##,
            r#"{"type":"object","properties":{"a":{},"b":{}}}"#,
            "anyOf",
        );
        check(
            r#"{"type":"object","not":{"required":["a"]},"enum":[{}]}"#,
            r#"{"type":"object","properties":{}}"#,
            "not",
        );
    }

    #[test]
    fn what_vendors_take_stays_as_it_is() {
        for schema in [
            r##"{"type":"object","$ref":"#/$defs/a~1b","properties":{"a":{"$ref":"#/$defs/a~1b"},"b":{"$ref":"#"}},"$defs":{"a/b":{"$ref":"#/$defs/a~1b"}}}"##,
            r##"{"type":"object","properties":{"a":{"$anchor":"a"},"b":{"$ref":"#a"}}}"##,
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/my%20type"},"b":{"$ref":"#/properties/a"}},"$defs":{"my type":{}}}"##,
            r#"{"type":"object","title":"","properties":{"a":{"items":false,"additionalProperties":true,"required":[],"examples":[],"minimum":-1.5e3,"enum":[null,[],{}],"const":null,"x-y":[]}}}"#,
            r#"{"type":"object","properties":{"required":{"type":"boolean"},"anyOf":{},"items":{"enum":["any","OBJECT"]}}}"#,
            r#"{"type":"object","properties":{"a":{"default":{"required":true,"items":[1]},"exclusiveMinimum":0}}}"#,
        ] {
            let (kept, change) = Schema::read(schema).unwrap();
            assert_eq!((kept.as_str(), change), (schema, None));
        }
    }

    #[test]
    fn hostile_schemas_end() {
        let all: Vec<String> = (0..60).map(|at| format!(r##"{{"$ref":"#/$defs/d{at}"}}"##)).collect();
        let all = all.join(",");
        let defs: Vec<String> =
            (0..60).map(|at| format!(r#""d{at}":{{"properties":{{"p{at}":{{}}}},"anyOf":[{all}]}}"#)).collect();
        let loops = format!(r#"{{"type":"object","oneOf":[{all}],"$defs":{{{}}}}}"#, defs.join(","));
        assert!(Schema::read(&loops).unwrap().0.as_str().starts_with(r#"{"type":"object","properties":{"p0":{}"#));
        let nested = r#"{"title":"x","properties":{"p":"#.repeat(28) + "{}" + &"}}".repeat(28);
        let refs: Vec<String> =
            (0..28).map(|at| format!(r##"{{"$ref":"#/$defs/d{}"}}"##, "/properties/p".repeat(at))).collect();
        let parts = format!(r#"{{"type":"object","anyOf":[{}],"$defs":{{"d":{nested}}}}}"#, refs.join(","));
        assert!(Schema::read(&parts).unwrap().0.as_str().len() < parts.len());
        let many: String = (0..20_000).map(|at| format!(r#""{at:x}":1,"#)).collect();
        assert!(Schema::read(&format!(r#"{{"type":"object","anyOf":[{{"properties":{{{many}"z":1}}}}]}}"#)).is_ok());
    }
}
