//! Reads arguments as a loosely typed system does, like Python's `str`, `int` and `float`: models pass numbers as text
//! and text as numbers, and such a system takes them.

use crate::count;
use crate::json::Value;
use crate::text::joined;

/// A value as trimmed text. A value that is false in Python is the empty text; any other value is the text that Python prints.
pub(crate) fn text(value: Option<&Value>) -> String {
    let Some(value) = value.filter(|value| is_true(value)) else { return String::new() };
    match value {
        Value::String(text) => text.trim().to_owned(),
        other => repr(other),
    }
}

/// A value as a whole number: fractions are cut off, `true` is 1, and a text must hold a whole number.
pub(crate) fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(value) => Some(i64::from(*value)),
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().map(|float| float.trunc() as i64)),
        Value::String(text) => count::integer(&text.trim().replace("_", "")),
        _ => None,
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

/// A value as Python prints it.
fn repr(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => repr_text(text),
        Value::Array(list) => format!("[{}]", joined(&list.iter().map(repr).collect::<Vec<_>>(), ", ")),
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| format!("{}: {}", repr_text(key), repr(value));
            format!("{{{}}}", joined(&map.iter().map(entry).collect::<Vec<_>>(), ", "))
        }
    }
}

fn repr_text(text: &str) -> String {
    if text.contains('\'') && !text.contains('"') {
        return format!("\"{text}\"");
    }
    format!("'{}'", text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_and_numbers_are_read_as_python_reads_them() {
        for (value, expected) in [
            (json!(" a "), "a"),
            (json!(123), "123"),
            (json!(1.5), "1.5"),
            (json!(true), "True"),
            (json!(["file", 1, null]), "['file', 1, None]"),
            (json!({ "a": "it's" }), "{'a': \"it's\"}"),
            (json!(0), ""),
            (json!([]), ""),
            (json!(false), ""),
        ] {
            assert_eq!(text(Some(&value)), expected, "{value}");
        }
        for (value, expected) in [
            (json!(7), Some(7)),
            (json!(2.9), Some(2)),
            (json!(-2.9), Some(-2)),
            (json!(true), Some(1)),
            (json!(" 7 "), Some(7)),
            (json!("7.9"), None),
            (json!("-99999999999999999999"), Some(i64::MIN)),
            (json!("99999999999999999999"), Some(i64::MAX)),
            (json!(-1e300), Some(i64::MIN)),
            (json!("three"), None),
            (json!([7]), None),
            (json!(1e300), Some(i64::MAX)),
        ] {
            assert_eq!(integer(&value), expected, "{value}");
        }
    }
}
