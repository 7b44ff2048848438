//! What holds whatever is thrown at it, for every profile and every combination of settings:
//!
//! 1. Nothing outside the scope is returned, listed, described or dispatched, nor anything that a turn does not show.
//! 2. Assembly never drops or reorders what is sent from the start, and assembling twice equals once.
//! 3. A reveal in one session never shows in another.
//! 4. Every bound holds, for any query.
//! 5. Any text is answered without a panic.
//! 6. Same input, same bytes.
//! 7. A call through the bridge dispatches what a direct call does.

use std::collections::BTreeSet;

use crate::hostile_of::{
    Dice, SETTINGS, call, content_of, described, leak, names_of, random_call, sent, sift, surface,
};
use serde_json::{Value, json};
use toolsift::{Format, Outcome, RegisterOptions, Scope, ToolSift, ToolState, Turn, Visible};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn nothing_leaves_the_scope() {
    let within =
        |name: &str| name.contains("__slack__") || ["mcp__github__create_issue", "pinned_thing"].contains(&name);
    let scope = Scope::new(&["slack"], &["github:mcp__github__create_issue", "pinned_thing"]);
    let mut dice = Dice(1);
    for settings in SETTINGS {
        let sift = sift(settings);
        let names = names_of(&sift);
        let outside = described(&sift, |name| !within(name));
        assert_eq!(outside.len(), 63 - 8 - 2);
        sift.session("scoped", Some(&scope)).unwrap();
        for round in 0..100 {
            let (name, arguments) = random_call(&mut dice, &sift, &names);
            // Half of the turns say what is visible, in the host's words: also what this session may not see.
            let all = (0..20).map(|_| dice.pick(&names).clone());
            let visible = if round % 2 == 0 { Visible::All } else { Visible::Names(all.collect()) };
            let turn = Turn::default().visible(visible).now(f64::from(round) * 20_000.0);
            let outcome = sift.session("scoped", None).and_then(|s| s.call_json_in(&turn, &name, &arguments)).unwrap();
            if let Outcome::Dispatch { model_name, .. } = &outcome {
                assert!(within(model_name), "{settings}: {name}({arguments}) runs {model_name}");
            }
            let leaked = leak(content_of(&outcome), &format!("{name}{arguments}"), &outside);
            assert_eq!(leaked, None, "{settings}: {name}({arguments}): {}", content_of(&outcome));
            let assembly = sift.session("scoped", None).and_then(|s| s.assemble(Format::Mcp)).unwrap();
            let seen = format!("{}{}", assembly.tools.get(), assembly.system_prompt);
            assert_eq!(leak(&seen, "", &outside), None, "{settings}");
            for hit in
                sift.search(&dice.query(&names), None, Some("scoped")).map(|found| found.hits).unwrap_or_default()
            {
                assert!(within(&hit.name), "{settings}: {}", hit.name);
            }
        }
        assert!(sift.session("other", None).and_then(|s| s.revealed()).unwrap().is_empty());
    }
}

#[test]
fn nothing_shows_that_a_turn_hides() {
    let mut dice = Dice(7);
    for settings in SETTINGS {
        let sift = sift(settings);
        let names = names_of(&sift);
        for _ in 0..60 {
            let visible: Vec<String> = (0..dice.roll(9)).map(|_| dice.pick(&names).clone()).collect();
            let hidden = described(&sift, |name| !visible.iter().any(|seen| seen == name));
            let (name, arguments) = random_call(&mut dice, &sift, &names);
            let turn = Turn::default().visible(Visible::Names(visible.clone()));
            let outcome = sift.session("a", None).and_then(|s| s.call_json_in(&turn, &name, &arguments)).unwrap();
            if let Outcome::Dispatch { model_name, .. } = &outcome {
                assert!(visible.iter().any(|seen| **seen == **model_name), "{settings}: {model_name}");
            }
            let leaked = leak(content_of(&outcome), &format!("{name}{arguments}"), &hidden);
            assert_eq!(leaked, None, "{settings}: {name}({arguments}): {}", content_of(&outcome));
        }
    }
}

#[test]
fn assembling_twice_equals_once_and_keeps_the_order() {
    let mut dice = Dice(2);
    for settings in SETTINGS {
        let sift = sift(settings);
        let names = names_of(&sift);
        let from_the_start = |state| matches!(state, ToolState::Eager | ToolState::Pinned);
        let eager: Vec<String> =
            sift.tools().unwrap().iter().filter(|t| from_the_start(t.state)).map(|t| t.name.to_string()).collect();
        let disclosure = sift.settings().disclosure;
        let bounded = sift.settings().limits.revealed < names.len();
        let mut before: Option<Vec<String>> = None;
        for _ in 0..40 {
            let (name, arguments) = random_call(&mut dice, &sift, &names);
            call(&sift, "a", &name, &arguments);
            let session = sift.session("a", None).unwrap();
            let one = session.assemble(Format::OpenAi).unwrap();
            let two = session.assemble(Format::OpenAi).unwrap();
            assert_eq!((one.tools.get(), &one.system_prompt), (two.tools.get(), &two.system_prompt));

            let sent = sent(&sift, "a");
            assert_eq!(sent.iter().collect::<BTreeSet<_>>().len(), sent.len(), "{settings}: nothing is sent twice");
            let kept: Vec<&String> = sent.iter().filter(|name| eager.contains(name)).collect();
            assert_eq!(kept, eager.iter().collect::<Vec<_>>(), "{settings}");
            if disclosure.contains("stubs") || disclosure == "full" {
                let tools: Vec<&String> = sent.iter().filter(|name| names.contains(name)).collect();
                assert_eq!(tools, names.iter().collect::<Vec<_>>(), "{settings}: every tool stays in its place");
            }
            let before = before.replace(sent.clone()).unwrap_or_default();
            // At its bound a session may take something out of the list; what stays keeps its order.
            let stays: Vec<&String> = before.iter().filter(|name| !bounded || sent.contains(name)).collect();
            assert_eq!(sent.iter().take(stays.len()).collect::<Vec<_>>(), stays, "{settings}: what was sent stays");
        }
    }
}

#[test]
fn sessions_are_apart() {
    let mut dice = Dice(8);
    for settings in SETTINGS {
        let request = |sift: &ToolSift| {
            let assembly = sift.session("b", None).and_then(|s| s.assemble(Format::Anthropic)).unwrap();
            (assembly.tools.get().to_owned(), assembly.system_prompt)
        };
        let fresh = request(&mut sift(settings));
        let sift = sift(settings);
        let names = names_of(&sift);
        for _ in 0..60 {
            let (name, arguments) = random_call(&mut dice, &sift, &names);
            call(&sift, "a", &name, &arguments);
        }
        assert_eq!(request(&sift), fresh, "{settings}");
    }
}

#[test]
fn same_input_same_bytes() {
    for settings in SETTINGS {
        let run = || {
            let mut dice = Dice(3);
            let sift = sift(settings);
            let names = names_of(&sift);
            let mut log = String::new();
            for _ in 0..40 {
                let (name, arguments) = random_call(&mut dice, &sift, &names);
                log += &serde_json::to_string(&call(&sift, "a", &name, &arguments)).unwrap();
                log += sift.session("a", None).and_then(|s| s.assemble(Format::Google)).unwrap().tools.get();
            }
            log
        };
        assert_eq!(run(), run(), "{settings}");
    }
}

#[test]
fn every_bound_holds() {
    // Settings; the argument that asks for a number of hits; hits where nobody asks; hits at the most.
    let bounds = [
        (r#"{"profile":"select","deferral":"opt-out","searchesPerMinute":0}"#, "max_results", 5, 25),
        (r#"{"profile":"select-load"}"#, "max_results", 5, 5),
        (r#"{"profile":"stub"}"#, "limit", 8, 8),
        (r#"{"profile":"bridge","activation":"on"}"#, "limit", 5, 20),
        (r#"{"profile":"bridge","activation":"on","search":{"maxHits":2}}"#, "limit", 2, 2),
        (r#"{"profile":"stub","search":{"ranker":"bm25","cutoff":"none","hits":3}}"#, "limit", 3, 3),
    ];
    let mut dice = Dice(9);
    for (settings, limit, default, most) in bounds {
        let sift = sift(settings);
        let (names, tool) = (names_of(&sift), surface(&sift)[0]);
        let mut largest = (0, 0);
        for round in 0..300 {
            let query = if round < 5 { "mcp list get the a".to_owned() } else { dice.query(&names) };
            let number = if round % 2 == 0 { Value::Null } else { json!(*dice.pick(&[0, 1, 7, 25, 1_000])) };
            let asked = number.is_number();
            let outcome = call(&sift, &format!("{round}"), tool, &json!({ "query": query, limit: number }).to_string());
            let Outcome::Result { content, revealed, .. } = outcome else { panic!("{outcome:?}") };
            let answer: Value = serde_json::from_str(&content).unwrap();
            let found = answer["matches"].as_array().or(answer["tools"].as_array()).map_or(0, Vec::len);
            // Where a search only answers, naming tools gets as many as are named.
            let named = settings.contains(r#""select""#) && query.trim().to_lowercase().starts_with("select:");
            let bound = if asked { most } else { default };
            assert!(named || found <= bound, "{settings}: {query} finds {found}");
            assert!(revealed.len() <= bound, "{settings}: {query} loads {}", revealed.len());
            largest = if asked { (largest.0, found.max(largest.1)) } else { (found.max(largest.0), largest.1) };
            let hits = sift.search(&query, None, None).map(|found| found.hits.len()).unwrap_or_default();
            assert!(named || hits <= default, "{settings}: the host finds {hits}");
        }
        assert!(largest >= (default, most), "{settings}: {largest:?} is all that was found");
    }
    for settings in [SETTINGS[2], SETTINGS[11]] {
        let sift = sift(settings);
        let names = names_of(&sift);
        for _ in 0..60 {
            let (name, arguments) = random_call(&mut dice, &sift, &names);
            call(&sift, "a", &name, &arguments);
            assert!(sift.session("a", None).and_then(|s| s.revealed()).unwrap().len() <= 3, "{settings}");
        }
    }
}

#[test]
fn a_bridge_call_dispatches_what_a_direct_call_does() {
    let bridge = sift(r#"{"profile":"bridge","activation":"on"}"#);
    let direct = sift(r#"{"profile":"bridge","activation":"off"}"#);
    let mut dice = Dice(10);
    let names: Vec<String> = names_of(&bridge).into_iter().filter(|name| name != "pinned_thing").collect();
    let texts = [
        r#"{}"#,
        r#"{"z":1,"a":[2.50,1e2,-0],"big":12345678901234567890123}"#,
        r#"{ "spaced" : { "deep" : [ [ ] , null ] } }"#,
        r#"{"é":"日本\u0041","twice":1,"twice":2}"#,
    ];
    for name in names {
        let text = if dice.roll(3) == 0 {
            json!({ dice.text(): dice.text() }).to_string()
        } else {
            dice.pick(&texts).to_string()
        };
        let expected = serde_json::to_string(&call(&direct, "a", &name, &text)).unwrap();
        assert!(expected.contains(r#""kind":"dispatch""#), "{expected}");
        for arguments in [text.clone(), json!(text).to_string()] {
            let through = format!(r#"{{"name":{},"arguments":{arguments}}}"#, json!(name));
            let outcome = call(&bridge, "a", "tool_call", &through);
            assert_eq!(serde_json::to_string(&outcome).unwrap(), expected, "{through}");
        }
    }
    for inner in ["tool_search", "tool_describe", "tool_call", "pinned_thing", "nope"] {
        let outcome = call(&bridge, "a", "tool_call", &json!({ "name": inner, "arguments": {} }).to_string());
        assert!(matches!(outcome, Outcome::Result { is_error: true, .. }), "{inner}: {outcome:?}");
    }
}

#[test]
fn any_text_is_answered() {
    let mut dice = Dice(4);
    let long = "weather ".repeat(20_000);
    let too_much =
        json!({ "query": long, "tool_names": vec!["x"; 20_000], "name": long, "arguments": long }).to_string();
    for settings in SETTINGS {
        let sift = sift(settings);
        let names = names_of(&sift);
        for _ in 0..150 {
            let query = dice.query(&names);
            if let Ok(found) = sift.search(&query, None, None) {
                assert!(
                    found.hits.iter().all(|hit| hit.score.is_finite() && hit.score.is_sign_positive()),
                    "{settings}: {query}"
                );
            }
        }
        let is_pattern = sift.settings().search.ranker == "pattern";
        assert!(!is_pattern || sift.search(&long, None, None).is_err(), "too long for a pattern");
        for tool in surface(&sift) {
            let outcome = call(&sift, "a", tool, &too_much);
            let Outcome::Result { content, is_error, .. } = &outcome else { panic!("{settings}: {outcome:?}") };
            assert!(!is_error || content.len() < 500, "{settings}: {tool} answers {} bytes", content.len());
        }
        let name = "n".repeat(1_000_000);
        let Outcome::Refused { error } = call(&sift, "a", &name, "{}") else { panic!("{settings}") };
        assert!(error.message.len() < 400);
    }
    let name = json!({ "tool_names": ["n".repeat(1_000_000)] }).to_string();
    let outcome = call(&sift("{}"), "a", "add_tool", &name);
    assert!(content_of(&outcome).len() < 400, "{outcome:?}");
}

#[test]
fn any_definition_is_taken_or_reported() {
    let mut dice = Dice(5);
    let deep = format!("{}1{}", r#"{"function":"#.repeat(100_000), "}".repeat(100_000));
    let deep_schema =
        format!(r#"{{"name":"deep","inputSchema":{}1{}}}"#, r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    let many = format!(r#"{{"name":"many","tags":{}}}"#, json!(vec!["t"; 1_000]));
    for hostile in [deep, deep_schema, many] {
        let report = sift("{}").register_json(&format!("[{hostile}]"), &RegisterOptions::default()).unwrap();
        assert_eq!((report.registered.len(), report.rejected.len()), (0, 1));
        assert!(report.rejected[0].message.len() < 400);
    }
    let keys = ["name", "description", "inputSchema", "parameters", "function", "tags", "deferral", "server", "title"];
    for round in 0..2_000 {
        let mut tool = json!({});
        for _ in 0..dice.roll(6) {
            let value = match dice.roll(6) {
                0 => json!(dice.text()),
                1 => json!(dice.roll(9)),
                2 => json!({ "type": dice.text(), "properties": dice.text() }),
                3 => json!({ "name": dice.text(), "parameters": {} }),
                4 => json!([dice.text()]),
                _ => Value::Null,
            };
            tool[*dice.pick(&keys)] = value;
        }
        let sift = ToolSift::new(Default::default());
        let report = sift.register_json(&json!([tool]).to_string(), &RegisterOptions::default()).unwrap();
        assert_eq!(report.registered.len() + report.rejected.len(), 1, "{round}: {tool}");
        assert_eq!(sift.registered().len(), report.registered.len());
    }
}
