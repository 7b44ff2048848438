//! What the published systems fix beyond their recorded vectors, and what can be made of them.
//!
//! 1. The rate of searches follows the host's clock.
//! 2. Stubs: always-deferred tools below the threshold, no stub larger than what it stands for, eviction by first
//!    reveal.
//! 3. The bridge remembers nothing, and its list never changes.
//! 4. Loading by search: a call before it says how, and loading twice does no harm.
//! 5. Any axis can be overridden; what is accepted works, and what cannot work is refused with the reason.

use crate::common::{MCP60, call, request, sift};
use serde_json::{Value, json};
use toolsift::bindings::options;
use toolsift::{ErrorCode, Format, Outcome, PROFILES, RegisterOptions, Scope, ToolSift, Turn};

const SEND: &str = "mcp__slack__send_message";
const TIDES: &str = "mcp__weather__get_tides";

/// The answer of a discovery tool, with the code of what was wrong.
fn answer(outcome: Outcome) -> (String, Option<ErrorCode>) {
    match outcome {
        Outcome::Result { content, error_code, .. } => (content, error_code),
        Outcome::Refused { error } => (error.message, Some(error.code)),
        Outcome::Dispatch { name, .. } => panic!("{name} runs"),
    }
}

fn runs(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Dispatch { .. })
}

fn parameters(sift: &ToolSift, session: &str, name: &str) -> Value {
    let (tools, _) = request(sift, session);
    tools.iter().find(|tool| tool["name"] == name).map(|tool| tool["inputSchema"].clone()).unwrap_or_default()
}

fn is_stub(parameters: &Value) -> bool {
    parameters["additionalProperties"] == true && parameters["properties"].is_null()
}

#[test]
fn searches_are_limited_by_the_clock() {
    let sift = sift(json!({ "profile": "select", "deferral": "opt-out" }), MCP60);
    let search = |session: &str, now: Option<f64>, query: Value| {
        let args = json!({ "query": query }).to_string();
        let turn = now.map_or(Turn::default(), |now| Turn::default().now(now));
        answer(sift.session(session, None).and_then(|s| s.call_in(&turn, "ToolSearch", &args)).unwrap())
    };
    for (now, query, code) in [
        (0.0, json!("slack"), None),
        (0.0, json!(7), Some(ErrorCode::QueryMissing)),
        (0.0, json!("  "), Some(ErrorCode::QueryEmpty)),
        (0.0, json!("select:nope"), None),
        (0.0, json!("+ +"), Some(ErrorCode::NoScorableTerms)),
        (30_000.0, json!("nomatch"), None),
        (30_000.0, json!("slack"), None),
        (30_000.0, json!("slack"), Some(ErrorCode::RateLimited)),
        (59_999.0, json!("slack"), Some(ErrorCode::RateLimited)),
        (59_999.0, json!(""), Some(ErrorCode::QueryEmpty)),
        (60_000.0, json!("slack"), None),
        (60_000.0, json!("slack"), None),
        (60_000.0, json!("slack"), None),
        (60_000.0, json!("slack"), Some(ErrorCode::RateLimited)),
        (89_999.0, json!("slack"), Some(ErrorCode::RateLimited)),
        (90_000.0, json!("slack"), None),
        (0.0, json!("slack"), None),
        (0.0, json!("slack"), Some(ErrorCode::RateLimited)),
    ] {
        let (text, found) = search("agent-7", Some(now), query.clone());
        assert_eq!(found, code, "{query} at {now}: {text}");
        if code == Some(ErrorCode::RateLimited) {
            assert!(text.contains("agent-7") && text.contains('5'), "{text}");
        }
    }
    assert_eq!(search("other", Some(0.0), json!("slack")).1, None, "each session has its own allowance");
    for _ in 0..20 {
        assert_eq!(search("agent-7", None, json!("slack")).1, None, "without a clock there is no rate");
    }
}

#[test]
fn a_tool_that_insists_is_held_back_below_the_threshold() {
    let tools = r#"[
        {"name":"auto","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"A text that is long enough to be worth a stub of any size, I dare say."}}}},
        {"name":"insists","deferral":"always","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"A text that is long enough to be worth a stub of any size, I dare say."}}}},
        {"name":"never","deferral":"never","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"A text that is long enough to be worth a stub of any size, I dare say."}}}}]"#;
    let stubs = |sift: &ToolSift| {
        let (tools, _) = request(sift, "a");
        let names = tools.iter().filter(|tool| is_stub(&tool["inputSchema"])).map(|tool| tool["name"].to_string());
        names.collect::<Vec<_>>().join(" ")
    };
    let mut below = sift(json!({ "profile": "stub" }), tools);
    assert_eq!(stubs(&mut below), r#""insists""#);
    assert!(runs(&call(&below, "a", "insists", json!({}))), "a stub can be called at any time");
    call(&below, "a", "tool_search", json!({ "query": "insists" }));
    assert_eq!(stubs(&mut below), "");
    assert_eq!(
        stubs(&mut sift(json!({ "profile": { "name": "stub", "config": { "threshold": 4 } } }), tools)),
        r#""auto" "insists""#
    );
    assert_eq!(stubs(&mut sift(json!({ "profile": "stub", "activation": "off" }), tools)), "");
    let kept = json!({ "profile": { "name": "stub", "config": { "threshold": 0, "never_defer": ["auto"] } }, "alwaysAvailable": ["insists"] });
    assert_eq!(stubs(&mut sift(kept, tools)), "", "both lists count");

    let (tools, prompt) = request(&sift(json!({ "profile": "stub" }), r#"[{"name":"one"}]"#), "a");
    assert_eq!(tools.len(), 2, "the search tool is there below the threshold, too");
    assert!(prompt.contains("tool_search"));
}

#[test]
fn a_stub_is_never_larger_than_what_it_stands_for() {
    for disclosure in ["stubs", "short-stubs"] {
        for catalog in [MCP60, include_str!("vectors/catalogs/generic20.json")] {
            let wanted = json!({ "profile": "stub", "disclosure": disclosure });
            let mut smaller = sift(wanted, catalog);
            let full: Vec<Value> = serde_json::from_str(catalog).unwrap();
            let mut stubs = 0;
            for tool in &full {
                let sent = parameters(&smaller, "a", tool["name"].as_str().unwrap());
                assert!(sent.to_string().len() <= tool["parameters"].to_string().len(), "{}", tool["name"]);
                assert!(sent == tool["parameters"] || is_stub(&sent));
                stubs += usize::from(is_stub(&sent));
            }
            assert!(stubs > 5 && stubs < full.len(), "{stubs}");
            let mut always =
                sift(json!({ "profile": "stub", "disclosure": disclosure, "stubWhen": "always" }), catalog);
            let size = |sift: &ToolSift| {
                sift.session("a", None).and_then(|s| s.assemble(Format::Mcp)).unwrap().size.request.bytes
            };
            assert!(size(&mut smaller) < size(&mut always));
        }
    }
}

#[test]
fn sessions_are_forgotten_by_their_first_reveal() {
    let sift = sift(json!({ "profile": "stub", "stubWhen": "always", "limits": { "sessions": 2 } }), MCP60);
    let search = |sift: &ToolSift, session: &str, name: &str| {
        call(sift, session, "tool_search", json!({ "query": name }));
    };
    search(&sift, "old", SEND);
    search(&sift, "young", SEND);
    search(&sift, "old", TIDES);
    for passer_by in ["x", "y", "z"] {
        request(&sift, passer_by);
    }
    assert!(!is_stub(&parameters(&sift, "old", TIDES)), "who reveals nothing pushes nobody out");
    search(&sift, "new", SEND);
    assert!(is_stub(&parameters(&sift, "old", SEND)), "a later reveal does not make a session younger");
    assert!(!is_stub(&parameters(&sift, "young", SEND)) && !is_stub(&parameters(&sift, "new", SEND)));
    search(&sift, "old", SEND);
    assert!(is_stub(&parameters(&sift, "young", SEND)), "one that comes back is new");
    assert!(!is_stub(&parameters(&sift, "new", SEND)) && !is_stub(&parameters(&sift, "old", SEND)));
}

#[test]
fn the_bridge_remembers_nothing() {
    let sift = sift(json!({ "profile": "bridge", "activation": "on" }), MCP60);
    let before = request(&sift, "a");
    let names: Vec<&str> = before.0.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["tool_search", "tool_describe", "tool_call"]);
    assert!(before.0[0]["description"].as_str().unwrap().contains("60"));
    for _ in 0..2 {
        assert!(answer(call(&sift, "a", "tool_search", json!({ "query": "tides" }))).0.contains(TIDES));
        assert!(answer(call(&sift, "a", "tool_describe", json!({ "name": TIDES }))).0.contains("parameters"));
        assert!(runs(&call(&sift, "a", "tool_call", json!({ "name": TIDES, "arguments": {} }))));
        let (refusal, code) = answer(call(&sift, "a", TIDES, json!({})));
        assert_eq!(code, Some(ErrorCode::ToolNotRevealed));
        assert!(refusal.contains("tool_call") && refusal.contains(TIDES), "{refusal}");
        assert_eq!(request(&sift, "a"), before);
        assert!(sift.session("a", None).and_then(|s| s.revealed()).unwrap().is_empty());
    }
    let slack = sift.session("b", Some(&Scope::new(&["slack"], &[]))).unwrap();
    let within = slack.assemble(Format::Mcp).unwrap();
    assert!(within.tools.get().contains("Searches 8 more tools") && within.deferrable.tools == 8, "{}", within.tools);
}

#[test]
fn a_search_that_loads_is_all_that_is_needed() {
    let sift = sift(json!({ "profile": "select-load" }), MCP60);
    let (_, prompt) = request(&sift, "a");
    assert!(prompt.contains(&format!("- {SEND}\n")) && !prompt.contains("parameters"), "names only: {prompt}");
    let (refusal, code) = answer(call(&sift, "a", SEND, json!({})));
    assert_eq!(code, Some(ErrorCode::ToolNotRevealed));
    assert!(refusal.contains("ToolSearch") && refusal.contains(&format!("select:{SEND}")), "{refusal}");
    for times in 0..3 {
        let (text, code) = answer(call(&sift, "a", "ToolSearch", json!({ "query": format!("select:{SEND}") })));
        let loaded: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((code, &loaded["loaded"]), (None, &json!([SEND])), "loading again, {times} times: {text}");
        assert!(runs(&call(&sift, "a", SEND, json!({}))));
    }
    assert_eq!(request(&sift, "a").0.len(), 2);
    assert_eq!(request(&sift, "b").0.len(), 1);
}

#[test]
fn the_listing_is_advice_or_all_there_is() {
    let mut filtered = sift(json!({ "profile": "select", "deferral": "opt-out" }), MCP60);
    let mut advised = sift(json!({ "profile": "select", "deferral": "opt-out", "disclosure": "full" }), MCP60);
    assert_eq!(request(&filtered, "a").0.len(), 1);
    assert_eq!(request(&advised, "a").0.len(), 61);
    for sift in [&mut filtered, &mut advised] {
        assert!(runs(&call(sift, "a", SEND, json!({}))), "every tool can be called at any time");
    }
    let nothing_deferred = request(&sift(json!({ "profile": "select" }), MCP60), "a");
    assert_eq!((nothing_deferred.0.len(), nothing_deferred.1.as_str()), (61, ""), "opt-in: nobody asked");
}

/// Whether a model can get a deferred tool to run: found by its name, loaded if that needs a step, called.
fn can_reach(sift: &ToolSift, commands: bool) -> bool {
    let has = |sift: &ToolSift, name: &str| {
        let row = PROFILES.iter().find(|row| row.name == sift.settings().profile).unwrap();
        row.info().settings.surface.contains(&name)
    };
    let query = if commands { format!("select:{SEND}") } else { SEND.to_owned() };
    for search in ["search_tools", "ToolSearch", "tool_search"] {
        if has(sift, search) {
            let (text, code) = answer(call(sift, "a", search, json!({ "query": query })));
            assert!(code.is_none() && text.contains(SEND), "{text}");
        }
    }
    if has(sift, "tool_call") {
        return runs(&call(sift, "a", "tool_call", json!({ "name": SEND, "arguments": {} })));
    }
    if has(sift, "add_tool") {
        call(sift, "a", "add_tool", json!({ "tool_names": [SEND] }));
    }
    // A refusal that shows the schema loads the tool, so that the second call is right.
    runs(&call(sift, "a", SEND, json!({}))) || runs(&call(sift, "a", SEND, json!({})))
}

#[test]
fn every_accepted_combination_lets_the_model_reach_every_tool() {
    let disclosures =
        ["hidden", "servers", "names", "auto", "sentences", "descriptions", "stubs", "short-stubs", "full"];
    let tools: Vec<Value> = serde_json::from_str(MCP60).unwrap();
    let few = json!(tools.into_iter().filter(|tool| tool["server"] == "slack").collect::<Vec<_>>()).to_string();
    let rankers = ["pattern", "parts", "overlap", "bm25", "sift"];
    let (mut accepted, mut refused) = (0, 0);
    for (first, profile) in PROFILES.iter().enumerate() {
        for (second, disclosure) in disclosures.into_iter().enumerate() {
            for reveal in ["add", "search", "never"] {
                for (third, unrevealed) in ["refuse", "refuse-with-schema", "run", "allow"].into_iter().enumerate() {
                    // Each ranker meets each value of the others, and not every combination of them.
                    let ranker = rankers[(first + second + third) % 5];
                    let grammar = if accepted % 2 == 0 { "plain" } else { "commands" };
                    // Words of a name are no words of a query where the name is cut into its parts.
                    let grammar = match ranker {
                        "parts" => "commands",
                        "sift" => "full",
                        _ => grammar,
                    };
                    let wanted = json!({ "profile": profile.name, "activation": "on", "deferral": "opt-out",
                        "disclosure": disclosure, "reveal": reveal, "unrevealedCall": unrevealed,
                        "search": { "ranker": ranker, "grammar": grammar, "hits": 8 } });
                    match options::settings(&serde_json::from_value(wanted.clone()).unwrap()) {
                        Err(error) => {
                            assert_eq!(error.code(), ErrorCode::OptionConflict, "{wanted}: {error}");
                            assert!(error.message().len() > 60, "a conflict gives its reason: {error}");
                            refused += 1;
                        }
                        Ok(settings) => {
                            let sift = ToolSift::new(settings);
                            sift.register(&few, &RegisterOptions::default()).unwrap();
                            assert!(can_reach(&sift, grammar == "commands"), "{wanted}");
                            accepted += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(accepted > 200 && refused > 10, "{accepted} accepted, {refused} refused");
}
