//! The references of a schema: whether each leads somewhere, and their rewriting.

use std::borrow::Cow;

use crate::error::excerpt_json;
use crate::json::{self, Fault, Fields, closed, push_entry, quoted};
use crate::map::{Set, hash_of};

use super::changes::{Changes, SchemaRule};
use super::keywords::Kind;

/// A schema without references that lead nowhere: to definitions that do not exist, to what a repair has moved, or to other
/// documents.
///
/// # Errors
/// The text cannot be read.
pub(super) fn without_dangling(schema: String, changes: &mut Changes) -> Result<String, Fault> {
    if !schema.contains("ref\":") && !schema.contains("Ref\":") {
        return Ok(schema);
    }
    let mut targets = Targets::default();
    targets.gather(&schema, ROOT)?;
    with_references(
        &schema,
        &mut |changes: &mut Changes, reference| {
            let is_right = targets.has(reference);
            if !is_right {
                changes.note(
                    SchemaRule::References,
                    format!("{} leads nowhere, and was left out", excerpt_json(reference)),
                );
            }
            is_right.then(|| reference.to_owned())
        },
        changes,
    )
}

/// A schema with each reference as `change` has it; without those for which it has none.
///
/// # Errors
/// The text cannot be read.
pub(super) fn with_references(
    schema: &str,
    change: &mut dyn FnMut(&mut Changes, &str) -> Option<String>,
    changes: &mut Changes,
) -> Result<String, Fault> {
    Walk { change, changes }.schema(schema)
}

/// A reference without percent-encoding; none where it does not read as a text then.
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

/// The hash of the place of the whole schema.
const ROOT: u64 = 0;

/// All places of a schema to which references may lead: the hashes of their pointers, and the hashes of anchors.
#[derive(Default)]
struct Targets {
    places: Set<u64>,
    anchors: Set<u64>,
}

impl Targets {
    /// Adds a value and what it holds. Only objects and truth values are schemas.
    fn gather(&mut self, value: &str, place: u64) -> Result<(), Fault> {
        match value.as_bytes()[0] {
            b'{' => {
                self.places.insert(place);
                for (key, value) in Fields::read(value)?.entries() {
                    if Kind::of(key) == Kind::Anchor && value.starts_with('"') {
                        self.anchors.insert(hash_of(&*json::string(value)?));
                    }
                    self.gather(value, hash_of(&(place, &**key)))?;
                }
            }
            b'[' => {
                for (at, value) in json::items(value)?.into_iter().enumerate() {
                    self.gather(value, hash_of(&(place, &*at.to_string())))?;
                }
            }
            b't' | b'f' => drop(self.places.insert(place)),
            _ => {}
        }
        Ok(())
    }

    fn has(&self, reference: &str) -> bool {
        let Some(reference) = decoded(reference) else { return false };
        let Some(path) = reference.strip_prefix('#') else { return false };
        match path.strip_prefix('/') {
            _ if path.is_empty() => true,
            None => self.anchors.contains(&hash_of(path)),
            Some(path) => {
                let token = |token: &str| token.replace("~1", "/").replace("~0", "~");
                self.places.contains(&path.split('/').fold(ROOT, |place, part| hash_of(&(place, &*token(part)))))
            }
        }
    }
}

struct Walk<'w> {
    change: &'w mut dyn FnMut(&mut Changes, &str) -> Option<String>,
    changes: &'w mut Changes,
}

impl Walk<'_> {
    fn schema(&mut self, schema: &str) -> Result<String, Fault> {
        let mut text = String::new();
        for (key, value) in Fields::read(schema)?.entries() {
            let place = self.changes.enter(key);
            match Kind::of(key) {
                Kind::Reference => {
                    let reference = json::string(value)?;
                    match (self.change)(self.changes, &reference) {
                        Some(same) if same == reference => push_entry(&mut text, key, value),
                        Some(other) => push_entry(&mut text, key, &quoted(&other)),
                        None => {}
                    }
                }
                kind => push_entry(&mut text, key, &self.value(kind, value)?),
            }
            self.changes.leave(place);
        }
        Ok(closed(text))
    }

    fn value<'v>(&mut self, kind: Kind, value: &'v str) -> Result<Cow<'v, str>, Fault> {
        Ok(match (kind, value.as_bytes()[0]) {
            (Kind::Schema, b'{') => self.schema(value)?.into(),
            (Kind::Schemas, b'[') => {
                let mut list = Vec::new();
                for (at, item) in json::items(value)?.into_iter().enumerate() {
                    let place = self.changes.enter(&at.to_string());
                    list.push(self.value(Kind::Schema, item)?);
                    self.changes.leave(place);
                }
                format!("[{}]", list.join(",")).into()
            }
            (kind, b'{') if kind.has_schemas() => {
                let mut map = String::new();
                for (name, value) in Fields::read(value)?.entries() {
                    let place = self.changes.enter(name);
                    push_entry(&mut map, name, &self.value(Kind::Schema, value)?);
                    self.changes.leave(place);
                }
                closed(map).into()
            }
            _ => value.into(),
        })
    }
}
