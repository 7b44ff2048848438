//! Calls through the bridge in the forms in which models write them.
//!
//! 1. Arguments are found under their name, under another one, beside the tool's name, or as JSON text.
//! 2. A parameter of the tool's own is never taken for the place of the arguments.
//! 3. A call of the bridge within a call of the bridge is unwrapped; what would call the other tools of the bridge is refused.
//! 4. Tools that every session starts with are called through the bridge too; what is never held back is not.

use crate::common::{self, sift};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Outcome, ToolSift};

fn bridge() -> ToolSift {
    let wanted = json!({ "profile": "bridge", "activation": "on", "preDiscovered": ["pinned"] });
    let parameters = |names: &[&str]| {
        let properties: serde_json::Map<String, Value> =
            names.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
        json!({ "type": "object", "properties": properties })
    };
    let tools = json!([
        { "name": "create_issue", "parameters": parameters(&["title", "body"]) },
        { "name": "run_code", "parameters": parameters(&["input", "args"]) },
        { "name": "pinned" },
        { "name": "core", "deferral": "never" },
    ]);
    sift(wanted, &tools)
}

fn call(arguments: &Value) -> Outcome {
    common::call(&bridge(), "a", "tool_call", arguments.clone())
}

/// The tool and the arguments of a call that comes to a tool.
fn dispatched(arguments: Value) -> (String, String) {
    match call(&arguments) {
        Outcome::Dispatch { model_name, arguments, .. } => (model_name.to_string(), arguments.to_string()),
        other => panic!("{arguments}: {other:?}"),
    }
}

fn refused(arguments: Value) -> ErrorCode {
    match call(&arguments) {
        Outcome::Result { error_code: Some(code), .. } => code,
        other => panic!("{arguments}: {other:?}"),
    }
}

#[test]
fn arguments_are_found_where_models_write_them() {
    let title = json!({ "title": "Bug" });
    let with = |key: &str, value: &Value| json!({ "name": "create_issue", key: value });
    for arguments in [
        with("arguments", &title),
        with("arguments", &json!(title.to_string())),
        with("args", &title),
        with("input", &title),
        with("parameters", &json!(title.to_string())),
        with("title", &json!("Bug")),
        json!({ "name": "create_issue", "arguments": {}, "title": "Bug" }),
        json!({ "name": "create_issue", "arguments": null, "args": {}, "title": "Bug" }),
    ] {
        assert_eq!(dispatched(arguments.clone()), ("create_issue".into(), title.to_string()), "{arguments}");
    }
    let beside = json!({ "name": "create_issue", "arguments": title, "reason": "asked" });
    assert_eq!(dispatched(beside).1, title.to_string(), "where arguments are given, nothing is added to them");
    assert_eq!(dispatched(json!({ "name": "create_issue" })).1, "{}");
    assert_eq!(dispatched(json!({ "name": "create_issue", "input": null })).1, "{}");
    for (wrong, code) in [(json!("[1]"), ErrorCode::ArgumentsNotObject), (json!("{"), ErrorCode::ArgumentsNotJson)] {
        assert_eq!(refused(with("arguments", &wrong)), code);
    }
}

#[test]
fn a_parameter_of_the_tool_is_not_the_place_of_the_arguments() {
    let code = json!({ "input": { "text": "1 + 1" }, "args": {} });
    let beside = json!({ "name": "run_code", "input": { "text": "1 + 1" }, "args": {} });
    let (tool, arguments) = dispatched(beside);
    assert_eq!((&*tool, serde_json::from_str::<Value>(&arguments).unwrap()), ("run_code", code.clone()));
    assert_eq!(dispatched(json!({ "name": "run_code", "parameters": code })).1, code.to_string());
}

#[test]
fn a_nested_call_is_unwrapped() {
    let mut nested = json!({ "name": "create_issue", "title": "Bug" });
    for times in 1..=4 {
        nested = json!({ "name": "tool_call", "arguments": nested });
        assert_eq!(dispatched(nested.clone()).1, r#"{"title":"Bug"}"#, "{times} times");
    }
    nested = json!({ "name": "tool_call", "arguments": nested });
    assert_eq!(refused(nested), ErrorCode::BridgeRecursion);
    let text = json!({ "name": "tool_call", "arguments": json!({ "name": "create_issue" }).to_string() });
    assert_eq!(dispatched(text).0, "create_issue");
    for inner in [json!({}), json!({ "name": "tool_search", "arguments": { "query": "x" } }), json!("x")] {
        let code = refused(json!({ "name": "tool_call", "arguments": inner }));
        assert_eq!(code, ErrorCode::BridgeRecursion, "{inner}");
    }
    let unknown = json!({ "name": "tool_call", "arguments": { "name": "nope" } });
    assert_eq!(refused(unknown), ErrorCode::NotDeferrable);
}

#[test]
fn pinned_tools_are_called_through_the_bridge() {
    assert_eq!(dispatched(json!({ "name": "pinned", "x": 1 })), ("pinned".into(), r#"{"x":1}"#.into()));
    assert_eq!(refused(json!({ "name": "core", "x": 1 })), ErrorCode::NotDeferrable, "as in the published system");
}
