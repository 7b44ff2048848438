//! Hermes' bridge: search, describe and call stand for everything that is held back.

use serde_json::{Value, json};
use toolsift::{Format, Outcome, Scope, TokenCounter, Turn};

use super::expected::{Expected, Verdict};
use super::host::{Answer, Host, SESSION, catalog, keys, knows, listed, names, never_or, parsed, steps};

const BRIDGE: [&str; 3] = ["tool_search", "tool_describe", "tool_call"];

pub fn run(vector: &Value) -> Verdict {
    let config = &vector["config"];
    knows(config, &["core", "toolset", "tool_search", "session_scope", "unregistered"]);
    steps(vector)?.into_iter().try_for_each(|(step, expected)| {
        match step["op"].as_str().or(step["tool"].as_str()).unwrap() {
            "parse_config" => parse(&step["raw"], expected),
            "should_activate" => activates(config, step, expected),
            "estimate_tokens" => estimate(vector, step, expected),
            "assemble" => assemble(vector, step, expected),
            tool => {
                knows(step, &["tool", "args"]);
                let mut host = host_of(vector, &json!(null));
                let answer = host.call(SESSION, &Turn::default(), tool, &step["args"]);
                match tool {
                    "tool_search" => search(&mut host, &answer, expected),
                    "tool_describe" => describe(&host, &answer, expected),
                    "tool_call" => call(&answer, expected),
                    other => panic!("no step {other}"),
                }
            }
        }
    })
}

fn wanted(config: &Value, context_length: &Value) -> Value {
    let mut wanted = json!({ "profile": "bridge" });
    if let Some(own) = config.get("tool_search") {
        wanted["profile"] = json!({ "name": "bridge", "config": own });
    }
    // The published system takes a window of zero or less for one that nobody knows.
    if context_length.as_f64().is_some_and(|length| length > 0.0) {
        wanted["contextWindow"] = context_length.clone();
    }
    wanted
}

/// Core tools are never held back; names that the published system's registry does not know stay visible, as these do.
fn host_of(vector: &Value, step: &Value) -> Host {
    let config = &vector["config"];
    let unregistered = listed(config.get("unregistered"));
    let mut tools = catalog(vector);
    if let Some(only) = step.get("only") {
        let only = listed(Some(only));
        tools.retain(|tool| only.iter().any(|name| tool["name"] == **name));
    }
    tools.extend(listed(step.get("append_tools")).into_iter().map(|name| json!({ "name": name })));
    let deferral = |tool: &Value| {
        if unregistered.iter().any(|name| tool["name"] == **name) { "never" } else { never_or("automatic")(tool) }
    };
    let mut host = Host::new(&wanted(config, &step["context_length"]), tools, deferral);
    if let Some(prefix) = config["session_scope"].as_str() {
        let prefix = prefix.trim_end_matches('*');
        let all = host.tools.iter().filter_map(|tool| tool["name"].as_str());
        let within: Vec<&str> = all.filter(|name| name.starts_with(prefix)).collect();
        host.scope = Some(Scope::new(&[], &within));
    }
    host
}

/// Parsed settings. Where the switch is on or off the share decides nothing and is not kept, so it is read from the
/// same configuration left to decide by itself.
fn parse(raw: &Value, mut expected: Expected<'_>) -> Verdict {
    let settings = |raw: &Value| {
        let host = Host::new(&wanted(&json!({ "tool_search": raw }), &json!(null)), Vec::new(), never_or("automatic"));
        serde_json::to_value(host.sift.settings()).unwrap()
    };
    let read = settings(raw);
    let mut undecided = if raw.is_object() { raw.clone() } else { json!({}) };
    undecided["enabled"] = json!("auto");
    let share = |settings: &Value| settings["activation"]["contextShare"].as_f64();
    let pct = share(&read).or(share(&settings(&undecided))).map(|share| rounded(share * 100.0));
    expected.same("enabled", read["activation"].as_str().unwrap_or("auto"));
    expected.same("threshold_pct", pct);
    expected.same("search_default_limit", read["search"]["hits"].clone());
    expected.same("max_search_limit", read["search"]["maxHits"].clone());
    expected.verdict()
}

fn activates(config: &Value, step: &Value, mut expected: Expected<'_>) -> Verdict {
    knows(step, &["op", "deferrable_tokens", "context_length"]);
    let tokens = step["deferrable_tokens"].as_f64().unwrap();
    let counter = TokenCounter::Host(Box::new(move |_| Ok(tokens)));
    let tools = if tokens > 0.0 { vec![json!({ "name": "one" })] } else { Vec::new() };
    let wanted = wanted(config, &step["context_length"]);
    let host = Host::counting(&wanted, tools, never_or("automatic"), counter);
    let assembly = host.sift.session(SESSION, None).and_then(|s| s.assemble(Format::OpenAi)).unwrap();
    expected.same("activate", assembly.active);
    expected.verdict()
}

fn estimate(vector: &Value, step: &Value, mut expected: Expected<'_>) -> Verdict {
    knows(step, &["op", "tools"]);
    let mut tools = catalog(vector);
    if step["tools"] != "all" {
        let wanted = listed(step.get("tools"));
        tools.retain(|tool| wanted.iter().any(|name| tool["name"] == **name));
    }
    let host = Host::new(&json!({ "profile": { "name": "bridge", "config": false } }), tools, |_| "automatic");
    let assembly = host.sift.session(SESSION, None).and_then(|s| s.assemble(Format::OpenAi)).unwrap();
    let definitions: Vec<&serde_json::value::RawValue> = serde_json::from_str(assembly.tools.get()).unwrap();
    expected.same("tokens", assembly.deferrable.tokens);
    expected.same("chars", definitions.iter().map(|one| one.get().chars().count()).sum::<usize>());
    expected.verdict()
}

fn assemble(vector: &Value, step: &Value, mut expected: Expected<'_>) -> Verdict {
    knows(step, &["op", "context_length", "only", "append_tools"]);
    let host = host_of(vector, step);
    let assembly = host.sift.session(SESSION, None).and_then(|s| s.assemble(Format::Mcp)).unwrap();
    let tools = parsed(assembly.tools.get());
    expected.same("activated", assembly.active);
    expected.same("names_in_order", names(&tools));
    expected.same("deferred_count", assembly.deferrable.tools);
    expected.same("deferred_tokens", assembly.deferrable.tokens);
    expected.same("threshold_tokens", assembly.deferrable.threshold_tokens);
    let search = tools.as_array().unwrap().iter().find(|tool| tool["name"] == BRIDGE[0]);
    let text = search.and_then(|tool| tool["description"].as_str()).unwrap_or_default();
    expected.stands_in("search_description_contains", text);
    expected.verdict()
}

fn search(host: &mut Host, answer: &Answer, mut expected: Expected<'_>) -> Verdict {
    error(answer, &mut expected);
    let matches = answer.json["matches"].as_array().cloned().unwrap_or_default();
    let found = names(&answer.json["matches"]);
    for key in ["query", "total_available"] {
        expected.same(key, answer.json[key].clone());
    }
    expected.same("matches", found.clone());
    if let Some(query) = answer.json["query"].as_str() {
        host.sift.session(SESSION, host.scope.as_ref()).unwrap();
        let result = host.sift.search(query, Some(found.len().max(1)), Some(SESSION)).unwrap();
        let hits: Vec<&str> = result.hits.iter().map(|hit| &*hit.name).collect();
        expected.check_with("the host finds the same", hits == found, || format!("{hits:?}"));
        expected.same("scores", result.hits.iter().map(|hit| rounded(hit.score)).collect::<Vec<_>>());
        let stage = serde_json::to_value(result.stage).unwrap();
        expected.same("stage", if stage == "substring" { json!("name_substring") } else { stage });
    }
    let first = matches.first().unwrap_or(&Value::Null);
    for key in ["name", "source", "source_name"] {
        expected.same(key, first[key].clone());
    }
    expected.same_set("match_keys", keys(first));
    let shown = first["description"].as_str().unwrap_or_default();
    let full = first["name"].as_str().and_then(|name| host.tool(name)?["description"].as_str()).unwrap_or_default();
    expected.same("description_chars", shown.chars().count());
    expected.same("full_description_chars", full.chars().count());
    expected.flag("description_is_prefix", full.starts_with(shown) && !shown.is_empty());
    expected.verdict()
}

fn describe(host: &Host, answer: &Answer, mut expected: Expected<'_>) -> Verdict {
    error(answer, &mut expected);
    expected.same("name", answer.json["name"].clone());
    expected.same_set("keys", answer.keys());
    let tool = answer.json["name"].as_str().and_then(|name| host.tool(name)).unwrap_or(&Value::Null);
    match expected.get("parameters") {
        Some(Value::String(text)) if text == "<catalog>" => {
            expected.check("parameters", answer.json["parameters"] == tool["parameters"]);
        }
        _ => expected.same("parameters", answer.json["parameters"].clone()),
    }
    expected.flag("description_is_full", answer.json["description"] == tool["description"]);
    expected.verdict()
}

fn call(answer: &Answer, mut expected: Expected<'_>) -> Verdict {
    error(answer, &mut expected);
    let dispatched = match &answer.outcome {
        Outcome::Dispatch { name, arguments, .. } => {
            json!({ "name": &**name, "arguments": parsed(arguments.get()) })
        }
        _ => Value::Null,
    };
    expected.same("dispatch", dispatched);
    expected.verdict()
}

fn error(answer: &Answer, expected: &mut Expected<'_>) {
    expected.check_with("error", answer.is_error == expected.has("error_kind"), || answer.text.clone());
    expected.same("error_kind", answer.code);
    if let Some(shape) = expected.get("shape").and_then(Value::as_str) {
        expected.check_with(shape, answer.is_of_shape(shape), || answer.text.clone());
    }
    for mentioned in listed(expected.get("error_mentions")) {
        expected.check_with("error_mentions", answer.text.contains(&mentioned), || answer.text.clone());
    }
}

/// To nine decimals, as the vectors are.
fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}
