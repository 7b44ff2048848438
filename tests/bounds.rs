//! The bounds of a session: how much it holds, and what is evicted first.

use crate::common::{self, call, content, empty, server};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, Outcome, RegisterOptions, RestoreOptions, Scope, ToolSift};

/// Tools `a` to `f`, each of about 25 tokens on a server of its own name.
fn sift(wanted: Value) -> ToolSift {
    let sift = empty(wanted);
    for name in ["a", "b", "c", "d", "e", "f"] {
        register(&sift, name);
    }
    sift
}

fn register(sift: &ToolSift, name: &str) {
    let tool = json!([{ "name": name, "description": "x".repeat(99 - 17), "inputSchema": { "type": "object" } }]);
    common::register(sift, &tool, &server(name));
}

fn add(sift: &ToolSift, name: &str) -> String {
    content(call(sift, "s", "add_tool", json!({ "tool_names": [name] })))
}

fn runs(sift: &ToolSift, name: &str) -> bool {
    matches!(call(sift, "s", name, json!({})), Outcome::Dispatch { .. })
}

fn next_turn(sift: &ToolSift) {
    sift.session("s", None).and_then(|s| s.assemble(Format::Mcp)).unwrap();
}

fn revealed(sift: &ToolSift) -> String {
    sift.session("s", None).and_then(|s| s.revealed()).unwrap().concat()
}

fn snapshot(sift: &ToolSift) -> Value {
    serde_json::to_value(sift.session("s", None).and_then(|s| s.snapshot()).unwrap()).unwrap()
}

#[test]
fn what_was_used_the_longest_ago_makes_room() {
    let sift = sift(json!({ "activation": "on", "limits": { "revealed": 3 } }));
    for name in ["a", "b", "c"] {
        next_turn(&sift);
        add(&sift, name);
    }
    next_turn(&sift);
    assert!(runs(&sift, "a"), "a call is a use");
    assert_eq!(add(&sift, "d"), "Added: d");
    assert_eq!(revealed(&sift), "acd", "b was used the longest ago; the others stay in their order");
    assert!(runs(&sift, "b"), "the model saw it when it wrote this turn's calls");
    next_turn(&sift);
    assert!(!runs(&sift, "b"), "from the next request on it is deferred again");
    assert_eq!(add(&sift, "b"), "Already available: b", "our profile loads what is called too early");
    assert_eq!(revealed(&sift), "adb", "c was next");
    add(&sift, "e");
    add(&sift, "f");
    let refused = add(&sift, "c");
    assert!(refused.starts_with("Not added: c"), "all three were used in this turn: {refused}");
    assert_eq!(revealed(&sift), "bef");
}

#[test]
fn tokens_are_a_bound_too() {
    let sift = sift(json!({ "limits": { "revealedTokens": 60 } }));
    for name in ["a", "b", "c"] {
        next_turn(&sift);
        add(&sift, name);
    }
    assert_eq!(revealed(&sift), "bc", "two of 25 tokens fit in 60");
    let large = json!([{ "name": "large", "description": "x".repeat(400) }]).to_string();
    sift.register(&large, &RegisterOptions::default()).unwrap();
    next_turn(&sift);
    let error = sift.session("s", None).and_then(|s| s.reveal(&["large"])).unwrap_err();
    assert_eq!(error.code(), ErrorCode::RevealedFull);
    assert!(error.message().contains("60 tokens"), "{error}");
    assert_eq!(revealed(&sift), "bc", "what can never fit moves nothing");
}

#[test]
fn published_systems_refuse() {
    let sift = sift(json!({ "profile": "search-add", "limits": { "revealed": 1 } }));
    add(&sift, "a");
    next_turn(&sift);
    next_turn(&sift);
    assert!(add(&sift, "b").starts_with("Not added: b"));
    assert_eq!(revealed(&sift), "a");
}

#[test]
fn a_host_evicts_down_to_what_it_likes() {
    let sift = sift(json!({ "activation": "on" }));
    for name in ["a", "b", "c", "d"] {
        next_turn(&sift);
        add(&sift, name);
    }
    runs(&sift, "a");
    let evict = |tools, tokens| sift.session("s", None).and_then(|s| s.evict(tools, tokens)).unwrap().concat();
    assert_eq!(evict(usize::MAX, usize::MAX), "");
    assert_eq!(evict(3, usize::MAX), "b");
    assert_eq!(evict(usize::MAX, 49), "ca", "of those used last the one revealed first goes first");
    assert_eq!(evict(0, usize::MAX), "d");
    assert_eq!(revealed(&sift), "");
    assert!(runs(&sift, "c"), "the model has seen it in this turn");
    next_turn(&sift);
    assert!(!runs(&sift, "c"));
}

#[test]
fn what_a_search_calls_loaded_stays_loaded() {
    let sift = sift(json!({ "limits": { "revealed": 2 } }));
    for name in ["tide_table", "tide_alarm", "tide_chart"] {
        let tool = json!([{ "name": name, "description": "Tides." }]).to_string();
        sift.register(&tool, &RegisterOptions::default()).unwrap();
    }
    next_turn(&sift);
    add(&sift, "tide_table");
    next_turn(&sift);
    add(&sift, "a");
    next_turn(&sift);
    let arguments = r#"{"query":"tide_alarm, tide_chart, tide_table"}"#;
    let Outcome::Result { content, .. } =
        sift.session("s", None).and_then(|s| s.call("search_tools", arguments)).unwrap()
    else {
        panic!()
    };
    let (loaded, rest) = content.split_once("Not loaded").unwrap();
    let held = sift.session("s", None).and_then(|s| s.revealed()).unwrap();
    for name in ["tide_table", "tide_alarm", "tide_chart"] {
        assert_eq!(loaded.contains(&format!("- {name}(")), held.iter().any(|held| **held == *name), "{content}");
    }
    assert!(held.iter().any(|name| &**name == "tide_table") && rest.contains("tide_"), "{content}");
}

#[test]
fn the_same_search_finds_again_what_was_evicted() {
    let sift = sift(json!({}));
    let tide = json!([{ "name": "tides", "description": "High and low water at a port." }]).to_string();
    sift.register(&tide, &RegisterOptions::default()).unwrap();
    let search = |sift: &ToolSift| {
        let outcome = sift.session("s", None).and_then(|s| s.call("search_tools", r#"{"query":"tides"}"#));
        let Outcome::Result { revealed, .. } = outcome.unwrap() else { panic!() };
        revealed.concat()
    };
    assert_eq!((search(&sift).as_str(), search(&sift).as_str()), ("tides", ""));
    sift.session("s", None).and_then(|s| s.evict(0, usize::MAX)).unwrap();
    assert_eq!(search(&sift), "tides");
    sift.session("s", None).and_then(|s| s.conceal(&["tides"])).unwrap();
    assert_eq!(search(&sift), "tides");
}

#[test]
fn snapshots_carry_turns() {
    let here = sift(json!({}));
    next_turn(&here);
    add(&here, "b");
    next_turn(&here);
    add(&here, "a");
    let told = snapshot(&here);
    let expected = json!([{ "server": "b", "name": "b", "used": 1 }, { "server": "a", "name": "a", "used": 2 }]);
    assert_eq!((&told["toolsift"], &told["turn"], &told["revealed"]), (&json!(2), &json!(2), &expected));

    let there = sift(json!({ "limits": { "revealed": 2 } }));
    assert_eq!(there.restore(&told.to_string(), &RestoreOptions::default()).unwrap().missing, []);
    assert_eq!(snapshot(&there), told);
    next_turn(&there);
    add(&there, "c");
    assert_eq!(revealed(&there), "ac", "who was used when is known there");

    let missing = there.restore(&told.to_string(), &RestoreOptions::default()).unwrap().missing;
    assert_eq!((revealed(&there), &*missing[0].name), ("ac".to_owned(), "b"), "no room for what is older");
    assert_eq!(there.restore(&told.to_string(), &RestoreOptions::default().replace(true)).unwrap().missing, []);
    assert_eq!(revealed(&there), "ba", "in its place, in its order");

    let older = json!({ "toolsift": 1, "id": "s", "profile": "sift", "revealed": [{ "server": "f", "name": "f" }] });
    assert_eq!(there.restore(&older.to_string(), &RestoreOptions::default().replace(true)).unwrap().missing, []);
    assert_eq!(revealed(&there), "f", "the version before is read");
}

#[test]
fn reveals_outlive_their_tools() {
    let here = sift(json!({}));
    for name in ["a", "b"] {
        next_turn(&here);
        add(&here, name);
    }
    let told = snapshot(&here);

    let there = sift(json!({ "limits": { "revealed": 2 } }));
    there.unregister(Some("b"), None).unwrap();
    let missing = there.restore(&told.to_string(), &RestoreOptions::default()).unwrap().missing;
    assert_eq!((revealed(&there), &*missing[0].name), ("a".to_owned(), "b"));
    assert_eq!(snapshot(&there), told, "a server that is away for a while costs no reveal");
    register(&there, "b");
    assert_eq!(revealed(&there), "ab");

    there.unregister(Some("b"), None).unwrap();
    add(&there, "c");
    assert_eq!(revealed(&there), "ac", "what is not sent makes room first, however new it is");

    let scope = Scope::new(&["a"], &[]);
    let narrow = sift(json!({}));
    let missing = narrow.restore(&told.to_string(), &RestoreOptions::default().scope(scope.clone())).unwrap().missing;
    assert_eq!((revealed(&narrow), &*missing[0].name), ("a".to_owned(), "b"));
    assert_eq!(snapshot(&narrow)["revealed"].as_array().unwrap().len(), 1, "what it may not see it does not keep");
}
