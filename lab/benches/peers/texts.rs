//! What the other libraries index of a tool: the texts that toolsift reads in its definition.

use serde_json::Value;

use crate::catalog::Server;

/// Queries of a kind.
const QUERIES: usize = 60;

/// A text for each tool: name and description, the names, descriptions and values of its parameters, and its server.
pub fn texts(servers: &[Server]) -> Vec<String> {
    servers
        .iter()
        .flat_map(|Server { name, tools }| {
            let tools: Vec<Value> = serde_json::from_str(tools).unwrap();
            tools.into_iter().map(move |tool| {
                let mut words = vec![tool["name"].as_str().unwrap(), tool["description"].as_str().unwrap()];
                read(&tool["inputSchema"], &mut words);
                words.push(name);
                // No library but toolsift takes identifiers apart.
                words.join(" ").replace('_', " ")
            })
        })
        .collect()
}

fn read<'a>(schema: &'a Value, words: &mut Vec<&'a str>) {
    words.extend(schema["description"].as_str());
    words.extend(schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str));
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        words.push(name);
        read(property, words);
    }
    if schema["items"].is_object() {
        read(&schema["items"], words);
    }
}

/// Queries by kind: the first words of some tools, the last kind with two letters of a word in each other's place.
pub fn queries(texts: &[String]) -> [(&'static str, Vec<String>); 4] {
    let first = |count: usize| -> Vec<String> {
        let some = texts.iter().step_by(texts.len() / QUERIES).take(QUERIES);
        some.map(|text| text.split_whitespace().take(count).collect::<Vec<_>>().join(" ")).collect()
    };
    let slipped = first(3).into_iter().map(|query| {
        let mut letters: Vec<char> = query.chars().collect();
        letters.swap(1, 2);
        letters.into_iter().collect()
    });
    [("3 words", first(3)), ("12 words", first(12)), ("60 words", first(60)), ("typo", slipped.collect())]
}
