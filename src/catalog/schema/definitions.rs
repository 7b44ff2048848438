//! Prunes the definitions of a schema that no reference reaches. Some servers send the same definitions with every tool,
//! and each tool uses few of them; the rest would be sent and paid for with every request.

use crate::json::{Fault, Fields, Value, closed, push_entry};

use super::references::decoded;

/// Where a schema keeps its definitions, in the newer and in the older drafts of JSON Schema.
pub(super) const KEYS: [&str; 2] = ["$defs", "definitions"];

/// Definitions of a schema in which unreached ones are looked for. Each reference is compared with each definition; the
/// largest schema seen on 1,130 public tools has 60.
const SEARCHED_DEFINITIONS: usize = 1_000;

/// The definitions of a schema: what a reference to each says, and its text.
pub(super) struct Definitions<'a>(Vec<(String, &'a str)>);

impl<'a> Definitions<'a> {
    pub(super) fn read(root: &Fields<'a>) -> Result<Self, Fault> {
        let mut definitions = Vec::new();
        for (key, value) in root.entries().iter().filter(|(key, value)| is_definitions(key, value)) {
            for (name, text) in Fields::read(value)?.entries() {
                let pointer = format!("#/{key}/{}", name.replace("~", "~0").replace("/", "~1"));
                definitions.push((pointer, *text));
            }
        }
        Ok(Definitions(definitions))
    }

    /// The place of the definition that a reference leads to or into. Of a repeated name the last one counts.
    fn place(&self, reference: &str) -> Option<usize> {
        self.0.iter().rposition(|(pointer, _)| {
            reference.strip_prefix(&**pointer).is_some_and(|rest| matches!(rest.as_bytes(), [] | [b'/', ..]))
        })
    }

    /// The definition that a reference leads to.
    pub(super) fn get(&self, reference: &str) -> Option<&'a str> {
        let reference = &*decoded(reference)?;
        let (pointer, text) = &self.0[self.place(reference)?];
        (pointer == reference).then_some(text)
    }
}

/// A compact schema without the definitions that no reference reaches, in the same bytes otherwise. None where a
/// reference may reach definitions that it does not name.
pub(super) fn pruned(schema: &str) -> Option<String> {
    let root = Fields::read(schema).ok()?;
    let definitions = Definitions::read(&root).ok()?;
    if definitions.0.len() > SEARCHED_DEFINITIONS {
        return None;
    }
    let mut waiting = Vec::new();
    for (key, value) in root.entries().iter().filter(|(key, value)| !is_definitions(key, value)) {
        reads(key, &serde_json::from_str(value).ok()?, &mut waiting)?;
    }
    let mut reached = vec![false; definitions.0.len()];
    while let Some(reference) = waiting.pop() {
        if let Some(at) = definitions.place(&reference).filter(|at| !reached[*at]) {
            reached[at] = true;
            reads("", &serde_json::from_str(definitions.0[at].1).ok()?, &mut waiting)?;
        }
    }
    let mut reached = reached.into_iter();
    let mut pruned = String::new();
    for (key, value) in root.entries() {
        if !is_definitions(key, value) {
            push_entry(&mut pruned, key, value);
            continue;
        }
        let mut kept = String::new();
        for (name, text) in Fields::read(value).ok()?.entries() {
            if reached.next()? {
                push_entry(&mut kept, name, text);
            }
        }
        if !kept.is_empty() {
            push_entry(&mut pruned, key, &closed(kept));
        }
    }
    Some(closed(pruned))
}

fn is_definitions(key: &str, value: &str) -> bool {
    KEYS.contains(&key) && value.starts_with('{')
}

/// Adds the references in the value of a key. None where one of them does not name the definition that it reaches.
fn reads(key: &str, value: &Value, to: &mut Vec<String>) -> Option<()> {
    match value {
        _ if key.starts_with("$dynamic") || key.starts_with("$recursive") || key == "$anchor" => return None,
        Value::String(reference) if key == "$ref" => {
            let reference = decoded(reference)?;
            let path = reference.strip_prefix('#')?;
            let reaches_all = KEYS.contains(&path.strip_prefix('/').unwrap_or_default());
            if reaches_all || !matches!(path.as_bytes(), [] | [b'/', ..]) {
                return None;
            }
            to.push(reference.into_owned());
        }
        Value::Array(list) => list.iter().try_for_each(|item| reads("", item, to))?,
        Value::Object(object) => object.iter().try_for_each(|(key, value)| reads(key, value, to))?,
        _ => {}
    }
    Some(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const UNUSED: &str = r##""unused":{"type":"object","properties":{"deep":{"$ref":"#/$defs/unused"}}}"##;

    fn check(kept: &str, root: &str) {
        let with = format!(r#"{{"type":"object",{root},"$defs":{{{UNUSED},{kept}}},"title":"t"}}"#);
        let without = format!(r#"{{"type":"object",{root},"$defs":{{{kept}}},"title":"t"}}"#);
        assert_eq!(pruned(&with).as_deref(), Some(&*without), "{with}");
        assert_eq!(pruned(&without).as_ref(), Some(&without), "every definition is reached");
    }

    #[test]
    fn what_a_reference_reaches_stays_as_it_is() {
        check(r#""a":{"type":"string","default":1.50}"#, r##""properties":{"p":{"$ref":"#/$defs/a"}}"##);
        check(r#""a":true"#, r##""$ref":"#/$defs/a""##);
        check(r#""a/b~c":{}"#, r##""properties":{"p":{"items":[{"$ref":"#/$defs/a~1b~0c"}]}}"##);
        check(r#""a b":{}"#, r##""properties":{"p":{"$ref":"#/%24defs/a%20b"}}"##);
        check(r#""ä\"":{}"#, r##""anyOf":[{"\u0024ref":"#\/$defs/\u00e4\""}]"##);
        check(r#""a":{"properties":{"x":{"type":"null"}}}"#, r##""not":{"$ref":"#/$defs/a/properties/x"}"##);
        check(r##""c":{},"b":{"$ref":"#/$defs/c"},"a":{"$ref":"#/$defs/b"}"##, r##""not":{"$ref":"#/$defs/a"}"##);
        check(r##""a":{"items":{"$ref":"#/$defs/a"}}"##, r##""not":{"$ref":"#/$defs/a"}"##);
        check(r##""a":{"items":{"$ref":"#"}}"##, r##""not":{"$ref":"#/$defs/a"}"##);
        check(r##""a":{}"##, r##""properties":{"$ref":{"type":"string","default":{"$ref":"#/$defs/a"}}}"##);
    }

    #[test]
    fn both_keywords_are_pruned_and_leave_when_they_are_empty() {
        let both = r##"{"type":"object","definitions":{"x":{"not":{"$ref":"#/$defs/x"}},"y":{}},"$defs":{"y":{},"x":{}},"not":{"$ref":"#/definitions/x"}}"##;
        let left = r##"{"type":"object","definitions":{"x":{"not":{"$ref":"#/$defs/x"}}},"$defs":{"x":{}},"not":{"$ref":"#/definitions/x"}}"##;
        assert_eq!(pruned(both).as_deref(), Some(left));
        let unused = r##"{"$defs":{"x":{"$ref":"#/definitions/y"}},"type":"object","definitions":{"y":{}}}"##;
        assert_eq!(pruned(unused).as_deref(), Some(r#"{"type":"object"}"#));
        assert_eq!(pruned(r#"{"$defs":{"x":{}}}"#).as_deref(), Some("{}"));
        // A parameter may have the keyword's name.
        let parameter = r##"{"type":"object","properties":{"$defs":{"x":{}}},"$defs":{}}"##;
        assert_eq!(pruned(parameter).as_deref(), Some(r##"{"type":"object","properties":{"$defs":{"x":{}}}}"##));
    }

    #[test]
    fn schemas_with_other_references_are_left_alone() {
        for root in [
            r##""$ref":"#name""##,
            r##""properties":{"p":{"$ref":"https://example.com/schema#/$defs/unused"}}"##,
            r##""properties":{"p":{"$ref":"#/%ff/unused"}}"##,
            r##""properties":{"p":{"$ref":"#/$defs"}}"##,
            r##""properties":{"p":{"$dynamicRef":"#unused"}}"##,
            r##""properties":{"p":{"$recursiveRef":"#"}}"##,
            r##""$anchor":"name""##,
        ] {
            assert_eq!(pruned(&format!(r#"{{"type":"object",{root},"$defs":{{{UNUSED}}}}}"#)), None, "{root}");
        }
    }

    #[test]
    fn a_long_chain_of_definitions_takes_no_stack() {
        let chain: String = (0..900).map(|at| format!(r##""d{at}":{{"$ref":"#/$defs/d{}"}},"##, at + 1)).collect();
        let schema = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{chain}{UNUSED},"d900":{{}}}}}}"##);
        let without = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{chain}"d900":{{}}}}}}"##);
        assert_eq!(pruned(&schema), Some(without));
    }
}
