//! Removes the definitions of a schema that no reference uses. Some servers send the same definitions with every tool,
//! and each tool uses few of them; the rest would be sent and paid for with every request.

use crate::json::{Object, Value};
use crate::map::Set;

use super::references::{decoded, unescaped};

/// The keys of definitions, in the newer and in the older drafts of JSON Schema.
pub(super) const KEYS: [&str; 2] = ["$defs", "definitions"];

/// Removes the definitions that no reference uses. Returns true if there were any. It removes none if a reference may
/// use definitions that it does not name.
pub(super) fn prune(root: &mut Object) -> bool {
    let Some(reached) = reached(root) else { return false };
    let mut is_pruned = false;
    for key in KEYS {
        let Some(Value::Object(definitions)) = root.get_mut(key) else { continue };
        let all = definitions.len();
        definitions.retain(|name, _| reached.contains(&(key.to_owned(), name.clone())));
        is_pruned |= definitions.len() < all || definitions.is_empty();
        if definitions.is_empty() {
            root.shift_remove(key);
        }
    }
    is_pruned
}

/// Returns the used definitions, each by its key (`$defs` or `definitions`) and its name.
fn reached(root: &Object) -> Option<Set<(String, String)>> {
    let mut waiting = Vec::new();
    let is_definitions = |key: &str, value: &Value| KEYS.contains(&key) && value.is_object();
    for (key, value) in root.iter().filter(|(key, value)| !is_definitions(key, value)) {
        reads(key, value, &mut waiting)?;
    }
    let mut reached = Set::default();
    while let Some(reference) = waiting.pop() {
        // A reference may lead to a place inside a definition.
        let mut path = reference.split('/').skip(1);
        let (Some(key), Some(name)) = (path.next(), path.next()) else { continue };
        let name = unescaped(name);
        let definition = root.get(key).filter(|_| KEYS.contains(&key)).and_then(|all| all.get(&name));
        if let Some(definition) = definition.filter(|_| reached.insert((key.to_owned(), name))) {
            reads("", definition, &mut waiting)?;
        }
    }
    Some(reached)
}

/// Collects the references in the value of a key. Returns `None` if one of them does not name the definition that it
/// uses.
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

    fn pruned(schema: &str) -> Option<Value> {
        let mut root: Object = serde_json::from_str(schema).unwrap();
        prune(&mut root).then_some(Value::Object(root))
    }

    fn value(json: &str) -> Value {
        serde_json::from_str(json).unwrap()
    }

    const UNUSED: &str = r##""unused":{"type":"object","properties":{"deep":{"$ref":"#/$defs/unused"}}}"##;

    fn check(kept: &str, root: &str) {
        let with = format!(r#"{{"type":"object",{root},"$defs":{{{UNUSED},{kept}}},"title":"t"}}"#);
        let without = format!(r#"{{"type":"object",{root},"$defs":{{{kept}}},"title":"t"}}"#);
        assert_eq!(pruned(&with), Some(value(&without)), "{with}");
        assert_eq!(pruned(&without), None, "every definition is reached");
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
        assert_eq!(pruned(both), Some(value(left)));
        let unused = r##"{"$defs":{"x":{"$ref":"#/definitions/y"}},"type":"object","definitions":{"y":{}}}"##;
        assert_eq!(pruned(unused), Some(value(r#"{"type":"object"}"#)));
        assert_eq!(pruned(r#"{"$defs":{"x":{}}}"#), Some(value("{}")));
        // A parameter may have the keyword's name.
        let parameter = r##"{"type":"object","properties":{"$defs":{"x":{}}},"$defs":{}}"##;
        assert_eq!(pruned(parameter), Some(value(r##"{"type":"object","properties":{"$defs":{"x":{}}}}"##)));
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
        assert_eq!(pruned(&schema), Some(value(&without)));
    }
}
