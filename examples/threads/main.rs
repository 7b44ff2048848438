//! One catalog for the conversations of many threads: `cargo run --example threads`.
//!
//! A clone of a `ToolSift` is another handle to the same catalog. Each conversation has a session of its own, and searches of
//! different threads run beside each other.

use std::thread;

use serde_json::json;
use toolsift::{Activation, Error, Outcome, RegisterOptions, Settings, ToolSift};

const REQUESTS: [(&str, &str); 4] =
    [("ana", "weather tomorrow"), ("ben", "send a message"), ("cyn", "open an issue"), ("dee", "translate a sentence")];

/// What each user's session loaded for their request, in the order of the users.
///
/// # Errors
/// Those of the catalog and of the sessions.
pub fn loaded() -> Result<Vec<(String, Vec<String>)>, Error> {
    let sift = ToolSift::new(Settings::default().activation(Activation::On));
    let tools = json!([
        { "name": "get_forecast", "description": "Tomorrow's weather at a place." },
        { "name": "send_mail", "description": "Sends a message to somebody." },
        { "name": "create_issue", "description": "Opens an issue in a repository." },
        { "name": "translate_text", "description": "Translates a sentence into another language." },
    ]);
    sift.register(&tools, &RegisterOptions::default())?;
    let threads: Vec<_> = REQUESTS
        .iter()
        .map(|(user, request)| {
            let sift = sift.clone();
            thread::spawn(move || {
                let outcome = sift.session(user, None)?.call("search_tools", &json!({ "query": request }))?;
                let Outcome::Result(answer) = outcome else { return Ok(Vec::new()) };
                Ok(answer.revealed.iter().map(|name| name.to_string()).collect())
            })
        })
        .collect();
    let users = REQUESTS.iter().map(|(user, _)| (*user).to_owned());
    users.zip(threads).map(|(user, thread)| Ok((user, thread.join().unwrap_or_else(|_| Ok(Vec::new()))?))).collect()
}

fn main() -> Result<(), Error> {
    for (user, tools) in loaded()? {
        println!("{user}: {}", tools.join(", "));
    }
    Ok(())
}

#[test]
fn each_session_loads_what_its_user_needs() {
    let all = loaded().unwrap_or_default();
    let first: Vec<&str> = all.iter().filter_map(|(_, tools)| tools.first()).map(String::as_str).collect();
    assert_eq!(first, ["get_forecast", "send_mail", "create_issue", "translate_text"], "{all:?}");
}
