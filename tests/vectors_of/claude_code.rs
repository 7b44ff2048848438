//! Claude Code's ToolSearch: a search loads what it finds, and a call before that fails. Ranking is not binding.

use serde_json::{Value, json};
use toolsift::{Outcome, Turn};

use super::expected::{Expected, Verdict, texts};
use super::host::{Answer, Host, SESSION, catalog, keys, knows, names, never_or, steps};

const TOOL: &str = "ToolSearch";

pub fn run(vector: &Value) -> Verdict {
    knows(&vector["config"], &["deferred"]);
    let mut host = Host::new(&json!({ "profile": "select-load" }), catalog(vector), never_or("automatic"));
    steps(vector)?.into_iter().try_for_each(|(step, expected)| {
        knows(step, &["tool", "args", "call_tool", "op"]);
        if let Some(name) = step["call_tool"].as_str() {
            return direct(&host.call(SESSION, &Turn::default(), name, &json!({})), expected);
        }
        if step["op"] == "tool_definition" {
            return definition(&mut host, expected);
        }
        assert_eq!(step["tool"], TOOL);
        let answer = host.call(SESSION, &Turn::default(), TOOL, &step["args"]);
        search(&mut host, step["args"]["query"].as_str().unwrap_or_default(), &answer, expected)
    })
}

fn search(host: &mut Host, query: &str, answer: &Answer, mut expected: Expected<'_>) -> Verdict {
    // Only that it is an error binds, not its wording.
    expected.check("error", answer.is_error == expected.has("error"));
    expected.informative(&["error", "reference_order_nonbinding"]);

    let (found, loaded) = (names(&answer.json["matches"]), &answer.json["loaded"]);
    let loaded = if answer.is_error { Vec::new() } else { texts(loaded) };
    expected.same("kind", if query.starts_with("select:") { "select" } else { "keyword" });
    expected.same("matches", found.clone());
    expected.same("loaded", loaded.clone());
    expected.all_among("loaded_includes", &loaded);
    expected.all_among("must_include", &found);

    let most = serde_json::to_value(host.sift.settings()).unwrap()["search"]["maxHits"].clone();
    expected.check("no more than max_results", most.as_u64().is_some_and(|most| found.len() as u64 <= most));
    expected.same("max_results", most);

    if let Some(part) = expected.get("every_name_contains").and_then(Value::as_str) {
        expected.check("every_name_contains", found.iter().all(|name| name.contains(part)));
    }
    expected.flag("every_match_is_loaded", found.iter().all(|name| loaded.contains(name)));
    let words: Vec<String> = query.split_whitespace().map(|w| w.trim_start_matches('+').to_lowercase()).collect();
    let holds_one = |name: &&str| {
        let tool = host.tool(name).unwrap();
        let text = [&tool["name"], &tool["description"], &tool["search_hint"]].map(Value::to_string).concat();
        words.iter().any(|word| text.to_lowercase().contains(word))
    };
    expected.flag("must_not_include_if_no_term_occurs", found.iter().all(holds_one));
    let sent = host.request(SESSION).0;
    let mut runs = |name: &str| {
        let is_sent = sent.iter().any(|tool| tool["name"] == name);
        let call = host.call(SESSION, &Turn::default(), name, &json!({}));
        is_sent && matches!(call.outcome, Outcome::Dispatch { .. })
    };
    expected.flag("every_match_is_callable_next", found.iter().all(|name| runs(name)));
    expected.verdict()
}

fn direct(answer: &Answer, mut expected: Expected<'_>) -> Verdict {
    expected.flag("runs", matches!(answer.outcome, Outcome::Dispatch { .. }));
    match expected.get("fails").and_then(Value::as_str) {
        None => expected.check("runs", expected.has("runs")),
        Some("not loaded") => {
            let is_so = answer.code == Some("tool_not_revealed") && answer.text.contains(TOOL);
            expected.check_with("fails", is_so, || format!("{:?}: {}", answer.code, answer.text));
        }
        Some(other) => expected.check(other, false),
    }
    expected.verdict()
}

fn definition(host: &mut Host, mut expected: Expected<'_>) -> Verdict {
    let tools = host.request(SESSION).0;
    let tool = tools.iter().find(|tool| tool["name"] == TOOL).unwrap_or(&Value::Null);
    expected.same("name", tool["name"].clone());
    expected.same_set("properties", keys(&tool["parameters"]["properties"]));
    expected.same("required", tool["parameters"]["required"].clone());
    expected.same("query_type", tool["parameters"]["properties"]["query"]["type"].clone());
    expected.verdict()
}
