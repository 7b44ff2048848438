//! What was changed of a schema: where, by which rule, and who would have refused it.

use serde::Serialize;

use crate::error::excerpt_json;

/// Changes that are told of one schema. A generator's mistake is in each of its parameters.
const TOLD: usize = 8;

/// Why a part of a schema was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SchemaRule {
    /// A schema of parameters says `"type": "object"`.
    Type,
    /// The value of a keyword is what the meta-schema of JSON Schema 2020-12 allows.
    Keywords,
    /// An array says of what.
    Arrays,
    /// A reference leads to something.
    References,
    /// There are no alternatives at the top.
    Alternatives,
    /// Names of parameters at the top have 1 to 64 letters, digits, `_`, `.` and `-`.
    Names,
}

impl SchemaRule {
    /// The vendors that refuse a whole request for what breaks the rule.
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
    /// Why it was made.
    pub rule: SchemaRule,
    /// Where, as the keys that lead there with dots between; empty at the top.
    pub path: String,
    /// What was done.
    pub change: String,
    /// Who would have refused the whole request.
    pub vendors: &'static [&'static str],
}

/// The changes of one schema, as they are made.
#[derive(Debug, Default)]
pub(in crate::catalog) struct Changes {
    list: Vec<SchemaChange>,
    /// How many there were.
    count: usize,
    path: String,
}

impl Changes {
    /// Goes to the value of a key. Returns what leads back.
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

    /// The place.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Notes a change at the place.
    pub(super) fn note(&mut self, rule: SchemaRule, change: String) {
        self.count += 1;
        // The first one by each rule is always told.
        if self.list.len() < TOLD || self.list.iter().all(|known| known.rule != rule) {
            let (path, vendors) = (excerpt_json(&self.path), rule.vendors());
            self.list.push(SchemaChange { rule, path, change, vendors });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The changes, and all of them in a text.
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
