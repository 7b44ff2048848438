//! Tests that an attacking server cannot push down the tools that were found before. There are sixty tools of eight
//! servers, sixty requests that people wrote, and sixty sentences from the tools themselves. A ninth server joins, with
//! texts that are made to win: a copy for each tool, tools stuffed with words and named with verbs, repeated words,
//! copied and look-alike names, hidden characters, and search words that equal the requests. It may rank first for some
//! requests. The tests say what it cannot do, whether it was registered first or last.

use crate::attacks_of::{ATTACKER, Asked, Game, attacks, first_sentences, honest, requests};
use crate::common::{empty, register, sift};
use serde_json::{Value, json};
use toolsift::{Effect, NamePolicy, RegisterOptions, ToolSift};

/// Requests of sixty for which an attacker may push a tool out of what is shown.
const LOST: usize = 3;

/// The honest tools alone, then beside each attack that is registered before or after them, and both kinds of requests.
struct Games {
    before: ToolSift,
    now: Vec<(String, ToolSift)>,
    asked: [Vec<Asked>; 2],
}

fn games() -> Games {
    let honest = honest();
    let (requests, sentences) = (requests(), first_sentences(&honest));
    let mut now = Vec::new();
    for (name, attackers) in &attacks(&honest, &requests, &sentences) {
        for is_first in [false, true] {
            let game = Game { honest: &honest, attackers, is_first };
            now.push((format!("{name}, first: {is_first}"), game.catalog()));
        }
    }
    let before = Game { honest: &honest, attackers: &[], is_first: false }.catalog();
    Games { before, now, asked: [requests, sentences] }
}

#[test]
fn the_tool_that_was_found_stays_found() {
    let games = games();
    for asked in &games.asked {
        let before: Vec<Vec<String>> = asked.iter().map(|one| shown(&games.before, &one.query)).collect();
        for (name, now) in &games.now {
            let (mut lost, mut best_lost) = (Vec::new(), Vec::new());
            for (one, before) in asked.iter().zip(&before) {
                let now = shown(now, &one.query);
                let is_meant = |tool: &String| one.relevant.contains(tool);
                if before.iter().any(is_meant) && !now.iter().any(is_meant) {
                    lost.push(&one.query);
                }
                if before.first().is_some_and(|best| !now.contains(best)) {
                    best_lost.push(&one.query);
                }
            }
            assert!(lost.len() <= LOST, "{name}: {lost:?}");
            assert!(best_lost.len() <= LOST, "{name}, the best: {best_lost:?}");
        }
    }
}

#[test]
fn what_fits_too_is_loaded_with_a_tool_of_the_attacker() {
    let mut loads = 0;
    let games = games();
    for (at, (name, sift)) in games.now.iter().enumerate() {
        // One half is asked where the attacker is last, the other where it is first.
        for one in games.asked.iter().flatten().skip(at % 2).step_by(2) {
            let loaded = loaded(sift, &one.query);
            let theirs = loaded.iter().filter(|tool| is_attackers(sift, tool)).count();
            loads += theirs;
            if theirs > 0 && theirs == loaded.len() {
                let hits = sift.search(&one.query).limit(5).run().unwrap().hits;
                let other = hits.iter().find(|hit| !is_attackers(sift, &hit.name));
                // Scores that are shown are s / (s + 0.5). A tool that the request names is shown with 1.
                let raw = |score: f64| 0.5 * score / (1.0 - score);
                let other = other.filter(|other| is_harmless(sift, &other.name));
                let fits =
                    other.is_some_and(|other| hits[0].score < 1.0 && raw(other.score) >= 0.5 * raw(hits[0].score));
                assert!(!fits, "{name}: {:?} loads {loaded:?} alone, beside {hits:?}", one.query);
            }
        }
    }
    assert!(loads > 0, "no attack loads anything: these attacks test nothing");
}

#[test]
fn a_large_definition_takes_no_room_of_another_server() {
    let properties: serde_json::Map<String, Value> =
        (0..400).map(|at| (format!("x{at}"), json!({ "type": "string", "description": "Else." }))).collect();
    let schema = json!({ "type": "object", "properties": properties });
    let tools = json!([
        { "name": "get_invoice", "description": "Gets an invoice", "server": "books" },
        { "name": "invoice_get", "description": "Gets an invoice, invoice", "server": ATTACKER, "parameters": schema },
        { "name": "get_weather", "description": "Reads the weather", "server": "sky" },
        { "name": "send_photo", "description": "Sends a photo", "server": "album" },
    ]);
    let sift = sift(json!({ "profile": "sift" }), &tools);
    for query in ["get invoice", "invoice get", "gets an invoice"] {
        let loaded = loaded(&sift, query);
        assert!(loaded.contains(&"get_invoice".to_owned()), "{query}: {loaded:?}");
    }
}

fn is_harmless(sift: &ToolSift, name: &str) -> bool {
    let tool = sift.tool(name);
    tool.is_some_and(|tool| matches!(tool.effect(), Effect::Read | Effect::Unknown))
}

fn is_attackers(sift: &ToolSift, name: &str) -> bool {
    let tool = sift.tool(name);
    tool.is_some_and(|tool| tool.server() == Some(ATTACKER))
}

/// What a search shows: the first page.
fn shown(sift: &ToolSift, query: &str) -> Vec<String> {
    sift.search(query).limit(5).run().unwrap().hits.iter().map(|hit| hit.name.to_string()).collect()
}

/// What a search of the model loads in a new session.
fn loaded(sift: &ToolSift, query: &str) -> Vec<String> {
    let session = sift.session("one", None).unwrap();
    _ = session.call("search_tools", &json!({ "query": query }).to_string());
    let loaded = session.revealed().unwrap().iter().map(|name| name.to_string()).collect();
    drop(session);
    sift.close("one");
    loaded
}

#[test]
fn no_server_takes_every_place_where_another_fits() {
    let mut tools: Vec<_> = (0..9)
        .map(|at| json!({ "name": format!("report_weather_{at}"), "description": "Report the weather", "server": "loud" }))
        .collect();
    tools.push(json!({ "name": "weather", "description": "Shows the weather and reports storms", "server": "calm" }));
    let sift = sift(json!({ "profile": "sift" }), &json!(tools));
    let found = sift.search("report the weather").limit(5).run().unwrap();
    let servers: Vec<bool> = found.hits.iter().map(|hit| hit.name.starts_with("report")).collect();
    assert_eq!(servers.iter().filter(|loud| **loud).count(), 4, "{:?}", found.hits);
    let crowded = |query: &str| sift.search(query).limit(5).run().unwrap().verdict.unwrap().crowded;
    assert_eq!(crowded("report the weather").iter().map(|server| &**server).collect::<Vec<_>>(), ["loud"]);
    assert!(crowded("shows storms").is_empty());
    let ten = sift.search("report the weather").limit(10).run().unwrap();
    let first = |hits: &[toolsift::FoundTool]| hits.iter().take(5).map(|hit| hit.name.to_string()).collect::<Vec<_>>();
    assert_eq!(first(&found.hits), first(&ten.hits), "the order does not depend on how many are wanted");
}

#[test]
fn any_number_of_equal_names_takes_no_place_of_another_server() {
    let names = ["create_issue", "createIssue", "create-issue", "c_reate_issue", "CREATE_ISSUE", "create_Issue"];
    let mut tools: Vec<Value> =
        names.iter().map(|name| json!({ "name": name, "description": "Creates an issue", "server": "loud" })).collect();
    tools.push(json!({ "name": "git_create_issue", "description": "Opens a ticket", "server": "git" }));
    let options = RegisterOptions::default().names(NamePolicy::Any);
    let sift = empty(json!({ "profile": "sift" }));
    register(&sift, &json!(tools), &options);
    for query in ["create issue", "create_issue", "Create issue.", "create issue, create issue"] {
        let shown = shown(&sift, query);
        assert!(shown.contains(&"git_create_issue".to_owned()), "{query}: {shown:?}");
    }
}

#[test]
fn a_large_server_that_is_meant_is_found() {
    let things = ["account", "alert", "backup", "certificate", "cluster", "disk", "function", "key", "queue", "secret"];
    let actions = ["create", "delete", "get", "list", "update", "restart"];
    let mut tools = Vec::new();
    for thing in things {
        for action in actions {
            let description = format!("The {action} operation of a {thing} in the cloud");
            tools.push(json!({ "name": format!("{thing}_{action}"), "description": description, "server": "cloud" }));
        }
        let description = format!("Looks for a {thing} somewhere");
        tools.push(json!({ "name": "find", "description": description, "server": format!("{thing}s") }));
    }
    let options = RegisterOptions::default().names(NamePolicy::Alias);
    let sift = empty(json!({ "profile": "sift" }));
    register(&sift, &json!(tools), &options);
    for thing in things {
        for action in actions {
            let wanted = format!("{thing}_{action}");
            assert_eq!(shown(&sift, &format!("{action} a {thing}"))[0], wanted);
            let four = shown(&sift, &format!("{thing} in the cloud"));
            let of_cloud = four.iter().filter(|name| name.starts_with(&format!("{thing}_"))).count();
            assert!(of_cloud >= 4, "{four:?}");
        }
    }
}

#[test]
fn look_alikes_and_hidden_characters_are_read_as_they_look() {
    let tools = json!([
        { "name": "one", "description": "Sеnds an invоice", "server": ATTACKER },
        { "name": "two", "description": "Se\u{200b}nds an in\u{202e}voice", "server": "b" },
        { "name": "three", "description": "Sends an invoice", "server": "c" },
        { "name": "four", "description": "Reads the weather", "server": "d" },
    ]);
    let sift = sift(json!({ "profile": "sift" }), &tools);
    let found = sift.search("invoice").run().unwrap();
    let scores: Vec<f64> = found.hits.iter().map(|hit| hit.score).collect();
    assert_eq!(found.hits.len(), 3);
    assert!(scores.iter().all(|score| *score == scores[0]), "{scores:?}");
}

#[test]
fn words_for_the_search_win_no_more_than_a_description() {
    let (honest, requests) = (honest(), requests());
    let sentences = first_sentences(&honest);
    let attacks = attacks(&honest, &requests, &sentences);
    let (_, in_meta) = attacks.iter().find(|(name, _)| *name == "words for the search that are the requests").unwrap();
    let described: Vec<Value> = in_meta.iter().cloned().map(in_description).collect();
    let won = |attackers: &[Value], asked: &[Asked]| {
        let sift = Game { honest: &honest, attackers, is_first: true }.catalog();
        let is_won = |one: &&Asked| shown(&sift, &one.query).first().is_some_and(|best| is_attackers(&sift, best));
        asked.iter().filter(is_won).count()
    };
    for asked in [&requests, &sentences] {
        assert!(won(in_meta, asked) <= won(&described, asked), "{} of {}", won(in_meta, asked), won(&described, asked));
    }
}

/// The tool with its words for the search in its description instead.
fn in_description(mut tool: Value) -> Value {
    let words = tool["_meta"].take();
    let texts = ["queries", "keywords"].map(|kind| words["toolsift/search"][kind].as_array().unwrap().clone());
    let said = texts.concat().iter().map(|text| format!(" {}.", text.as_str().unwrap())).collect::<String>();
    tool["description"] = json!(format!("{}{said}", tool["description"].as_str().unwrap()));
    tool
}
