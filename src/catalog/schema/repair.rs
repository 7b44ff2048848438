//! Repairs schemas that vendors refuse. A vendor refuses a whole request for one such schema, so that one tool of a server
//! would stop the conversation. A repaired schema accepts every argument that the schema accepted; the server still checks.

use serde::de::Error as _;

use crate::error::excerpt_json;
use crate::json::{self, Fault, Fields, closed, push_entry, quoted};

use super::changes::{Changes, SchemaRule};
use super::definitions::Definitions;
use super::keywords::{Kind, TOP};
use super::references::without_dangling;
use super::values::{leaf, list_of_php};

/// Properties in a schema that has alternatives at the top. Each is compared with the others.
const COMPARED_PROPERTIES: usize = 1_000;
/// Alternatives that are read, those within alternatives included: references may lead back.
const ALTERNATIVES: usize = 100;

type Repaired = Result<String, Fault>;

/// A schema in which nothing is left that vendors are known to refuse. What was changed is noted.
///
/// - At any depth: a value that the [table](super::keywords) does not allow goes; PHP's `[]` becomes the map that it means. An
///   array that does not say of what gets `items`. References that lead nowhere go.
/// - At the top: the properties of `anyOf`, `oneOf` and `allOf` become those of the root; `not`, `enum` and `const` go.
///
/// # Errors
/// The schema cannot be repaired.
pub(super) fn repaired(schema: &str, changes: &mut Changes) -> Repaired {
    let mut text = Repair { changes, loosened: 0 }.schema(schema)?;
    let root = Fields::read(&text)?;
    if TOP.iter().any(|key| root.get(key).is_some()) {
        let merge = Merge { definitions: &Definitions::read(&root)?, properties: Vec::new(), left: ALTERNATIVES };
        text = merge.merged(&root, changes)?;
    }
    without_dangling(text, changes)
}

struct Repair<'c> {
    changes: &'c mut Changes,
    /// Changes after which a schema accepts more than before.
    loosened: usize,
}

impl Repair<'_> {
    fn note(&mut self, change: String) {
        self.changes.note(SchemaRule::Keywords, change);
        self.loosened += 1;
    }

    /// A schema that is an object.
    fn schema(&mut self, schema: &str) -> Repaired {
        let fields = Fields::read(schema)?;
        let mut text = String::new();
        for (key, value) in fields.entries() {
            let place = self.changes.enter(key);
            if let Some((key, value)) = self.keyword(&fields, key, value)? {
                push_entry(&mut text, key, &value);
            }
            self.changes.leave(place);
        }
        let kind = fields.get("type").and_then(|kind| leaf(Kind::Types, kind));
        if fields.get("items").is_none() && kind.is_some_and(|kind| kind.contains(r#""array""#)) {
            push_entry(&mut text, "items", "{}");
            self.changes.note(SchemaRule::Arrays, "items: {} was added to an array".to_owned());
        }
        Ok(closed(text))
    }

    /// A keyword with its value; none where it has to go.
    fn keyword<'k>(
        &mut self,
        fields: &Fields<'_>,
        key: &'k str,
        value: &str,
    ) -> Result<Option<(&'k str, String)>, Fault> {
        let (kind, loosened) = (Kind::of(key), self.loosened);
        let list = if kind.is_list() { list_of_php(value) } else { None };
        let value = list.as_deref().inspect(|_| self.note("an object became a list".to_owned())).unwrap_or(value);
        let mended = match kind {
            Kind::Any => Some(value.to_owned()),
            Kind::Schema => self.schema_of(key, value)?,
            Kind::Schemas => self.schemas(value)?,
            Kind::Map | Kind::Dependencies => self.map(kind, value)?,
            // The root's other types were refused before.
            Kind::Types if self.changes.path() == "type" => leaf(kind, value).map(|_| r#""object""#.to_owned()),
            _ => leaf(kind, value),
        };
        // What is nested tells of its own changes.
        let is_nested = kind.has_schemas() && value != "[]" && value.starts_with(['{', '[']);
        if let Some(now) = mended.as_ref().filter(|now| !is_nested && *now != value) {
            self.changes.note(SchemaRule::Keywords, format!("{} is {} now", excerpt_json(value), excerpt_json(now)));
            self.loosened += usize::from(!now.eq_ignore_ascii_case(value));
        }
        let is_loosened = self.loosened > loosened;
        let (now, mended) = match (key, mended) {
            // Of a schema that accepts more now, its opposite would accept less.
            ("not" | "if", Some(_)) if is_loosened => (key, None),
            ("oneOf", Some(_)) if is_loosened && fields.get("anyOf").is_some() => (key, None),
            ("oneOf", Some(list)) if is_loosened => ("anyOf", Some(list)),
            ("$id", Some(id)) => identity(id),
            other => other,
        };
        match mended {
            Some(mended) => {
                if now != key {
                    self.note(format!("became {now}"));
                }
                Ok(Some((now, mended)))
            }
            None => {
                self.note(format!("{} was left out", excerpt_json(value)));
                Ok(None)
            }
        }
    }

    /// The schema of a keyword that has one.
    fn schema_of(&mut self, key: &str, value: &str) -> Result<Option<String>, Fault> {
        match value.as_bytes()[0] {
            b'{' => self.schema(value).map(Some),
            b't' | b'f' => Ok(Some(value.to_owned())),
            // A tuple, as older drafts write it.
            b'[' if key == "items" && value != "[]" => {
                self.note("a list of schemas became anyOf".to_owned());
                Ok(Some(match self.schemas(value)? {
                    Some(list) => format!("{{\"anyOf\":{list}}}"),
                    None => "{}".to_owned(),
                }))
            }
            _ => Ok((key == "items" || value == "[]").then(|| "{}".to_owned())),
        }
    }

    /// A list of schemas; none where there is none left.
    fn schemas(&mut self, value: &str) -> Result<Option<String>, Fault> {
        if !value.starts_with('[') {
            return Ok(None);
        }
        let items = json::items(value)?;
        let mut list = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            let place = self.changes.enter(&at.to_string());
            list.push(self.entry(Kind::Schemas, item)?);
            self.changes.leave(place);
        }
        Ok(Some(list).filter(|list| !list.is_empty()).map(|list| format!("[{}]", list.join(","))))
    }

    /// Schemas by name.
    fn map(&mut self, kind: Kind, value: &str) -> Result<Option<String>, Fault> {
        if !value.starts_with('{') {
            return Ok((value == "[]").then(|| "{}".to_owned()));
        }
        let mut map = String::new();
        for (name, value) in Fields::read(value)?.entries() {
            let place = self.changes.enter(name);
            push_entry(&mut map, name, &self.entry(kind, value)?);
            self.changes.leave(place);
        }
        Ok(Some(closed(map)))
    }

    /// A schema in a list or a map of them.
    fn entry(&mut self, kind: Kind, value: &str) -> Repaired {
        let now = match (value, kind) {
            _ if value.starts_with('{') => return self.schema(value),
            ("true" | "false", _) => return Ok(value.to_owned()),
            (_, Kind::Dependencies) if value.starts_with('[') => leaf(Kind::Texts, value).unwrap_or_default(),
            _ => "{}".to_owned(),
        };
        if now != value {
            self.note(format!("{} is {} now", excerpt_json(value), excerpt_json(&now)));
        }
        Ok(now)
    }
}

/// An identity as 2020-12 has it. Drafts before 2019-09 wrote what is `$anchor` now as an `$id` that begins with `#`.
fn identity(id: String) -> (&'static str, Option<String>) {
    let Ok(text) = json::string(&id) else { return ("$id", None) };
    match text.strip_prefix('#').filter(|name| !name.is_empty()) {
        Some(name) => ("$anchor", leaf(Kind::Anchor, &quoted(name))),
        None if text.trim_end_matches('#').contains('#') => ("$id", None),
        None => ("$id", Some(id)),
    }
}

/// The merging of what stands at the top of a schema into its properties.
struct Merge<'a> {
    definitions: &'a Definitions<'a>,
    /// Properties of the root and of its alternatives by name, each with its schemas.
    properties: Vec<(String, Vec<&'a str>)>,
    /// Alternatives that may still be read.
    left: usize,
}

impl<'a> Merge<'a> {
    /// The root without alternatives. What only some of them require is not required.
    fn merged(mut self, root: &Fields<'a>, changes: &mut Changes) -> Repaired {
        let mut text = String::new();
        self.gather(root)?;
        for (key, value) in root.entries() {
            if TOP.contains(&&**key) {
                let place = changes.enter(key);
                changes.note(SchemaRule::Alternatives, "was merged into the properties".to_owned());
                changes.leave(place);
            } else if key != "properties" {
                push_entry(&mut text, key, value);
            }
        }
        let mut properties = String::new();
        for (name, schemas) in &self.properties {
            let all = schemas.join(",");
            push_entry(&mut properties, name, &if schemas.len() > 1 { format!("{{\"anyOf\":[{all}]}}") } else { all });
        }
        push_entry(&mut text, "properties", &closed(properties));
        Ok(closed(text))
    }

    /// Takes the properties of a schema, of its alternatives and of the definitions to which these refer.
    fn gather(&mut self, schema: &Fields<'a>) -> Result<(), Fault> {
        for (name, schema) in Fields::read(schema.get("properties").unwrap_or("{}"))?.entries() {
            match self.properties.iter_mut().find(|(known, _)| known == name) {
                Some((_, schemas)) if schemas.contains(schema) => {}
                Some((_, schemas)) => schemas.push(schema),
                None => self.properties.push((name.to_string(), vec![schema])),
            }
            if self.properties.len() > COMPARED_PROPERTIES {
                return Err(Fault::custom("too many properties"));
            }
        }
        for key in &TOP[..3] {
            for alternative in json::items(schema.get(key).unwrap_or("[]"))? {
                if self.left == 0 || !alternative.starts_with('{') {
                    continue;
                }
                self.left -= 1;
                let mut fields = Fields::read(alternative)?;
                if let Some(reference) = fields.get("$ref") {
                    fields = Fields::read(self.definitions.get(&json::string(reference)?).unwrap_or("{}"))?;
                }
                self.gather(&fields)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::catalog::schema::Schema;

    /// Checks what a schema becomes, what is said of it, and that the result needs no repair.
    fn check(schema: &str, expected: &str, said: &str) {
        let (repaired, note) = Schema::read(schema).unwrap();
        assert_eq!(repaired.as_str(), expected, "{schema}");
        assert!(note.as_deref().is_some_and(|note| note.contains(said)), "{said}: {note:?}");
        let (again, note) = Schema::read(expected).unwrap();
        assert_eq!((again.as_str(), note), (expected, None), "{schema}");
    }

    /// What no meta-schema allows, what it becomes, and the key that is told.
    const WRONG: [(&str, &str, &str); 48] = [
        (r#"{"required":{"0":"a","2":"b"}}"#, r#"{"required":["a","b"]}"#, "required: an object became a list"),
        (r#"{"enum":{"1":"x","2":"y"}}"#, r#"{"enum":["x","y"]}"#, "enum"),
        (r#"{"anyOf":{"0":{"type":"str"},"2":{}}}"#, r#"{"anyOf":[{"type":"string"},{}]}"#, "anyOf"),
        (r#"{"required":true,"type":"string"}"#, r#"{"type":"string"}"#, "required: true was left out"),
        (r#"{"required":"name","title":"t"}"#, r#"{"title":"t"}"#, "required"),
        (r#"{"required":["a",5,"b","a"]}"#, r#"{"required":["a","b"]}"#, "required"),
        (r#"{"exclusiveMinimum":true,"minimum":1}"#, r#"{"minimum":1}"#, "exclusiveMinimum"),
        (r#"{"maximum":"9","minLength":null,"title":"t"}"#, r#"{"title":"t"}"#, "maximum"),
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
        let many: String = (0..20_000).map(|at| format!(r#""{at:x}":1,"#)).collect();
        assert!(Schema::read(&format!(r#"{{"type":"object","anyOf":[{{"properties":{{{many}"z":1}}}}]}}"#)).is_err());
    }
}
