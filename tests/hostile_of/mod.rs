//! Settings and hostile inputs for the tests of hostile queries.

use toolsift::{Outcome, RegisterOptions, ToolSift};

use crate::common::{self, MCP60};

pub const SETTINGS: [&str; 20] = [
    "{}",
    r#"{"reveal":"search","disclosure":"names"}"#,
    r#"{"unrevealedCall":"run","limits":{"revealed":3}}"#,
    r#"{"unrevealedCall":"refuse-with-schema","disclosure":"sentences","search":{"hits":2}}"#,
    r#"{"activation":"off"}"#,
    r#"{"activation":"on","preDiscovered":["mcp__slack__send_message"],"selection":{"servers":["slack","github"]}}"#,
    r#"{"profile":"select"}"#,
    r#"{"profile":"select","deferral":"opt-out"}"#,
    r#"{"profile":"select","deferral":"opt-out","disclosure":"full","search":{"ranker":"overlap"}}"#,
    r#"{"profile":"select","deferral":"opt-out","reveal":"search","unrevealedCall":"refuse"}"#,
    r#"{"profile":"select-load"}"#,
    r#"{"profile":"select-load","search":{"ranker":"bm25"},"limits":{"revealed":3}}"#,
    r#"{"profile":"select-load","search":{"ranker":"pattern","universe":"all"},"disclosure":"stubs"}"#,
    r#"{"profile":"stub"}"#,
    r#"{"profile":"stub","stubWhen":"always","alwaysAvailable":["mcp__slack__send_message"]}"#,
    r#"{"profile":"stub","disclosure":"short-stubs","search":{"ranker":"bm25"}}"#,
    r#"{"profile":{"name":"stub","config":{"threshold":500}}}"#,
    r#"{"profile":"bridge"}"#,
    r#"{"profile":"bridge","activation":"on"}"#,
    r#"{"profile":{"name":"bridge","config":{"enabled":"on","max_search_limit":3}},"disclosure":"names"}"#,
];

const LOCAL: &str = r#"[{"name":"local_thing","description":"Weighs a pebble."},
    {"name":"pinned_thing","deferral":"never","description":"Polishes a pebble."},
    {"name":"shy_thing","deferral":"always","description":"Hides a pebble."}]"#;

pub fn sift(settings: &str) -> ToolSift {
    let sift = common::sift(serde_json::from_str(settings).unwrap(), MCP60);
    common::register(&sift, LOCAL, &RegisterOptions::default());
    sift
}

pub fn names_of(sift: &ToolSift) -> Vec<String> {
    sift.tools().unwrap().iter().map(|tool| tool.name.to_string()).collect()
}

pub fn call(sift: &ToolSift, session: &str, name: &str, arguments: &str) -> Outcome {
    sift.session(session, None).and_then(|s| s.call(name, arguments)).unwrap()
}

/// What of tools that are out of reach shows in a text: a description, or a name that the model did not write itself.
pub fn leak(text: &str, written: &str, out_of_reach: &[(String, String)]) -> Option<String> {
    let shows = |(name, description): &&(String, String)| {
        text.contains(description.as_str()) || (text.contains(name.as_str()) && !written.contains(name.as_str()))
    };
    out_of_reach.iter().find(shows).map(|(name, _)| name.clone())
}

pub fn described(sift: &ToolSift, out_of_reach: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let tools = sift.tools().unwrap();
    let out = tools.iter().filter(|tool| out_of_reach(&tool.name));
    out.map(|tool| (tool.name.to_string(), tool.description.to_string())).collect()
}

pub fn content_of(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Result(answer) => &answer.content,
        Outcome::Refused { error } => &error.message,
        Outcome::Dispatch { .. } => "",
    }
}
