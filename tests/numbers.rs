//! Tests numbers from a model or a program that are as large or as small as possible.

use crate::common::{self, MCP60, call};
use serde_json::{Value, json};
use toolsift::{Answered, Outcome, ToolSift};

fn sift(wanted: Value) -> ToolSift {
    common::sift(wanted, MCP60)
}

/// How many tools a discovery tool's answer names.
fn named(sift: &ToolSift, tool: &str, arguments: Value) -> usize {
    let outcome = call(sift, "a", tool, arguments);
    let Outcome::Result(Answered { content, is_error: false, .. }) = outcome else { panic!("{outcome:?}") };
    content.matches("mcp__").count()
}

#[test]
fn limits_of_any_size_are_taken() {
    let bridge = |limit: Value| {
        let sift = sift(json!({ "profile": "bridge", "activation": "on", "deferral": "opt-out" }));
        named(&sift, "tool_search", json!({ "query": "send a message", "limit": limit }))
    };
    let (one, most) = (bridge(json!(1)), bridge(json!(1_000)));
    assert!(one == 1 && most > 5, "{one} {most}");
    let two_to_the = |power: i32| 2f64.powi(power);
    for large in [json!(4_294_967_296u64), json!(two_to_the(53)), json!(1e300), json!("99999999999999999999")] {
        assert_eq!(bridge(large.clone()), most, "{large}");
    }
    for small in [json!(0), json!(-4_294_967_296i64), json!(-two_to_the(53)), json!(-1e300), json!("-1")] {
        assert_eq!(bridge(small.clone()), one, "{small}");
    }
}

#[test]
fn an_answer_has_the_numbers_of_a_schema_as_they_were_registered() {
    let schema = r#"{"type":"object","properties":{"x":{"maximum":1e400,"enum":[123456789012345678901,31.245270191439438,1.50,-0]}}}"#;
    let list = format!(r#"[{{"name":"forecast","inputSchema":{schema}}}]"#);
    for (settings, name, arguments) in [
        (json!({ "profile": "bridge" }), "tool_describe", json!({ "name": "forecast" })),
        (json!({ "profile": "select" }), "ToolSearch", json!({ "query": "select:forecast" })),
        (json!({ "profile": "select" }), "ToolSearch", json!({ "query": "forecast" })),
        (json!({ "profile": "stub" }), "tool_search", json!({ "query": "forecast" })),
        (json!({ "surface": "constant" }), "search_tools", json!({ "query": "forecast" })),
    ] {
        let mut wanted = settings.clone();
        (wanted["activation"], wanted["deferral"]) = (json!("on"), json!("opt-out"));
        let sift = sift(wanted);
        sift.register(&list, &common::server("s")).unwrap();
        let answer = common::content(call(&sift, "a", name, arguments.clone()));
        assert!(answer.contains(&format!(r#""parameters":{schema}"#)), "{settings} {arguments}: {answer}");
    }
}
