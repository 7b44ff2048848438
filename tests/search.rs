//! Tests that each part of our own ranker finds the tools that it is meant for.

use crate::common::sift;
use serde_json::{Value, json};
use toolsift::{RegisterOptions, Settings, Sidecar, ToolSift};

/// The names of what is found, best first.
fn found(sift: &ToolSift, query: &str) -> String {
    let hits = sift.search(query).limit(50).run().unwrap().hits;
    hits.iter().map(|hit| &*hit.name).collect::<Vec<_>>().join(" ")
}

/// A tool of a name and a description.
fn tool(name: &str, description: &str) -> Value {
    json!({ "name": name, "description": description })
}

/// The same on a server.
fn on(server: &str, name: &str, description: &str) -> Value {
    json!({ "name": name, "description": description, "server": server })
}

#[test]
fn what_covers_half_of_a_query_loses_by_it() {
    let tools = json!([tool("a", "An invoice."), tool("b", "An invoice and a photo.")]);
    let scores = |without: &[&str]| {
        let hits =
            sift(json!({ "search": { "without": without } }), &tools).search("invoice photo").run().unwrap().hits;
        let score = |name: &str| hits.iter().find(|hit| &*hit.name == name).unwrap().score;
        (score("a"), score("b"))
    };
    let (with, without) = (scores(&[]), scores(&["coverage"]));
    assert!(with.0 < without.0 && with.1 == without.1, "{with:?} {without:?}");
}

#[test]
fn people_words_of_a_tool_stand_for_those_of_a_table() {
    let tools =
        json!([tool("a", "Creates an invoice."), tool("b", "Deletes an invoice. Ledger."), tool("e", "Widgets.")]);
    let table = "rechnung invoice\nledger widget:0.3\nich";
    let (taught, plain) = (sift(json!({ "translations": table }), &tools), sift(json!({}), &tools));
    // A tool for which people's words were written has what they say, but for words that no tool has.
    let worded = ToolSift::new(Settings::from_options(&json!({ "translations": table })).unwrap());
    let words = Sidecar::read(r#"{"name":"e","keywords":["gizmo"]}"#).unwrap();
    worded.register(&tools, &RegisterOptions::default().enrichment(words)).unwrap();
    assert_eq!(found(&worded, "ledger"), "b");
    assert_eq!(found(&worded, "gizmo"), "e");
    let unknown = |sift: &ToolSift, query| sift.search(query).run().unwrap().verdict.unwrap().unknown_words;
    assert_eq!(unknown(&taught, "ich rechnung kaufen"), ["kaufen"], "a word that is said for nothing is passed over");
    assert_eq!(unknown(&plain, "ich rechnung kaufen"), ["ich", "rechnung", "kaufen"]);
    // A translated word that no tool has takes from the confidence, unless most of the request is translated.
    let over_chance = |query| taught.search(query).run().unwrap().verdict.unwrap().over_chance.unwrap();
    assert!(over_chance("delete ledger rechnung") < over_chance("delete ledger invoice"));
    assert!(over_chance("rechnung") > 1.0);
}

#[test]
fn equals_stand_in_catalog_order() {
    let names: Vec<String> = (0..40).map(|at| format!("tool{}", (at * 17) % 40)).collect();
    let of = |text: &str| json!(names.iter().map(|name| tool(name, text)).collect::<Vec<_>>());
    let sift = sift(json!({}), &of("Waters the garden."));
    assert_eq!(found(&sift, "water gardens"), names.join(" "));
    let hits = sift.search("water gardens").run().unwrap().hits;
    assert!(hits.iter().all(|hit| hit.score == hits[0].score));

    sift.unregister(None, Some(&names[..20])).unwrap();
    sift.register(&of("Waters the garden.").to_string(), &RegisterOptions::default()).unwrap();
    let order = [&names[20..], &names[..20]].concat();
    assert_eq!(found(&sift, "water gardens"), order.join(" "), "those that came back stand last");
}

#[test]
fn a_server_means_all_servers_that_fit() {
    let teams = (0..40).map(|at| on(&format!("team-{at}"), "ping", "Pings a host."));
    let tools: Vec<Value> = teams.chain([on("other", "ping_other", "Pings a host.")]).collect();
    let sift = sift(json!({}), &json!(tools));
    for query in ["server:team", "ping server:team"] {
        let found = sift.search(query).limit(100).run().unwrap();
        assert_eq!(found.hits.len(), 40, "{query}");
    }
}
