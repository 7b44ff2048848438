//! Outcomes of the calls that are rare.
//!
//! 1. A refusal that loads the tool never says that the same call is not to be repeated.
//! 2. Whether a call failed does not depend on what a text looks like.
//! 3. Further pages of a search go on where they stopped, and begin again when the catalog changes.
//! 4. An alias is found in any spelling style.
//! 5. A tool outside the scope is the same as none where the settings say so, and told of where they do not.
//! 6. Thousands of names cost a pass over the catalog.
//! 7. A format has names of parameters that its vendors take, and a dispatched call those of the server.

use crate::common::{self, sift};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, Outcome, RegisterOptions, Scope, ToolSift, Turn, Visible};

const STOP: &str = "do not repeat it";

fn call(sift: &ToolSift, name: &str, args: Value) -> Outcome {
    common::call(sift, "a", name, args)
}

/// The code, if any, and the text.
fn told(outcome: Outcome) -> (Option<ErrorCode>, String) {
    match outcome {
        Outcome::Refused { error } => (Some(error.code), error.message),
        Outcome::Result { content, error_code, .. } => (error_code, content),
        Outcome::Dispatch { .. } => (None, "dispatched".to_owned()),
    }
}

fn assemble(sift: &ToolSift) {
    sift.session("a", None).and_then(|session| session.assemble(Format::Mcp)).unwrap();
}

#[test]
fn a_tool_that_was_evicted_is_loaded_again_without_blame() {
    let tools = json!([{ "name": "paint_wall" }, { "name": "sweep_floor" }]);
    let sift = sift(json!({ "activation": "on", "limits": { "revealed": 1 } }), &tools);
    for round in 0..3 {
        for name in ["paint_wall", "sweep_floor"] {
            let (code, text) = told(call(&sift, name, json!({ "fast": true })));
            assert_eq!(code, Some(ErrorCode::ToolNotRevealed), "round {round}: {text}");
            assert!(text.contains("It is loaded now") && !text.contains(STOP), "round {round}: {text}");
            assemble(&sift);
            assert_eq!(told(call(&sift, name, json!({ "fast": true }))).1, "dispatched", "round {round}");
            assemble(&sift);
        }
    }
}

#[test]
fn a_text_that_looks_like_a_failure_is_none() {
    let tools = json!([
        { "name": "Not_found", "description": "Not found: nothing of the kind." },
        { "name": "other", "description": "Does something else." },
    ]);
    let sift = sift(json!({ "search": { "hits": 1, "maxHits": 1 } }), &tools);
    for _ in 0..3 {
        for (name, args) in
            [("search_tools", json!({ "query": "not found" })), ("add_tool", json!({ "tool_names": ["Not_found"] }))]
        {
            let (code, text) = told(call(&sift, name, args));
            assert_eq!((code, text.contains(STOP)), (None, false), "{text}");
        }
    }
}

#[test]
fn adding_nothing_that_exists_is_told_to_stop() {
    let sift = sift(json!({}), &json!([{ "name": "other" }]));
    let add = |sift: &ToolSift, names: Value| told(call(sift, "add_tool", json!({ "tool_names": names }))).1;
    assert_eq!(add(&sift, json!(["nope", "none"])), "Not found: nope, none. Find tools with search_tools.");
    assert!(add(&sift, json!(["nope", "none"])).contains(STOP));
    assert!(!add(&sift, json!(["none"])).contains(STOP), "another call is another attempt");
    for _ in 0..3 {
        assert!(!add(&sift, json!(["nope", "other"])).contains(STOP), "a part of it was right");
    }
}

#[test]
fn a_changed_catalog_begins_a_search_again() {
    let tool = |at: usize| json!({ "name": format!("paint_wall_{at}"), "description": "Paints a wall in a colour." });
    let tools: Vec<Value> = (0..30).map(tool).collect();
    let sift = ToolSift::new(Default::default());
    sift.sync("house", &json!(tools).to_string(), &RegisterOptions::default()).unwrap();
    let search = |sift: &ToolSift| told(call(sift, "search_tools", json!({ "query": "paint a garden fence" }))).1;
    assert!(search(&sift).contains("paint_wall_0("));
    let second = search(&sift);
    assert!(!second.contains("paint_wall_0(") && second.contains("paint_wall_5("), "{second}");

    let best = json!({ "name": "paint_garden_fence", "description": "Paints the fence of a garden." });
    sift.sync("house", &json!([tools, vec![best]].concat()).to_string(), &RegisterOptions::default()).unwrap();
    let changed = search(&sift);
    assert!(changed.contains("paint_garden_fence("), "{changed}");
    assert!(!search(&sift).contains("paint_garden_fence("), "and goes on from there");
}

#[test]
fn another_list_of_visible_tools_begins_a_search_again() {
    let tools: Vec<Value> = (0..30).map(|at| json!({ "name": format!("paint_wall_{at}") })).collect();
    let sift = sift(json!({}), &json!(tools));
    let search = |names: &[&str]| {
        let visible = Visible::Names(names.iter().map(|name| (*name).to_owned()).collect());
        let turn = Turn::default().visible(visible);
        let session = sift.session("a", None).unwrap();
        told(session.call_in(&turn, "search_tools", r#"{"query":"paint a wall"}"#).unwrap()).1
    };
    assert!(search(&["paint_wall_1", "paint_wall_2"]).contains("paint_wall_2("));
    assert!(search(&["paint_wall_3"]).contains("paint_wall_3("));
    assert!(search(&["paint_wall_3"]).contains("These were all that match"));
}

#[test]
fn aliases_are_found_in_any_spelling_style() {
    for alias in ["postToSlack", "PostToSlack", "post_to_slack"] {
        for written in ["postToSlack", "PostToSlack", "post_to_slack"] {
            let wanted = json!({ "aliases": { alias: "send_message", "zzz": "other" } });
            let sift = sift(wanted, &json!([{ "name": "send_message" }, { "name": "other" }]));
            let (_, text) = told(call(&sift, "add_tool", json!({ "tool_names": [written] })));
            assert_eq!(text, "Added: send_message", "{alias} as {written}");
        }
    }
}

/// What a call of the model comes to in a session that may see one server.
fn scoped(sift: &ToolSift, name: &str, args: &Value) -> (Option<ErrorCode>, String) {
    let scope = Scope::new(&["mine"], &[]);
    sift.session("scoped", Some(&scope)).unwrap();
    told(sift.session("scoped", None).unwrap().call(name, &args.to_string()).unwrap())
}

#[test]
fn a_hidden_tool_is_as_good_as_none_where_the_settings_conceal() {
    let with = |name: &str| json!([{ "name": "mine", "server": "mine" }, { "name": name, "server": "theirs" }]);
    let bridge = json!({ "profile": { "name": "bridge", "config": true }, "outOfScope": "conceal" });
    for (wanted, name, args) in [
        (json!({}), "hidden_tool", json!({})),
        (json!({}), "add_tool", json!({ "tool_names": ["hidden_tool"] })),
        (json!({}), "search_tools", json!({ "query": "select:hidden_tool" })),
        (json!({ "profile": "search-add", "outOfScope": "conceal" }), "hidden_tool", json!({})),
        (bridge.clone(), "tool_describe", json!({ "name": "hidden_tool" })),
        (bridge.clone(), "tool_call", json!({ "name": "hidden_tool", "arguments": {} })),
        (bridge, "hidden_tool", json!({})),
    ] {
        let answer = |other: &str| scoped(&sift(wanted.clone(), &with(other)), name, &args);
        let (there, not_there) = (answer("hidden_tool"), answer("something_else"));
        assert_eq!(there, not_there, "{name}({args}) under {wanted}");
        assert!(!there.1.contains("Did you mean hidden_tool"), "{there:?}");
    }
}

#[test]
fn published_systems_tell_of_hidden_tools() {
    let tools = json!([{ "name": "mine", "server": "mine" }, { "name": "hidden_tool", "server": "theirs" }]);
    for (wanted, name, code) in [
        (json!({ "profile": "search-add" }), "hidden_tool", ErrorCode::ToolOutOfScope),
        (json!({ "profile": "stub" }), "hidden_tool", ErrorCode::ToolOutOfScope),
        (json!({ "outOfScope": "tell" }), "hidden_tool", ErrorCode::ToolOutOfScope),
        (json!({ "profile": "bridge" }), "tool_describe", ErrorCode::NotCurrentlyAvailable),
        (json!({ "profile": "bridge" }), "tool_call", ErrorCode::OutOfSessionScope),
    ] {
        let args = json!({ "name": "hidden_tool", "arguments": {} });
        assert_eq!(scoped(&sift(wanted.clone(), &tools), name, &args).0, Some(code), "{wanted}");
    }
}

#[test]
fn no_suggestion_names_a_hidden_tool() {
    let tools = json!([{ "name": "send_mail_now", "server": "mine" }, { "name": "hidden_tool", "server": "theirs" }]);
    for profile in ["sift", "search-add", "bridge", "stub", "select", "select-load"] {
        let sift = sift(json!({ "profile": profile }), &tools);
        let (code, text) = scoped(&sift, "hidden_toll", &json!({}));
        assert_eq!((code, text.contains("hidden_tool?")), (Some(ErrorCode::ToolUnknown), false), "{profile}: {text}");
        let (_, text) = scoped(&sift, "send_mial_now", &json!({}));
        assert!(text.contains("Did you mean send_mail_now?"), "{profile}: {text}");
    }
}

#[test]
fn thousands_of_names_cost_a_pass_over_the_catalog() {
    // Compared one by one, each of these would be 25 million comparisons.
    const TOOLS: usize = 5_000;
    let name = |at: usize| format!("{}_{at}", "tool".repeat(8));
    let tools: Vec<Value> = (0..TOOLS).map(|at| json!({ "name": name(at) })).collect();
    let list: Vec<String> = (0..TOOLS).rev().map(name).collect();
    for profile in ["sift", "select", "select-load"] {
        let sift =
            sift(json!({ "profile": profile, "deferral": "opt-out", "search": { "maxHits": 500 } }), &json!(tools));
        let query = format!("select:{}", list[..500].join(","));
        let found = sift.search(&query).limit(TOOLS).run().unwrap();
        assert_eq!(found.hits.len(), 500, "{profile}");
        assert_eq!(*found.hits[0].name, *list[0], "{profile}");
        let long = format!("select:{}", list.join(","));
        let most = if profile == "sift" { TOOLS / 2 } else { TOOLS };
        assert!(sift.search(&long).limit(TOOLS).run().unwrap().hits.len() <= most, "{profile}");

        let turn = Turn::default().visible(Visible::Names(list.clone()));
        let session = sift.session("a", None).unwrap();
        let asked = list[..20].join(",");
        for (tool, args) in [
            ("search_tools", json!({ "query": format!("select:{asked}") })),
            ("ToolSearch", json!({ "query": format!("select:{}", list.join(",")) })),
            (&*"x".repeat(100), json!({})),
        ] {
            session.call_in(&turn, tool, &args.to_string()).unwrap();
        }
    }
}

#[test]
fn spellings_of_one_name_are_looked_up_once() {
    // Every server has the tool, and every spelling means all of them.
    let tools: Vec<Value> = (0..3_000).map(|at| json!({ "name": "abcdefgh", "server": format!("s{at}") })).collect();
    let spelling = |at: usize| {
        let letters = "abcdefgh".chars().enumerate();
        letters.map(|(bit, c)| if at >> bit & 1 == 1 { format!("{c}_") } else { c.to_string() }).collect::<String>()
    };
    let sift = sift(json!({ "search": { "maxHits": 20_000 } }), &json!(tools));
    let spellings: Vec<String> = (1..256).map(spelling).cycle().take(4_000).collect();
    let found = sift.search(&format!("select:{}", spellings.join(","))).limit(20_000).run().unwrap();
    assert_eq!(found.hits.len(), 3_000);
    assert_eq!(found.verdict.unwrap().unknown_words, [] as [&str; 0]);
}

#[test]
fn twenty_thousand_servers_are_browsed() {
    let tools: Vec<Value> =
        (0..2_000).map(|at| json!({ "name": format!("t{at}"), "server": format!("{}{at}", "s".repeat(60)) })).collect();
    let sift = sift(json!({}), &json!(tools));
    let (_, text) = told(call(&sift, "show_all_tools", json!({})));
    assert!(text.contains("and 1800 more servers"), "{text}");
    let (_, text) = told(call(&sift, "show_all_tools", json!({ "server": format!("{}x9", "s".repeat(60)) })));
    assert!(text.starts_with("There is no such server. Did you mean"), "{text}");
}

#[test]
fn a_dispatched_call_has_the_servers_names_of_parameters() {
    let own = json!({ "$top": 5, "page[size]": { "$deep": 1 }, "名前": "x", "plain": true });
    let properties: serde_json::Map<String, Value> =
        own.as_object().unwrap().keys().map(|name| (name.clone(), json!({}))).collect();
    let tools = json!([{ "name": "list_users", "inputSchema": { "type": "object", "properties": properties, "required": ["$top"] } }]);
    let registered = sift(json!({ "activation": "off" }), &tools);
    let loaded =
        ToolSift::from_index(&registered.export_index(), crate::prebuilt_of::settings(json!({ "activation": "off" })))
            .unwrap();
    for sift in [&registered, &loaded] {
        let info = &sift.tools().unwrap()[0];
        assert_eq!(info.parameter_names.len(), 3, "{info:?}");
        for (name, format) in Format::ALL {
            let session = sift.session("a", None).unwrap();
            let sent = session.assemble(*format).unwrap().tools.get().to_owned();
            let is_safe = matches!(*name, "mcp" | "anthropic" | "bedrock");
            assert_eq!(sent.contains(r#""required":["top"]"#), is_safe, "{name}: {sent}");
            assert_eq!(sent.contains(r#""page[size]":{"#), !is_safe, "{name}: {sent}");
            let shown =
                info.parameter_names.iter().map(|(safe, own_name)| (safe.to_string(), own[&**own_name].clone()));
            let given: serde_json::Map<String, Value> = shown.chain([("plain".to_owned(), json!(true))]).collect();
            for given in [Value::Object(given), own.clone()] {
                match call(sift, "list_users", given) {
                    Outcome::Dispatch { arguments, .. } => assert_eq!(arguments.value().unwrap(), own, "{name}"),
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}
