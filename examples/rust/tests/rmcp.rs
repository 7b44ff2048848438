//! `toolsift_rmcp`, with clients of rmcp and servers that follow a script.
//!
//! 1. A server's tools are found, loaded and called; its answers and its errors reach the model. 2. A list that changed takes the
//!    place of the earlier one, and a server that goes takes its tools with it. 3. A list without an end is refused, and what was
//!    known stays. 4. A server that does not answer costs its own call. 5. Answers are bounded; what is no text is named.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::sync::{Arc, Mutex};

use rmcp::ServiceExt;
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex, split};
use toolsift::{Activation, ErrorCode, SessionHandle, Settings, ToolSift};
use toolsift_rmcp::{ConnectError, Servers};

/// What a server answers to a method and its parameters; None for never.
type Script = Arc<Mutex<Box<dyn FnMut(&str, &Value) -> Option<Value> + Send>>>;

/// A client that is connected to a server with a script.
async fn client(script: impl FnMut(&str, &Value) -> Option<Value> + Send + 'static) -> RunningService<RoleClient, ()> {
    let (here, there) = duplex(1 << 16);
    let script: Script = Arc::new(Mutex::new(Box::new(script)));
    tokio::spawn(async move {
        let (read, mut write) = split(there);
        let mut lines = BufReader::new(read).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let message: Value = serde_json::from_str(&line).unwrap();
            let (method, id) = (message["method"].as_str().unwrap_or_default(), &message["id"]);
            let answer = match method {
                "initialize" => Some(json!({
                    "protocolVersion": message["params"]["protocolVersion"],
                    "capabilities": { "tools": { "listChanged": true } },
                    "serverInfo": { "name": "script", "version": "1" },
                })),
                _ if id.is_null() => None,
                _ => script.lock().unwrap()(method, &message["params"]),
            };
            if let Some(result) = answer {
                let line = format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "result": result }));
                if write.write_all(line.as_bytes()).await.is_err() {
                    return;
                }
            }
        }
    });
    ().serve(split(here)).await.unwrap()
}

fn tool(name: &str, description: &str) -> Value {
    json!({ "name": name, "description": description, "inputSchema": { "type": "object" } })
}

fn forecast(method: &str, params: &Value) -> Option<Value> {
    Some(match method {
        "tools/list" => json!({ "tools": [tool("get_forecast", "Tomorrow's weather at a place.")] }),
        _ if params["arguments"]["place"] == "Oslo" => {
            json!({ "content": [{ "type": "text", "text": "Rain." }, { "type": "image", "data": "AAAA", "mimeType": "image/png" }] })
        }
        _ => json!({ "content": [{ "type": "text", "text": "No such place." }], "isError": true }),
    })
}

fn catalog() -> (ToolSift, Servers, SessionHandle) {
    let sift = ToolSift::new(Settings::default().activation(Activation::On));
    let session = sift.session("chat", None).unwrap();
    (sift.clone(), Servers::new(&sift), session)
}

#[tokio::test]
async fn tools_are_found_loaded_and_called() {
    let (_, servers, session) = catalog();
    let client = client(forecast).await;
    let report = servers.connect("weather", client.peer()).await.unwrap();
    assert_eq!(report.added.len(), 1, "{report:?}");

    let call = async |name: &str, arguments: &str| servers.answer(session.call(name, arguments).unwrap()).await;
    let early = call("get_forecast", r#"{"place":"Oslo"}"#).await;
    assert!(early.is_error && early.result.is_none() && early.text.contains("was not loaded"), "{early:?}");
    let found = call("search_tools", r#"{"query":"weather tomorrow"}"#).await;
    assert!(!found.is_error && found.text.contains("get_forecast"), "{found:?}");
    let answer = call("get_forecast", r#"{"place":"Oslo"}"#).await;
    assert!(!answer.is_error && answer.result.is_some());
    assert_eq!(answer.text, "Rain.\n(image/png, 3 bytes, not shown)");
    let failed = call("get_forecast", r#"{"place":"?"}"#).await;
    assert!(failed.is_error);
    assert_eq!(failed.text, "No such place.");
}

#[tokio::test]
async fn the_catalog_follows_the_list() {
    let (sift, servers, session) = catalog();
    let mut lists = vec![vec![tool("b", "Second.")], vec![tool("a", "First."), tool("b", "Second.")]];
    let client = client(move |_, _| lists.pop().map(|tools| json!({ "tools": tools }))).await;
    servers.connect("one", client.peer()).await.unwrap();
    assert_eq!(sift.registered().len(), 2);
    let report = servers.connect("one", client.peer()).await.unwrap();
    assert_eq!((report.removed.len(), sift.registered().len()), (1, 1));
    session.reveal(&["b".to_owned()]).unwrap();
    let outcome = session.call("b", "{}").unwrap();
    assert!(servers.disconnect("one") && !servers.disconnect("one"));
    assert_eq!(sift.registered().len(), 0);
    let late = servers.answer(outcome).await;
    assert!(late.is_error && late.text == r#"b failed: no server "one" is connected"#, "{late:?}");
}

#[tokio::test]
async fn a_list_without_an_end_is_refused() {
    let (sift, servers, _) = catalog();
    let mut pages = 0;
    let client = client(move |_, _| {
        pages += 1;
        Some(match pages {
            1 => json!({ "tools": [tool("a", "First.")] }),
            _ => json!({ "tools": [tool(&format!("t{pages}"), "One more.")], "nextCursor": pages.to_string() }),
        })
    })
    .await;
    servers.connect("one", client.peer()).await.unwrap();
    let error = servers.connect("one", client.peer()).await.unwrap_err();
    let ConnectError::Catalog(error) = error else { panic!("{error}") };
    assert_eq!(
        (error.code(), error.message()),
        (ErrorCode::ListTooLarge, "the server's list has more than 1000 pages")
    );
    assert_eq!(sift.registered().len(), 1, "the first list stays");
}

/// Time stands still until everything waits.
#[tokio::test(start_paused = true)]
async fn a_silent_server_costs_its_own_call() {
    let (_, servers, session) = catalog();
    let silent = client(|method, _| (method == "tools/list").then(|| json!({ "tools": [tool("a", "First.")] }))).await;
    let mute = client(|_, _| None).await;
    servers.connect("silent", silent.peer()).await.unwrap();
    assert!(matches!(servers.connect("mute", mute.peer()).await, Err(ConnectError::Server(_))));
    session.reveal(&["a".to_owned()]).unwrap();
    let reply = servers.answer(session.call("a", "{}").unwrap()).await;
    assert_eq!((reply.is_error, &*reply.text), (true, "a failed: no answer within 60 seconds"));
}

#[tokio::test]
async fn answers_are_bounded() {
    let (_, servers, session) = catalog();
    let client = client(|method, params| {
        Some(match method {
            "tools/list" => json!({ "tools": [tool("long", "Much."), tool("data", "Structured.")] }),
            _ if params["name"] == "long" => json!({ "content": [{ "type": "text", "text": "ä".repeat(200_000) }] }),
            _ => json!({ "content": [], "structuredContent": { "b": 1, "a": 2 } }),
        })
    })
    .await;
    servers.connect("one", client.peer()).await.unwrap();
    session.reveal(&["long".to_owned(), "data".to_owned()]).unwrap();
    let long = servers.answer(session.call("long", "{}").unwrap()).await.text;
    assert!(long.chars().count() <= 100_000 && long.starts_with("ää"));
    assert!(long.contains("of 200000 characters. To read the rest, call the tool again for less at once"));
    assert_eq!(servers.answer(session.call("data", "{}").unwrap()).await.text, r#"{"b":1,"a":2}"#);
}
