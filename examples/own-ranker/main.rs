//! A ranker of the host's beside the one for words: `cargo run --example own-ranker`.
//!
//! Words do not say that an umbrella has to do with the weather. A host that has vectors, or counts what people chose,
//! does know. Here a count of topics stands in for an embedding model. The vector of each version of a tool is kept.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde_json::json;
use toolsift::{Error, RegisterOptions, Settings, ToolId, ToolSift};

type Vector = Vec<f64>;

/// Stands in for an embedding model: how often each topic is mentioned.
fn embed(text: &str) -> Vector {
    const TOPICS: [&[&str]; 3] = [&["weather", "umbrella", "rain"], &["mail", "letter", "message"], &["issue", "bug"]];
    let text = text.to_lowercase();
    let counts = TOPICS.iter().map(|words| words.iter().filter(|word| text.contains(**word)).count() as f64);
    let counts: Vector = counts.collect();
    let length = counts.iter().map(|count| count * count).sum::<f64>().sqrt().max(1.0);
    counts.iter().map(|count| count / length).collect()
}

/// The first hit for a query, by words and by vectors.
///
/// # Errors
/// Those of the catalog and of the search.
pub fn first(query: &str) -> Result<Option<String>, Error> {
    let known: Mutex<HashMap<ToolId, Vector>> = Mutex::default();
    let sift = ToolSift::new(Settings::default()).with_ranker(move |query, tools| {
        let wanted = embed(query);
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scores = Vec::new();
        for tool in tools {
            let vector = known
                .entry(tool.id())
                .or_insert_with(|| embed(&format!("{} {}", tool.model_name(), tool.description())));
            let score: f64 = vector.iter().zip(&wanted).map(|(a, b)| a * b).sum();
            if score > 0.5 {
                scores.push((tool.model_name().to_owned(), score.min(1.0)));
            }
        }
        Ok(scores)
    });
    let tools = json!([
        { "name": "get_forecast", "description": "Tomorrow's weather at a place." },
        { "name": "send_mail", "description": "Sends a message to somebody." },
        { "name": "create_issue", "description": "Opens an issue in a repository." },
    ]);
    sift.register(&tools, &RegisterOptions::default())?;
    let found = sift.search(query).limit(1).run()?;
    Ok(found.hits.first().map(|hit| hit.name.to_string()))
}

fn main() -> Result<(), Error> {
    for query in ["do I need an umbrella", "a letter to the landlord", "open an issue"] {
        println!("{query}: {}", first(query)?.unwrap_or_else(|| "nothing".to_owned()));
    }
    Ok(())
}

#[test]
fn vectors_find_what_words_do_not() {
    for (query, tool) in
        [("do I need an umbrella", "get_forecast"), ("a letter to the landlord", "send_mail"), ("bug", "create_issue")]
    {
        assert_eq!(first(query).ok().flatten().as_deref(), Some(tool), "{query}");
    }
}
