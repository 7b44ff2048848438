//! Tests numbers from a model or a program that are as large or as small as possible.

use crate::common::{self, MCP60, call};
use serde_json::{Value, json};
use toolsift::{Outcome, ToolSift};

fn sift(wanted: Value) -> ToolSift {
    common::sift(wanted, MCP60)
}

/// How many tools a discovery tool's answer names.
fn named(sift: &ToolSift, tool: &str, arguments: Value) -> usize {
    let outcome = call(sift, "a", tool, arguments);
    let Outcome::Result { content, is_error: false, .. } = outcome else { panic!("{outcome:?}") };
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
