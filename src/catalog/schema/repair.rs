//! Repairs schemas that vendors refuse. A vendor refuses a whole request for one such schema, so that one tool of a server
//! would stop the conversation. A repaired schema accepts every argument that the schema accepted; the server still checks.

use serde::de::Error as _;

use crate::json::{self, Fault, Fields, closed, push_entry};

use super::definitions::Definitions;

/// Properties in a schema that has alternatives at the top. Each is compared with the others.
const MOST: usize = 1_000;
/// Alternatives that are read, those within alternatives included: references may lead back.
const ALTERNATIVES: usize = 100;
/// Keys that vendors refuse at the top.
const TOP: [&str; 6] = ["anyOf", "oneOf", "allOf", "not", "enum", "const"];

type Repaired = Result<String, Fault>;

/// A schema in which nothing is left that vendors are known to refuse, and the first key whose value was changed.
///
/// - At the top: the properties of `anyOf`, `oneOf` and `allOf` become those of the root; `not`, `enum` and `const` go.
/// - At any depth: references to definitions that do not exist, `required` that is no list, exclusive limits that are no
///   numbers and the type `any` go; a list of `items` becomes `anyOf`; types are put in lower case.
///
/// # Errors
/// The schema cannot be repaired.
pub(super) fn repaired(schema: &str) -> Result<(String, Option<String>), Fault> {
    let root = Fields::read(schema)?;
    let definitions = &Definitions::read(&root)?;
    let mut repair = Repair { definitions, changed: None, properties: Vec::new(), left: ALTERNATIVES };
    let text = if TOP.iter().any(|key| root.get(key).is_some()) { repair.merged(&root)? } else { schema.to_owned() };
    Ok((repair.mended(&text)?, repair.changed))
}

struct Repair<'a> {
    definitions: &'a Definitions<'a>,
    /// The first key whose value was changed.
    changed: Option<String>,
    /// Properties of the root and of its alternatives by name, each with its schemas.
    properties: Vec<(String, Vec<&'a str>)>,
    /// Alternatives that may still be read.
    left: usize,
}

impl<'a> Repair<'a> {
    fn change(&mut self, key: &str) {
        self.changed.get_or_insert_with(|| key.to_owned());
    }

    /// The root without alternatives. What only some of them require is not required.
    fn merged(&mut self, root: &Fields<'a>) -> Repaired {
        let mut text = String::new();
        self.gather(root)?;
        for (key, value) in root.entries() {
            if TOP.contains(&&**key) {
                self.change(key);
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
            if self.properties.len() > MOST {
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

    /// The schema with all that it nests.
    fn mended(&mut self, schema: &str) -> Repaired {
        match schema.as_bytes()[0] {
            b'{' => self.rewritten(schema, false),
            b'[' => {
                let items: Result<Vec<String>, Fault> =
                    json::items(schema)?.into_iter().map(|item| self.mended(item)).collect();
                Ok(format!("[{}]", items?.join(",")))
            }
            _ => Ok(schema.to_owned()),
        }
    }

    /// An object of schemas by name, or a schema. An entry whose new value is empty is left out.
    fn rewritten(&mut self, object: &str, is_of_names: bool) -> Repaired {
        let mut text = String::new();
        for (key, value) in Fields::read(object)?.entries() {
            let value = if is_of_names { self.mended(value)? } else { self.entry(key, value)? };
            if !value.is_empty() {
                push_entry(&mut text, key, &value);
            }
        }
        Ok(closed(text))
    }

    /// The value of a key, or an empty text where the key has to go.
    fn entry(&mut self, key: &str, value: &str) -> Repaired {
        let first = value.as_bytes()[0];
        let mended = match key {
            "type" if first == b'"' => Some(value.to_ascii_lowercase()).filter(|kind| kind != r#""any""#),
            "items" if first == b'[' => Some(format!("{{\"anyOf\":{}}}", self.mended(value)?)),
            "required" if first != b'[' => None,
            "exclusiveMinimum" | "exclusiveMaximum" if first > b'9' => None,
            "$ref" if first == b'"' && self.definitions.lacks(&json::string(value)?) => None,
            "properties" | "patternProperties" | "$defs" | "definitions" if first == b'{' => {
                return self.rewritten(value, true);
            }
            "items" | "prefixItems" | "anyOf" | "oneOf" | "allOf" | "not" | "additionalProperties" => {
                return self.mended(value);
            }
            _ => return Ok(value.to_owned()),
        };
        let mended = mended.unwrap_or_default();
        if mended != value {
            self.change(key);
        }
        Ok(mended)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::catalog::schema::Schema;

    /// Checks what a schema becomes, and that the result needs no repair.
    fn check(schema: &str, expected: &str, changed: &str) {
        let note = format!("parts of parameters that vendors refuse were changed: {changed}");
        let (repaired, change) = Schema::read(schema).unwrap();
        assert_eq!((repaired.as_str(), change.as_deref()), (expected, Some(&*note)), "{schema}");
        let (again, change) = Schema::read(expected).unwrap();
        assert_eq!((again.as_str(), change), (expected, None), "{schema}");
    }

    #[test]
    fn what_vendors_refuse_at_any_depth_is_removed() {
        for (from, to, changed) in [
            (r#"{"required":true,"type":"string"}"#, r#"{"type":"string"}"#, "required"),
            (r#"{"exclusiveMinimum":true,"minimum":1}"#, r#"{"minimum":1}"#, "exclusiveMinimum"),
            (r#"{"minimum":1,"exclusiveMaximum":false}"#, r#"{"minimum":1}"#, "exclusiveMaximum"),
            (r#"{"type":"any","title":"t"}"#, r#"{"title":"t"}"#, "type"),
            (r#"{"items":[{"type":"string"},{}]}"#, r#"{"items":{"anyOf":[{"type":"string"},{}]}}"#, "items"),
            (r##"{"title":"t","$ref":"#/$defs/gone"}"##, r#"{"title":"t"}"#, "$ref"),
            (r##"{"$ref":"https://example.com/page.json"}"##, "{}", "$ref"),
        ] {
            for (open, close) in [
                (r#"{"type":"object","properties":{"a":"#, "}}"),
                (r#"{"type":"object","properties":{"required":{"items":"#, "}}}"),
                (r#"{"type":"object","properties":{"a":{"anyOf":[{"not":"#, "}]}}}"),
            ] {
                check(&format!("{open}{from}{close}"), &format!("{open}{to}{close}"), changed);
            }
        }
        check(r#"{"type":"object","required":"a"}"#, r#"{"type":"object"}"#, "required");
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
