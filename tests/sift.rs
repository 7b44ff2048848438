//! Conversations under our own profile.
//!
//! 1. The prompt lists servers with their numbers of tools, and stays the same whatever is loaded.
//! 2. A search loads what clearly fits and lists the rest in a line each; what is doubtful is only listed, and what fits
//!    nothing names unknown words and the closest servers.
//! 3. The same search again goes on, to an end.
//! 4. Tools are added by name and looked through by server.
//! 5. Where disclosure is `auto`, all names are listed while they are short, then servers with the names that tell most, each server
//!    with an equal share of the room.
//! 6. A vendor that holds tools back itself is given their definitions.

use crate::common::{self, MCP60, call, refusal, request};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, Outcome, RegisterOptions, Scope, ToolSift};

const SEND: &str = "mcp__slack__send_message";
const CLICK: &str = "mcp__browser__click";

/// A sift that searches however small its catalog is, unless `wanted` says otherwise.
fn sift_of(mut wanted: Value, tools: &str) -> ToolSift {
    wanted.as_object_mut().unwrap().entry("activation").or_insert(json!("on"));
    common::sift(wanted, tools)
}

fn sent(sift: &ToolSift, session: &str) -> (Vec<String>, String) {
    let (tools, prompt) = request(sift, session);
    (tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect(), prompt)
}

fn sift() -> ToolSift {
    sift_of(json!({ "profile": "sift" }), MCP60)
}

/// What a discovery tool answers, and what it loaded.
fn answer(sift: &ToolSift, name: &str, args: Value) -> (String, Vec<String>) {
    match call(sift, "a", name, args) {
        Outcome::Result { content, is_error: false, revealed, .. } => {
            (content, revealed.iter().map(|name| name.to_string()).collect())
        }
        other => panic!("{other:?}"),
    }
}

fn search(sift: &ToolSift, query: &str) -> (String, Vec<String>) {
    answer(sift, "search_tools", json!({ "query": query }))
}

/// The tools of an answer below a heading.
fn below(text: &str, heading: &str) -> Vec<String> {
    let section = text.split("\n\n").find(|section| section.trim().starts_with(heading)).unwrap_or_default();
    let lines = section.lines().filter_map(|line| line.strip_prefix("- "));
    lines.map(|line| line.split('(').next().unwrap().to_owned()).collect()
}

#[test]
fn it_is_the_default_and_sends_a_small_catalog_in_full() {
    let sift = ToolSift::new(Default::default());
    assert_eq!(sift.settings().profile, "sift");
    sift.register(r#"[{"name":"one"},{"name":"two"},{"name":"shy","deferral":"always"}]"#, &RegisterOptions::default())
        .unwrap();
    assert_eq!(sent(&sift, "a").0, ["search_tools", "add_tool", "show_all_tools", "one", "two"]);
    sift.unregister(None, Some(&["shy".to_owned()])).unwrap();
    assert_eq!(sent(&sift, "a"), (vec!["one".to_owned(), "two".to_owned()], String::new()));
    answer(&sift, "add_tool", json!({ "tool_names": ["one"] }));
    assert_eq!(sent(&sift, "a").0, ["one", "two"], "a model that calls what it was not sent loses nothing");
    sift.register(MCP60, &RegisterOptions::default()).unwrap();
    assert_eq!(sent(&sift, "a").0, ["search_tools", "add_tool", "show_all_tools", "one"]);
    assert_eq!(sent(&sift, "b").0, ["search_tools", "add_tool", "show_all_tools"]);
}

#[test]
fn the_prompt_counts_servers_and_never_changes() {
    let sift = sift();
    let (tools, prompt) = sent(&sift, "a");
    assert_eq!(tools, ["search_tools", "add_tool", "show_all_tools"]);
    let servers = "- github (9)\n- slack (8)\n- linear (7)\n- postgres (7)\n- gdrive (8)\n- calendar (6)\n- browser (8)\n\
                   - weather (7)";
    assert!(prompt.contains(servers), "{prompt}");
    assert!(!prompt.contains("mcp__"), "no tool is named: {prompt}");
    search(&sift, "weather forecast");
    answer(&sift, "add_tool", json!({ "tool_names": [SEND] }));
    call(&sift, "a", CLICK, json!({}));
    let (tools, after) = sent(&sift, "a");
    assert!(tools.len() > 5 && tools.ends_with(&[SEND.to_owned(), CLICK.to_owned()]), "{tools:?}");
    assert_eq!(after, prompt);
    assert_eq!(sent(&sift, "b"), (tools[..3].to_vec(), prompt), "another conversation knows nothing of it");

    let tools: Vec<Value> =
        (0..60).map(|at| json!({ "name": format!("t{at}"), "server": format!("s{at}\nx") })).collect();
    let (_, prompt) = sent(&sift_of(json!({}), &json!(tools).to_string()), "a");
    assert!(prompt.contains("- s49 x (1)\n- s50 x (1)\n") && prompt.ends_with("- s59 x (1)"), "{prompt}");
    let own = r#"[{"name":"a"},{"name":"b"},{"name":"c","deferral":"never"}]"#;
    assert!(sent(&sift_of(json!({}), own), "a").1.contains("- no server (2)"));
}

#[test]
fn names_are_listed_under_their_servers() {
    let tools = json!([
        { "name": "send", "server": "mail\n- bank (1): pay", "description": "Sends mail. Slowly." },
        { "name": "read", "server": "disk", "description": "Reads files." },
        { "name": "list", "server": "mail\n- bank (1): pay" },
        { "name": "own" },
    ]);
    let prompt = |disclosure: &str| {
        sent(&sift_of(json!({ "disclosure": disclosure, "activation": "on" }), &tools.to_string()), "a").1
    };
    let heading = "Tools that can be loaded, by server:\n";
    let names = "- mail - bank (1): pay (2): list, send\n- disk (1): read\n- no server (1): own";
    assert!(prompt("names").ends_with(&format!("{heading}{names}")), "{}", prompt("names"));
    let sentences = "- mail - bank (1): pay (2):\n  - list\n  - send: Sends mail.\n- disk (1):\n  - read: Reads files.\n\
                     - no server (1):\n  - own";
    assert!(prompt("sentences").ends_with(&format!("{heading}{sentences}")), "{}", prompt("sentences"));
    let servers = "Servers, and how many tools each has:\n- mail - bank (1): pay (2)\n- disk (1)\n- no server (1)";
    assert!(prompt("servers").ends_with(servers), "{}", prompt("servers"));
}

#[test]
fn names_that_are_too_many_are_those_that_tell_most() {
    let prompt = |disclosure: &str, tools: &[Value]| {
        sent(&sift_of(json!({ "disclosure": disclosure, "activation": "on" }), &json!(tools).to_string()), "a").1
    };
    let tool = |server: &str, name: String| json!({ "name": name, "server": server });
    let mut tools = vec![tool("small", "find_page".into()), tool("small", "delete_page".into())];
    tools.extend((0..200).map(|at| tool("large", format!("acme_list_issue_{at:03}"))));
    assert_eq!(prompt("auto", &tools), prompt("names", &tools));
    tools.extend((0..900).map(|at| tool("large", format!("acme_{}_thing_{at:03}", ["get", "drop"][at % 2]))));
    tools.push(tool("large", "acme_ping".into()));
    let text = prompt("auto", &tools);
    let lines: Vec<&str> = text.split_once("each has:\n").unwrap().1.lines().collect();
    assert_eq!(lines[0], "- small (2): delete_page, find_page", "what fits is there in full");
    // The words of most names come first; what all names have tells nothing.
    let large = "- large (1101): acme_get_thing_000, acme_drop_thing_001, acme_list_issue_000, ";
    assert!(lines[1].starts_with(large) && lines[1].ends_with(", …") && lines.len() == 2, "{}", lines[1]);
    assert!((7_000..8_200).contains(&lines[1].len()), "{}", lines[1].len());
    // A server with many names takes no other's room; where nothing is left for names, servers are there as ever.
    let crowd: Vec<Value> =
        (0..2_000).map(|at| tool(&format!("server number {at}"), "x".repeat(60) + &at.to_string())).collect();
    assert_eq!(prompt("auto", &crowd), prompt("servers", &crowd));
}

#[test]
fn what_clearly_fits_is_loaded_and_the_rest_listed() {
    let sift = sift();
    let (text, loaded) = search(&sift, "post a message to a channel");
    assert_eq!(loaded.first().map(String::as_str), Some(SEND));
    assert!(loaded.len() <= 5 && text.starts_with("Loaded."), "{text}");
    assert_eq!(below(&text, "Loaded."), loaded);
    let rest = below(&text, "Not loaded; load what you need with add_tool:");
    let hits = sift.search("post a message to a channel").run().unwrap().hits;
    let listed = loaded.len() + rest.len();
    assert!((2..=hits.len()).contains(&listed), "{text}");
    assert!(
        hits[..listed].iter().all(|hit| hit.score >= hits[0].score / 2.0),
        "what fits far less is on the next page"
    );
    assert!(rest.iter().all(|name| !loaded.contains(name)));
    let line = format!("- {SEND}(channel, text, thread_ts?): Post a message to a channel or a person.\n");
    assert!(text.contains(&line), "{text}");
    assert_eq!(sent(&sift, "a").0[3..], loaded[..]);

    let (text, again) = search(&sift, "post message in channel");
    assert!(!again.contains(&loaded[0]) && below(&text, "Loaded before:").contains(&loaded[0]), "{text}");
    let (text, both) =
        answer(&sift, "search_tools", json!({ "queries": ["merge pull request", "screenshot of page"] }));
    assert!(["mcp__github__merge_pull_request", "mcp__browser__screenshot"].iter().all(|name| text.contains(name)));
    assert!(both.len() <= 5, "{both:?}");
    let (text, _) = answer(&sift, "search_tools", json!({ "query": "get the tides", "limit": 2 }));
    assert_eq!(text.matches("\n- ").count(), 2, "{text}");
}

#[test]
fn a_query_of_one_word_prefers_the_very_word() {
    let first = |query: &str, tools: Value| {
        let sift = ToolSift::new(Default::default());
        sift.register(&tools.to_string(), &Default::default()).unwrap();
        let hits = sift.search(query).run().unwrap().hits;
        hits.iter().map(|hit| hit.name.to_string()).collect::<Vec<_>>().join(" ")
    };
    let tools = json!([
        { "name": "play_song", "description": "Play a song." },
        { "name": "history", "description": "What was listened to or played by somebody, newest first." },
        { "name": "ticket_list", "description": "Tickets of a team." },
        { "name": "notes", "description": "Notes about a ticket." },
        { "name": "other", "description": "Else." },
    ]);
    assert_eq!(first("played", tools.clone()), "history play_song");
    assert_eq!(first("tickets", tools.clone()), "ticket_list notes");
    assert_eq!(first("playing", tools.clone()), "play_song history", "no tool has the very word");
    assert_eq!(first("played songs", tools), "play_song history", "two words tell more than one");
}

#[test]
fn what_is_doubtful_is_only_listed() {
    let sift = sift();
    for (query, opening) in [
        ("delete branch", "Not loaded; load what you need with add_tool:\n"),
        ("order of rows", "No tool knows: order.\n\n"),
        (
            "message +nowhere",
            "No tool clearly fits; these came nearest. Search once more in other words before you say that there is no tool for it. No tool knows: nowhere.\n",
        ),
        (
            "knit a jumper for the harbour pigeons",
            "No tool clearly fits; these came nearest. Search once more in other words before you say that there is no tool for it. No tool knows: knit, jumper, pigeons.\n",
        ),
        (
            "bake chocolate brownies",
            "No tool matches. Search once more in other words before you say that there is no tool for it. No tool knows: bake, chocolate, brownies.",
        ),
        ("the", "No tool matches. Search once more in other words"),
        ("???", "No tool matches."),
    ] {
        sift.close("a");
        let (text, loaded) = search(&sift, query);
        assert!(text.starts_with(opening) && loaded.is_empty(), "{query}: {loaded:?}, {text}");
        assert_eq!(!opening.starts_with("No tool matches"), text.contains("Not loaded;"), "{query}: {text}");
    }
    assert_eq!(sent(&sift, "a").0.len(), 3);
    let (many, _) = search(&sift, &(0..100).map(|at| format!("zz{} ", char::from(b'a' + at % 26))).collect::<String>());
    assert!(many.len() < 300, "unknown words are a hint, no echo: {many}");
    for (args, code) in [
        (json!({}), ErrorCode::QueryRequired),
        (json!({ "query": " \n" }), ErrorCode::QueryRequired),
        (json!({ "query": 7, "queries": [null, "", 1] }), ErrorCode::QueryRequired),
    ] {
        assert_eq!(refusal(call(&sift, "a", "search_tools", args)).0, code);
    }
    for limit in [json!(0), json!(-3), json!("many"), json!(1e300), Value::Null] {
        let (text, _) = answer(&sift, "search_tools", json!({ "query": format!("tides {limit}"), "limit": limit }));
        assert!(text.contains("mcp__weather__get_tides"), "{limit}: {text}");
    }
}

#[test]
fn the_same_search_goes_on_to_its_end() {
    let sift = sift();
    let all: Vec<String> =
        sift.search("list").limit(100).run().unwrap().hits.iter().map(|hit| hit.name.to_string()).collect();
    assert!(all.len() > 20, "{}", all.len());
    let mut read = Vec::new();
    for page in 0..=all.len() / 10 {
        let (text, _) = search(&sift, if page % 2 == 0 { "list" } else { " list\n" });
        let lines = text.lines().filter_map(|line| line.strip_prefix("- "));
        let names: Vec<String> = lines.map(|line| line.split('(').next().unwrap().to_owned()).collect();
        assert!((1..=10).contains(&names.len()), "{text}");
        read.extend(names);
    }
    read.sort();
    let mut sorted = all.clone();
    sorted.sort();
    assert_eq!(read, sorted, "every match once");
    for _ in 0..2 {
        let (text, loaded) = search(&sift, "list");
        assert!(text.ends_with("These were all that match. Try other words.") && loaded.is_empty(), "{text}");
        assert!(!text.contains("\n- "), "no tool is listed: {text}");
    }
    assert!(search(&sift, "list issues").0.contains("- mcp__linear__list_issues("), "another search begins anew");
    let other = call(&sift, "b", "search_tools", json!({ "query": "list" }));
    assert!(matches!(&other, Outcome::Result { content, .. } if content.contains(&all[0])), "so does another session");
}

#[test]
fn tools_are_added_and_looked_through() {
    let sift = sift();
    let (text, loaded) = answer(&sift, "add_tool", json!({ "tool_names": [SEND, "nope", SEND] }));
    assert_eq!(
        text,
        format!("Added: {SEND}\nAlready available: {SEND}\nNot found: nope. Find tools with search_tools.")
    );
    assert_eq!(loaded, [SEND]);
    assert_eq!(sent(&sift, "a").0[3..], [SEND]);

    let (all, _) = answer(&sift, "show_all_tools", json!({}));
    assert!(all.starts_with("github (9): mcp__github__create_issue, ") && all.lines().count() == 8, "{all}");
    let (one, _) = answer(&sift, "show_all_tools", json!({ "server": " Weather " }));
    assert!(one.starts_with("weather (7): mcp__weather__get_current, ") && one.lines().count() == 1, "{one}");
    for (server, text) in
        [("wether", "There is no such server. Did you mean weather?"), ("qqqq", "There is no such server.")]
            .map(|(server, text)| (server, format!("{text} Without a server, all are listed.")))
    {
        assert_eq!(answer(&sift, "show_all_tools", json!({ "server": server })).0, text);
    }
    let many: Vec<Value> =
        (0..250).map(|at| json!({ "name": format!("t{at}"), "server": format!("s{}", at / 240) })).collect();
    let many = sift_of(json!({}), &json!(many).to_string());
    let (all, _) = answer(&many, "show_all_tools", json!({}));
    assert_eq!(all, "s0 (240)\ns1 (10)\nFor the names of one server's tools, pass it as server.");
    let (one, _) = answer(&many, "show_all_tools", json!({ "server": "s0" }));
    assert!(one.ends_with("t198, t199, and 40 more"), "{one}");
    let empty = sift_of(json!({}), "[]");
    assert_eq!(answer(&empty, "show_all_tools", json!({})).0, "There are no tools to load.");
}

#[test]
fn a_vendor_that_holds_tools_back_itself_is_given_their_definitions() {
    let tools = json!([
        { "name": "always", "deferral": "never" },
        { "name": "one", "server": "s", "description": "One.", "inputSchema": { "type": "object" } },
        { "name": "two", "server": "t" },
        { "name": "three", "server": "s" },
    ]);
    let sift = sift_of(json!({}), &tools.to_string());
    let held = |sift: &ToolSift, id: &str| -> Vec<String> {
        let all = sift.session(id, None).unwrap().held_back(Format::Anthropic).unwrap();
        all.iter().map(|tool| tool.name.to_string()).collect()
    };
    assert_eq!(held(&sift, "a"), ["one", "two", "three"], "in the order of the catalog, without what is always there");
    answer(&sift, "add_tool", json!({ "tool_names": ["three"] }));
    assert_eq!(held(&sift, "a"), ["one", "two", "three"], "revealed or not");
    let first = &sift.session("a", None).unwrap().held_back(Format::Anthropic).unwrap()[0];
    assert_eq!(first.definition.get(), r#"{"name":"one","description":"One.","input_schema":{"type":"object"}}"#);

    sift.session("scoped", Some(&Scope::new(&["t"], &[]))).unwrap();
    assert_eq!(held(&sift, "scoped"), ["two"], "nothing outside the scope");
    let mut off = sift_of(json!({ "activation": "off" }), &tools.to_string());
    assert!(held(&mut off, "a").is_empty(), "nothing is held back");
}
