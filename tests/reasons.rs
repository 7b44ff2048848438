//! Tests that the reasons of a search for found tools, and for tools that were not found, are true.

use std::fmt::Display;

use crate::common::{self, MCP60};
use serde_json::json;
use toolsift::{How, RegisterOptions, SearchResult, SearchedField, Settings, ToolSift};

fn sift(tools: &(impl Display + ?Sized)) -> ToolSift {
    common::sift(json!({}), tools)
}

fn search(sift: &ToolSift, query: &str) -> SearchResult {
    sift.search(query).limit(100).reasons(true).run().unwrap()
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
