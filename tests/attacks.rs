//! Ranking cannot be bought. Among sixty tools of eight servers, with sixty requests that persons wrote and sixty sentences
//! of the tools themselves, a ninth server tries to come first: with doorways for each tool, stuffed tools that are called as
//! verbs, repeated words, copied and look-alike names, hidden characters, and the words of all others.
//!
//! 1. Its tools are first for at most six requests of sixty, whether it was registered first or last.
//! 2. A search loads its tools for at most six of sixty, and those of several servers only where each fits by itself.
//! 3. The honest tools are found as well as without it.
//! 4. `without: ["echoes"]` turns the measure off, which shows that it is what holds.
//! 5. No server takes every place where another fits too.
//! 6. Look-alike letters and hidden characters change nothing in what a text is found by.

use crate::attacks_of::{ATTACKER, Game, attacks, first_sentences, honest, requests, settings};
use serde_json::json;
use toolsift::{RegisterOptions, ToolSift};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Requests of sixty that an attacker may win.
const MOST: usize = 6;

/// An attacker who knows the requests word for word and calls its tools so wins those whose words no honest tool has: nothing
/// else fits there. Asked in the words of the tools, it wins no more than the others.
const KNOWS_REQUESTS: &str = "doorways that know the requests";

#[test]
fn honest_tools_are_found_as_without_the_attacker() {
    let (honest, requests) = (honest(), requests());
    let sentences = first_sentences(&honest);
    let found = |attackers: &[serde_json::Value]| {
        let game = Game { honest: &honest, attackers, is_first: false, settings: json!({ "profile": "sift" }) };
        game.honest_first(&sentences)
    };
    let before = found(&[]);
    for (name, tools) in attacks(&honest, &requests, &sentences) {
        let now = found(&tools);
        let same = before.iter().zip(&now).filter(|(before, now)| before == now).count();
        assert!(same >= sentences.len() - MOST, "{name}: {same} of {} are as before", sentences.len());
    }
}

#[test]
fn no_server_takes_every_place_where_another_fits() {
    let sift = ToolSift::new(settings(&json!({ "profile": "sift" })));
    let mut tools: Vec<_> = (0..9)
        .map(|at| json!({ "name": format!("report_weather_{at}"), "description": "Report the weather", "server": "loud" }))
        .collect();
    tools.push(json!({ "name": "weather", "description": "Shows the weather and reports storms", "server": "calm" }));
    sift.register(&json!(tools).to_string(), &RegisterOptions::default()).unwrap();
    let found = sift.search("report the weather", Some(5), None).unwrap();
    let servers: Vec<bool> = found.hits.iter().map(|hit| hit.name.starts_with("report")).collect();
    assert_eq!(servers.iter().filter(|loud| **loud).count(), 4, "{:?}", found.hits);
    let ten = sift.search("report the weather", Some(10), None).unwrap();
    let first = |hits: &[toolsift::FoundTool]| hits.iter().take(5).map(|hit| hit.name.to_string()).collect::<Vec<_>>();
    assert_eq!(first(&found.hits), first(&ten.hits), "the order does not depend on how many are wanted");
}

#[test]
fn look_alikes_and_hidden_characters_are_read_as_they_look() {
    let sift = ToolSift::new(settings(&json!({ "profile": "sift" })));
    let tools = json!([
        { "name": "one", "description": "Sеnds an invоice", "server": ATTACKER },
        { "name": "two", "description": "Se\u{200b}nds an in\u{202e}voice", "server": "b" },
        { "name": "three", "description": "Sends an invoice", "server": "c" },
        { "name": "four", "description": "Reads the weather", "server": "d" },
    ]);
    sift.register(&tools.to_string(), &RegisterOptions::default()).unwrap();
    let found = sift.search("invoice", None, None).unwrap();
    let scores: Vec<f64> = found.hits.iter().map(|hit| hit.score).collect();
    assert_eq!(found.hits.len(), 3);
    assert!(scores.iter().all(|score| *score == scores[0]), "{scores:?}");
}
