//! Tests rules of the published systems beyond their recorded vectors, and what users can change in them.

use crate::common::{MCP60, call, request, sift};
use serde_json::{Value, json};
use toolsift::bindings::options;
use toolsift::{ErrorCode, Outcome, PROFILES, RegisterOptions, RestoreOptions, ToolSift};

const SEND: &str = "mcp__slack__send_message";
const TIDES: &str = "mcp__weather__get_tides";

/// The answer of a discovery tool, with the code of what was wrong.
fn answer(outcome: Outcome) -> (String, Option<ErrorCode>) {
    match outcome {
        Outcome::Result(answer) => (answer.content, answer.error_code),
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

/// Whether a model can get a deferred tool to run: found by its name, loaded if that needs a step, called.
fn can_reach(sift: &ToolSift, commands: bool) -> bool {
    let has = |sift: &ToolSift, name: &str| {
        let row = PROFILES.iter().find(|row| sift.settings()["profile"] == row.name).unwrap();
        row.info()["surface"].as_array().unwrap().contains(&json!(name))
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

#[test]
fn a_snapshot_of_an_unknown_profile_is_refused() {
    let sift = sift(json!({}), &json!([{ "name": "one" }]));
    let snapshot = |profile: &str| json!({ "toolsift": 2, "id": "b", "profile": profile, "turn": 0, "revealed": [] });
    let error = sift.restore(&snapshot("sieve").to_string(), &RestoreOptions::default()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::SnapshotInvalid);
    assert!(error.message().contains("\"sieve\""), "{error}");
    assert!(sift.restore(&snapshot("bridge").to_string(), &RestoreOptions::default()).is_ok(), "of another profile");
}
