//! Tests searches with hostile queries and hostile catalogs. Limits are tested by results and counts, not by time:
//! parts beyond a limit are not found.

use crate::common;
use serde_json::{Map, Value, json};
use toolsift::{SearchResult, ToolSift, limits};

fn sift(tools: &Value) -> ToolSift {
    common::sift(json!({}), tools)
}

fn search(sift: &ToolSift, query: &str) -> SearchResult {
    sift.search(query).run().unwrap()
}

fn first(sift: &ToolSift, query: &str) -> Option<String> {
    search(sift, query).hits.first().map(|hit| hit.name.to_string())
}

fn small() -> ToolSift {
    sift(&json!([
        { "name": "send_mail", "server": "mail", "description": "Sends a message to somebody." },
        { "name": "read_file", "server": "disk", "description": "Reads a text from the disk." },
        { "name": "translate", "description": "文を翻訳する" },
    ]))
}

/// What is repeated, and whether tools are found by it.
const PIECES: [(&str, bool); 26] = [
    ("mail ", true),
    ("mail", false),
    ("mail,", true),
    ("mail\n", true),
    ("mail and ", true),
    ("sendMail ", true),
    ("send_mail ", true),
    ("mial ", true),
    ("maill ", true),
    ("+mail ", true),
    ("-mail ", false),
    ("server:mail mail ", true),
    ("server:", false),
    ("select:", false),
    (",", false),
    ("and ", false),
    ("aA", false),
    ("A", false),
    ("翻訳", true),
    ("é", false),
    ("\u{301}", false),
    ("İ", false),
    ("😀 ", false),
    ("\u{0}", false),
    ("(((", false),
    ("1 ", false),
];

#[test]
fn text_without_end_is_answered() {
    let sift = small();
    for (at, (piece, finds)) in PIECES.into_iter().enumerate() {
        let sizes: &[usize] = if at % 6 == 0 { &[10 * 1024, 4 * 1024 * 1024] } else { &[10 * 1024] };
        for bytes in sizes {
            let query = piece.repeat(bytes / piece.len());
            let result = search(&sift, &query);
            assert_eq!(!result.hits.is_empty(), finds, "{piece:?}, {bytes} bytes");
            assert!(result.hits.iter().all(|hit| (0.0..=1.0).contains(&hit.score)), "{piece:?}, {bytes} bytes");
            assert!(result.verdict.unwrap().unknown_words.len() <= 20, "{piece:?}");
            let why = sift.search(&query).explain("send_mail").unwrap();
            assert!(why.parts.len() < 50 && why.reason.len() < 200, "{piece:?}: {why:?}");
        }
    }
}

#[test]
fn what_stands_behind_the_bounds_is_not_looked_at() {
    let sift = small();
    let words = |count: usize| (0..count).map(|at| format!("w{at}q ")).collect::<String>();
    assert_eq!(first(&sift, &(words(limits::QUERY_WORDS - 1) + "mail")).as_deref(), Some("send_mail"));
    assert_eq!(first(&sift, &(words(limits::QUERY_WORDS) + "mail")), None);
    let blanks = |count: usize| " ".repeat(count);
    assert_eq!(first(&sift, &(blanks(limits::QUERY_BYTES - 4) + "mail")).as_deref(), Some("send_mail"));
    assert_eq!(first(&sift, &(blanks(limits::QUERY_BYTES - 3) + "mail")), None);
    // Cut inside a character.
    assert_eq!(first(&sift, &("é".repeat(limits::QUERY_BYTES) + "mail")), None);
    assert_eq!(first(&sift, &format!("x{}", "翻訳".repeat(limits::QUERY_BYTES))).as_deref(), Some("translate"));
}

/// A tool with a schema that says `needle` behind so many references, one leading to the next.
fn chain(references: usize) -> Value {
    let mut defs: Map<String, Value> =
        (0..references).map(|at| (format!("d{at}"), json!({ "$ref": format!("#/$defs/d{}", at + 1) }))).collect();
    defs.insert(format!("d{references}"), json!({ "description": "needle" }));
    json!([{ "name": "a", "inputSchema": { "properties": { "x": { "$ref": "#/$defs/d0" } }, "$defs": defs } }])
}

#[test]
fn schemas_are_read_as_deep_as_tools_may_nest() {
    assert_eq!(first(&sift(&chain(50)), "needle").as_deref(), Some("a"));
    for references in [100, 1_000, 7_000] {
        let sift = sift(&chain(references));
        assert_eq!(first(&sift, "needle"), None, "{references} references");
        assert_eq!(first(&sift, "x").as_deref(), Some("a"), "what comes before is found");
    }
    let nested = |levels: usize| {
        let inner = (0..levels).fold(json!({ "title": "needle" }), |inner, _| json!({ "items": inner }));
        sift(&json!([{ "name": "a", "inputSchema": inner }]))
    };
    assert_eq!(first(&nested(limits::SCHEMA_DEPTH - 1), "needle").as_deref(), Some("a"));
}

#[test]
fn references_that_lead_back_are_followed_once() {
    // Every schema refers to every other: as many paths as there are orders of them.
    let all: Vec<Value> = (0..60).map(|at| json!({ "$ref": format!("#/$defs/d{at}") })).collect();
    let defs: Map<String, Value> =
        (0..60).map(|at| (format!("d{at}"), json!({ "title": format!("needle{at}q"), "anyOf": all }))).collect();
    let sift = sift(&json!([{ "name": "a", "inputSchema": { "$ref": "#/$defs/d0", "$defs": defs } }]));
    for at in [0, 31, 59] {
        assert_eq!(first(&sift, &format!("needle{at}q")).as_deref(), Some("a"), "{at}");
    }
}

#[test]
fn as_many_schemas_as_one_tool_may_have_are_read() {
    let properties: Map<String, Value> = (0..20_000).map(|at| (format!("p{at}"), json!({}))).collect();
    let sift = sift(&json!([{ "name": "a", "inputSchema": { "properties": properties } }]));
    assert_eq!(first(&sift, &format!("p{}", limits::SCHEMA_NODES - 2)).as_deref(), Some("a"));
}
