//! nexo's ToolSearch: one search that answers with definitions.

use serde_json::{Value, json};
use toolsift::Turn;

use super::expected::{Expected, Verdict};
use super::host::{Answer, Host, SESSION, catalog, keys, knows, never_or, steps};

const TOOL: &str = "ToolSearch";

pub fn run(vector: &Value) -> Verdict {
    let config = &vector["config"];
    knows(config, &["deferred", "rate_per_minute"]);
    let mut wanted = json!({ "profile": "select" });
    if let Some(rate) = config.get("rate_per_minute") {
        wanted["searchesPerMinute"] = rate.clone();
    }
    // The profile is opt-in, so that what is held back must say so.
    let mut host = Host::new(&wanted, catalog(vector), never_or("always"));
    steps(vector)?.into_iter().try_for_each(|(step, expected)| match step["do"].as_str().or(step["tool"].as_str()) {
        Some("call" | TOOL) => {
            knows(step, &["do", "tool", "args", "agent"]);
            let turn = Turn::default().now(0.0);
            let answer = host.call(step["agent"].as_str().unwrap_or(SESSION), &turn, TOOL, &step["args"]);
            search(&host, &answer, expected)
        }
        Some("tools_array") => request(&mut host, expected),
        _ => panic!("no step {step}"),
    })
}

fn search(host: &Host, answer: &Answer, mut expected: Expected<'_>) -> Verdict {
    expected.same("ok", !answer.is_error);
    expected.same("error_kind", answer.code);
    for key in ["limit", "agent"] {
        let word = expected.get(key).map(|value| value.as_str().map_or(value.to_string(), str::to_owned));
        let mut words = answer.text.split(|c: char| !c.is_alphanumeric() && c != '_');
        expected.check_with(key, word.is_none_or(|word| words.any(|w| w == word)), || answer.text.clone());
    }
    for key in ["query", "query_kind", "total_deferred_tools", "missing"] {
        expected.same(key, answer.json[key].clone());
    }
    expected.check("missing names go with select only", expected.has("missing") || answer.json["missing"].is_null());
    let matches = answer.json["matches"].as_array().cloned().unwrap_or_default();
    let shown: Vec<Value> = matches
        .iter()
        .map(|found| match found.get("score") {
            Some(score) => json!({ "name": found["name"], "score": score }),
            None => json!({ "name": found["name"] }),
        })
        .collect();
    expected.same("matches", shown);
    expected.same_set("match_has", matches.first().map(keys).unwrap_or_else(|| keys_of(&answer.json)));
    expected.check("every match has the same keys", matches.windows(2).all(|two| keys(&two[0]) == keys(&two[1])));
    let altered = host.altered(&answer.json["matches"], &["description", "parameters"]);
    expected.check_with("definitions", altered.is_none(), || altered.unwrap_or_default());
    expected.verdict()
}

/// What a match of a kind of query has, where there is none to look at.
fn keys_of(answer: &Value) -> Vec<&'static str> {
    let score = (answer["query_kind"] == "keyword").then_some("score");
    ["name", "description", "parameters"].into_iter().chain(score).collect()
}

fn request(host: &mut Host, mut expected: Expected<'_>) -> Verdict {
    let (tools, prompt) = host.request(SESSION);
    let altered = host.altered(&Value::from(tools.clone()), &["description", "parameters"]);
    expected.check_with("full schemas", altered.is_none(), || altered.unwrap_or_default());
    let mut names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    names.sort_unstable();
    expected.same("full_schema_tools_sorted", names);
    match expected.get("summary") {
        Some(Value::Null) => expected.check("no summary", prompt.is_empty()),
        Some(summary) => {
            let verdict = prompt_block(&prompt, Expected::of(summary));
            expected.check_with("summary", verdict.is_ok(), || verdict.unwrap_err());
        }
        None => {}
    }
    expected.verdict()
}

fn prompt_block(prompt: &str, mut expected: Expected<'_>) -> Verdict {
    let tag = expected.get("wrapped_in_tag").and_then(Value::as_str).unwrap_or_default();
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let block = prompt.split_once(&open).and_then(|(_, rest)| rest.split_once(&close)).map(|(block, _)| block);
    expected.check_with("wrapped_in_tag", block.is_some(), || prompt.to_owned());
    let block = block.unwrap_or_default();
    expected.stands_in("mentions", block);
    let mut lines: Vec<&str> = block.lines().filter(|line| line.starts_with("- ")).collect();
    lines.sort_unstable();
    expected.same("line_count", lines.len());
    expected.same("lines_sorted", lines);
    expected.flag("must_not_panic", true);
    expected.verdict()
}
