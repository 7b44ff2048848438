//! Tests tools of one session, which no other session sees.

use crate::common::{empty as sift_with, server as from};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, PROFILES, RegisterOptions, Scope, ToolSift, ToolState};

fn list(tools: &[(&str, &str)]) -> String {
    let tool = |(name, text): &(&str, &str)| json!({ "name": name, "description": text });
    Value::from(tools.iter().map(tool).collect::<Vec<_>>()).to_string()
}

const ISSUES: &[(&str, &str)] =
    &[("create_issue", "Opens a ticket for a bug."), ("search_issues", "Finds tickets by their words.")];
const SECRET: &[(&str, &str)] =
    &[("launch_rocket", "Launches the zeppelin of the moonbase."), ("create_issue", "Opens a moonbase ticket.")];

fn shared(sift: &ToolSift) {
    let tools =
        [("get_weather", "The weather of a city."), ("send_mail", "Sends a letter."), ("roll_dice", "A number.")];
    sift.register(&list(&tools), &from("tools")).unwrap();
}

fn own(sift: &ToolSift, id: &str, server: &str, tools: &[(&str, &str)]) -> Vec<String> {
    let report = sift.session(id, None).unwrap().register(&list(tools), &from(server)).unwrap();
    assert!(report.rejected.is_empty(), "{:?}", report.rejected);
    report.registered.iter().map(|name| name.to_string()).collect()
}

fn seen(sift: &ToolSift, id: &str) -> String {
    let tools = sift.session(id, None).and_then(|s| s.tools()).unwrap();
    let seen = tools.iter().filter(|tool| tool.state != ToolState::Hidden);
    seen.map(|tool| &*tool.name).collect::<Vec<_>>().join(" ")
}

fn found(sift: &ToolSift, id: &str, query: &str) -> String {
    let hits = sift.session(id, None).unwrap().search(query).run().unwrap().hits;
    hits.iter().map(|hit| &*hit.name).collect::<Vec<_>>().join(" ")
}

/// All that a session and the host can ask, as one text.
fn everything(sift: &ToolSift, id: &str) -> String {
    let mut all = String::new();
    let mut add = |what: &dyn std::fmt::Debug| all.push_str(&format!("{what:?}\n"));
    for format in [Format::OpenAi, Format::Google] {
        add(&sift.session(id, None).and_then(|s| s.assemble(format)).unwrap());
        add(&sift.session(id, None).and_then(|s| s.held_back(format)).unwrap());
    }
    for query in
        ["moonbase", "launch the zeppelin", "create_issue", "create issue", "a ticket", "weather", "lanch_rocket"]
    {
        add(&sift.session(id, None).unwrap().search(query).run().unwrap());
        add(&sift.search(query).run().unwrap());
    }
    for name in ["launch_rocket", "create_issue", "launch_rocke", "rocket__launch_rocket", "get_weather", "get_weathr"]
    {
        add(&sift.session(id, None).unwrap().search("moonbase").explain(name));
        add(&sift.search("moonbase").explain(name));
        let names = vec![name.to_owned()];
        add(&sift.session(id, None).and_then(|s| s.reveal(&names)));
        add(&sift.session(id, None).and_then(|s| s.conceal(&names)));
        add(&sift.session(id, None).and_then(|s| s.call(name, "{}")));
        for (tool, arguments) in [
            ("search_tools", json!({ "query": name })),
            ("search_tools", json!({ "query": format!("select:{name}") })),
            ("search_tools", json!({ "query": "server:rocket" })),
            ("add_tool", json!({ "tool_names": [name] })),
            ("show_all_tools", json!({})),
            ("show_all_tools", json!({ "server": "rocket" })),
            ("ToolSearch", json!({ "query": format!("select:{name}") })),
            ("ToolSearch", json!({ "query": "+moonbase ticket" })),
            ("tool_search", json!({ "query": name })),
            ("tool_describe", json!({ "name": name })),
            ("tool_call", json!({ "name": name, "arguments": {} })),
        ] {
            add(&sift.session(id, None).and_then(|s| s.call(tool, &arguments.to_string())));
        }
    }
    let session = sift.session(id, None).unwrap();
    add(&session.unmatched());
    add(&session.tools());
    add(&session.revealed());
    add(&session.snapshot());
    add(&sift.tools());
    add(&sift.size(Format::Mcp));
    add(&sift.content_hash());
    add(&sift.export_index());
    add(&sift.session(id, Some(&Scope::All)).map(|session| session.id().to_owned()));
    all
}

#[test]
fn nothing_tells_of_another_sessions_tools() {
    for profile in PROFILES {
        for activation in ["on", "auto"] {
            let settings = json!({ "profile": profile.name, "activation": activation });
            let (mut with, mut without) = (sift_with(settings.clone()), sift_with(settings));
            for sift in [&mut with, &mut without] {
                shared(sift);
                sift.session("ada", None).unwrap();
                sift.session("ben", None).unwrap();
            }
            own(&with, "ada", "rocket", SECRET);
            own(&with, "ada", "tools", &[("get_weather", "The weather of the moonbase.")]);
            assert_eq!(everything(&with, "ben"), everything(&without, "ben"), "{} {activation}", profile.name);
            // Later registrations of the host get the names that they would have had.
            for sift in [&mut with, &mut without] {
                sift.register(&list(ISSUES), &from("shared")).unwrap();
                own(sift, "ben", "rocket", &SECRET[..1]);
            }
            assert_eq!(everything(&with, "ben"), everything(&without, "ben"), "{} {activation}", profile.name);
        }
    }
}

#[test]
fn many_comings_and_goings_leave_every_answer_right() {
    let sift = sift_with(json!({ "activation": "on" }));
    let mut alone = sift_with(json!({ "activation": "on" }));
    for sift in [&sift, &mut alone] {
        shared(sift);
        own(sift, "ben", "github", ISSUES);
    }
    let queries = ["a ticket", "the weather", "send a letter", "find tickets by words"];
    for round in 0..60 {
        let id = format!("user{}", round % 7);
        let name = format!("tool_{round}");
        let tools: Vec<(String, String)> =
            (0..60).map(|at| (format!("{name}_{at}"), format!("Ticket {round} of {at}."))).collect();
        let tools: Vec<(&str, &str)> = tools.iter().map(|(name, text)| (&**name, &**text)).collect();
        own(&sift, &id, "github", &tools);
        assert!(found(&sift, &id, &format!("ticket {round}")).contains(&name), "{round}");
        match round % 3 {
            0 => _ = sift.close(&id),
            1 => _ = sift.session(&id, None).unwrap().sync("github", &list(ISSUES), &Default::default()).unwrap(),
            _ => {}
        }
        for query in queries {
            let of_host = |sift: &ToolSift| json!(sift.search(query).run().unwrap());
            let of_ben = |sift: &ToolSift| json!(sift.session("ben", None).unwrap().search(query).run().unwrap());
            for answer in [&of_host as &dyn Fn(&ToolSift) -> Value, &of_ben] {
                assert_eq!(answer(&sift), answer(&alone), "{round} {query}");
            }
        }
        assert_eq!(seen(&sift, "ben"), "get_weather send_mail roll_dice create_issue search_issues");
    }
    assert!(sift.registered().len() < 5_000, "what has gone is taken out of the list");
}

#[test]
fn a_session_has_a_thousand_servers_at_most() {
    let session = sift_with(json!({})).session("eve", None).unwrap();
    let sync = |at: usize| session.sync(&format!("s{at}"), "[]", &RegisterOptions::default());
    assert!((0..1_000).all(|at| sync(at).is_ok()));
    assert_eq!(sync(1_000).unwrap_err().code(), ErrorCode::CatalogFull);
}
