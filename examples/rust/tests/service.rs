//! 1. A thousand conversations at once, of two teams on many threads, each find and call their own team's tools and the shared
//!    ones, and nothing of the other team. 2. What is wrong with a request is answered with 400, and the service goes on.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use serde_json::{Value, json};
use toolsift::{Activation, RegisterOptions, Settings, ToolSift};
use toolsift_examples::service::service;
use tower::ServiceExt;

const CHATS: usize = 1_000;

fn app() -> Router {
    let sift = ToolSift::new(Settings::default().activation(Activation::On));
    for (server, tool, description) in [
        ("red-tools", "create_issue", "Opens an issue in the tracker."),
        ("blue-tools", "create_ticket", "Opens an issue at the help desk."),
        ("shared", "get_forecast", "Tomorrow's weather at a place."),
    ] {
        let tools = json!([{ "name": tool, "description": description }]);
        sift.register(&tools, &RegisterOptions::default().server(server)).unwrap();
    }
    service(sift)
}

async fn post(app: &Router, path: String, body: Value) -> (StatusCode, String) {
    let request = Request::post(path).header("content-type", "application/json").body(Body::from(body.to_string()));
    let response = app.clone().oneshot(request.unwrap()).await.unwrap();
    let status = response.status();
    (status, String::from_utf8(to_bytes(response.into_body(), 1_000_000).await.unwrap().into()).unwrap())
}

async fn read(app: &Router, path: String, body: Value) -> Value {
    let (status, text) = post(app, path, body).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_conversations_see_their_own_team_only() {
    let app = app();
    let chats = (0..CHATS).map(|number| {
        let app = app.clone();
        tokio::spawn(async move {
            let (team, own, other) = if number % 2 == 0 {
                ("red", "create_issue", "create_ticket")
            } else {
                ("blue", "create_ticket", "create_issue")
            };
            let path = |action: &str| format!("/{team}/{number}/{action}");
            let search = json!({ "name": "search_tools", "arguments": { "query": "open an issue" } });
            let found = read(&app, path("call"), search).await;
            assert_eq!(found["revealed"], json!([own]), "{found}");
            assert!(!found.to_string().contains(other), "{found}");
            let request = read(&app, path("request"), json!({})).await;
            assert!(request["tools"].to_string().contains(own) && !request.to_string().contains(other), "{request}");
            let run = read(&app, path("call"), json!({ "name": own, "arguments": { "title": "Hello" } })).await;
            assert_eq!((&run["kind"], &run["arguments"]["title"]), (&json!("dispatch"), &json!("Hello")));
            let refused = read(&app, path("call"), json!({ "name": other, "arguments": {} })).await;
            assert_eq!(refused["kind"], "refused", "{refused}");
        })
    });
    for chat in chats.collect::<Vec<_>>() {
        chat.await.unwrap();
    }
}

#[tokio::test]
async fn a_bad_request_is_refused() {
    let app = app();
    let (status, text) = post(&app, format!("/red/{}/request", "x".repeat(10_000)), json!({})).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{text}");
    let (status, _) = post(&app, "/red/1/call".to_owned(), json!({ "name": 1 })).await;
    assert!(status.is_client_error());
    read(&app, "/red/1/request".to_owned(), json!({})).await;
}
