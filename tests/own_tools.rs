//! Tools of a session's own, which no other session sees.

use crate::common::{empty as sift_with, server as from};
use serde_json::{Value, json};
use toolsift::{
    ErrorCode, Format, NamePolicy, Outcome, PROFILES, RegisterOptions, RestoreOptions, Scope, ToolSift, ToolState,
};

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

/// What a call comes to: the name and the server of the tool.
fn dispatch(sift: &ToolSift, id: &str, name: &str) -> Option<(String, Option<String>)> {
    match sift.session(id, None).unwrap().call(name, "{}").unwrap() {
        Outcome::Dispatch { name, server, session, .. } => {
            let is_shared = matches!(server.as_deref(), Some("tools" | "post" | "jira"));
            assert_eq!(session.as_deref(), (!is_shared).then_some(id), "the host learns whose tool it is");
            Some((name.to_string(), server.as_deref().map(str::to_owned)))
        }
        _ => None,
    }
}

#[test]
fn a_session_has_tools_of_its_own() {
    let sift = sift_with(json!({ "activation": "off" }));
    shared(&sift);
    assert_eq!(own(&sift, "ada", "github", ISSUES), ["create_issue", "search_issues"]);
    assert_eq!(own(&sift, "ben", "github", &ISSUES[..1]), ["create_issue"], "no name of ben's depends on ada's");
    sift.session("cyn", None).unwrap();
    assert_eq!(seen(&sift, "ada"), "get_weather send_mail roll_dice create_issue search_issues");
    assert_eq!(seen(&sift, "ben"), "get_weather send_mail roll_dice create_issue");
    assert_eq!(seen(&sift, "cyn"), "get_weather send_mail roll_dice");
    assert_eq!(found(&sift, "ada", "find tickets"), "search_issues create_issue");
    assert_eq!(found(&sift, "ben", "find tickets"), "create_issue");
    assert_eq!(found(&sift, "cyn", "find tickets"), "");
    assert_eq!(sift.search("find tickets").run().unwrap().hits.len(), 0);
    assert_eq!((sift.tools().unwrap().len(), sift.size(Format::Mcp).unwrap().tools), (3, 3));

    let github = Some("github".to_owned());
    assert_eq!(dispatch(&sift, "ada", "search_issues"), Some(("search_issues".into(), github.clone())));
    assert_eq!(dispatch(&sift, "ben", "search_issues"), None);
    assert!(sift.session("ben", None).unwrap().search("tickets").explain("create_issue").unwrap().found);
    assert_eq!(sift.search("tickets").explain("create_issue").unwrap_err().code(), ErrorCode::ToolUnknown);
    let name = ["search_issues".to_owned()];
    assert_eq!(sift.session("ada", None).and_then(|s| s.reveal(&name)).unwrap().len(), 1);
    assert_eq!(sift.session("ben", None).and_then(|s| s.reveal(&name)).unwrap_err().code(), ErrorCode::ToolUnknown);
    let request = sift.session("ada", None).and_then(|s| s.assemble(Format::Mcp)).unwrap();
    assert!(request.tools.get().contains("Finds tickets by their words."));

    let ada = sift.session("ada", None).unwrap();
    let report = ada.sync("github", &list(&[ISSUES[0], ("close_issue", "Closes it.")]), &RegisterOptions::default());
    let report = report.unwrap();
    assert_eq!((report.added.join(" "), report.removed.join(" ")), ("close_issue".into(), "search_issues".into()));
    assert_eq!(seen(&sift, "ben"), "get_weather send_mail roll_dice create_issue");
    assert_eq!(sift.unregister(Some("github"), None).unwrap().len(), 0, "the host's unregister is about shared tools");
    assert_eq!(sift.session("ada", None).and_then(|s| s.unregister(Some("github"), None)).unwrap().len(), 2);
    assert_eq!(seen(&sift, "ada"), "get_weather send_mail roll_dice");
    assert_eq!(sift.session("ada", None).and_then(|s| s.unregister(Some("tools"), None)).unwrap().len(), 0);
    let one = sift.session("ada", None).and_then(|s| s.register_one(r#"{"name":"x y"}"#, &from("s")));
    assert_eq!(one.unwrap_err().code(), ErrorCode::NameUnsafe);
}

#[test]
fn tools_asked_for_by_name_are_those_of_the_list() {
    let sift = sift_with(json!({ "activation": "on" }));
    shared(&sift);
    own(&sift, "ada", "github", ISSUES);
    let options = RegisterOptions::default().names(NamePolicy::Alias);
    sift.register(&list(&[("read file", "Reads."), ("1st", "Google wants a letter first.")]), &options).unwrap();
    for id in ["ada", "ben"] {
        let session = sift.session(id, None).unwrap();
        session.reveal(&["get_weather".to_owned()]).unwrap();
        for tool in session.tools().unwrap() {
            let named =
                |name: &str| assert_eq!(session.tools_named(name).unwrap(), std::slice::from_ref(&tool), "{name}");
            named(&tool.name);
            tool.google_name.iter().for_each(|name| named(name));
            if tool.server.is_none() {
                named(&tool.original_name);
            }
        }
    }
    let named = |id, names| {
        let tools = sift.session(id, None).and_then(|s| s.tools_named(names)).unwrap();
        tools.iter().map(|tool| tool.name.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(named("ada", "send_mail\ncreate_issue\nnone\n\nget_weather"), "send_mail create_issue get_weather");
    assert_eq!(named("ben", "send_mail\ncreate_issue"), "send_mail", "another session's own tool is not there");
    assert_eq!(named("ben", "read file\n"), "read_file");
    assert_eq!(named("ben", ""), "");
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
fn a_repeated_search_shows_its_next_page_whatever_others_register() {
    let sift = sift_with(json!({ "activation": "on" }));
    let tools: Vec<(String, String)> = (0..40).map(|at| (format!("list_{at}"), "Lists files.".to_owned())).collect();
    let tools: Vec<(&str, &str)> = tools.iter().map(|(name, text)| (&**name, &**text)).collect();
    sift.register(&list(&tools), &from("files")).unwrap();
    let page = |id: &str, sift: &ToolSift| {
        let outcome = sift.session(id, None).unwrap().call("search_tools", r#"{"query":"list files"}"#).unwrap();
        serde_json::to_string(&outcome).unwrap()
    };
    let first = page("ben", &sift);
    own(&sift, "ada", "github", ISSUES);
    let second = page("ben", &sift);
    sift.close("ada");
    let third = page("ben", &sift);
    assert!(first != second && second != third && first != third);
}

#[test]
fn own_servers_replace_shared_ones_and_no_name_stands_twice() {
    let sift = sift_with(json!({ "activation": "on" }));
    sift.register(&list(&[ISSUES[0], ("star_repo", "Stars.")]), &from("github")).unwrap();
    sift.register(&list(&[("create_issue", "A Jira ticket.")]), &from("jira")).unwrap();
    assert_eq!(own(&sift, "ada", "github", ISSUES), ["create_issue", "search_issues"], "in place of the shared ones");
    assert_eq!(seen(&sift, "ada"), "jira__create_issue create_issue search_issues");
    assert_eq!(seen(&sift, "ben"), "create_issue star_repo jira__create_issue");
    // It replaces the shared one also when it has lost its tools, and before it has any: a call of ada's must not reach
    // another account.
    sift.session("ada", None).and_then(|s| s.reveal(&["create_issue"])).unwrap();
    assert!(dispatch(&sift, "ada", "create_issue").is_some());
    sift.session("ada", None).and_then(|s| s.unregister(Some("github"), None)).unwrap();
    assert_eq!(seen(&sift, "ada"), "jira__create_issue");
    assert_eq!(dispatch(&sift, "ada", "create_issue"), None);
    sift.session("eve", None).and_then(|s| s.sync("jira", "[]", &RegisterOptions::default())).unwrap();
    assert_eq!(seen(&sift, "eve"), "create_issue star_repo");
    for at in 1..1_000 {
        sift.session("eve", None).and_then(|s| s.sync(&format!("s{at}"), "[]", &RegisterOptions::default())).unwrap();
    }
    let more = sift.session("eve", None).and_then(|s| s.sync("one more", "[]", &RegisterOptions::default()));
    assert_eq!(more.unwrap_err().code(), ErrorCode::CatalogFull);

    // A name that a shared tool has already: the server stands in front.
    assert_eq!(own(&sift, "zoe", "gitea", &ISSUES[..1]), ["gitea__create_issue"]);
    // A shared tool that comes later keeps its name, and is hidden where a session's own tool has it.
    assert_eq!(own(&sift, "ada", "mail", &[("send_mail", "Ada's mail.")]), ["send_mail"]);
    let report = sift.register(&list(&[("send_mail", "The host's mail.")]), &from("post")).unwrap();
    assert_eq!(&*report.registered[0], "send_mail");
    assert_eq!(seen(&sift, "ada"), "jira__create_issue send_mail");
    assert_eq!(dispatch(&sift, "ada", "send_mail"), None, "it is held back");
    assert!(seen(&sift, "ben").ends_with("send_mail"));
    let server = |sift: &ToolSift, id: &str| {
        sift.session(id, None).and_then(|s| s.reveal(&["send_mail"])).unwrap();
        dispatch(sift, id, "send_mail").unwrap().1.unwrap()
    };
    assert_eq!((server(&sift, "ada"), server(&sift, "ben")), ("mail".to_owned(), "post".to_owned()));
    sift.session("ada", None).and_then(|s| s.unregister(Some("mail"), None)).unwrap();
    assert_eq!(seen(&sift, "ada"), "jira__create_issue send_mail");

    // Tools without a server, and a name that Google's format has of another tool.
    sift.session("ada", None).and_then(|s| s.register(&list(&[("9lives", "Cat.")]), &Default::default())).unwrap();
    sift.register(&list(&[("_9lives", "Another cat."), ("9lives", "A shared cat.")]), &Default::default()).unwrap();
    assert!(seen(&sift, "ada").ends_with("send_mail 9lives"), "{}", seen(&sift, "ada"));
    assert!(seen(&sift, "ben").ends_with("send_mail _9lives 9lives"));
}

#[test]
fn an_empty_own_server_hides_the_shared_one_from_searches_too() {
    let sift = sift_with(json!({ "activation": "on" }));
    sift.register(&list(ISSUES), &from("jira")).unwrap();
    shared(&sift);
    sift.session("ada", None).and_then(|s| s.sync("jira", "[]", &RegisterOptions::default())).unwrap();
    let query = json!({ "query": "open a ticket for a bug" }).to_string();
    for id in ["ada", "ben"] {
        let Outcome::Result { revealed, .. } = sift.session(id, None).unwrap().call("search_tools", &query).unwrap()
        else {
            panic!("a search answers")
        };
        let is_ben = id == "ben";
        assert_eq!(revealed.iter().any(|name| &**name == "create_issue"), is_ben, "{id}: {revealed:?}");
        assert_eq!(dispatch(&sift, id, "create_issue").is_some(), is_ben, "{id}");
        assert_eq!(found(&sift, id, "ticket").is_empty(), !is_ben, "{id}");
        let held = sift.session(id, None).and_then(|s| s.held_back(Format::Mcp)).unwrap();
        assert_eq!(held.len(), if is_ben { 5 } else { 3 }, "{id}");
        assert_eq!(seen(&sift, id).contains("create_issue"), is_ben, "{id}");
    }
}

/// Whatever is wrong with a definition, the session sees the tools that it saw before, under the same names.
#[test]
fn a_registration_that_fails_hides_nothing() {
    let limits = json!({ "tools": 8, "serverBytes": 2_000 });
    let mut sift = sift_with(json!({ "activation": "off", "limits": limits }));
    sift.register(&list(ISSUES), &from("github")).unwrap();
    shared(&sift);
    let before = "create_issue search_issues get_weather send_mail roll_dice";
    let too_large = json!({ "name": "a", "description": "word ".repeat(500) });
    let several = json!({ "functionDeclarations": [{ "name": "a" }, { "name": "b" }, { "name": "b" }] });
    let too_many =
        json!({ "functionDeclarations": [{ "name": "a" }, { "name": "b" }, { "name": "c" }, { "name": "d" }] });
    for (definition, code) in [
        (json!({ "name": "x y" }), ErrorCode::NameUnsafe),
        (too_large, ErrorCode::ServerTooLarge),
        (several, ErrorCode::DuplicateTool),
        (too_many, ErrorCode::CatalogFull),
    ] {
        let ada = sift.session("ada", None).unwrap();
        let error = ada.register_one(&definition.to_string(), &from("github")).unwrap_err();
        assert_eq!(error.code(), code, "{}", error.message());
        assert_eq!(seen(&sift, "ada"), before, "{definition}");
        assert!(dispatch(&sift, "ada", "get_weather").is_some());
        let report = sift
            .session("ada", None)
            .and_then(|s| s.register(&json!([{ "name": "x y" }]).to_string(), &from("github")));
        assert_eq!((report.unwrap().rejected.len(), seen(&sift, "ada")), (1, before.to_owned()));
    }
    // No number of a name is used up either.
    let roll = |sift: &mut ToolSift, server: &str, text: &str| {
        let tool = json!({ "name": "roll_dice", "description": text }).to_string();
        sift.session("ada", None)
            .and_then(|s| s.register_one(&tool, &from(server)))
            .map(|report| report.registered[0].to_string())
    };
    assert_eq!(roll(&mut sift, "a b", "").unwrap(), "a_b__roll_dice");
    assert!(roll(&mut sift, "a/b", &"word ".repeat(500)).is_err());
    assert_eq!(roll(&mut sift, "a/b", "").unwrap(), "a_b__roll_dice_2");
    // A server that was there before stays, without tools.
    sift.session("ada", None).and_then(|s| s.sync("github", "[]", &RegisterOptions::default())).unwrap();
    sift.session("ada", None).and_then(|s| s.register_one(r#"{"name":"x y"}"#, &from("github"))).unwrap_err();
    assert!(!seen(&sift, "ada").contains("create_issue"));
}

#[test]
fn own_tools_go_with_their_session() {
    let sift = sift_with(json!({ "limits": { "sessions": 2, "tools": 5 } }));
    shared(&sift);
    own(&sift, "ada", "github", ISSUES);
    let full = sift.session("ben", None).and_then(|s| s.register(&list(ISSUES), &from("github"))).unwrap();
    assert_eq!(full.rejected[0].code, ErrorCode::CatalogFull, "own tools count towards the limit");
    assert!(sift.close("ada"));
    assert_eq!(own(&sift, "ben", "github", ISSUES).len(), 2);
    assert_eq!(seen(&sift, "ada"), "get_weather send_mail roll_dice", "opened again, it has none");
    // The least recently used session is evicted with its tools.
    sift.session("cyn", None).unwrap();
    assert_eq!(own(&sift, "cyn", "github", ISSUES).len(), 2);
    assert_eq!(seen(&sift, "ben"), "get_weather send_mail roll_dice");
    let opening = sift.session("cyn", None).unwrap().number();
    sift.close("cyn");
    let late = sift.open_session("cyn", opening).map(|_| ());
    assert_eq!(late.unwrap_err().code(), ErrorCode::SessionClosed);
}

#[test]
fn snapshots_name_own_tools_by_server_and_name() {
    let sift = sift_with(json!({ "activation": "on" }));
    shared(&sift);
    own(&sift, "ada", "github", ISSUES);
    let names = ["search_issues".to_owned(), "send_mail".to_owned()];
    sift.session("ada", None).and_then(|s| s.reveal(&names)).unwrap();
    let snapshot = serde_json::to_value(sift.session("ada", None).and_then(|s| s.snapshot()).unwrap()).unwrap();
    let first = &snapshot["revealed"][0];
    assert_eq!(first, &json!({ "server": "github", "name": "search_issues", "used": first["used"] }));

    let mut there = sift_with(json!({ "activation": "on" }));
    shared(&there);
    own(&there, "ben", "github", ISSUES);
    let missing = there.restore(&snapshot.to_string(), &RestoreOptions::default()).unwrap().missing;
    assert_eq!(missing.len(), 1, "another session's tool of that name does not count");
    let revealed = |sift: &ToolSift| sift.session("ada", None).and_then(|s| s.revealed()).unwrap().join(" ");
    assert_eq!(revealed(&mut there), "send_mail");
    own(&there, "ada", "github", ISSUES);
    assert_eq!(revealed(&mut there), "search_issues send_mail");
    let request = there.session("ada", None).and_then(|s| s.assemble(Format::Mcp)).unwrap();
    assert_eq!(request.size.parts.revealed.tools, 2);
    assert!(
        request.tools.get().contains("Finds tickets by their words."),
        "a revealed tool of its own is sent in full"
    );
    assert_eq!(dispatch(&there, "ada", "search_issues").unwrap().0, "search_issues");
}

#[test]
fn scopes_and_lists_are_each_sessions_own_affair() {
    let sift = sift_with(json!({ "activation": "on", "alwaysAvailable": ["create_issue", "send_mail"] }));
    shared(&sift);
    sift.session("ada", Some(&Scope::new(&["github"], &["tools:send_mail"]))).unwrap();
    own(&sift, "ada", "github", ISSUES);
    own(&sift, "ada", "rocket", SECRET);
    assert_eq!(seen(&sift, "ada"), "send_mail create_issue search_issues");
    assert_eq!(dispatch(&sift, "ada", "launch_rocket"), None);
    let unmatched = |sift: &ToolSift, id: &str| sift.session(id, None).and_then(|s| s.unmatched()).unwrap();
    assert_eq!(unmatched(&sift, "ada").join(" "), "create_issue", "two servers have it");
    assert_eq!(unmatched(&sift, "ben").join(" "), "create_issue", "ada's tool does not answer for ben's list");
    let report = sift.register(&list(&[("create_issue", "Shared.")]), &from("jira")).unwrap();
    assert_eq!(&*report.registered[0], "create_issue");
    assert!(unmatched(&sift, "ben").is_empty());
    // The name stays that server's until the host unregisters it.
    sift.sync("jira", "[]", &from("jira")).unwrap();
    assert_eq!(own(&sift, "ben", "github", ISSUES), ["github__create_issue", "search_issues"]);
    sift.unregister(Some("jira"), None).unwrap();
    assert_eq!(own(&sift, "cem", "github", ISSUES), ["create_issue", "search_issues"]);
    sift.session("ada", None).and_then(|s| s.rescope(&Scope::new(&["rocket"], &[]))).unwrap();
    assert_eq!(seen(&sift, "ada"), "launch_rocket rocket__create_issue");
}

#[test]
fn a_servers_limit_is_each_owners() {
    let text = "word ".repeat(200);
    let sift = sift_with(json!({ "limits": { "serverBytes": 1_500 } }));
    assert_eq!(own(&sift, "ada", "github", &[("a", &text)]).len(), 1);
    assert_eq!(own(&sift, "ben", "github", &[("a", &text)]).len(), 1);
    let full = sift.session("ada", None).and_then(|s| s.register(&list(&[("b", &text)]), &from("github"))).unwrap();
    assert_eq!(full.rejected[0].code, ErrorCode::ServerTooLarge);
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
