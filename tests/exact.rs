//! What is forgiving belongs to our own profile: the published systems are exact, whatever a model writes.

use serde_json::{Value, json};
use toolsift::{Outcome, ToolSift};

use crate::common;

const PUBLISHED: [&str; 5] = ["search-add", "select", "select-load", "stub", "bridge"];

fn sift(settings: Value) -> ToolSift {
    let tools = json!([
        { "name": "create_issue", "description": "Opens an issue.", "inputSchema": {
            "type": "object", "properties": { "title": { "type": "string" } } }, "deferral": "always" },
        { "name": "send_mail", "description": "Sends a mail.", "deferral": "always" },
    ]);
    common::sift(settings, &tools)
}

/// What a call comes to, in one word: the code of an error, the tool that is run with its arguments, or what was found.
fn outcome(sift: &ToolSift, name: &str, arguments: &str) -> String {
    match sift.session("a", None).unwrap().call(name, arguments).unwrap() {
        Outcome::Dispatch { model_name, arguments, .. } => format!("{model_name} {arguments}"),
        Outcome::Refused { error } => error.code.to_string(),
        Outcome::Result { error_code: Some(code), .. } => code.to_string(),
        Outcome::Result { content, .. } => content,
    }
}

/// A mercy: the profile, what a model writes, and what it comes to; a part of the answer where it is one.
type Row = (&'static str, &'static str, Value, &'static str);

fn check(settings: impl Fn(&str) -> Value, rows: &[Row]) {
    for (profile, tool, arguments, expected) in rows {
        let got = outcome(&sift(settings(profile)), tool, &arguments.to_string());
        let fits = got == *expected || (!expected.is_empty() && got.contains(expected));
        assert!(fits, "{profile}: {tool} {arguments} came to {got}, not to {expected}");
    }
}

fn plain(profile: &str) -> Value {
    match profile {
        "constant" => json!({ "surface": "constant", "activation": "on" }),
        profile => json!({ "profile": profile, "activation": "on" }),
    }
}

#[test]
fn mercies_are_those_of_our_own_profile() {
    const CALL: &str = "call_destructive_tool";
    let title = json!({ "title": "Bug" });
    let found = "create_issue {\"title\":\"Bug\"}";
    let nested = |call: &str| json!({ "name": call, "arguments": { "name": "create_issue", "arguments": title } });
    check(
        plain,
        &[
            // Arguments beside the name.
            ("constant", CALL, json!({ "name": "create_issue", "title": "Bug" }), found),
            ("bridge", "tool_call", json!({ "name": "create_issue", "title": "Bug" }), "create_issue {}"),
            // Arguments under another name.
            ("constant", CALL, json!({ "name": "create_issue", "args": title }), found),
            ("bridge", "tool_call", json!({ "name": "create_issue", "args": title }), "create_issue {}"),
            // Nothing, as a text.
            ("constant", CALL, json!({ "name": "create_issue", "arguments": "" }), "create_issue {}"),
            ("bridge", "tool_call", json!({ "name": "create_issue", "arguments": "" }), "arguments_not_json"),
            ("constant", CALL, json!({ "name": "create_issue", "arguments": "null" }), "create_issue {}"),
            ("bridge", "tool_call", json!({ "name": "create_issue", "arguments": "null" }), "arguments_not_object"),
            // A call within a call.
            ("constant", CALL, nested(CALL), found),
            ("bridge", "tool_call", nested("tool_call"), "bridge_recursion"),
            // A name in another spelling.
            ("constant", CALL, json!({ "name": "Create Issue", "arguments": title }), found),
            ("bridge", "tool_call", json!({ "name": "Create Issue", "arguments": title }), "not_deferrable"),
            ("bridge", "tool_describe", json!({ "name": "createIssue" }), "not_deferrable"),
            ("sift", "add_tool", json!({ "tool_names": ["Create-Issue"] }), "Added: create_issue"),
            ("search-add", "add_tool", json!({ "tool_names": ["Create-Issue"] }), "Not found: Create-Issue"),
            ("sift", "search_tools", json!({ "query": "select:Create Issue" }), "- create_issue(title?)"),
            ("select", "ToolSearch", json!({ "query": "select:Create Issue" }), "\"missing\":[\"Create Issue\"]"),
            ("select-load", "ToolSearch", json!({ "query": "select:Create Issue" }), "\"loaded\":[]"),
            ("sift", "search_tools", json!({ "query": "Select:create_issue" }), "- create_issue(title?)"),
            ("select", "ToolSearch", json!({ "query": "Select:create_issue" }), "\"query_kind\":\"keyword\""),
            // A name for a list of one, and blanks among names.
            ("sift", "add_tool", json!({ "tool_names": "create_issue" }), "Added: create_issue"),
            ("search-add", "add_tool", json!({ "tool_names": "create_issue" }), "tool_names_required"),
            ("sift", "add_tool", json!({ "tool_names": [" "] }), "tool_names_required"),
            ("search-add", "add_tool", json!({ "tool_names": [" "] }), "Not found:  "),
            // Lists of queries, and a query under another name.
            ("sift", "search_tools", json!({ "queries": ["open an issue"] }), "- create_issue(title?)"),
            ("sift", "search_tools", json!({ "query": ["open an issue"] }), "- create_issue(title?)"),
            ("search-add", "search_tools", json!({ "queries": ["issue"] }), "query_required"),
            ("search-add", "search_tools", json!({ "query": ["issue"] }), "query_required"),
            ("select", "ToolSearch", json!({ "query": ["issue"] }), "query_missing"),
            ("select-load", "ToolSearch", json!({ "queries": "issue" }), "query_required"),
            ("stub", "tool_search", json!({ "query": ["issue"] }), "\"query\":\"\""),
            ("bridge", "tool_search", json!({ "queries": ["issue"] }), "query_required"),
            // A number as a text.
            ("select", "ToolSearch", json!({ "query": "issue mail", "max_results": "1" }), "send_mail"),
            // A call that comes too early.
            ("sift", "create_issue", title.clone(), "tool_not_revealed"),
            ("search-add", "create_issue", title.clone(), "tool_not_revealed"),
            ("select-load", "create_issue", title.clone(), "tool_not_revealed"),
            ("select", "create_issue", title.clone(), found),
            ("stub", "create_issue", title.clone(), found),
        ],
    );
    // A name in another spelling that is called directly is run under no profile.
    for profile in PUBLISHED.into_iter().chain(["sift", "constant"]) {
        check(plain, &[(profile, "Create_Issue", title.clone(), "tool_unknown")]);
    }
    // What fails again says so under our own profile alone.
    for profile in PUBLISHED.into_iter().chain(["sift"]) {
        let sift = sift(plain(profile));
        let again: Vec<String> =
            (0..2).map(|_| format!("{:?}", sift.session("a", None).unwrap().call("no", "{}"))).collect();
        assert_eq!(again[0] != again[1], profile == "sift", "{profile}: {again:?}");
    }
}

#[test]
fn a_mercy_does_not_follow_the_language_of_queries() {
    let grammar = |grammar: &'static str| move |profile: &str| json!({ "profile": profile, "activation": "on", "search": { "grammar": grammar } });
    check(
        grammar("full"),
        &[
            ("search-add", "add_tool", json!({ "tool_names": ["Create-Issue"] }), "Not found: Create-Issue"),
            ("bridge", "tool_call", json!({ "name": "Create Issue", "arguments": {} }), "not_deferrable"),
        ],
    );
    check(grammar("plain"), &[("sift", "add_tool", json!({ "tool_names": ["Create-Issue"] }), "Added: create_issue")]);
}
