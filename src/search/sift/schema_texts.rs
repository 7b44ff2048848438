//! The texts of a JSON Schema that are searched, read from its text without building a tree: names and descriptions of
//! parameters and of those within them, and the values that they may have.

use crate::json::{self, Fault, Fields, Scanner};
use crate::limits;

use super::fields::Field;

/// Levels of parameters that are read. Deeper ones tell how a call is filled in, hardly what it does: with all of them,
/// tools with schemas of thousands of words came first for words that others are about.
const LEVELS: usize = 2;

/// Calls back with the texts of a schema. A part that cannot be read is passed over.
pub(super) fn each(schema: &str, take: &mut dyn FnMut(Field, &str)) {
    let mut walk = Walk { root: schema, take, followed: Vec::new(), left: limits::SCHEMA_NODES, depth: 0, level: 0 };
    // The catalog has checked that it is JSON; what it only kept as text may still break off.
    _ = walk.schema(&mut Scanner::new(schema));
}

/// A walk over a schema.
struct Walk<'a, 't> {
    root: &'a str,
    take: &'t mut dyn FnMut(Field, &str),
    /// References that were followed already.
    followed: Vec<String>,
    /// Schemas that may still be read.
    left: usize,
    depth: usize,
    /// How many parameters lead to where it is.
    level: usize,
}

impl<'a> Walk<'a, '_> {
    fn schema(&mut self, scanner: &mut Scanner<'a>) -> Result<(), Fault> {
        // A chain of references nests as deep as it is long, whatever the text does.
        if scanner.peek() != Some(b'{') || self.left == 0 || self.depth == limits::SCHEMA_DEPTH {
            return scanner.skip().map(|_| ());
        }
        self.left -= 1;
        self.depth += 1;
        let mut reference = None;
        scanner.each(b'{', &mut |scanner| match scanner.raw_key()? {
            r#""title""# | r#""description""# => self.text(Field::ParameterText, scanner),
            r#""const""# => self.text(Field::Value, scanner),
            r#""enum""# if scanner.peek() == Some(b'[') => {
                scanner.each(b'[', &mut |scanner| self.text(Field::Value, scanner))
            }
            r#""properties""# | r#""patternProperties""# if self.level < LEVELS && scanner.peek() == Some(b'{') => {
                self.level += 1;
                let read = scanner.each(b'{', &mut |scanner| {
                    let name = scanner.key()?;
                    (self.take)(Field::Parameter, &name);
                    self.schema(scanner)
                });
                self.level -= 1;
                read
            }
            r#""items""#
            | r#""prefixItems""#
            | r#""anyOf""#
            | r#""oneOf""#
            | r#""allOf""#
            | r#""additionalProperties""# => match scanner.peek() {
                Some(b'[') => scanner.each(b'[', &mut |scanner| self.schema(scanner)),
                _ => self.schema(scanner),
            },
            r#""$ref""# => {
                reference = json::string(scanner.skip()?).ok();
                Ok(())
            }
            _ => scanner.skip().map(|_| ()),
        })?;
        if let Some(reference) = reference {
            self.follow(reference);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Passes on the text that comes next, where it is one.
    fn text(&mut self, field: Field, scanner: &mut Scanner<'a>) -> Result<(), Fault> {
        let raw = scanner.skip()?;
        if let Some(plain) = raw.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            if !plain.contains('\\') {
                (self.take)(field, plain);
            } else if let Ok(text) = json::string(raw) {
                (self.take)(field, &text);
            }
        }
        Ok(())
    }

    /// Reads what a local reference leads to, once.
    fn follow(&mut self, reference: String) {
        let Some(pointer) = reference.strip_prefix('#') else { return };
        if self.followed.iter().all(|known| known != pointer) {
            self.followed.push(pointer.to_owned());
            if let Some(target) = pointed_at(self.root, pointer) {
                _ = self.schema(&mut Scanner::new(target));
            }
        }
    }
}

/// The text of the value at a JSON pointer (RFC 6901).
fn pointed_at<'a>(root: &'a str, pointer: &str) -> Option<&'a str> {
    if pointer.is_empty() {
        return Some(root);
    }
    pointer.strip_prefix('/')?.split('/').try_fold(root, |value, token| match value.as_bytes().first()? {
        b'{' => Fields::read(value).ok()?.get(&token.replace("~1", "/").replace("~0", "~")),
        // A number has no sign and no zero before it.
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
            "a\u0062":{"description":"first","enum":["x",1,null,"y"]},
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
        // The reference to the root reads it once more, up to the references that were followed already and the third level.
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
