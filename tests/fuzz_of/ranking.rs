//! Fuzz target: catalogs that grow, change and shrink, searched with every ranker. The results must equal those of a
//! catalog that was made of the same tools in one step, and of a catalog that was loaded from the index.

use serde_json::{Value, json};
use toolsift::{RegisterOptions, SearchResult, Settings, ToolSift};

use super::input::Input;
use super::sound;
use crate::common::settings;

const SERVERS: [Option<&str>; 3] = [None, Some("github"), Some("slack")];
/// Most do without stems, which take the longest to prepare.
const SETTINGS: [&str; 6] = [
    r#"{"search":{"universe":"all"}}"#,
    r#"{"search":{"universe":"all","without":["effects","stems"]}}"#,
    r#"{"profile":"search-add","search":{"universe":"all","without":["stems"]}}"#,
    r#"{"profile":"select","search":{"universe":"all","without":["stems"]}}"#,
    r#"{"profile":"stub","search":{"universe":"all","without":["stems"]}}"#,
    r#"{"profile":"bridge","search":{"universe":"all","without":["stems"]}}"#,
];

fn from(server: Option<&str>) -> RegisterOptions {
    server.map_or(RegisterOptions::default(), |server| RegisterOptions::default().server(server))
}

/// A tool with a name that vendors accept. Names meet now and then.
fn tool(input: &mut Input<'_>) -> Value {
    let words = ["create", "get", "issue", "file", "send", "mail", "list", "a"];
    let name = format!("{}_{}{}", input.pick(&words), input.pick(&words), input.below(3));
    let mut tool = json!({ "name": name, "description": input.text() });
    match input.below(5) {
        1 => tool["inputSchema"] = input.schema(2),
        2 => tool["searchHint"] = json!(input.text()),
        3 => tool["tags"] = json!([input.text(), input.text()]),
        4 => tool["title"] = json!(input.text()),
        _ => {}
    }
    tool
}

fn hits(found: Option<SearchResult>) -> Option<Vec<(String, f64, Option<f64>)>> {
    let hits = found?.hits.into_iter().map(|hit| (hit.name.to_string(), hit.score, hit.likelihood));
    Some(hits.collect())
}

pub fn ranking(data: &[u8]) {
    let mut input = Input::new(data);
    let settings = settings(serde_json::from_str(SETTINGS[input.below(SETTINGS.len())]).unwrap());
    let sift = ToolSift::new(settings.clone());
    // Definitions as they came last, by server and name.
    let mut last: Vec<((Option<&str>, String), Value)> = Vec::new();
    let mut queries = Vec::new();
    for _ in 0..12 {
        if input.is_empty() {
            break;
        }
        let server = *input.pick(&SERVERS);
        match (input.below(5), server) {
            (0 | 1, _) => {
                let tools: Vec<Value> = (0..input.below(6)).map(|_| tool(&mut input)).collect();
                sift.register(&json!(tools).to_string(), &from(server)).unwrap();
                for tool in tools {
                    let key = (server, tool["name"].as_str().unwrap().to_owned());
                    // A tool that is there already is refused.
                    if !last.iter().any(|(known, _)| *known == key) {
                        last.push((key, tool));
                    }
                }
            }
            (2, Some(server)) => {
                let tools: Vec<Value> = (0..input.below(6)).map(|_| tool(&mut input)).collect();
                sift.sync(server, &json!(tools).to_string(), &from(Some(server))).unwrap();
                last.retain(|((of, _), _)| *of != Some(server));
                for tool in tools {
                    let key = (Some(server), tool["name"].as_str().unwrap().to_owned());
                    if !last.iter().any(|(known, _)| *known == key) {
                        last.push((key, tool));
                    }
                }
            }
            (3, _) => {
                let names: Vec<String> = sift.registered().iter().map(|tool| tool.model_name().to_owned()).collect();
                if !names.is_empty() {
                    sift.unregister(None, Some(&[input.pick(&names).clone()])).unwrap();
                    let is_there = |(of, name): &(Option<&str>, String)| {
                        sift.registered().iter().any(|tool| tool.server() == *of && *tool.key().name == *name)
                    };
                    last.retain(|(key, _)| is_there(key));
                }
            }
            _ => {
                let query = input.text();
                sound::search(&sift, &query, None);
                queries.push(query);
            }
        }
    }
    queries.push(input.text());
    if let Some(tool) = sift.registered().first() {
        queries.push(tool.description().to_owned());
    }
    let loaded = ToolSift::from_index(&sift.export_index(), settings.clone()).unwrap();
    let rebuilt = rebuilt(&sift, &last, settings);
    for query in &queries {
        let found = hits(sound::search(&sift, query, Some(100)));
        assert_eq!(hits(sound::search(&loaded, query, Some(100))), found, "{query:?}, from the index");
    }
    let Some(rebuilt) = rebuilt else { return };
    assert_eq!(rebuilt.content_hash(), sift.content_hash());
    for query in &queries {
        let found = hits(sound::search(&sift, query, Some(100)));
        assert_eq!(hits(sound::search(&rebuilt, query, Some(100))), found, "{query:?}, all at once");
    }
}

/// The same tools in the same order, registered at once; none where a name was given that depends on the order.
fn rebuilt(sift: &ToolSift, last: &[((Option<&str>, String), Value)], settings: Settings) -> Option<ToolSift> {
    let rebuilt = ToolSift::new(settings);
    for tool in sift.registered() {
        let is_it = |key: &(Option<&str>, String)| key.0 == tool.server() && *key.1 == *tool.key().name;
        let (key, definition) = last.iter().find(|(key, _)| is_it(key))?;
        rebuilt.register_one(&definition.to_string(), &from(key.0)).ok()?;
    }
    let names = |sift: &ToolSift| -> Vec<_> { sift.registered().iter().map(|t| t.model_name().to_owned()).collect() };
    (names(&rebuilt) == names(sift)).then_some(rebuilt)
}
