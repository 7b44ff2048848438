//! Records the changes made to a schema: the place, the rule, and the vendors that would have refused it.

use serde::Serialize;

use crate::error::excerpt_json;

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
    path: String,
}

impl Changes {
    /// Moves to the value of a key. Returns the place to which [`Changes::leave`] returns.
    pub(super) fn enter(&mut self, key: &str) -> usize {
        let place = self.path.len();
        if place > 0 {
            self.path.push('.');
        }
        self.path.push_str(key);
        place
    }

    pub(super) fn leave(&mut self, place: usize) {
        self.path.truncate(place);
    }

    /// Returns the current place.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Notes a change at the current place.
    pub(super) fn note(&mut self, rule: SchemaRule, change: String) {
        self.count += 1;
        // The first change by each rule is always reported.
        if self.list.len() < TOLD || self.list.iter().all(|known| known.rule != rule) {
            let (path, vendors) = (excerpt_json(&self.path), rule.vendors());
            self.list.push(SchemaChange { rule, path, change, vendors });
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
