//! Gives parameters names that every vendor accepts, and maps them back to the server's names. Anthropic and Bedrock
//! refuse a whole request for one unsafe name at the top of a schema.

use serde_json::value::RawValue;

use crate::catalog::names::{NamePolicy, safe_alias, unique};
use crate::json::{self, Fields, Object, Value, closed, push_entry};
use crate::map::{Map, Set};

use super::changes::{Changes, SchemaRule};
use super::keywords::{Kind, is_safe_name};
use super::numbers::Numbers;
use super::references::{decoded, each_schema, unescaped};

/// The maximum length of a server's name of a parameter that becomes the parameter's title, in characters.
const TITLE_CHARS: usize = 128;

/// A schema whose parameters have safe names.
#[derive(Clone, Debug)]
pub(super) struct Safe {
    /// The schema.
    pub text: Box<str>,
    /// The safe names, each with the server's name.
    names: Box<[(Box<str>, Box<str>)]>,
}

impl Safe {
    /// Returns the schema with safe names, or `None` if its names are safe already.
    pub(super) fn of(mut schema: Object, numbers: &Numbers, changes: &mut Changes) -> Option<Self> {
        let names = safe_names(schema.get("properties")?.as_object()?)?;
        for (safe, own) in &names {
            changes.note(SchemaRule::Names, &format!("properties.{own}"), format!("the model sees it as {safe}"));
        }
        let by_own = names.iter().map(|(safe, own)| (&**own, &**safe)).collect();
        Rename { names: by_own }.rewrite(&mut schema);
        Some(Safe { text: numbers.write(&schema).into(), names: names.into() })
    }

    /// Returns arguments with the server's names. An argument that already has the server's name stays, unless its safe
    /// name is given.
    pub(super) fn restored(&self, arguments: Box<RawValue>) -> Box<RawValue> {
        let Ok(fields) = Fields::read(arguments.get()) else { return arguments };
        let own = |name: &str| self.names.iter().find(|(safe, _)| **safe == *name).map(|(_, own)| &**own);
        let renamed: Set<&str> = fields.keys().filter_map(own).collect();
        if renamed.is_empty() {
            return arguments;
        }
        let mut text = String::new();
        for (name, value) in fields.entries() {
            match own(name) {
                Some(own) => push_entry(&mut text, own, value),
                None if renamed.contains(&**name) => {}
                None => push_entry(&mut text, name, value),
            }
        }
        json::raw(&closed(text)).unwrap_or(arguments)
    }

    /// Returns the safe names, each with the server's name.
    pub(super) fn names(&self) -> &[(Box<str>, Box<str>)] {
        &self.names
    }
}

/// Makes a safe name for each parameter that needs one.
fn safe_names(properties: &Object) -> Option<Vec<(Box<str>, Box<str>)>> {
    if properties.keys().all(|name| is_safe_name(name)) {
        return None;
    }
    let mut taken: Set<String> = properties.keys().cloned().collect();
    let mut numbers = Map::default();
    let mut names = Vec::new();
    for own in properties.keys().filter(|name| !is_safe_name(name)) {
        let wanted = safe_alias(own);
        let wanted = wanted.strip_prefix("tool_").map_or(wanted.clone(), |hash| format!("parameter_{hash}"));
        let name = unique(&wanted, None, NamePolicy::Strict, |name| taken.contains(name), &mut numbers);
        taken.insert(name.clone());
        names.push((name.into(), own.as_str().into()));
    }
    Some(names)
}

/// Replaces the server's names by safe names.
struct Rename<'n> {
    /// The safe names, by the server's names.
    names: Map<&'n str, &'n str>,
}

impl Rename<'_> {
    fn rewrite(&self, schema: &mut Object) {
        self.of_object(schema);
        each_schema(schema, &mut |schema| {
            for (_, value) in schema.iter_mut().filter(|(key, _)| Kind::of(key) == Kind::Reference) {
                if let Some(renamed) = value.as_str().and_then(|reference| self.pointer(reference)) {
                    *value = renamed.into();
                }
            }
        });
    }

    fn name(&self, own: &str) -> String {
        self.names.get(own).copied().unwrap_or(own).to_owned()
    }

    /// Renames parameters in a schema and in the subschemas for the same object.
    fn of_parameters(&self, schema: &mut Value) {
        if let Value::Object(schema) = schema {
            self.of_object(schema);
        }
    }

    fn of_object(&self, schema: &mut Object) {
        for (key, value) in schema {
            match (&**key, value) {
                ("properties", Value::Object(map)) => {
                    let properties = std::mem::take(map).into_iter();
                    map.extend(properties.map(|(own, schema)| (self.name(&own), self.titled(own, schema))));
                }
                ("required" | "propertyOrdering", Value::Array(list)) => self.list(list),
                ("dependentRequired" | "dependentSchemas" | "dependencies", Value::Object(map)) => {
                    for (own, mut value) in std::mem::take(map) {
                        match &mut value {
                            Value::Array(list) => self.list(list),
                            schema => self.of_parameters(schema),
                        }
                        map.insert(self.name(&own), value);
                    }
                }
                // OpenAPI's keyword for the parameter that tells alternatives apart.
                ("discriminator", Value::Object(map)) => {
                    if let Some(Value::String(own)) = map.get_mut("propertyName") {
                        *own = self.name(own);
                    }
                }
                ("if" | "then" | "else" | "not", schema) => self.of_parameters(schema),
                ("anyOf" | "oneOf" | "allOf", Value::Array(list)) => {
                    list.iter_mut().for_each(|schema| self.of_parameters(schema));
                }
                _ => {}
            }
        }
    }

    /// Returns a parameter's schema. If the parameter is renamed and has no title, the server's name becomes its title.
    fn titled(&self, own: String, schema: Value) -> Value {
        match schema {
            Value::Object(schema)
                if self.names.contains_key(&*own)
                    && own.chars().count() <= TITLE_CHARS
                    && !schema.contains_key("title") =>
            {
                let mut titled = Object::from_iter([("title".to_owned(), own.into())]);
                titled.extend(schema);
                Value::Object(titled)
            }
            schema => schema,
        }
    }

    fn list(&self, list: &mut [Value]) {
        for item in list {
            if let Value::String(own) = item {
                *own = self.name(own);
            }
        }
    }

    /// Rewrites a reference to or into a renamed parameter.
    fn pointer(&self, reference: &str) -> Option<String> {
        const PARAMETERS: &str = "#/properties/";
        let reference = decoded(reference)?;
        let path = reference.strip_prefix(PARAMETERS)?;
        let (own, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
        let name = self.names.get(&*unescaped(own))?;
        Some(format!("{PARAMETERS}{name}{rest}"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::catalog::schema::Schema;
    use crate::json;

    /// Checks the schema that models see, and that arguments with its names come back with the server's names.
    fn check(own: &str, safe: &str, names: &[(&str, &str)]) {
        let (schema, note) = Schema::read(own).unwrap();
        assert_eq!((schema.as_str(), schema.with_safe_names()), (own, safe));
        let known = schema.safe_names().iter().map(|(safe, own)| (&**safe, &**own)).collect::<Vec<_>>();
        assert_eq!(known, names);
        assert_eq!(note.is_some(), !names.is_empty());
        let arguments = |of: fn(&(&str, &str)) -> String| {
            format!("{{{}}}", names.iter().map(of).chain([r#""other":1.50"#.to_owned()]).collect::<Vec<_>>().join(","))
        };
        let given = arguments(|(safe, _)| format!("{}:{{\"$deep\":1}}", json::quoted(safe)));
        let back = arguments(|(_, own)| format!("{}:{{\"$deep\":1}}", json::quoted(own)));
        assert_eq!(schema.restored(json::raw(&given).unwrap()).get(), back);
        assert_eq!(schema.restored(json::raw(&back).unwrap()).get(), back, "the server's names stay");
    }

    #[test]
    fn parameters_get_safe_names_and_their_own_back() {
        check(
            r#"{"type":"object","properties":{"a":{"properties":{"$deep":{}}}}}"#,
            r#"{"type":"object","properties":{"a":{"properties":{"$deep":{}}}}}"#,
            &[],
        );
        check(
            r#"{"type":"object","properties":{"$top":{},"top":{"type":"string"},"page[size]":{"title":"Size"}},"required":["top","$top"]}"#,
            r#"{"type":"object","properties":{"top_2":{"title":"$top"},"top":{"type":"string"},"page_size":{"title":"Size"}},"required":["top","top_2"]}"#,
            &[("top_2", "$top"), ("page_size", "page[size]")],
        );
        check(
            r##"{"type":"object","properties":{"@id":{"items":{"$ref":"#/properties/@id"}},"b":{"$ref":"#/properties/%40id/items"}},"dependentRequired":{"@id":["b"],"b":["@id"]},"if":{"required":["@id"]},"then":{"properties":{"@id":{"const":"@id"}}},"propertyOrdering":["b","@id"]}"##,
            r##"{"type":"object","properties":{"id":{"title":"@id","items":{"$ref":"#/properties/id"}},"b":{"$ref":"#/properties/id/items"}},"dependentRequired":{"id":["b"],"b":["id"]},"if":{"required":["id"]},"then":{"properties":{"id":{"title":"@id","const":"@id"}}},"propertyOrdering":["b","id"]}"##,
            &[("id", "@id")],
        );
    }

    #[test]
    fn every_name_gets_one_that_is_safe_and_its_own() {
        let long = "long".repeat(40);
        let names = ["検索語", "検索", "", " ", &long, "a b", "a/b", "a-b", "tool_ä", "\u{7f}"];
        let properties: Vec<String> = names.iter().map(|name| format!("{}:{{}}", json::quoted(name))).collect();
        let (schema, _) =
            Schema::read(&format!(r#"{{"type":"object","properties":{{{}}}}}"#, properties.join(","))).unwrap();
        let root: serde_json::Value = serde_json::from_str(schema.with_safe_names()).unwrap();
        let safe = root["properties"].as_object().unwrap();
        assert_eq!(safe.len(), names.len(), "{safe:?}");
        assert!(safe.keys().all(|name| super::is_safe_name(name)), "{safe:?}");
    }

    #[test]
    fn many_names_that_collide_take_no_time() {
        let many: Vec<String> = (0..3_000).map(|at| format!("\"{}\":1", "$".repeat(at % 97 + 1) + "a")).collect();
        let odd: Vec<String> =
            (0..8_000).map(|at| format!("\"a{}\":1", ["$", "/", "[", " "][at % 4].repeat(at / 4 % 9 + 1))).collect();
        for list in [many, odd] {
            let (schema, _) = Schema::read(&format!(r#"{{"properties":{{{}}}}}"#, list.join(","))).unwrap();
            assert!(schema.safe_names().len() > 30);
        }
    }
}
