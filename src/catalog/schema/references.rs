//! Finds the targets of references in a schema, and visits all of its subschemas.

use std::borrow::Cow;

use crate::json::{Object, Value};
use crate::map::Set;

use super::keywords::Kind;

/// Removes the references without a target: to definitions that do not exist, to parts that a repair has moved, or to
/// other documents. `all` is a copy of the schema. Returns true if there were any.
pub(super) fn drop_dangling(root: &mut Object, all: &Value) -> bool {
    let mut anchors = Set::default();
    gather_anchors(all, &mut anchors);
    let leads_somewhere = |reference: &str| {
        let Some(reference) = decoded(reference) else { return false };
        match reference.strip_prefix('#') {
            Some(path) if path.is_empty() || path.starts_with('/') => {
                // Only objects and truth values are schemas.
                all.pointer(path).is_some_and(|target| target.is_object() || target.is_boolean())
            }
            Some(anchor) => anchors.contains(anchor),
            None => false,
        }
    };
    let mut is_dropped = false;
    each_schema(root, &mut |schema| {
        let keys = schema.len();
        schema.retain(|key, value| Kind::of(key) != Kind::Reference || value.as_str().is_none_or(leads_somewhere));
        is_dropped |= schema.len() < keys;
    });
    is_dropped
}

fn gather_anchors(value: &Value, to: &mut Set<String>) {
    match value {
        Value::Object(object) => {
            let anchors = object.iter().filter(|(key, _)| Kind::of(key) == Kind::Anchor);
            to.extend(anchors.filter_map(|(_, anchor)| anchor.as_str().map(str::to_owned)));
            object.values().for_each(|value| gather_anchors(value, to));
        }
        Value::Array(list) => list.iter().for_each(|value| gather_anchors(value, to)),
        _ => {}
    }
}

/// Visits a schema and all of its subschemas, from the outside to the inside.
pub(super) fn each_schema(schema: &mut Object, visit: &mut dyn FnMut(&mut Object)) {
    visit(schema);
    for (key, value) in schema {
        let kind = Kind::of(key);
        let schemas: Vec<&mut Value> = match value {
            value if kind == Kind::Schema => vec![value],
            Value::Array(list) if kind == Kind::Schemas => list.iter_mut().collect(),
            Value::Object(map) if kind.has_schemas() => map.values_mut().collect(),
            _ => continue,
        };
        schemas.into_iter().filter_map(Value::as_object_mut).for_each(|schema| each_schema(schema, visit));
    }
}

/// Decodes `~1` and `~0` in a part of a JSON pointer.
pub(super) fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// Decodes percent-encoding in a reference. Returns `None` if the result is not UTF-8.
pub(super) fn decoded(reference: &str) -> Option<Cow<'_, str>> {
    if !reference.contains('%') {
        return Some(reference.into());
    }
    let mut bytes = Vec::with_capacity(reference.len());
    let mut rest = reference.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &after[2..]).1,
            None => (bytes.push(*first), rest = after).1,
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
