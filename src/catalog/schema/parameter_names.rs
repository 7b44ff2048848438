//! Names of parameters that every vendor takes, and the way back to the server's own. Anthropic and Bedrock refuse a whole
//! request for one name at the top of a schema that is not safe.

use serde_json::value::RawValue;

use crate::catalog::names::safe_alias;
use crate::json::{self, Fault, Fields, closed, push_entry, quoted};
use crate::map::{Map, Set};

use super::changes::{Changes, SchemaRule};
use super::keywords::{SAFE_NAME_BYTES, is_safe_name};
use super::references::{decoded, with_references};

/// Characters of a server's name that is told as the title of its parameter.
const TITLE_CHARS: usize = 128;

/// A schema whose parameters have safe names.
#[derive(Clone, Debug)]
pub(super) struct Safe {
    /// The schema.
    pub text: Box<str>,
    /// Safe names, each with the server's.
    names: Box<[(Box<str>, Box<str>)]>,
}

impl Safe {
    /// The schema with safe names; none where it has these already, or cannot be read.
    pub(super) fn of(schema: &str, changes: &mut Changes) -> Option<Self> {
        let names = safe_names(schema)?;
        let place = changes.enter("properties");
        for (safe, own) in &names {
            let place = changes.enter(own);
            changes.note(SchemaRule::Names, format!("the model sees it as {safe}"));
            changes.leave(place);
        }
        changes.leave(place);
        let by_own = names.iter().map(|(safe, own)| (&**own, &**safe)).collect();
        let text = Rename { names: by_own }.rewritten(schema).ok()?.into();
        Some(Safe { text, names: names.into() })
    }

    /// Arguments by the server's names. One that the model has from elsewhere, such as a text, stays.
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

    /// Safe names, each with the server's.
    pub(super) fn names(&self) -> &[(Box<str>, Box<str>)] {
        &self.names
    }
}

/// A safe name for each parameter that needs one.
fn safe_names(schema: &str) -> Option<Vec<(Box<str>, Box<str>)>> {
    let properties = Fields::read(Fields::read(schema).ok()?.get("properties")?).ok()?;
    if properties.keys().all(is_safe_name) {
        return None;
    }
    let mut taken: Set<String> = properties.keys().map(str::to_owned).collect();
    let mut known: Set<&str> = Set::default();
    // The number that each name was last given out with.
    let mut numbers: Map<String, usize> = Map::default();
    let mut names = Vec::new();
    for own in properties.keys().filter(|name| !is_safe_name(name)) {
        if !known.insert(own) {
            continue;
        }
        let wanted = safe_alias(own);
        let wanted = wanted.strip_prefix("tool_").map_or(wanted.clone(), |hash| format!("parameter_{hash}"));
        let mut name = wanted.clone();
        while taken.contains(&name) {
            let number = numbers.entry(wanted.clone()).or_insert(1);
            *number += 1;
            let ending = format!("_{number}");
            name = wanted.chars().take(SAFE_NAME_BYTES - ending.len()).collect::<String>() + &ending;
        }
        taken.insert(name.clone());
        names.push((name.into(), own.into()));
    }
    Some(names)
}

/// Puts safe names in the place of the server's.
struct Rename<'n> {
    /// The safe name for each of the server's that needs one.
    names: Map<&'n str, &'n str>,
}

impl Rename<'_> {
    fn rewritten(&self, schema: &str) -> Result<String, Fault> {
        let text = self.of_parameters(schema)?;
        with_references(&text, &mut |_, reference| Some(self.pointer(reference)), &mut Changes::default())
    }

    fn name<'a>(&'a self, own: &'a str) -> &'a str {
        self.names.get(own).copied().unwrap_or(own)
    }

    /// A schema of the same object: what it says of parameters by their names.
    fn of_parameters(&self, schema: &str) -> Result<String, Fault> {
        let mut text = String::new();
        for (key, value) in Fields::read(schema)?.entries() {
            let (first, key) = (value.as_bytes()[0], &**key);
            let renamed = match key {
                "properties" if first == b'{' => self.properties(value)?,
                "required" | "propertyOrdering" if first == b'[' => self.list(value)?,
                "dependentRequired" | "dependentSchemas" | "dependencies" if first == b'{' => {
                    self.dependencies(value)?
                }
                "discriminator" if first == b'{' => self.discriminator(value)?,
                "if" | "then" | "else" | "not" if first == b'{' => self.of_parameters(value)?,
                "anyOf" | "oneOf" | "allOf" if first == b'[' => {
                    let each =
                        |item: &str| if item.starts_with('{') { self.of_parameters(item) } else { Ok(item.to_owned()) };
                    let list: Result<Vec<String>, Fault> = json::items(value)?.into_iter().map(each).collect();
                    format!("[{}]", list?.join(","))
                }
                _ => (*value).to_owned(),
            };
            push_entry(&mut text, key, &renamed);
        }
        Ok(closed(text))
    }

    /// The parameters. One with another name tells the server's as its title, where it has none.
    fn properties(&self, value: &str) -> Result<String, Fault> {
        let mut text = String::new();
        for (own, schema) in Fields::read(value)?.entries() {
            let name = self.name(own);
            let is_titled = name == own
                || own.chars().count() > TITLE_CHARS
                || !schema.starts_with('{')
                || Fields::read(schema)?.get("title").is_some();
            let titled = || {
                let comma = if schema.len() > 2 { "," } else { "" };
                format!("{{\"title\":{}{comma}{}", quoted(own), &schema[1..])
            };
            push_entry(&mut text, name, &if is_titled { (*schema).to_owned() } else { titled() });
        }
        Ok(closed(text))
    }

    fn list(&self, value: &str) -> Result<String, Fault> {
        let name = |item: &str| {
            Ok(match json::text_of(item) {
                Some(own) => quoted(self.name(&own?)),
                None => item.to_owned(),
            })
        };
        let list: Result<Vec<String>, Fault> = json::items(value)?.into_iter().map(name).collect();
        Ok(format!("[{}]", list?.join(",")))
    }

    fn dependencies(&self, value: &str) -> Result<String, Fault> {
        let mut text = String::new();
        for (own, value) in Fields::read(value)?.entries() {
            let value = match value.as_bytes()[0] {
                b'[' => self.list(value)?,
                b'{' => self.of_parameters(value)?,
                _ => (*value).to_owned(),
            };
            push_entry(&mut text, self.name(own), &value);
        }
        Ok(closed(text))
    }

    /// OpenAPI's way to say which parameter tells alternatives apart.
    fn discriminator(&self, value: &str) -> Result<String, Fault> {
        let mut text = String::new();
        for (key, value) in Fields::read(value)?.entries() {
            let own = json::text_of(value).filter(|_| key == "propertyName").transpose()?;
            push_entry(&mut text, key, &own.map_or((*value).to_owned(), |own| quoted(self.name(&own))));
        }
        Ok(closed(text))
    }

    /// A reference to or into a parameter.
    fn pointer(&self, reference: &str) -> String {
        const PARAMETERS: &str = "#/properties/";
        let renamed = decoded(reference).and_then(|reference| {
            let path = reference.strip_prefix(PARAMETERS)?;
            let (own, rest) = path.split_at(path.find('/').unwrap_or(path.len()));
            let name = self.names.get(&*own.replace("~1", "/").replace("~0", "~"))?;
            Some(format!("{PARAMETERS}{name}{rest}"))
        });
        renamed.unwrap_or_else(|| reference.to_owned())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use crate::catalog::schema::Schema;
    use crate::json;

    /// Checks what models see of parameters, and that arguments by these names come back by the server's.
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
