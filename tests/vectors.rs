//! Recorded vectors of published systems, run natively and in wasm.
//!
//! 1. Every vector of `tests/vectors/mcpagent.json` holds, the engine-specific ones included.
//! 2. A vector with a changed expectation fails.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolsift::catalog::NamePolicy;
use toolsift::search::Stage;
use toolsift::{Format, Outcome, RegisterOptions, ToolSift, options};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const DISCOVERY: [&str; 3] = ["search_tools", "add_tool", "show_all_tools"];
const OFFLOADING: [&str; 3] = ["search_large_output", "read_large_output", "query_large_output"];

const VECTORS: &str = include_str!("vectors/mcpagent.json");

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {}", &text[..text.len().min(80)]))
}

fn catalog(name: &str) -> Value {
    parsed(match name {
        "generic20" => include_str!("vectors/catalogs/generic20.json"),
        "mcp60" => include_str!("vectors/catalogs/mcp60.json"),
        "awkward15" => include_str!("vectors/catalogs/awkward15.json"),
        other => panic!("no catalog {other}"),
    })
}

fn sift_for(vector: &Value) -> ToolSift {
    let config = &vector["config"];
    let mut wanted = json!({ "profile": "search-add" });
    if let Some(names) = config.get("pre_discovered") {
        wanted["preDiscovered"] = names.clone();
    }
    for (ours, theirs) in [("servers", "selected_servers"), ("tools", "selected_tools")] {
        if let Some(list) = config.get(theirs) {
            wanted["selection"][ours] = list.clone();
        }
    }
    let wanted: options::Value = serde_json::from_value(wanted).unwrap();
    let mut sift = ToolSift::new(options::settings(&wanted).unwrap());
    let any = RegisterOptions { names: NamePolicy::Any, ..RegisterOptions::default() };
    let virtual_tools = config.get("virtual").and_then(Value::as_array).cloned().unwrap_or_default();
    let virtual_tools: Vec<Value> = virtual_tools.iter().map(|name| json!({ "name": name })).collect();
    let tools = match &vector["catalog"] {
        Value::String(name) => catalog(name),
        inline => inline.clone(),
    };
    for list in [Value::from(virtual_tools), tools] {
        let report = sift.register(&list.to_string(), &any).unwrap();
        assert_eq!(report.rejected, [], "{}", vector["id"]);
    }
    sift
}

/// The answer of one step, in the words of the vectors.
fn step(sift: &mut ToolSift, word: &str, args: &Value) -> Value {
    match word {
        "visible" => visible(sift),
        "deferred" => json!({ "names": searchable(sift) }),
        tool => {
            let outcome = sift.session("one", None).and_then(|mut s| s.call(tool, &args.to_string())).unwrap();
            let Outcome::Result { content, .. } = outcome else { panic!("{tool} gave {outcome:?}") };
            match (tool, serde_json::from_str::<Value>(&content)) {
                ("add_tool", Err(_)) => added(&content),
                (_, Ok(answer)) => answer,
                (_, Err(e)) => panic!("{tool} answered no JSON: {e}: {content}"),
            }
        }
    }
}

fn searchable(sift: &mut ToolSift) -> Vec<String> {
    sift.search(".*", None, None).unwrap().hits.iter().map(|hit| hit.name.to_string()).collect()
}

fn visible(sift: &mut ToolSift) -> Value {
    let deferred = searchable(sift).len();
    let assembly = sift.session("one", None).and_then(|mut s| s.assemble(Format::Mcp)).unwrap();
    let tools: Value = serde_json::from_str(assembly.tools.get()).unwrap();
    let names: Vec<&str> = tools.as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    let those = |list: [&str; 3]| names.iter().copied().filter(|n| list.contains(n)).collect::<Vec<_>>();
    let mut discovered: Vec<&&str> =
        names.iter().filter(|n| !DISCOVERY.contains(n) && !OFFLOADING.contains(n)).collect();
    discovered.sort();
    json!({ "deferred_count": deferred, "discovered": discovered, "discovery": those(DISCOVERY),
        "offloading": those(OFFLOADING) })
}

fn added(text: &str) -> Value {
    let line = |heading: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(heading)).unwrap_or("");
        line.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    json!({ "added": line("Added: "), "already_available": line("Already available: "), "not_found": line("Not found: ") })
}

/// Why an answer is not what a vector expects, if it is not.
fn problem(actual: &Value, expected: &Value) -> Option<String> {
    let fail = |what: &str| Some(format!("{what}\n  expected {expected}\n  actual   {actual}"));
    if let Some(kind) = expected["error_kind"].as_str() {
        let names_it = actual["error"].as_str().is_some_and(|e| e.starts_with(kind.trim_end_matches("_required")));
        return if names_it { None } else { fail("no such error") };
    }
    let names = names_in(actual);
    match expected["stage"].as_str() {
        Some("invalid_regex") => {
            let is_shape = actual.as_object().is_some_and(|o| o.len() == 1)
                && actual["error"].as_str().is_some_and(|e| e.starts_with("invalid regex pattern: "));
            if is_shape { None } else { fail("no invalid-pattern error") }
        }
        Some("regex") => {
            let keys: BTreeSet<&str> = actual.as_object().unwrap().keys().map(String::as_str).collect();
            let wanted: BTreeSet<&str> =
                expected["keys"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            let right = json!(names) == expected["tools"] && actual["found"] == expected["found"] && keys == wanted;
            if right { None } else { fail("other tools") }
        }
        Some("regex_no_match") => {
            let right = names.len() <= 5 && actual["found"] == names.len() && actual["message"].is_string();
            if right { None } else { fail("no fuzzy answer") }
        }
        Some("fuzzy") => fuzzy_problem(actual, &names, expected).and_then(|what| fail(&what)),
        _ if actual == expected => None,
        _ => fail("another answer"),
    }
}

/// Whether another step of the ranker answered than the one that should have.
fn stage_problem(sift: &mut ToolSift, args: &Value, expected: &Value) -> Option<String> {
    let may_answer: &[Stage] = match expected["stage"].as_str()? {
        "regex" => &[Stage::Pattern],
        "regex_no_match" => &[Stage::Fuzzy, Stage::None],
        "fuzzy" => &[Stage::Fuzzy],
        _ => return None,
    };
    let stage = match sift.search(args["query"].as_str()?, None, None) {
        Ok(found) => found.stage,
        Err(error) => return Some(error.to_string()),
    };
    (!may_answer.contains(&stage)).then(|| format!("{stage:?} answered"))
}

fn names_in(answer: &Value) -> Vec<&str> {
    answer["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect()
}

fn fuzzy_problem(actual: &Value, names: &[&str], expected: &Value) -> Option<String> {
    if names.len() as u64 > expected["max_results"].as_u64()? {
        return Some("too many".into());
    }
    let missing = expected["must_include"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(name) = missing.into_iter().find(|name| !names.contains(name)) {
        return Some(format!("{name} is missing"));
    }
    if expected["first"].as_str().is_some_and(|first| names.first() != Some(&first)) {
        return Some("another one is first".into());
    }
    let part = expected["any_name_contains"].as_str()?;
    let all = actual["tools"].as_array()?.iter().all(|tool| tool.to_string().to_lowercase().contains(part));
    (names.is_empty() || !all).then(|| format!("not all are about {part}"))
}

fn run(vector: &Value) -> Option<String> {
    let mut sift = sift_for(vector);
    let (call, expected) = (&vector["call"], &vector["expected"]);
    let Some(steps) = call["steps"].as_array() else {
        let actual = step(&mut sift, call["tool"].as_str().unwrap(), &call["args"]);
        return stage_problem(&mut sift, &call["args"], expected).or_else(|| problem(&actual, expected));
    };
    steps.iter().zip(expected["steps"].as_array().unwrap()).find_map(|(one, expected)| {
        let actual = step(&mut sift, one["do"].as_str().unwrap(), &one["args"]);
        problem(&actual, expected).map(|why| format!("{}: {why}", one["do"]))
    })
}

#[test]
fn every_vector_holds() {
    let vectors = parsed(VECTORS);
    let vectors = vectors.as_array().unwrap();
    assert!(vectors.len() > 100, "{} vectors", vectors.len());
    let problems: Vec<String> =
        vectors.iter().filter_map(|vector| run(vector).map(|why| format!("{}: {why}", vector["id"]))).collect();
    assert!(problems.is_empty(), "{} of {} fail:\n{}", problems.len(), vectors.len(), problems.join("\n"));
}

#[test]
fn a_changed_expectation_fails() {
    let vectors = parsed(VECTORS);
    let mut changed = 0;
    for vector in vectors.as_array().unwrap() {
        let mut wrong = vector.clone();
        let expected = &mut wrong["expected"];
        match expected["stage"].as_str() {
            Some("regex") => expected["tools"] = json!(["no_such_tool"]),
            Some("invalid_regex") => expected["stage"] = json!("regex_no_match"),
            Some("fuzzy") => expected["must_include"] = json!(["no_such_tool"]),
            _ => continue,
        }
        assert!(run(&wrong).is_some(), "{} holds with another expectation", vector["id"]);
        changed += 1;
    }
    assert!(changed > 50);
}
