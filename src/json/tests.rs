//! 1. Texts stay unchanged. The depth of a value is limited when it is parsed, the depth of a text never.
//! 2. Half a surrogate pair breaks only the string or key that it is in, and only when that is read.

use super::*;

#[test]
fn text_is_written_as_it_is() {
    let json = r#" {"b":1.50,"a":"\u00e9","b":2} "#;
    assert_eq!(serde_json::to_string(&raw(json).unwrap()).unwrap(), json.trim());
    assert_eq!(checked(json).unwrap(), json.trim());
    assert!(raw("{").is_err() && checked("{} {}").is_err());
}

#[test]
fn depth_is_bounded_where_values_are_built() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for (levels, is_read) in [(1, true), (127, true), (128, false), (1_000_000, false)] {
        assert_eq!(from_str::<Value>(&nested(levels)).is_ok(), is_read, "{levels}");
    }
    let deep = nested(1_000_000);
    assert!(checked(&deep).is_ok());
    assert_eq!(items(&deep).map(|items| items.len()).ok(), Some(1));
    assert_eq!(Fields::read(&format!(r#"{{"a":{deep}}}"#)).unwrap().get("a"), Some(&*deep));
}

#[test]
fn a_repeated_key_counts_by_its_last_value() {
    let json = r#"{"a":1,"b":0,"a":2}"#;
    assert_eq!(Fields::read(json).unwrap().get("a"), Some("2"));
    let object: Object = from_str(json).unwrap();
    assert_eq!(object.get("a"), Some(&2.into()));
    assert_eq!(object.keys().collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn half_a_surrogate_pair_costs_what_it_stands_in() {
    let list = r#"[{"a\ud83d":1},{"b":"\ud83d"},"\ude00"]"#;
    let items = items_with_fields(list).unwrap();
    assert!(matches!(items[0].fields, Some(Err(_))));
    let Some(Ok(fields)) = &items[1].fields else { panic!("the key can be read") };
    assert_eq!(fields.get("b"), Some(r#""\ud83d""#));
    assert!(text_of(r#""\ud83d""#).is_some_and(|text| text.is_err()));
    assert!(items[2].fields.is_none() && string(items[2].text).is_err());
    assert!(from_str::<Value>(list).is_err());
    assert_eq!(string(r#""\ud83d\ude00""#).unwrap(), "😀");
}

#[test]
fn only_texts_with_escapes_are_copied() {
    let fields = Fields::read(r#"{"plain":"x","\u0061":"\n"}"#).unwrap();
    let [(plain, x), (escaped, line)] = fields.entries() else { panic!("two entries") };
    assert!(matches!((plain, escaped), (Cow::Borrowed("plain"), Cow::Owned(_))) && escaped == "a");
    assert!(matches!(text_of(x), Some(Ok(Cow::Borrowed("x")))));
    assert!(matches!(text_of(line), Some(Ok(Cow::Owned(text))) if text == "\n"));
    assert!(text_of("7").is_none());
}

#[test]
fn numbers_are_written_for_people() {
    let numbers = [0.0, -3.0, 0.5, 1e308, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    assert_eq!(numbers.map(number_text), ["0", "-3", "0.5", "1e+308", "NaN", "inf", "-inf"]);
}
