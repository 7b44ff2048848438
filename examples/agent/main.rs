//! An agent's loop with tool search: `cargo run --example agent`.
//!
//! The model is a script here, so that the example runs without a key. A real one gets `request.tools` and
//! `request.system_prompt`, and its calls take the place of the script's.

use serde_json::{Value, json};
use toolsift::{Activation, Error, Format, Outcome, RegisterOptions, Settings, ToolDefinition, ToolSift};

/// What the model does, turn by turn: it searches, calls what it found, and answers.
fn model(turn: usize, tools: &Value) -> Option<(&'static str, Value)> {
    let sees = |name: &str| tools.as_array().is_some_and(|all| all.iter().any(|tool| tool["name"] == name));
    match turn {
        0 => Some(("search_tools", json!({ "query": "weather tomorrow" }))),
        1 if sees("get_forecast") => Some(("get_forecast", json!({ "place": "Oslo" }))),
        _ => None,
    }
}

/// The host's own tools.
fn run(name: &str, arguments: &Value) -> String {
    match name {
        "get_forecast" => format!("Rain in {}.", arguments["place"].as_str().unwrap_or("?")),
        other => format!("{other} is not implemented"),
    }
}

/// Talks until the model calls nothing more, and returns what was said to it.
///
/// # Errors
/// Those of the catalog and of the session.
pub fn talk() -> Result<Vec<String>, Error> {
    let place = json!({ "type": "object", "properties": { "place": { "type": "string" } }, "required": ["place"] });
    let tools = [
        ToolDefinition::new("get_forecast").description("Tomorrow's weather at a place.").parameters(place),
        ToolDefinition::new("send_mail").description("Sends a message to somebody."),
        ToolDefinition::new("create_issue").description("Opens an issue in a repository."),
    ];
    let sift = ToolSift::new(Settings::default().activation(Activation::On));
    sift.register(&tools, &RegisterOptions::default())?;

    let session = sift.session("chat-42", None)?;
    let mut said = Vec::new();
    for turn in 0.. {
        let request = session.assemble(Format::Anthropic)?;
        let Some((name, arguments)) = model(turn, &request.tools.value()?) else { break };
        said.push(match session.call(name, &arguments)? {
            Outcome::Result(answer) => answer.content,
            Outcome::Dispatch { name, arguments, .. } => run(&name, &arguments.value()?),
            Outcome::Refused { error, .. } => error.message,
        });
    }
    Ok(said)
}

fn main() -> Result<(), Error> {
    for answer in talk()? {
        println!("{answer}\n");
    }
    Ok(())
}

#[test]
fn the_model_finds_the_tool_and_calls_it() {
    let said = talk().unwrap_or_default();
    assert!(said[0].contains("get_forecast") && !said[0].contains("send_mail"), "{said:?}");
    assert_eq!(said[1..], ["Rain in Oslo."]);
}
