//! Repairs schemas that vendors refuse. A vendor refuses a whole request for one such schema, so that one tool of a
//! server would stop the conversation. A repaired schema accepts every argument that the original accepted; the server
//! still checks arguments.

use serde_json::json;

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
/// - At the top: makes the type `object`, adds the properties of `anyOf`, `oneOf` and `allOf` to those of the root, and
///   removes `not`, `enum` and `const`.
pub(super) fn repaired(schema: &Object, numbers: &Numbers, changes: &mut Changes) -> Object {
    // Other types of the root were refused before.
    let is_typed =
        schema.get("type").is_some_and(|kind| kind != "object" && leaf(Kind::Types, kind, numbers).is_some());
    let typed = is_typed.then(|| {
        let mut typed = schema.clone();
        typed.insert("type".to_owned(), "object".into());
        typed
    });
    let mut root = Repair(numbers).schema(typed.as_ref().unwrap_or(schema));
    changes.compare(schema, &root, numbers);
    if TOP.iter().any(|key| root.contains_key(*key)) {
        root = merged(Value::Object(root), changes);
    }
    let all = Value::Object(root.clone());
    let is_dropped = drop_dangling(&mut root, &all);
    if let Some(all) = all.as_object().filter(|_| is_dropped) {
        changes.compare(all, &root, numbers);
    }
    root
}

/// Repairs the parts of a schema, with the texts of its numbers.
struct Repair<'n>(&'n Numbers);

impl Repair<'_> {
    /// Repairs a schema that is an object.
    fn schema(&self, fields: &Object) -> Object {
        let mut schema = Object::new();
        for (key, value) in fields {
            let Some(mended) = self.keyword(key, value) else { continue };
            let key = match &**key {
                // If a schema accepts more than before, its negation would accept less.
                "not" | "if" if accepts_more(value, &mended) => continue,
                "oneOf" if accepts_more(value, &mended) && fields.contains_key("anyOf") => continue,
                "oneOf" if accepts_more(value, &mended) => "anyOf",
                // In drafts before 2019-09, an `$id` that begins with `#` was what `$anchor` is now.
                "$id" => match mended.as_str().unwrap_or_default().split_once('#') {
                    Some(("", name)) if !name.is_empty() => {
                        schema
                            .extend(leaf(Kind::Anchor, &name.into(), self.0).map(|name| ("$anchor".to_owned(), name)));
                        continue;
                    }
                    Some((_, name)) if name.contains(|c| c != '#') => continue,
                    _ => key,
                },
                key => key,
            };
            schema.insert(key.to_owned(), mended);
        }
        let is_array = schema.get("type").is_some_and(|kind| match kind {
            Value::Array(kinds) => kinds.contains(&json!("array")),
            kind => kind == "array",
        });
        if is_array && !schema.contains_key("items") {
            schema.insert("items".to_owned(), json!({}));
        }
        schema
    }

    /// Repairs the value of a keyword. Returns `None` if the keyword must be removed.
    fn keyword(&self, key: &str, value: &Value) -> Option<Value> {
        let kind = Kind::of(key);
        match value {
            _ if kind == Kind::Any => Some(value.clone()),
            Value::Object(list) if kind.is_list() && is_list_of_php(list) => {
                self.keyword(key, &list.values().cloned().collect())
            }
            Value::Object(map) if matches!(kind, Kind::Map | Kind::Dependencies) => {
                Some(map.iter().map(|(name, value)| (name.clone(), self.entry(kind, value))).collect())
            }
            Value::Array(list) if list.is_empty() && kind.has_schemas() && kind != Kind::Schemas => Some(json!({})),
            // A list of `items` is a tuple in the syntax of older drafts.
            Value::Array(list) if !list.is_empty() && (kind == Kind::Schemas || key == "items") => {
                let list: Value = list.iter().map(|item| self.entry(kind, item)).collect();
                Some(if key == "items" { json!({ "anyOf": list }) } else { list })
            }
            _ if kind == Kind::Schema => self.subschema(value).or_else(|| (key == "items").then(|| json!({}))),
            _ if kind.has_schemas() => None,
            _ => leaf(kind, value, self.0),
        }
    }

    /// Repairs a schema in a list or a map.
    fn entry(&self, kind: Kind, value: &Value) -> Value {
        let list = || leaf(Kind::Texts, value, self.0).filter(|_| kind == Kind::Dependencies);
        self.subschema(value).or_else(list).unwrap_or_else(|| json!({}))
    }

    /// Repairs a schema. Returns `None` if the value cannot be one.
    fn subschema(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Object(schema) => Some(Value::Object(self.schema(schema))),
            value => Some(value.clone()).filter(Value::is_boolean),
        }
    }
}

/// Returns true if a repaired value may accept more than before. Another case of letters and added keywords make no
/// difference.
fn accepts_more(before: &Value, now: &Value) -> bool {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            before.iter().any(|(key, value)| now.get(key).is_none_or(|now| accepts_more(value, now)))
        }
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            before.iter().zip(now).any(|(before, now)| accepts_more(before, now))
        }
        (Value::String(before), Value::String(now)) => !before.eq_ignore_ascii_case(now),
        _ => before != now,
    }
}

/// Merges the properties of alternatives into the root. Properties that only some alternatives require are not
/// required.
fn merged(root: Value, changes: &mut Changes) -> Object {
    let mut properties = Object::new();
    gather(&root, &root, &mut ALTERNATIVES.clone(), &mut properties);
    let mut merged = Object::new();
    for (key, value) in root.as_object().into_iter().flatten() {
        if TOP.contains(&&**key) {
            changes.note(SchemaRule::Alternatives, key, "was merged into the properties".to_owned());
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
    merged
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
        (
            r#"{"required":{"0":"a","2":"b"}}"#,
            r#"{"required":["a","b"]}"#,
            r#"required: {"0":"a","2":"b"} is ["a","b"] now"#,
        ),
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
