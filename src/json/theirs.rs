//! Our values as those of serde_json, to be compared with what it reads.

use super::Value;

pub(super) fn as_theirs(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => number.clone().into(),
        Value::Text(text) => text.as_str().into(),
        Value::List(list) => list.iter().map(as_theirs).collect(),
        Value::Object(object) => object.entries().iter().map(|(key, value)| (key.clone(), as_theirs(value))).collect(),
    }
}
