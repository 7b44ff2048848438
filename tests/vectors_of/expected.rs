//! What was expected, read key by key, so that no key can be passed over.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Whether a vector holds, and if not, why.
pub type Verdict = Result<(), String>;

/// An expected answer. A key that nothing has asked for by the end is a problem of its own.
pub struct Expected<'v> {
    entries: &'v Map<String, Value>,
    asked: BTreeSet<&'static str>,
    problems: Vec<String>,
}

impl<'v> Expected<'v> {
    pub fn of(value: &'v Value) -> Self {
        let entries = value.as_object().unwrap_or_else(|| panic!("{value} is no expectation"));
        Expected { entries, asked: BTreeSet::new(), problems: Vec::new() }
    }

    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// The value of a key, for a check that is more than equality.
    pub fn get(&mut self, key: &'static str) -> Option<&'v Value> {
        self.asked.insert(key);
        self.entries.get(key)
    }

    /// The value of a key, if it is there, is this one.
    pub fn same(&mut self, key: &'static str, actual: impl Into<Value>) {
        let actual = actual.into();
        if let Some(wanted) = self.get(key).filter(|wanted| !equal(wanted, &actual)) {
            self.problems.push(format!("{key}\n  expected {wanted}\n  actual   {actual}"));
        }
    }

    /// The list of a key, if it is there, holds the same texts in any order.
    pub fn same_set<'a>(&mut self, key: &'static str, actual: impl IntoIterator<Item = &'a str>) {
        let actual: BTreeSet<&str> = actual.into_iter().collect();
        let Some(wanted) = self.get(key) else { return };
        if texts(wanted).into_iter().collect::<BTreeSet<_>>() != actual {
            self.problems.push(format!("{key}\n  expected {wanted}\n  actual   {}", json!(actual)));
        }
    }

    /// A key that says `true` is right to do so.
    pub fn flag(&mut self, key: &'static str, holds: bool) {
        let said = self.get(key).cloned();
        self.check(key, said.is_none_or(|said| said == true && holds));
    }

    /// The text of a key, if it is there, stands in another.
    pub fn stands_in(&mut self, key: &'static str, text: &str) {
        let part = self.get(key).cloned();
        let holds = part.as_ref().is_none_or(|part| part.as_str().is_some_and(|part| text.contains(part)));
        self.check_with(key, holds, || format!("{} is not in {text}", part.unwrap_or_default()));
    }

    /// Every text in the list of a key is among these.
    pub fn all_among(&mut self, key: &'static str, actual: &[&str]) {
        let wanted = self.get(key).cloned().unwrap_or_else(|| json!([]));
        let missing: Vec<&str> = texts(&wanted).into_iter().filter(|text| !actual.contains(text)).collect();
        self.check_with(key, missing.is_empty(), || format!("{missing:?} are not among {actual:?}"));
    }

    pub fn check(&mut self, what: &str, holds: bool) {
        self.check_with(what, holds, || "does not hold".to_owned());
    }

    pub fn check_with(&mut self, what: &str, holds: bool, why: impl FnOnce() -> String) {
        if !holds {
            self.problems.push(format!("{what}: {}", why()));
        }
    }

    /// Keys that say how the value came about and bind nothing.
    pub fn informative(&mut self, keys: &[&'static str]) {
        self.asked.extend(keys);
    }

    pub fn verdict(mut self) -> Verdict {
        let passed_over = self.entries.keys().filter(|key| !self.asked.contains(key.as_str()));
        let passed_over: Vec<String> = passed_over.map(|key| format!("{key}: nothing checks this key")).collect();
        self.problems.extend(passed_over);
        if self.problems.is_empty() { Ok(()) } else { Err(self.problems.join("\n")) }
    }
}

/// The texts of a list.
pub fn texts(list: &Value) -> Vec<&str> {
    let list = list.as_array().unwrap_or_else(|| panic!("{list} is no list"));
    list.iter().map(|text| text.as_str().unwrap_or_else(|| panic!("{text} is no text"))).collect()
}

/// Whether two values are the same; 10 and 10.0 are, 0 and -0.0 are not.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => a.as_f64().map(f64::to_bits) == b.as_f64().map(f64::to_bits),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => one == other,
    }
}
