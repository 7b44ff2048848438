//! How does a loosely typed system read arguments? As Python's `str`, `int` and `float` would: models pass numbers as
//! text and text as numbers, and such a system takes them.

use serde_json::Value;

/// A text: what it is not already, it becomes; whatever Python calls false is the empty text. Trimmed.
pub(crate) fn text(value: Option<&Value>) -> String {
    let Some(value) = value.filter(|value| is_true(value)) else { return String::new() };
    match value {
        Value::String(text) => text.trim().to_owned(),
        other => repr(other),
    }
}

/// A whole number: fractions are cut off, truth counts 1, and text is read if it is a whole number.
pub(crate) fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Bool(value) => Some(i64::from(*value)),
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().map(|float| float.trunc() as i64)),
        Value::String(text) => text.trim().replace('_', "").parse().ok(),
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
        Value::String(text) if text.contains('\'') && !text.contains('"') => format!("\"{text}\""),
        Value::String(text) => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n")),
        Value::Array(list) => format!("[{}]", list.iter().map(repr).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let entries =
                map.iter().map(|(key, value)| format!("{}: {}", repr(&Value::from(key.as_str())), repr(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
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
            (json!("three"), None),
            (json!([7]), None),
            (json!(1e300), Some(i64::MAX)),
        ] {
            assert_eq!(integer(&value), expected, "{value}");
        }
    }
}
