//! Records the changes made to a schema: the place, the rule, and the vendors that would have refused it.

use serde::Serialize;

use crate::error::excerpt_json;
use crate::json::{Object, Value};

use super::keywords::Kind;
use super::numbers::Numbers;

/// The maximum number of changes reported for one schema: a generator may repeat its mistake in each parameter.
const TOLD: usize = 8;

/// The rule that a part of a schema broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SchemaRule {
    /// The schema of parameters must have `"type": "object"`.
    Type,
    /// The value of a keyword must be valid under the meta-schema of JSON Schema 2020-12.
    Keywords,
    /// An array must state the schema of its items.
    Arrays,
    /// A reference must have a target.
    References,
    /// There must be no alternatives at the top.
    Alternatives,
    /// Names of parameters at the top must have 1 to 64 letters, digits, `_`, `.` and `-`.
    Names,
}

impl SchemaRule {
    /// Returns the vendors that refuse a whole request if a schema breaks the rule.
    pub const fn vendors(self) -> &'static [&'static str] {
        match self {
            SchemaRule::Names => &["Anthropic", "Bedrock"],
            SchemaRule::Arrays => &["OpenAI", "Google"],
            SchemaRule::Type | SchemaRule::Keywords | SchemaRule::References | SchemaRule::Alternatives => {
                &["OpenAI", "Anthropic"]
            }
        }
    }
}

/// One change of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SchemaChange {
    /// The rule that required it.
    pub rule: SchemaRule,
    /// The place: the keys that lead there, joined by dots; empty at the top.
    pub path: String,
    /// A description of the change.
    pub change: String,
    /// The vendors that would have refused the whole request.
    pub vendors: &'static [&'static str],
}

/// Collects the changes of one schema.
#[derive(Debug, Default)]
pub(in crate::catalog) struct Changes {
    list: Vec<SchemaChange>,
    /// The number of changes.
    count: usize,
}

impl Changes {
    /// Notes a change at a place.
    pub(super) fn note(&mut self, rule: SchemaRule, path: &str, change: String) {
        self.count += 1;
        // The first change by each rule is always reported.
        if self.list.len() < TOLD || self.list.iter().all(|known| known.rule != rule) {
            let (path, vendors) = (excerpt_json(path), rule.vendors());
            self.list.push(SchemaChange { rule, path, change, vendors });
        }
    }

    /// Notes what a repair changed in a schema.
    pub(super) fn compare(&mut self, before: &Object, now: &Object, numbers: &Numbers) {
        self.compare_objects("", before, now, numbers);
    }

    fn compare_objects(&mut self, path: &str, before: &Object, now: &Object, numbers: &Numbers) {
        for (key, value) in before {
            if now.get(key).is_some_and(|now| is_same(value, now)) {
                continue;
            }
            let path = &joined(path, key);
            let renamed = match &**key {
                "oneOf" => "anyOf",
                "$id" => "$anchor",
                key => key,
            };
            if let Some(now) = now.get(key) {
                self.compare_values(path, value, now, numbers);
            } else if let Some(now) = now.get(renamed).filter(|_| !before.contains_key(renamed)) {
                self.compare_values(path, value, now, numbers);
                self.note(SchemaRule::Keywords, path, format!("became {renamed}"));
            } else if Kind::of(key) == Kind::Reference && value.is_string() {
                let change = format!("{} leads nowhere, and was left out", numbers.excerpt(value));
                self.note(SchemaRule::References, path, change);
            } else {
                self.note(SchemaRule::Keywords, path, format!("{} was left out", numbers.excerpt(value)));
            }
        }
        if now.contains_key("items") && !before.contains_key("items") {
            self.note(SchemaRule::Arrays, path, "items: {} was added to an array".to_owned());
        }
    }

    fn compare_values(&mut self, path: &str, before: &Value, now: &Value, numbers: &Numbers) {
        match (before, now) {
            (Value::Object(before), Value::Object(now)) => self.compare_objects(path, before, now, numbers),
            (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
                for (at, (before, now)) in before.iter().zip(now).enumerate() {
                    self.compare_values(&joined(path, &at.to_string()), before, now, numbers);
                }
            }
            _ if before == now => {}
            _ => {
                let change = format!("{} is {} now", numbers.excerpt(before), numbers.excerpt(now));
                self.note(SchemaRule::Keywords, path, change);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the reported changes, and a text that describes all changes.
    pub(in crate::catalog) fn told(self) -> (Vec<SchemaChange>, Option<String>) {
        let line = |SchemaChange { path, change, .. }: &SchemaChange| match path.as_str() {
            "" => change.clone(),
            path => format!("{path}: {change}"),
        };
        let mut lines: Vec<String> = self.list.iter().map(line).collect();
        if self.count > self.list.len() {
            lines.push(format!("and {} more", self.count - self.list.len()));
        }
        let text = (!lines.is_empty()).then(|| lines.join("; "));
        (self.list, text)
    }
}

/// Returns true if two values are equal, with all keys in the same order. This is faster than `==`, which looks up each
/// key.
fn is_same(before: &Value, now: &Value) -> bool {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            let is_same = |((key, before), (other, now)): ((&String, &Value), (&String, &Value))| {
                key == other && is_same(before, now)
            };
            before.len() == now.len() && before.iter().zip(now).all(is_same)
        }
        (Value::Array(before), Value::Array(now)) => {
            before.len() == now.len() && before.iter().zip(now).all(|(before, now)| is_same(before, now))
        }
        _ => before == now,
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
