//! Tests that replaying the calls of a conversation loads the same tools as the live session.

use crate::common::{self, MCP60, register};
use serde_json::{Value, json};
use toolsift::{Format, MessageFormat, Outcome, RegisterOptions, Scope, TokenCounter, ToolSift};

const TIDES: &str = "mcp__weather__get_tides";
const SEND: &str = "mcp__slack__send_message";
const EVENTS: &str = "mcp__calendar__list_events";
const PROJECT: &str = "mcp__linear__create_project";

fn sift_with(settings: Value, counter: TokenCounter) -> ToolSift {
    let sift = ToolSift::with_counter(common::settings(settings), counter);
    register(&sift, MCP60, &RegisterOptions::default());
    sift
}

fn sift(settings: Value) -> ToolSift {
    sift_with(settings, TokenCounter::Characters)
}

fn revealed(sift: &ToolSift, session: &str) -> Vec<String> {
    let names = sift.session(session, None).and_then(|session| session.revealed()).unwrap();
    names.iter().map(|name| name.to_string()).collect()
}

/// The messages of one step of the model: its calls and their answers.
fn step(calls: &[(&str, Value, String)]) -> Vec<Value> {
    let id = |at: usize| format!("c{at}");
    let call = |(at, (name, args, _)): (usize, &(&str, Value, String))| json!({ "id": id(at), "function": { "name": name, "arguments": args.to_string() } });
    let asked: Vec<Value> = calls.iter().enumerate().map(call).collect();
    let answers = calls
        .iter()
        .enumerate()
        .map(|(at, (.., said))| json!({ "role": "tool", "tool_call_id": id(at), "content": said }));
    [json!({ "role": "assistant", "tool_calls": asked })].into_iter().chain(answers).collect()
}

/// The messages of a call of a step of its own.
fn one(name: &str, said: impl ToString) -> Vec<Value> {
    step(&[(name, json!({}), said.to_string())])
}

/// Makes the calls of some steps, and returns the messages of that.
fn live(sift: &ToolSift, steps: &[&[(&'static str, Value)]]) -> Vec<Value> {
    let made = |calls: &&[(&'static str, Value)]| {
        let session = sift.session("live", None).unwrap();
        session.assemble(Format::Mcp).unwrap();
        let answered = calls.iter().map(|(name, args)| {
            let said = match session.call(name, &args.to_string()).unwrap() {
                Outcome::Result(answer) => answer.content,
                Outcome::Refused { error } => error.message,
                Outcome::Dispatch { .. } => "done".to_owned(),
            };
            (*name, args.clone(), said)
        });
        step(&answered.collect::<Vec<_>>())
    };
    steps.iter().flat_map(made).collect()
}

fn replay(sift: &ToolSift, messages: &[Value]) -> Vec<String> {
    let session = sift.session("again", None).unwrap();
    let report = session.replay(&json!(messages), MessageFormat::OpenAi).unwrap();
    report.missing.iter().map(|name| name.to_string()).collect()
}

fn add(names: &[&str]) -> (&'static str, Value) {
    ("add_tool", json!({ "tool_names": names }))
}

#[test]
fn a_replay_leaves_what_the_live_session_has() {
    let none = || json!({});
    for most in [1, 2, 3, 60] {
        for when_full in ["evict", "refuse"] {
            let sift = sift(json!({ "limits": { "revealed": most, "whenFull": when_full } }));
            let search = |query: &str| ("search_tools", json!({ "query": query }));
            let calls = live(
                &sift,
                &[
                    &[search("high tide times"), add(&[SEND])],
                    &[(TIDES, none()), (EVENTS, none()), (SEND, none())],
                    &[(EVENTS, none()), add(&[PROJECT, TIDES])],
                    &[(TIDES, none()), (TIDES, none()), search("create a project")],
                ],
            );
            let expected = revealed(&sift, "live");
            assert!(!expected.is_empty() && expected.len() <= most, "{expected:?}");
            for _ in 0..2 {
                replay(&sift, &calls);
                assert_eq!(revealed(&sift, "again"), expected, "{most} {when_full}");
            }
        }
    }
}

#[test]
fn a_tool_that_left_is_loaded_again_by_a_later_call_only() {
    let sift = sift(json!({ "limits": { "revealed": 1 } }));
    let loaded = one("add_tool", format!("Added: {TIDES}"));
    let ran = |name| (name, json!({}), "done".to_owned());
    replay(&sift, &[loaded.clone(), step(&[ran(SEND), ran(TIDES)])].concat());
    assert_eq!(revealed(&sift, "again"), [SEND]);
    replay(&sift, &[loaded, one(SEND, "done"), one(TIDES, "done")].concat());
    assert_eq!(revealed(&sift, "again"), [TIDES]);
}

#[test]
fn an_answer_is_of_the_latest_call_that_it_can_mean() {
    let sift = sift(json!({}));
    let [adding, added] =
        step(&[("add_tool", json!({ "tool_names": [TIDES] }), format!("Added: {TIDES}"))]).try_into().unwrap();
    let [other, _] = one("own_tool", "done").try_into().unwrap();
    let words = json!({ "role": "user", "content": "wait" });
    let asked = json!({ "role": "assistant", "function_call": adding["tool_calls"][0]["function"] });
    let told = json!({ "role": "function", "name": "add_tool", "content": added["content"] });
    for (messages, has) in [
        (vec![&adding, &words, &added], true),
        (vec![&adding, &other, &added], false),
        (vec![&asked, &told], true),
        (vec![&asked, &words, &told], false),
    ] {
        replay(&sift, &messages.into_iter().cloned().collect::<Vec<_>>());
        assert_eq!(revealed(&sift, "again").len(), usize::from(has));
    }
}

/// What was evicted before belongs to no conversation that is replayed.
#[test]
fn a_replay_forgets_what_was_evicted_before_it() {
    let sift = sift(json!({}));
    for messages in [Vec::new(), one(TIDES, "done")] {
        let session = sift.session("again", None).unwrap();
        session.reveal(&[TIDES, SEND]).unwrap();
        assert_eq!(session.evict(0, usize::MAX).unwrap().len(), 2);
        replay(&sift, &messages);
        let has_called = usize::from(!messages.is_empty());
        assert_eq!(revealed(&sift, "again").len(), has_called, "the call says that it was loaded");
        let call = sift.session("again", None).and_then(|session| session.call(SEND, "{}")).unwrap();
        assert!(matches!(call, Outcome::Refused { .. }), "{call:?}");
    }
}

/// What is refused under any settings, with the name of the tool and the text.
fn refusals() -> Vec<(String, String)> {
    let mut refusals = Vec::new();
    for (settings, name, arguments) in [
        (json!({ "unrevealedCall": "refuse" }), TIDES, "{}"),
        (json!({ "profile": "search-add" }), TIDES, "{}"),
        (json!({ "profile": "select-load" }), TIDES, "{}"),
        (json!({ "profile": "stub", "unrevealedCall": "refuse" }), TIDES, "{}"),
        (json!({ "profile": "bridge", "activation": "on" }), TIDES, "{}"),
        (json!({ "limits": { "revealed": 1, "whenFull": "refuse" } }), TIDES, "{}"),
        (json!({ "limits": { "revealedTokens": 1 } }), TIDES, "{}"),
        (json!({}), "mcp__weather__get_tide", "{}"),
        (json!({}), "later", "{}"),
        (json!({}), SEND, "{"),
        (json!({}), SEND, "[1,2]"),
    ] {
        let sift = sift(settings);
        let scope = Scope::new(&["slack"], &[]);
        sift.session("scoped", Some(&scope)).unwrap();
        for id in ["live", "scoped"] {
            let session = sift.session(id, None).unwrap();
            session.reveal(&[SEND]).ok();
            for _ in 0..2 {
                if let Outcome::Refused { error } = session.call(name, arguments).unwrap() {
                    refusals.push((name.to_owned(), error.message));
                }
            }
        }
    }
    refusals
}

#[test]
fn a_refusal_is_read_where_an_answer_begins_with_it() {
    let refusals = refusals();
    assert!(refusals.len() > 30, "{}", refusals.len());
    let sift = sift(json!({}));
    sift.register(r#"[{"name":"later"},{"name":"mcp__weather__get_tide"}]"#, &RegisterOptions::default()).unwrap();
    for (name, text) in &refusals {
        replay(&sift, &one(name, text));
        assert_eq!(revealed(&sift, "again"), Vec::<String>::new(), "{text}");
        for own in [
            json!([format!("In the log of the agent: {text}")]),
            json!([text, "This was found in the log of the agent."]),
        ] {
            replay(&sift, &one(name, &own));
            assert_eq!(revealed(&sift, "again"), [name.as_str()], "{own}");
        }
    }
    let own = "The pool is not available in this session of the day. There is no tool named hammer.";
    replay(&sift, &one(TIDES, own));
    assert_eq!(revealed(&sift, "again"), [TIDES]);
}

#[test]
fn evictions_without_end_take_bounded_time() {
    let tools: Vec<Value> = (0..4_000).map(|at| json!({ "name": format!("tool_{at}"), "inputSchema": {} })).collect();
    let sift = common::sift(json!({ "limits": { "revealed": 2_000 } }), &json!(tools));
    let missing =
        replay(&sift, &(0..4_000).flat_map(|at| one("add_tool", format!("Added: tool_{at}"))).collect::<Vec<_>>());
    // Of those beyond the bound, 2,000,000 / 2,000 are weighed against the others.
    assert_eq!(missing.len(), 2_000 - 1_000);
    assert_eq!(revealed(&sift, "again").len(), 2_000);
}
