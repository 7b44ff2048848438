//! mcpagent's Tool Search Mode: a search by pattern, adding by name, and a list of all names.

use serde_json::{Value, json};
use toolsift::{Stage, Turn};

use super::expected::{Expected, Verdict};
use super::host::{Answer, Host, SESSION, catalog, keys, knows, listed, names, steps};

const DISCOVERY: [&str; 3] = ["search_tools", "add_tool", "show_all_tools"];
const OFFLOADING: [&str; 3] = ["search_large_output", "read_large_output", "query_large_output"];
/// The most that the fuzzy stage answers.
const FUZZY: usize = 5;
/// How the vectors say so.
const NEXT_STAGE: &str = "fuzzy, at most 5 results; if that is empty too: found 0, tools []";

pub fn run(vector: &Value) -> Verdict {
    let mut host = host_of(vector);
    steps(vector)?.into_iter().try_for_each(|(step, expected)| {
        knows(step, &["do", "tool", "args"]);
        match step["do"].as_str().or(step["tool"].as_str()).unwrap() {
            "visible" => visible(&mut host, expected),
            "deferred" => {
                let searchable = searchable(&mut host);
                one(expected, "names", searchable.into())
            }
            tool => {
                let answer = host.call(SESSION, &Turn::default(), tool, &step["args"]);
                match tool {
                    "search_tools" => search(&mut host, &step["args"], &answer, expected),
                    "add_tool" => added(&answer, expected),
                    "show_all_tools" => all(&answer, expected),
                    other => panic!("no step {other}"),
                }
            }
        }
    })
}

fn host_of(vector: &Value) -> Host {
    let config = &vector["config"];
    knows(config, &["pre_discovered", "selected_servers", "selected_tools", "virtual"]);
    let mut wanted = json!({ "profile": "search-add" });
    if let Some(names) = config.get("pre_discovered") {
        wanted["preDiscovered"] = names.clone();
    }
    for (ours, theirs) in [("servers", "selected_servers"), ("tools", "selected_tools")] {
        if let Some(list) = config.get(theirs) {
            wanted["selection"][ours] = list.clone();
        }
    }
    let first = listed(config.get("virtual")).into_iter().map(|name| json!({ "name": name }));
    // What is deferred is decided by name and category here, not by what the catalog says of a tool.
    Host::new(&wanted, first.chain(catalog(vector)).collect(), |_| "automatic")
}

fn one(mut expected: Expected<'_>, key: &'static str, actual: Value) -> Verdict {
    expected.same(key, actual);
    expected.verdict()
}

fn searchable(host: &mut Host) -> Vec<String> {
    host.sift.search(".*", None, None).unwrap().hits.iter().map(|hit| hit.name.to_string()).collect()
}

fn visible(host: &mut Host, mut expected: Expected<'_>) -> Verdict {
    expected.same("deferred_count", searchable(host).len());
    let sent = Value::from(host.request(SESSION).0);
    let names = names(&sent);
    let those = |list: [&str; 3]| names.iter().copied().filter(|n| list.contains(n)).collect::<Vec<_>>();
    let others = names.iter().copied().filter(|n| !DISCOVERY.contains(n) && !OFFLOADING.contains(n));
    let mut discovered: Vec<&str> = others.collect();
    discovered.sort_unstable();
    expected.same("discovered", discovered);
    expected.same("discovery", those(DISCOVERY));
    expected.same("offloading", those(OFFLOADING));
    expected.verdict()
}

fn added(answer: &Answer, mut expected: Expected<'_>) -> Verdict {
    let line = |heading: &str| {
        let line = answer.text.lines().find_map(|line| line.strip_prefix(heading)).unwrap_or("");
        line.split(", ").filter(|name| !name.is_empty()).collect::<Vec<_>>()
    };
    error(answer, &mut expected);
    expected.same("added", line("Added: "));
    expected.same("already_available", line("Already available: "));
    expected.same("not_found", line("Not found: "));
    expected.verdict()
}

fn all(answer: &Answer, mut expected: Expected<'_>) -> Verdict {
    for key in ["total", "tools"] {
        expected.same(key, answer.json[key].clone());
    }
    expected.verdict()
}

fn error(answer: &Answer, expected: &mut Expected<'_>) {
    expected.same("error_kind", answer.code);
}

fn search(host: &mut Host, args: &Value, answer: &Answer, mut expected: Expected<'_>) -> Verdict {
    error(answer, &mut expected);
    let found = names(&answer.json["tools"]);
    let stage = args["query"].as_str().and_then(|query| host.sift.search(query, None, None).ok()).map(|r| r.stage);
    let is_fuzzy = matches!(stage, Some(Stage::Fuzzy));
    let holds = match expected.get("stage").and_then(Value::as_str) {
        None => answer.is_error && expected.has("error_kind"),
        Some("regex") => stage == Some(Stage::Pattern),
        Some("invalid_regex") => answer.code == Some("pattern_invalid"),
        Some("regex_no_match") => is_fuzzy || stage == Some(Stage::None),
        Some("fuzzy") => is_fuzzy && !found.is_empty(),
        Some(_) => false,
    };
    expected.check_with("stage", holds, || format!("{stage:?} answered: {}", answer.text));
    if let Some(shape) = expected.get("shape").and_then(Value::as_str) {
        expected.check_with(shape, answer.is_of_shape(shape), || answer.text.clone());
    }

    expected.check("found counts the tools", answer.is_error || answer.json["found"] == found.len());
    expected.check("a message says what to do", answer.is_error || answer.json["message"].is_string());
    expected.check("the fuzzy stage is bounded", !is_fuzzy || found.len() <= FUZZY);
    expected.same("found", found.len());
    expected.same("tools", found.clone());
    expected.same_set("keys", answer.keys());
    let items = answer.json["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    expected.same_set("item_keys", items.first().map(keys).unwrap_or_default());
    expected.same("regex_found", if is_fuzzy { 0 } else { found.len() });
    let next = if found.len() <= FUZZY { NEXT_STAGE } else { "more than that" };
    expected.same("seed_next_stage", next);

    expected.same("max_results", FUZZY);
    expected.all_among("must_include", &found);
    if let Some(first) = expected.get("first") {
        expected.check("first", found.first().is_some_and(|name| first == name));
    }
    if let Some(part) = expected.get("any_name_contains").and_then(Value::as_str) {
        expected.check("any_name_contains", found.iter().any(|name| name.contains(part)));
    }
    expected.verdict()
}
