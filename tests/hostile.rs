//! What holds whatever is thrown at it, for every profile and every combination of settings:

use std::collections::BTreeSet;

use crate::hostile_of::{Dice, SETTINGS, call, content_of, names_of, random_call, sent, sift, surface};
use serde_json::{Value, json};
use toolsift::{Format, Outcome, RegisterOptions, ToolSift, ToolState, limits};

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
        for _ in 0..20 {
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
        for _ in 0..20 {
            let (name, arguments) = random_call(&mut dice, &sift, &names);
            call(&sift, "a", &name, &arguments);
        }
        assert_eq!(request(&sift), fresh, "{settings}");
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
        for round in 0..150 {
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
            let hits = sift.search(&query).run().map(|found| found.hits.len()).unwrap_or_default();
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
fn texts_of_any_size_are_answered() {
    let long = "weather ".repeat(limits::QUERY_BYTES / 8 + 1);
    let too_much =
        json!({ "query": long, "tool_names": vec!["x"; limits::ADD_NAMES + 1], "name": long, "arguments": long })
            .to_string();
    for settings in SETTINGS {
        let sift = sift(settings);
        let is_pattern = sift.settings().search.ranker == "pattern";
        assert!(!is_pattern || sift.search(&long).run().is_err(), "too long for a pattern");
        for tool in surface(&sift) {
            let outcome = call(&sift, "a", tool, &too_much);
            let Outcome::Result { content, is_error, .. } = &outcome else { panic!("{settings}: {outcome:?}") };
            assert!(!is_error || content.len() < 500, "{settings}: {tool} answers {} bytes", content.len());
        }
        let name = "n".repeat(100_000);
        let Outcome::Refused { error } = call(&sift, "a", &name, "{}") else { panic!("{settings}") };
        assert!(error.message.len() < 400);
    }
    let name = json!({ "tool_names": ["n".repeat(100_000)] }).to_string();
    let outcome = call(&sift("{}"), "a", "add_tool", &name);
    assert!(content_of(&outcome).len() < 400, "{outcome:?}");
}

#[test]
fn definitions_of_any_size_are_reported() {
    let deep = format!("{}1{}", r#"{"function":"#.repeat(100_000), "}".repeat(100_000));
    let deep_schema =
        format!(r#"{{"name":"deep","inputSchema":{}1{}}}"#, r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    let many = format!(r#"{{"name":"many","tags":{}}}"#, json!(vec!["t"; 1_000]));
    for hostile in [deep, deep_schema, many] {
        let report = sift("{}").register(&format!("[{hostile}]"), &RegisterOptions::default()).unwrap();
        assert_eq!((report.registered.len(), report.rejected.len()), (0, 1));
        assert!(report.rejected[0].message.len() < 400);
    }
}
