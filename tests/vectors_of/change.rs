//! Every way to expect something else.

use serde_json::{Value, json};

/// Copies of an expectation with one thing changed in each: a value replaced, or one more than there should be. Keys
/// that bind nothing stay as they are.
pub fn changes(expected: &Value, informative: &[&str]) -> Vec<Value> {
    let mut all = Vec::new();
    match expected {
        Value::Object(entries) => {
            for (key, value) in entries.iter().filter(|(key, _)| !informative.contains(&key.as_str())) {
                all.extend(changes(value, informative).into_iter().map(|changed| {
                    let mut copy = expected.clone();
                    copy[key] = changed;
                    copy
                }));
            }
            let mut more = expected.clone();
            more["no_such_key"] = json!(true);
            all.push(more);
        }
        Value::Array(list) => {
            // A list is compared as one value, so the first of its entries stands for all; steps are apart.
            let apart = if list.first().is_some_and(is_step) { list.len() } else { 1 };
            for (at, value) in list.iter().enumerate().take(apart).filter(|(_, value)| value.is_object()) {
                all.extend(changes(value, informative).into_iter().map(|changed| {
                    let mut copy = expected.clone();
                    copy[at] = changed;
                    copy
                }));
            }
            let mut more = list.clone();
            more.push(json!("no_such_entry"));
            all.push(more.into());
        }
        Value::String(text) => all.push(format!("{text}~").into()),
        Value::Number(number) => all.push(json!(number.as_f64().unwrap_or_default() + 1.0)),
        Value::Bool(value) => all.push((!value).into()),
        Value::Null => all.push("no_such_text".into()),
    }
    all
}

/// Whether an entry of a list is the answer to a step, and not one of several tools in an answer.
fn is_step(value: &Value) -> bool {
    value.is_object() && value.get("name").is_none()
}
