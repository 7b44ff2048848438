//! Reads the texts of a JSON Schema that are searched, directly from its text, without building a tree: names and
//! descriptions of parameters and nested parameters, and their allowed values.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::json::{self, Fields};
use crate::limits;
use crate::search::fields::Field;

/// The maximum level of parameters that are read. Deeper ones describe how a call is filled in, hardly what it does:
/// with all levels, tools with schemas of thousands of words came first for words that other tools are about.
const LEVELS: usize = 2;

/// Calls back with the texts of a schema. A part that cannot be read is skipped.
pub(crate) fn each(schema: &str, take: &mut dyn FnMut(Field, &str)) {
    Walk { root: schema, take, followed: Vec::new(), left: limits::SCHEMA_NODES, depth: 0, level: 0 }.read(schema);
}

/// A walk over a schema.
struct Walk<'a, 't> {
    root: &'a str,
    take: &'t mut dyn FnMut(Field, &str),
    /// References that were already followed.
    followed: Vec<String>,
    /// The number of schemas that may still be read.
    left: usize,
    depth: usize,
    /// The number of parameters on the path to the current place.
    level: usize,
}

/// The kind of a place in a schema.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// A title or description.
    Text,
    Schema,
    /// A schema, or a list of schemas.
    Schemas,
    /// Schemas by the names of parameters.
    Named,
}

/// A part that is read next.
struct Next<'w, 'a, 't>(&'w mut Walk<'a, 't>, Part);

impl<'a> DeserializeSeed<'a> for Next<'_, 'a, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        let is_nested = self.1 != Part::Text;
        // A chain of references is nested as deep as it is long, however flat the text is.
        if is_nested && (self.0.left == 0 || self.0.depth == limits::SCHEMA_DEPTH) {
            return deserializer.deserialize_ignored_any(IgnoredAny).map(|_| ());
        }
        deserializer.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Next<'_, 'a, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a schema")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        let Next(walk, part) = self;
        match part {
            Part::Schema | Part::Schemas => return walk.schema(map),
            Part::Text => {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                return Ok(());
            }
            Part::Named => walk.level += 1,
        }
        while let Some(name) = map.next_key::<json::Text<'a>>()? {
            (walk.take)(Field::Parameter, &name.0);
            map.next_value_seed(Next(walk, Part::Schema))?;
        }
        walk.level -= 1;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<(), A::Error> {
        let Next(walk, part) = self;
        if part == Part::Schemas {
            while list.next_element_seed(Next(walk, Part::Schema))?.is_some() {}
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        if let Next(walk, Part::Text) = self {
            (walk.take)(Field::ParameterText, text);
        }
        Ok(())
    }

    // Other values have no texts.
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

impl<'a> Walk<'a, '_> {
    /// Reads a text that is a schema. The catalog has checked that it is JSON, but a schema of a prebuilt index may
    /// still be invalid.
    fn read(&mut self, schema: &'a str) {
        _ = Next(self, Part::Schema).deserialize(&mut serde_json::Deserializer::from_str(schema));
    }

    fn schema<A: MapAccess<'a>>(&mut self, mut map: A) -> Result<(), A::Error> {
        self.left -= 1;
        self.depth += 1;
        let mut reference = None;
        while let Some(key) = map.next_key::<json::Text<'a>>()? {
            let part = match &*key.0 {
                "title" | "description" => Part::Text,
                // Read as JSON text, because serde_json refuses a number that is too large for a double.
                "const" => {
                    self.value(map.next_value::<&RawValue>()?.get());
                    continue;
                }
                "enum" => {
                    let values = json::items(map.next_value::<&RawValue>()?.get());
                    values.unwrap_or_default().into_iter().for_each(|value| self.value(value));
                    continue;
                }
                "$ref" => {
                    reference = json::string(map.next_value::<&RawValue>()?.get()).ok();
                    continue;
                }
                "properties" | "patternProperties" if self.level < LEVELS => Part::Named,
                "items" | "prefixItems" | "anyOf" | "oneOf" | "allOf" | "additionalProperties" => Part::Schemas,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            map.next_value_seed(Next(self, part))?;
        }
        if let Some(reference) = reference {
            self.follow(reference);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Passes on a value of a parameter if it is a text.
    fn value(&mut self, value: &str) {
        if let Some(Ok(text)) = json::text_of(value) {
            (self.take)(Field::Value, &text);
        }
    }

    /// Reads the target of a local reference, once.
    fn follow(&mut self, reference: String) {
        let Some(pointer) = reference.strip_prefix('#') else { return };
        if self.followed.iter().all(|known| known != pointer) {
            self.followed.push(pointer.to_owned());
            if let Some(target) = pointed_at(self.root, pointer) {
                self.read(target);
            }
        }
    }
}

/// Returns the text of the value at a JSON pointer (RFC 6901).
fn pointed_at<'a>(root: &'a str, pointer: &str) -> Option<&'a str> {
    if pointer.is_empty() {
        return Some(root);
    }
    pointer.strip_prefix('/')?.split('/').try_fold(root, |value, token| match value.as_bytes().first()? {
        b'{' => Fields::read(value).ok()?.get(&token.replace("~1", "/").replace("~0", "~")),
        // A number has no sign and no leading zero.
        b'[' if token == "0" || !token.starts_with(['+', '0']) => {
            json::items(value).ok()?.get(token.parse::<usize>().ok()?).copied()
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(schema: &str) -> Vec<(Field, String)> {
        let mut texts = Vec::new();
        each(schema, &mut |field, text| texts.push((field, text.to_owned())));
        texts
    }

    #[test]
    fn finds_texts_of_parameters_and_of_those_within() {
        let schema = r##"{"type":"object","description":"A \"quoted\" text","properties":{
            "a\u0062":{"description":"first","enum":["x",1e400,null,"y"],"const":1e400},
            "list":{"items":[{"title":"one"},{"const":"two"}],"anyOf":{"properties":{"deep":{}}}},
            "other":{"$ref":"#/$defs/far~1away/0"}},"required":["ab"],"example":{"title":"none"},
            "$defs":{"far/away":[{"description":"found","$ref":"#"}]}}"##;
        let expected = [
            (Field::ParameterText, "A \"quoted\" text"),
            (Field::Parameter, "ab"),
            (Field::ParameterText, "first"),
            (Field::Value, "x"),
            (Field::Value, "y"),
            (Field::Parameter, "list"),
            (Field::ParameterText, "one"),
            (Field::Value, "two"),
            (Field::Parameter, "deep"),
            (Field::Parameter, "other"),
            (Field::ParameterText, "found"),
        ];
        let found = texts(schema);
        // The reference to the root reads it again, up to references that were already followed and to the third level.
        assert_eq!(found.len(), expected.len() + 9);
        for ((field, text), (expected_field, expected)) in found.iter().zip(expected) {
            assert_eq!((*field, text.as_str()), (expected_field, expected));
        }
    }

    #[test]
    fn no_schema_keeps_it_busy() {
        let chain: String = (0..5_000).map(|at| format!(r##""d{at}":{{"$ref":"#/$defs/d{}"}},"##, at + 1)).collect();
        let chained = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{chain}"end":{{}}}}}}"##);
        assert!(texts(&chained).is_empty());
        let wide = format!(r#"{{"anyOf":[{}{{}}]}}"#, r#"{"title":"t"},"#.repeat(limits::SCHEMA_NODES * 2));
        assert_eq!(texts(&wide).len(), limits::SCHEMA_NODES - 1);
        for broken in ["", "7", "[]", r#"{"title""#, r#"{"title":"a","enum":["#] {
            assert!(texts(broken).len() <= 1, "{broken}");
        }
    }
}
