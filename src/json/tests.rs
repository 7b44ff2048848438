//! 1. What the general reader takes, ours takes, with the same content; what it refuses, ours refuses.
//! 2. Texts stay what they are; depth is bounded where values are built, and nowhere else.
//! 3. JSON text is written as it is.

use serde_json::value::RawValue;

use super::theirs::as_theirs;
use super::*;

const TEXTS: &[&str] = &[
    "null",
    " true ",
    "false",
    "0",
    "-0",
    "1.50",
    "-12.5e+3",
    "1E400",
    "12345678901234567890",
    "01",
    "1.",
    ".5",
    "+1",
    "-",
    "1e",
    "nul",
    "nulll",
    "True",
    "NaN",
    "\"\"",
    "\"a",
    "\"\\",
    "\"\\u00",
    "\"\\u00e9\\n\\/\\b\\f\\t\\r\\\\\\\"\"",
    "\"\\x\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\ude00\"",
    "\"\\ud83dx\"",
    "\"\\ud83d\\u0041\"",
    "\"\u{1}\"",
    "\"é\u{7f}\"",
    "é",
    "[]",
    "[ ]",
    "[1,2 , 3]",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1",
    "[",
    "]",
    "[1}",
    "{}",
    "{\"a\":1}",
    "{\"a\" : [ {} ] }",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{a:1}",
    "{1:1}",
    "{\"a\":1 \"b\":2}",
    "{\"a\":1]",
    "{\"a\":{\"b\":[null,true,\"x\"]}}",
    "1 2",
    "",
    " ",
    "{} {}",
    "\u{feff}1",
    "[1]\u{a0}",
];

#[test]
fn reads_what_the_general_reader_reads() {
    for json in TEXTS {
        let theirs = serde_json::from_str::<serde_json::Value>(json).ok();
        assert_eq!(Value::read(json).ok().as_ref().map(as_theirs), theirs, "{json}");
        let theirs = serde_json::from_str::<&RawValue>(json).ok().map(RawValue::get);
        assert_eq!(checked(json).ok(), theirs, "{json}");
        let theirs = serde_json::from_str::<String>(json).ok();
        assert_eq!(string(json).ok(), theirs, "{json}");
        let theirs = serde_json::from_str::<Vec<&RawValue>>(json).ok();
        assert_eq!(items(json).ok(), theirs.map(|list| list.into_iter().map(RawValue::get).collect()), "{json}");
        let inside = format!("{{\"k\":{json}}}");
        let ours = Fields::read(&inside).ok().and_then(|fields| fields.get("k"));
        assert_eq!(ours, checked(json).ok(), "{json}");
    }
}

#[test]
fn reads_generated_texts_as_the_general_reader_does() {
    const PIECES: [&str; 30] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\n",
        "\"a\"",
        "\"\"",
        "\"é\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"",
        "\\",
        "1",
        "-0",
        "0",
        "-1.5e+3",
        "1e",
        ".",
        "true",
        "false",
        "null",
        "nul",
        "\"k\":",
        "\"k\":1",
        "[]",
        "{}",
        "\u{1}",
    ];
    let mut seed = 3u32;
    let mut pick = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize % below
    };
    let mut read = 0;
    for round in 0..60_000 {
        let mut json: String = (0..1 + pick(8)).map(|_| PIECES[pick(PIECES.len())]).collect();
        if round % 2 == 0 {
            json = format!("[{},{json}]", ["1", "\"a\"", "{}", "{\"k\":[0]}"][pick(4)]);
        }
        let theirs = serde_json::from_str::<serde_json::Value>(&json).ok();
        assert_eq!(Value::read(&json).ok().as_ref().map(as_theirs), theirs, "{json}");
        let theirs = serde_json::from_str::<&RawValue>(&json).ok().map(RawValue::get);
        assert_eq!(checked(&json).ok(), theirs, "{json}");
        read += usize::from(theirs.is_some());
    }
    assert!(read > 2_000, "{read} were JSON");
}

#[test]
fn every_beginning_of_a_text_is_refused() {
    let json = r#"{"a\u00e9":[-1.5e3,true,null,{"b":"\ud83d\ude00"}],"c":{}}"#;
    assert!(Value::read(json).is_ok());
    for end in 0..json.len() {
        assert!(checked(&json[..end]).is_err() && Value::read(&json[..end]).is_err(), "{}", &json[..end]);
    }
}

#[test]
fn depth_is_bounded_where_values_are_built() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for levels in [1, 127, 128, 1_000] {
        let theirs = serde_json::from_str::<serde_json::Value>(&nested(levels));
        assert_eq!(Value::read(&nested(levels)).is_ok(), theirs.is_ok(), "{levels}");
    }
    assert!(checked(&nested(1_000_000)).is_ok());
}

#[test]
fn text_is_written_as_it_is() {
    let json = r#" {"b":1.50,"a":"\u00e9","b":2} "#;
    let written = serde_json::to_string(&raw(json).unwrap()).unwrap();
    assert_eq!(written, json.trim());
    assert!(raw("{").is_err());
}

#[test]
fn a_repeated_key_counts_by_its_last_value() {
    let json = r#"{"a":1,"a":2}"#;
    assert_eq!(Fields::read(json).unwrap().get("a"), Some("2"));
    assert_eq!(Object::read(json).unwrap().get("a").map(as_theirs), Some(2.into()));
}

#[test]
fn numbers_are_written_for_people() {
    let numbers = [0.0, -3.0, 0.5, 1e308, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    assert_eq!(numbers.map(number_text), ["0", "-3", "0.5", "1e+308", "NaN", "inf", "-inf"]);
}

#[test]
fn a_string_is_read_alike_wherever_something_stands_in_it() {
    for what in [
        "", "\"", "\\", "\\n", "\\\"", "\\u0041", "\n", "\u{0}", "\u{1f}", " ", "\u{7f}", "é", "日", "😀", "!", "#",
        "[", "]",
    ] {
        for before in 0..20 {
            for after in 0..20 {
                let text = format!("\"{}{what}{}\"", "x".repeat(before), "é".repeat(after));
                let general = serde_json::from_str::<String>(&text).ok();
                assert_eq!(string(&text).ok(), general, "{text}");
            }
        }
    }
}
