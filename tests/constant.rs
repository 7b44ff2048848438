//! Tests the tool list that never changes (`surface: "constant"`).

use crate::common::{self, MCP60, content, empty, server, sift};
use serde_json::{Value, json};
use toolsift::bindings::options;
use toolsift::{ErrorCode, Outcome, ToolSift};

fn call(sift: &ToolSift, name: &str, arguments: Value) -> Outcome {
    common::call(sift, "a", name, arguments)
}

fn search(sift: &ToolSift, query: &str) -> String {
    content(call(sift, "search_tools", json!({ "query": query })))
}

/// The tools that an answer shows with their parameters.
fn shown(answer: &str) -> Vec<Value> {
    answer.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn answers_are_bounded() {
    let sift = empty(json!({ "surface": "constant", "activation": "on", "budget": { "tools": 9, "tokens": 100_000 } }));
    let tool = |name: &str, bytes: usize| json!({ "name": name, "description": "x ".repeat(bytes / 2) });
    let names: Vec<String> = (0..6).map(|at| format!("wide_{at}")).collect();
    let tools: Vec<Value> = names.iter().map(|name| tool(name, 6_000)).chain([tool("huge", 60_000)]).collect();
    common::register(&sift, &Value::from(tools), &server("s"));
    let answer = search(&sift, &format!("select:{}", names.join(",")));
    assert_eq!((shown(&answer).len(), answer.len() < 26_000), (4, true), "{}", answer.len());
    assert!(answer.contains("Others; search for the exact name") && answer.contains("- wide_5("), "{answer}");
    for named in ["huge", "select:huge", "select:huge,wide_0"] {
        assert_eq!(shown(&search(&sift, named))[0]["name"], "huge", "nothing else would show it");
    }
    assert!(shown(&search(&sift, "select:wide_0,huge")).len() == 1);
    let again = search(&sift, "select:huge");
    assert_eq!(again, search(&sift, "select:huge"), "a conversation that was cut has lost the answer");
}

#[test]
fn what_cannot_be_constant_is_refused() {
    for wanted in [
        json!({ "surface": "constant", "reveal": "search" }),
        json!({ "surface": "constant", "reveal": "add" }),
        json!({ "surface": "constant", "unrevealedCall": "run" }),
        json!({ "surface": "constant", "unrevealedCall": "refuse-with-schema" }),
        json!({ "surface": "constant", "profile": "bridge" }),
        json!({ "surface": "constant", "profile": { "name": "stub" } }),
        json!({ "surface": "shrinking" }),
        json!({ "surface": true }),
    ] {
        let error = options::settings(&serde_json::from_value(wanted.clone()).unwrap()).unwrap_err();
        assert!(matches!(error.code(), ErrorCode::OptionConflict | ErrorCode::OptionInvalid), "{wanted}: {error}");
    }
    for wanted in [
        json!({ "surface": "growing" }),
        json!({ "surface": "constant", "reveal": "never", "unrevealedCall": "allow" }),
        json!({ "surface": "constant", "search": { "ranker": "bm25", "grammar": "plain" }, "disclosure": "names" }),
    ] {
        let sift = sift(wanted, MCP60);
        assert_eq!(sift.settings()["surface"][0], "search_tools");
    }
}

#[test]
fn looking_is_no_call() {
    let sift = sift(json!({ "surface": "constant", "activation": "on" }), r#"[{"name":"create_issue"}]"#);
    let session = sift.session("a", None).unwrap();
    let unknown = json!({ "name": "nope", "arguments": {} }).to_string();
    for _ in 0..3 {
        assert!(session.forwarded("call_destructive_tool", &unknown).unwrap().is_none());
    }
    let said = |outcome: Outcome| format!("{outcome:?}");
    assert!(!said(session.call("call_destructive_tool", &unknown).unwrap()).contains("before"), "it was called once");
    assert!(said(session.call("call_destructive_tool", &unknown).unwrap()).contains("before"));
    let good = json!({ "name": "create_issue", "arguments": "" });
    let looked = session.forwarded("call_destructive_tool", &good.to_string()).unwrap().unwrap();
    assert!(matches!(looked, Outcome::Dispatch { model_name, .. } if &*model_name == "create_issue"));
    assert!(session.forwarded("search_tools", r#"{"query":"x"}"#).unwrap().is_none(), "it comes to no tool");
}
