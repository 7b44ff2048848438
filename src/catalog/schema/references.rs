//! Finds the targets of references in a schema, and visits all of its subschemas.

use std::borrow::Cow;

use crate::error::excerpt_json;
use crate::json::{Object, Value};
use crate::map::Set;

use super::changes::{Changes, SchemaRule};
use super::keywords::Kind;

/// Removes the references without a target: to definitions that do not exist, to parts that a repair has moved, or to
/// other documents.
pub(super) fn drop_dangling(root: &mut Value, changes: &mut Changes) {
    let mut anchors = Set::default();
    gather_anchors(root, &mut anchors);
    let all = root.clone();
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
    each_schema(root, changes, &mut |schema, changes| {
        schema.retain(|key, value| {
            let reference = value.as_str().filter(|_| Kind::of(key) == Kind::Reference);
            let Some(reference) = reference.filter(|reference| !leads_somewhere(reference)) else { return true };
            let place = changes.enter(key);
            let shown = excerpt_json(reference);
            changes.note(SchemaRule::References, format!("{shown} leads nowhere, and was left out"));
            changes.leave(place);
            false
        });
    });
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
pub(super) fn each_schema(schema: &mut Value, changes: &mut Changes, visit: &mut dyn FnMut(&mut Object, &mut Changes)) {
    let Value::Object(fields) = schema else { return };
    visit(fields, changes);
    for (key, value) in fields {
        let place = changes.enter(key);
        match (Kind::of(key), value) {
            (Kind::Schema, value) => each_schema(value, changes, visit),
            (Kind::Schemas, Value::Array(list)) => {
                for (at, item) in list.iter_mut().enumerate() {
                    let place = changes.enter(&at.to_string());
                    each_schema(item, changes, visit);
                    changes.leave(place);
                }
            }
            (kind, Value::Object(map)) if kind.has_schemas() => {
                for (name, value) in map {
                    let place = changes.enter(name);
                    each_schema(value, changes, visit);
                    changes.leave(place);
                }
            }
            _ => {}
        }
        changes.leave(place);
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
