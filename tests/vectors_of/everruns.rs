//! everruns' tool_search: stubs in the tool list, and a search that puts the parameters back.

use serde_json::{Value, json};
use toolsift::{SearchOptions, ToolState, Turn, Visible};

use super::expected::{Expected, Verdict, texts};
use super::host::{Answer, Host, SESSION, bytes, catalog, described, keys, knows, listed, names, steps};

const TOOL: &str = "tool_search";
/// The threshold of the published system, which it counts without the search tool where that is left out.
const THRESHOLD: u64 = 15;

/// The published source treats `always` as `automatic`, and answers recorded from it show that. Its description holds
/// such a tool back below the threshold, too, and this core with it; where the two differ, either may be expected.
pub fn run(vector: &Value) -> Verdict {
    let tags = vector["tags"].as_array();
    let differs = tags.is_some_and(|tags| tags.contains(&json!("seed-differs")));
    if vector["derived"] == false && !differs {
        return run_with(vector, as_in_the_source);
    }
    run_with(vector, as_described).or_else(|why| if differs { run_with(vector, as_in_the_source) } else { Err(why) })
}

fn as_in_the_source(tool: &Value) -> &'static str {
    if tool["deferrable"] == "never" { "never" } else { "automatic" }
}

fn as_described(tool: &Value) -> &'static str {
    if tool["deferrable"] == "always" { "always" } else { as_in_the_source(tool) }
}

fn run_with(vector: &Value, deferral: fn(&Value) -> &'static str) -> Verdict {
    let config = &vector["config"];
    let has_search = config["with_search_tool"] != false;
    let mut host = Host::new(&wanted(config), catalog(vector), deferral);
    let mut flooded = 0;
    steps(vector)?.into_iter().try_for_each(|(step, expected)| {
        let session = step["session"].as_str().unwrap_or(SESSION);
        match step["do"].as_str().or(step["tool"].as_str()) {
            Some("call") => {
                knows(step, &["do", "args", "session", "visible", "no_registry", "no_visible"]);
                let turn = Turn::default().visible(visible(step));
                let answer = if step["no_registry"] == true {
                    Host::new(&wanted(config), Vec::new(), deferral).call(session, &turn, TOOL, &step["args"])
                } else {
                    host.call(session, &turn, TOOL, &step["args"])
                };
                search(&host, &answer, expected)
            }
            Some(TOOL) => ranked(&mut host, step, expected),
            Some("assemble") => request(&mut host, session, has_search, expected),
            Some("flood") => {
                let until = flooded + step["n"].as_u64().unwrap();
                let name = one_held_back(&mut host);
                for n in flooded..until {
                    let fresh = host.sift.session(&format!("flood {n}"), None).unwrap();
                    assert_eq!(fresh.reveal(std::slice::from_ref(&name)).unwrap().len(), 1);
                }
                flooded = until;
                all_went_well(expected)
            }
            _ => panic!("no step {step}"),
        }
    })
}

/// What the embedder set in code goes below what the host's configuration says: a threshold only counts where that
/// has no valid one, and lists add up.
fn wanted(config: &Value) -> Value {
    knows(config, &["capability", "ctor_threshold", "ctor_never_defer", "with_search_tool"]);
    let mut capability = config.get("capability").cloned().unwrap_or_else(|| json!({}));
    // The published system stubs a tool even where the stub is the larger one; by default this core does not.
    let mut wanted = json!({ "stubWhen": "always" });
    // The search tool counts here, always.
    let more = u64::from(config["with_search_tool"] == false);
    match capability["threshold"].as_u64() {
        Some(threshold) => capability["threshold"] = json!(threshold + more),
        None => {
            // What is no whole number to the published system may be one to a reader of JSON numbers: 2.0.
            capability.as_object_mut().and_then(|capability| capability.remove("threshold"));
            wanted["activation"]["tools"] = json!(config["ctor_threshold"].as_u64().unwrap_or(THRESHOLD) + more);
        }
    }
    wanted["alwaysAvailable"] = json!(listed(config.get("ctor_never_defer")));
    wanted["profile"] = json!({ "name": "stub", "config": capability });
    wanted
}

fn visible(step: &Value) -> Visible {
    match step.get("visible") {
        _ if step["no_visible"] == true => Visible::Missing,
        None => Visible::All,
        Some(names) => Visible::Names(listed(Some(names))),
    }
}

/// Steps whose only result is that they were made.
fn all_went_well(mut expected: Expected<'_>) -> Verdict {
    expected.same("ok", true);
    expected.verdict()
}

/// The name of a tool that a fresh session has yet to reveal.
fn one_held_back(host: &mut Host) -> String {
    let tools = host.sift.session("before", None).and_then(|s| s.tools()).unwrap();
    host.sift.close("before");
    tools.into_iter().find(|tool| tool.state == ToolState::Deferred).unwrap().name.to_string()
}

fn search(host: &Host, answer: &Answer, mut expected: Expected<'_>) -> Verdict {
    let json = &answer.json;
    expected.same("ok", !answer.is_error);
    let code = answer.code.unwrap_or_default();
    if let Some(kind) = expected.get("error_kind").and_then(Value::as_str) {
        let about = ["registry", "visible"].into_iter().find(|word| kind.contains(word)).unwrap_or(kind);
        expected.check_with("error_kind", code.contains(about), || format!("{code} is not {kind}"));
    }
    for key in ["query", "available_tools"] {
        expected.same(key, json[key].clone());
    }
    expected.same("tools", names(&json["tools"]));
    expected.same("loaded", json["loaded"].clone());
    expected.same_set("keys", answer.keys());
    let is_text = json["message"].as_str().is_some_and(|text| !text.is_empty());
    expected.same("message", if is_text { json!("<non-empty string>") } else { Value::Null });
    let altered = host.altered(&json["tools"], &["description", "parameters"]);
    expected.flag("tools_carry_full_parameters", altered.is_none());
    expected.verdict()
}

/// One search on a fresh session, with the scores and the words behind the answer.
fn ranked(host: &mut Host, step: &Value, mut expected: Expected<'_>) -> Verdict {
    knows(step, &["tool", "args"]);
    let query = step["args"]["query"].as_str().unwrap_or_default().trim();
    let hits = host.sift.search(query, None, None).unwrap().hits;
    let answer = host.call(SESSION, &Turn::default(), TOOL, &step["args"]);
    let found = names(&answer.json["tools"]);
    expected.check("the host finds the same", found == hits.iter().map(|hit| &*hit.name).collect::<Vec<_>>());
    expected.same("tools", found.clone());
    expected.same("scores", hits.iter().map(|hit| hit.score).collect::<Vec<_>>());
    expected.same("terms", terms(query));
    // The published answer has no such field where nothing matched.
    let loaded = &answer.json["loaded"];
    expected.same("loaded", if loaded.is_null() { json!([]) } else { loaded.clone() });
    let altered = host.altered(&answer.json["tools"], &["parameters"]);
    expected.check_with("parameters", altered.is_none(), || altered.unwrap_or_default());
    expected.same("parameters", "full");
    expected.verdict()
}

/// The words that a query was read as: those that match in a tool that is described by the query itself.
fn terms(query: &str) -> Vec<String> {
    let probe = json!({ "name": "-", "description": query });
    let host = Host::new(&json!({ "profile": "stub" }), vec![probe], as_in_the_source);
    let options = SearchOptions::default().reasons(true);
    let hits = host.sift.search_with(query, &options).unwrap().hits;
    hits.into_iter().flat_map(|hit| hit.parts).map(|part| part.term).collect()
}

fn request(host: &mut Host, session: &str, has_search: bool, mut expected: Expected<'_>) -> Verdict {
    let sent: Vec<Value> =
        host.request(session).0.into_iter().filter(|tool| has_search || tool["name"] != TOOL).collect();
    let is_stub =
        |sent: &Value| host.tool(sent["name"].as_str().unwrap()).is_some_and(|t| t["parameters"] != sent["parameters"]);
    let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
    let (stubs, full): (Vec<&Value>, Vec<&Value>) = sent.iter().partition(|tool| is_stub(tool));
    expected.same("tool_count", sent.len());
    expected.same("stubbed", stubs.iter().map(|tool| name(tool)).collect::<Vec<_>>());
    expected.same("full", full.iter().map(|tool| name(tool)).collect::<Vec<_>>());

    let order: Vec<String> = sent.iter().map(name).collect();
    let registered = host.tools.iter().map(name).filter(|name| name != TOOL);
    let in_order: Vec<String> = registered.chain(has_search.then(|| TOOL.to_owned())).collect();
    expected.same("order", if order == in_order { "unchanged" } else { "changed" });
    let described_alike = sent.iter().all(|s| host.tool(&name(s)).is_none_or(|t| t["description"] == s["description"]));
    expected.check("descriptions stay", described_alike);

    let parameters = |tools: &[&Value]| tools.iter().map(|tool| bytes(&tool["parameters"])).sum::<usize>();
    let catalog: Vec<Value> = host.tools.iter().map(described).collect();
    let removed: Vec<&Value> = stubs.iter().filter_map(|stub| host.tool(stub["name"].as_str()?)).collect();
    let all: Vec<&Value> = catalog.iter().collect();
    expected.same("catalog_full_list_bytes", catalog.iter().map(bytes).sum::<usize>());
    expected.same("catalog_full_params_bytes", parameters(&all));
    expected.same("removed_params_bytes", parameters(&removed));
    let in_place: Vec<&Value> = sent.iter().filter(|tool| tool["name"] != TOOL).collect();
    let left = parameters(&all) - parameters(&removed) + parameters(&stubs);
    expected.check("what is sent is what is left", parameters(&in_place) == left);
    // How large the published system's own stub is says nothing of ours.
    expected.informative(&["source_stub_bytes_without_name"]);
    if let Some(rule) = expected.get("stub_rule") {
        let verdict = stubs.iter().try_for_each(|stub| stub_holds(stub, Expected::of(rule)));
        expected.check_with("stub_rule", verdict.is_ok(), || verdict.unwrap_err());
    }
    expected.verdict()
}

fn stub_holds(stub: &Value, mut expected: Expected<'_>) -> Verdict {
    let parameters = &stub["parameters"];
    expected.same("type", parameters["type"].clone());
    expected.same("additionalProperties", parameters["additionalProperties"].clone());
    expected.same("has_properties", keys(parameters).contains(&"properties"));
    let text = parameters["description"].as_str().unwrap_or_default();
    for mentioned in expected.get("description_mentions").map(texts).unwrap_or_default() {
        let word = if mentioned == "the tool's own exact name" { stub["name"].as_str().unwrap() } else { mentioned };
        expected.check_with("description_mentions", text.contains(word), || format!("{word} is not in {text}"));
    }
    expected.verdict()
}
