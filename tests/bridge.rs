//! Calls through another tool in the forms in which models write them.
//!
//! 1. Arguments are found under their name, under another one, beside the tool's name, or as JSON text; nothing is `{}`.
//! 2. A parameter of the tool's own is never taken for the place of the arguments.
//! 3. A call within a call is unwrapped; what would call the other discovery tools is refused.
//! 4. Looking at what a call comes to is no call.
//! 5. The published bridge is exact in all of it. Tools that every session starts with are called through it too; what is never
//!    held back is not.

use crate::common::{self, sift};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Outcome, ToolSift};

const CALL: &str = "call_destructive_tool";

fn constant() -> ToolSift {
    with_tools(json!({ "surface": "constant", "activation": "on" }))
}

fn with_tools(wanted: Value) -> ToolSift {
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
    common::call(&constant(), "a", CALL, arguments.clone())
}

/// What a call comes to through the published bridge.
fn bridged(arguments: &Value) -> Outcome {
    let wanted = json!({ "profile": "bridge", "activation": "on", "preDiscovered": ["pinned"] });
    common::call(&with_tools(wanted), "a", "tool_call", arguments.clone())
}

/// The tool and the arguments of a call that comes to a tool.
fn dispatched(arguments: Value) -> (String, String) {
    tool_and_arguments(call(&arguments), &arguments)
}

fn tool_and_arguments(outcome: Outcome, arguments: &Value) -> (String, String) {
    match outcome {
        Outcome::Dispatch { model_name, arguments, .. } => (model_name.to_string(), arguments.to_string()),
        other => panic!("{arguments}: {other:?}"),
    }
}

fn refused(arguments: Value) -> ErrorCode {
    code_of(call(&arguments), &arguments)
}

fn code_of(outcome: Outcome, arguments: &Value) -> ErrorCode {
    match outcome {
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
    for nothing in [json!(""), json!(null), json!(" "), json!("null"), json!("{}"), json!({})] {
        assert_eq!(dispatched(with("arguments", &nothing)).1, "{}", "{nothing}");
        let beside = json!({ "name": "create_issue", "arguments": nothing, "title": "Bug" });
        assert_eq!(dispatched(beside).1, title.to_string(), "{nothing}");
    }
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
        nested = json!({ "name": CALL, "arguments": nested });
        assert_eq!(dispatched(nested.clone()).1, r#"{"title":"Bug"}"#, "{times} times");
    }
    nested = json!({ "name": CALL, "arguments": nested });
    assert_eq!(refused(nested), ErrorCode::BridgeRecursion);
    let text = json!({ "name": CALL, "arguments": json!({ "name": "create_issue" }).to_string() });
    assert_eq!(dispatched(text).0, "create_issue");
    for inner in [json!({}), json!({ "name": "search_tools", "arguments": { "query": "x" } }), json!("x")] {
        let code = refused(json!({ "name": CALL, "arguments": inner }));
        assert_eq!(code, ErrorCode::BridgeRecursion, "{inner}");
    }
    let unknown = json!({ "name": CALL, "arguments": { "name": "nope" } });
    assert_eq!(refused(unknown), ErrorCode::ToolUnknown);
}

#[test]
fn looking_is_no_call() {
    let sift = constant();
    let session = sift.session("a", None).unwrap();
    let unknown = json!({ "name": "nope", "arguments": {} }).to_string();
    for _ in 0..3 {
        assert!(session.forwarded(CALL, &unknown).unwrap().is_none());
    }
    let said = |outcome: Outcome| format!("{outcome:?}");
    assert!(!said(session.call(CALL, &unknown).unwrap()).contains("before"), "it was called once");
    assert!(said(session.call(CALL, &unknown).unwrap()).contains("before"));
    let good = json!({ "name": "create_issue", "arguments": "" });
    let looked = session.forwarded(CALL, &good.to_string()).unwrap().unwrap();
    assert_eq!(tool_and_arguments(looked, &good), ("create_issue".into(), "{}".into()));
    assert!(session.forwarded("search_tools", r#"{"query":"x"}"#).unwrap().is_none(), "it comes to no tool");
}

#[test]
fn the_published_bridge_is_exact() {
    let issue = |arguments: Value| json!({ "name": "create_issue", "arguments": arguments });
    for (arguments, passed_on) in [
        (json!({ "name": "create_issue", "title": "Bug" }), "{}"),
        (json!({ "name": "create_issue", "args": { "title": "Bug" } }), "{}"),
        (issue(json!(null)), "{}"),
        (issue(json!(r#"{"title":"Bug"}"#)), r#"{"title":"Bug"}"#),
    ] {
        assert_eq!(tool_and_arguments(bridged(&arguments), &arguments).1, passed_on, "{arguments}");
    }
    let nested = json!({ "name": "tool_call", "arguments": { "name": "nope", "arguments": {} } });
    for (arguments, code) in [
        (issue(json!("")), ErrorCode::ArgumentsNotJson),
        (issue(json!(" ")), ErrorCode::ArgumentsNotJson),
        (issue(json!("null")), ErrorCode::ArgumentsNotObject),
        (nested, ErrorCode::BridgeRecursion),
        (json!({ "name": "tool_call", "arguments": issue(json!({})) }), ErrorCode::BridgeRecursion),
        (json!({ "name": "Create_Issue", "arguments": {} }), ErrorCode::NotDeferrable),
        (json!({ "name": "core", "arguments": {} }), ErrorCode::NotDeferrable),
    ] {
        assert_eq!(code_of(bridged(&arguments), &arguments), code, "{arguments}");
    }
    let pinned = json!({ "name": "pinned", "arguments": { "x": 1 } });
    assert_eq!(tool_and_arguments(bridged(&pinned), &pinned), ("pinned".into(), r#"{"x":1}"#.into()));
}
