//! What the answers of our own profile say in rare situations.
//!
//! 1. A line names the server of a tool if its name leaves the server open, and only then.
//! 2. The same search again says that its best hit is loaded.
//! 3. A pattern that is not valid is searched as words, and the answer says why.
//! 4. Tools without a server are listed in plain words.
//! 5. Adding beyond the bound of a step points to the next step; adding beyond the bound of a conversation does not.
//! 6. A single name is added like a list of one, under our own profile only.
//! 7. A snapshot of an unknown profile is refused.
//! 8. A part of a query is named as missing only where no tool for it is loaded or listed, and without its server.
//! 9. The second search in a row that finds nothing is not followed by a third.
//! 10. The tool that comes nearest to an open part is listed.
//! 11. What looks up a required id of a loaded tool is listed first, if it is of the same server and held back.

use crate::common::{call, content, sift};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, Outcome, RestoreOptions, Scope, ToolSift};

fn text(sift: &ToolSift, name: &str, args: Value) -> String {
    content(call(sift, "a", name, args))
}

fn search(sift: &ToolSift, query: &str) -> String {
    text(sift, "search_tools", json!({ "query": query }))
}

/// The end of the line of a tool.
fn end<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(&format!("- {name}():"))?.split_once('.')).map(|(_, end)| end)
}

#[test]
fn a_line_names_the_server_unless_its_name_does() {
    let tool = |server: Value, name: &str| json!({ "name": name, "server": server, "description": "Opens an issue." });
    let tools = [
        tool(json!("github"), "create_issue"),
        tool(json!("gitlab"), "create_issue"),
        tool(json!(null), "close_issue"),
        tool(json!("gitlab"), "close_issue"),
        tool(json!("github"), "open_issue"),
    ];
    let all = sift(json!({}), &json!(tools));
    let answer = search(&all, "issue");
    for (name, server) in [
        ("create_issue", " [github]"),
        ("gitlab__create_issue", ""),
        ("close_issue", ""),
        ("gitlab__close_issue", ""),
        ("open_issue", " [github]"),
    ] {
        assert_eq!(end(&answer, name), Some(server), "{name}: {answer}");
    }
    // A tool that the session may not see changes no answer.
    let session = all.session("scoped", Some(&Scope::new(&["github"], &[]))).unwrap();
    let Outcome::Result { content, .. } = session.call("search_tools", r#"{"query":"issue"}"#).unwrap() else {
        panic!()
    };
    assert_eq!((end(&content, "create_issue"), content.contains("gitlab")), (Some(" [github]"), false), "{content}");
}

#[test]
fn every_need_of_a_list_is_loaded_or_named() {
    let tools = json!([
        { "name": "send_mail", "server": "mail", "description": "Sends a mail to a customer." },
        { "name": "list_mails", "server": "mail", "description": "Lists mails." },
        { "name": "get_weather", "server": "sky", "description": "The weather of a city." },
        { "name": "paint_wall", "server": "home", "description": "Paints a wall." },
    ]);
    let sift = sift(json!({}), &tools);
    let named = |query: &str| {
        let text = search(&sift, query);
        let rest = text.strip_prefix("Not sure what fits: ").map(str::to_owned);
        (rest.and_then(|rest| rest.split_once(". If nothing").map(|(needs, _)| needs.to_owned())), text)
    };
    let (needs, text) = named("send a mail, translate a poem, get the weather of a city");
    assert_eq!(needs.as_deref(), Some("translate a poem"), "{text}");
    assert!(text.contains("- send_mail(") && text.contains("- get_weather("), "{text}");
    assert_eq!(named("paint a wall, list mails").0, None, "each of them is loaded");
    assert_eq!(named("paint a wall").0, None, "one need is no list");
}

#[test]
fn a_need_that_a_listed_tool_serves_is_not_missing() {
    let tools = json!([
        { "name": "page_responder", "server": "oncall", "description": "Wakes the person who is on duty." },
        { "name": "list_alerts", "server": "oncall", "description": "Lists alerts." },
        { "name": "list_books", "server": "library", "description": "Lists books." },
    ]);
    let sift = sift(json!({}), &tools);
    let text = search(&sift, "list alerts, page a person server:oncall");
    assert!(text.contains("- page_responder(") && !text.contains("Not sure what fits"), "{text}");
    let text = search(&sift, "list alerts, translate a poem server:oncall");
    assert!(text.starts_with("Not sure what fits: translate a poem. "), "{text}");
}

#[test]
fn after_two_searches_that_find_nothing_the_answer_says_to_do_without() {
    let sift = sift(json!({}), &json!([{ "name": "paint_wall", "description": "Paints a wall." }]));
    assert!(search(&sift, "knit a jumper").starts_with("No tool matches. Search once more"));
    for query in ["make clothes", "knitwear"] {
        assert!(search(&sift, query).starts_with("No tool matches. Neither did the search before."), "{query}");
    }
    assert!(search(&sift, "paint a wall").starts_with("Loaded."));
    assert!(search(&sift, "knit a sock").starts_with("No tool matches. Search once more"), "it counts anew");
}

#[test]
fn a_small_server_that_is_asked_for_is_loaded_whole_and_a_large_one_is_listed() {
    let server = |name: &str, count: usize| {
        (0..count).map(|at| json!({ "name": format!("{name}_get_{at}"), "server": name })).collect::<Vec<_>>()
    };
    let sift = sift(json!({}), &json!([server("small", 5), server("large", 6)].concat()));
    let text = search(&sift, "server:small");
    assert!(text.starts_with("Loaded.") && !text.contains("Not loaded"), "{text}");
    let text = search(&sift, "server:large");
    assert!(text.starts_with("Not loaded") && text.matches("- large_get_").count() == 6, "{text}");
}

#[test]
fn what_fits_far_less_is_on_the_next_page() {
    let tools = json!([
        { "name": "paint_wall", "description": "Paints a wall." },
        { "name": "list_colors", "description": "Lists the colors that there are to paint any wall or door with, by their makers." },
        { "name": "open_door", "description": "Opens the door in the wall." },
        { "name": "get_weather", "description": "The weather of a city." },
    ]);
    let sift = sift(json!({}), &tools);
    let (first, second) = (search(&sift, "paint a wall"), search(&sift, "paint a wall"));
    assert!(first.contains("- paint_wall(") && !first.contains("open_door"), "{first}");
    assert!(second.contains("- open_door(") && !second.contains("- paint_wall("), "{second}");
}

#[test]
fn the_same_search_again_says_that_its_best_hit_is_loaded() {
    let tools = json!([
        { "name": "paint_wall", "description": "Paints a wall." },
        { "name": "sweep_floor", "description": "Sweeps the floor." },
    ]);
    let sift = sift(json!({}), &tools);
    assert!(search(&sift, "paint a wall").starts_with("Loaded."));
    let again = "paint_wall is loaded already.\nThese were all that match. Try other words.";
    assert_eq!(search(&sift, "paint a wall"), again);
    sift.session("a", None).unwrap().conceal(&["paint_wall"]).unwrap();
    assert!(search(&sift, "paint a wall").starts_with("Loaded."), "searches begin anew");
}

#[test]
fn a_further_page_says_that_the_best_hit_is_loaded() {
    let tools: Vec<Value> = (0..30).map(|at| json!({ "name": format!("paint_wall_{at}") })).collect();
    let sift = sift(json!({}), &json!(tools));
    assert!(!search(&sift, "paint wall").contains("is loaded already"));
    text(&sift, "add_tool", json!({ "tool_names": ["paint_wall_0"] }));
    let further = search(&sift, "paint wall");
    assert!(further.starts_with("paint_wall_0 is loaded already.\n"), "{further}");
    assert!(further.contains("- paint_wall_1"), "{further}");
}

#[test]
fn a_pattern_that_is_not_valid_is_searched_as_words() {
    let tools = json!([{ "name": "paint_wall", "description": "Paints a wall." }]);
    let sift = sift(json!({}), &tools);
    let answer = search(&sift, "/[paint wall/");
    assert!(answer.starts_with("Searched as words: invalid regex pattern: "), "{answer}");
    assert!(answer.contains("- paint_wall()"), "{answer}");
    let long = search(&sift, &format!("/paint wall{}/", "x".repeat(1_000)));
    assert!(
        long.starts_with("Searched as words: invalid regex pattern: it has 1010 characters; at most 1000"),
        "{long}"
    );
    let none = search(&sift, "/nothing of the kind/");
    assert!(none.starts_with("Searched as words: no tool matches."), "{none}");
    for other in ["/paint/", "[paint wall"] {
        assert!(!search(&sift, other).contains("as words"), "{other}");
    }
    let found = sift.search("/[paint wall/").run().unwrap();
    assert_eq!(*found.hits[0].name, *"paint_wall");
    assert_ne!(found.stage, toolsift::Stage::Pattern);
}

#[test]
fn tools_without_a_server_are_listed_in_plain_words() {
    let sift = sift(json!({ "activation": "on" }), &json!([{ "name": "one" }, { "name": "two" }]));
    assert_eq!(text(&sift, "show_all_tools", json!({})), "no server (2): one, two");
    assert_eq!(text(&sift, "show_all_tools", json!({ "server": "no server" })), "no server (2): one, two");
    let prompt = sift.session("a", None).and_then(|session| session.assemble(Format::Mcp)).unwrap().system_prompt;
    assert!(prompt.ends_with("Servers, and how many tools each has:\n- no server (2)"), "{prompt}");
}

#[test]
fn adding_beyond_the_bound_of_a_step_points_to_the_next_step() {
    let tools = json!([{ "name": "a" }, { "name": "b" }, { "name": "c", "description": "x".repeat(4_000) }]);
    let add = |sift: &ToolSift, name: &str| text(sift, "add_tool", json!({ "tool_names": [name] }));
    let one = sift(json!({ "limits": { "revealed": 1 } }), &tools);
    assert_eq!(add(&one, "a"), "Added: a");
    let full = add(&one, "b");
    let reason = "\"b\" cannot be loaded: the session holds 1 tools, its limit";
    assert_eq!(full, format!("Not added: b ({reason}; load it in your next step)"));
    one.session("a", None).and_then(|session| session.assemble(Format::Mcp)).unwrap();
    assert_eq!(add(&one, "b"), "Added: b", "and it is right then");

    let small = sift(json!({ "limits": { "revealedTokens": 500 } }), &tools);
    let large = add(&small, "c");
    let tokens = small.registered()[2].tokens();
    let holds = format!("the session holds at most 512 tools of 500 tokens, and this one has {tokens}");
    assert_eq!(large, format!("Not added: c (\"c\" cannot be loaded: {holds})"));
    let mut refusing = sift(json!({ "limits": { "revealed": 1, "whenFull": "refuse" } }), &tools);
    assert_eq!(add(&mut refusing, "a"), "Added: a");
    assert_eq!(add(&mut refusing, "b"), format!("Not added: b ({reason})"));
}

#[test]
fn a_single_name_is_added_like_a_list_of_one() {
    let tools = json!([{ "name": "one" }, { "name": "two" }]);
    let mut ours = sift(json!({}), &tools);
    assert_eq!(text(&ours, "add_tool", json!({ "tool_names": "one" })), "Added: one");
    assert_eq!(text(&ours, "add_tool", json!({ "tool_name": "two" })), "Added: two");
    let mut published = sift(json!({ "profile": "search-add" }), &tools);
    for (is_ours, names) in [(true, json!("")), (true, json!(7)), (false, json!("one"))] {
        let sift = if is_ours { &mut ours } else { &mut published };
        let args = json!({ "tool_names": names }).to_string();
        let outcome = sift.session("a", None).and_then(|session| session.call("add_tool", &args)).unwrap();
        let Outcome::Result { error_code, .. } = outcome else { panic!("{outcome:?}") };
        assert_eq!(error_code, Some(ErrorCode::ToolNamesRequired), "{names}");
    }
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

#[test]
fn what_looks_up_a_required_id_is_listed_first() {
    let takes = |names: &[&str]| {
        let properties: serde_json::Map<_, _> =
            names.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
        json!({ "type": "object", "properties": properties, "required": names })
    };
    let tool = |server: &str, name: &str, description: &str, names: &[&str]| json!({ "server": server, "name": name, "description": description, "inputSchema": takes(names) });
    let rooms = tool("chat", "list_channels", "Lists rooms.", &[]);
    let tools = [
        tool("chat", "post_message", "Posts a message.", &["channel_id", "text", "threadIds"]),
        tool("chat", "delete_message", "Removes a message.", &["message_id"]),
        rooms.clone(),
        // None of these says what the channels of chat are.
        tool("tv", "list_channels", "Lists stations.", &[]),
        tool("chat", "list_channel_topics", "Lists topics.", &[]),
        tool("chat", "get_channel", "Gets a room.", &["channel_id"]),
        tool("chat", "archive_channel", "Closes a room.", &["name"]),
    ];
    let others = |sift: &ToolSift| {
        let text = search(sift, "post a message");
        assert!(text.contains("Loaded. Call them from your next step on:\n- post_message("), "{text}");
        let others = text.split_once("Not loaded").and_then(|(_, rest)| rest.split_once(":\n"));
        others.map_or_else(Vec::new, |(_, lines)| lines.lines().map(str::to_owned).collect())
    };
    let all = sift(json!({}), &json!(tools));
    let listed = others(&all);
    assert_eq!(listed.first().map(|line| &**line), Some("- list_channels(): Lists rooms. [chat] (gives channel_id)"));
    assert_eq!(listed.iter().filter(|line| line.contains("gives")).count(), 1, "{listed:?}");
    // What the model has already is not named, nor what there is not.
    let revealed = sift(json!({}), &json!(tools));
    revealed.session("a", None).unwrap().reveal(&["list_channels"]).unwrap();
    let without: Vec<_> = tools.iter().filter(|one| **one != rooms).collect();
    for sift in [revealed, sift(json!({}), &json!(without))] {
        assert!(others(&sift).iter().all(|line| !line.contains("gives")));
    }
}
