//! The reasons that a search gives for its hits, and for tools that it did not find, are true.

use std::fmt::Display;

use crate::common::{self, MCP60};
use serde_json::{Value, json};
use toolsift::{How, RegisterOptions, SearchResult, SearchedField, Settings, ToolSift};

fn sift(tools: &(impl Display + ?Sized)) -> ToolSift {
    common::sift(json!({}), tools)
}

fn search(sift: &ToolSift, query: &str) -> SearchResult {
    sift.search(query).limit(100).reasons(true).run().unwrap()
}

fn first(sift: &ToolSift, query: &str) -> String {
    sift.search(query).limit(1).run().unwrap().hits.first().map(|hit| hit.name.to_string()).unwrap_or_default()
}

const QUERIES: [&str; 14] = [
    "create a ticket",
    "wether forcast",
    "send message and list files, delete an event",
    "remove appointment",
    "github",
    "gdrive file",
    "select:mcp__weather__get_tides",
    "/issue/",
    "issue -github",
    "mcp__slack__send_message",
    "create issue create issue create issue",
    "pull request commits",
    "sql sql sql csv",
    "an issue of the page of a channel",
];

#[test]
fn reasons_add_up_to_the_score() {
    let sift = sift(MCP60);
    for query in QUERIES {
        let hits = search(&sift, query).hits;
        assert!(!hits.is_empty(), "{query}");
        for hit in &hits {
            let sum: f64 = hit.parts.iter().map(|part| part.contribution).sum();
            assert!(hit.score > 0.0 && hit.score <= 1.0, "{query}: {}", hit.score);
            assert!((sum - hit.score).abs() < 1e-9, "{query}: {} is {} but {sum}", hit.name, hit.score);
            assert!(hit.parts.iter().all(|part| part.contribution > 0.0), "{query}: {:?}", hit.parts);
            let why = sift.search(query).explain(&hit.name).unwrap();
            assert_eq!((why.score, &why.parts), (hit.score, &hit.parts), "{query}: {}", hit.name);
        }
    }
}

#[test]
fn every_way_of_matching_is_named() {
    let tools = json!([
        { "name": "open_ledger", "server": "acme", "title": "Bookkeeping", "tags": ["money"], "description":
            "Opens the journal of accounts. It needs an archivist and a passport in some timezone.",
          "inputSchema": { "properties": { "fiscalYear": { "description": "Which exercise.", "enum": ["latest"] } } } },
        { "name": "nothing", "server": "zero", "description": "Else." },
        { "name": "void", "server": "zero", "description": "Archive." },
    ]);
    let sift = ToolSift::new(Settings::from_options(&json!({ "translations": "skipper archivist:0.4" })).unwrap());
    sift.register(&tools, &RegisterOptions::default()).unwrap();
    use {How as H, SearchedField as F};
    for (query, how, field, term, matched) in [
        ("ledger", H::Word, F::Name, "ledger", "ledger"),
        ("journals", H::Stem, F::Description, "journals", "journal"),
        ("acme", H::Word, F::Server, "acme", "acme"),
        ("money", H::Word, F::Hint, "money", "money"),
        ("bookkeeping", H::Word, F::Description, "bookkeeping", "bookkeeping"),
        ("passport", H::Word, F::Description, "passport", "passport"),
        ("fiscal", H::Word, F::Parameter, "fiscal", "fiscal"),
        ("exercises", H::Stem, F::Parameter, "exercises", "exercise"),
        ("latest", H::Word, F::Value, "latest", "latest"),
        ("create", H::Synonym, F::Name, "create", "open"),
        ("skippers", H::Translation, F::Description, "skippers", "archivist"),
        ("archive", H::Relative, F::Description, "archive", "archivist"),
        ("leger", H::Repair, F::Name, "leger", "ledger"),
        ("open the ledger", H::Covered, F::Name, "", "open_ledger"),
        ("opens the journal of accounts", H::Covered, F::Description, "", "Opens the journal of accounts."),
        ("acme ledger", H::Server, F::Server, "", "acme"),
        ("journal money, void", H::Intent, F::Text, "", ""),
        ("openLedger", H::WholeQuery, F::Name, "openLedger", "open_ledger"),
    ] {
        let parts = sift.search(query).explain("open_ledger").unwrap().parts;
        let is_named =
            parts.iter().any(|part| (part.how, part.field, &*part.term, &*part.matched) == (how, field, term, matched));
        assert!(is_named, "{query}: {parts:?}");
    }
    assert_eq!(sift.search("delete").explain("open_ledger").unwrap().parts, []);
}

#[test]
fn explain_says_what_became_of_a_tool() {
    let sift = sift(MCP60);
    let eager = r#"[{"name":"clock","deferral":"never","description":"Tells the time."}]"#;
    sift.register(eager, &RegisterOptions::default()).unwrap();
    for query in ["list issues", "message", "zzzz", "send message, tides", "select:mcp__weather__get_tides", "a file"] {
        let all = search(&sift, query).hits;
        let shown = sift.search(query).run().unwrap().hits.len();
        for tool in sift.tools().unwrap() {
            let why = sift.search(query).explain(&tool.name).unwrap();
            let place = all.iter().position(|hit| hit.name == tool.name);
            assert_eq!(why.name, tool.name);
            assert_eq!(why.rank, place.filter(|at| *at < shown).map(|at| at + 1), "{query}: {why:?}");
            assert_eq!(why.found, why.rank.is_some(), "{query}: {why:?}");
            assert_eq!((why.parts.is_empty(), why.score == 0.0), (place.is_none(), place.is_none()), "{why:?}");
            let expected = match place {
                _ if &*tool.name == "clock" => "It is not searched".to_owned(),
                None => "The query does not match it".to_owned(),
                Some(at) if at < shown => format!("It is hit {} of {shown}.", at + 1),
                Some(at) => format!("It matches in place {}, but only {shown} are shown.", at + 1),
            };
            assert!(why.reason.starts_with(&expected), "{query}: {why:?}");
        }
    }
}

/// `get_pull_request` as `getPullRequest`.
fn camel(name: &str) -> String {
    let part = |(at, part): (usize, &str)| match at {
        0 => part.to_owned(),
        _ => part.chars().take(1).flat_map(char::to_uppercase).chain(part.chars().skip(1)).collect(),
    };
    name.split('_').enumerate().map(part).collect()
}

#[test]
fn names_come_first_in_any_spelling() {
    let tools: Vec<Value> = serde_json::from_str(MCP60).unwrap();
    let of = |tool: &Value| {
        let (full, server) = (tool["name"].as_str().unwrap().to_owned(), tool["server"].as_str().unwrap().to_owned());
        let own = full.rsplit("__").next().unwrap().to_owned();
        (full, server, own)
    };
    let long = sift(MCP60);
    // The same tools under the names that they have on their servers.
    let short: Vec<Value> = tools
        .iter()
        .map(|tool| json!({ "name": of(tool).2, "server": of(tool).1, "description": tool["description"] }))
        .collect();
    let short = sift(&json!(short).to_string());
    for tool in tools.iter().step_by(2) {
        let (full, server, own) = of(tool);
        for query in [full.clone(), full.to_uppercase(), full.replace('_', " "), full.replace("__", "."), camel(&full)]
        {
            assert_eq!(first(&long, &query), full, "{query}");
        }
        for query in [
            format!("{server} {own}"),
            format!("{server}:{own}"),
            format!("{server}.{}", camel(&own)),
            format!("{server}/{}", own.replace('_', "-")),
            format!("{server} {}", own.replace('_', " ")),
            format!("`{server}_{own}`"),
            format!("please call {server}:{own} for me"),
        ] {
            assert_eq!(first(&long, &query), full, "{query}");
            let hit = short.search(&query).limit(1).run().unwrap().hits.swap_remove(0);
            assert_eq!((hit.server.as_deref(), hit.score), (Some(&*server), 1.0), "{query}");
            assert!(hit.name.ends_with(&own), "{query}: {}", hit.name);
        }
        for query in [own.clone(), camel(&own), own.replace('_', "-"), own.replace('_', " "), own.to_uppercase()] {
            assert!(first(&short, &query).ends_with(&own), "{query}");
        }
    }
}

#[test]
fn no_intent_starves_another() {
    let intents = [
        ("weather forecast", "mcp__weather__get_forecast"),
        ("cancel an appointment", "mcp__calendar__delete_event"),
        ("run sql", "mcp__postgres__execute"),
        ("capture the page", "mcp__browser__screenshot"),
        ("post a message to a channel", "mcp__slack__send_message"),
        ("merge a pull request", "mcp__github__merge_pull_request"),
        ("create a ticket", "mcp__linear__create_issue"),
        ("share a document", "mcp__gdrive__share_file"),
    ];
    let sift = sift(MCP60);
    for (at, (one, first_tool)) in intents.iter().enumerate() {
        assert_eq!(first(&sift, one), *first_tool, "alone");
        for (other, other_tool) in &intents[..at] {
            let joint = [" or ", " and ", ", ", "; ", "\n", " & ", ". ", " then "][(at + other.len()) % 8];
            let query = format!("{one}{joint}{other}");
            let hits = search(&sift, &query).hits;
            let five: Vec<&str> = hits.iter().take(5).map(|hit| &*hit.name).collect();
            assert!(five.contains(first_tool) && five.contains(other_tool), "{query}: {five:?}");
        }
    }
}
