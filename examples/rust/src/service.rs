//! A service that assembles requests and answers calls for many conversations: one catalog, a session for each, and a scope for
//! each team.
//!
//! A `ToolSift` is `Send` and `Sync`, and its clones share one catalog: it needs no lock of the service's own.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use toolsift::{Error, Format, Scope, SessionHandle, ToolSift};

/// What the model called.
#[derive(Deserialize)]
pub struct Call {
    name: String,
    arguments: Value,
}

type Answer = Result<Json<Value>, (StatusCode, String)>;

/// The routes: `POST /TEAM/CHAT/request` returns what to send to the model, `POST /TEAM/CHAT/call` what a call of it comes to.
///
/// The team comes from the path here. A real service takes it from the user who is signed in.
pub fn service(sift: ToolSift) -> Router {
    Router::new()
        .route("/{team}/{chat}/request", post(request))
        .route("/{team}/{chat}/call", post(call))
        .with_state(sift)
}

/// The session of a conversation, which sees the servers of its team only. An id belongs to a team, so that nobody opens another's.
fn session(sift: &ToolSift, team: &str, chat: &str) -> Result<SessionHandle, Error> {
    let servers = [format!("{team}-tools"), "shared".to_owned()];
    sift.session(&format!("{team}/{chat}"), Some(&Scope::new(&servers, &[])))
}

async fn request(State(sift): State<ToolSift>, Path((team, chat)): Path<(String, String)>) -> Answer {
    let request = session(&sift, &team, &chat).and_then(|session| session.assemble(Format::OpenAi)).map_err(refused)?;
    Ok(Json(json!({ "tools": request.tools, "system_prompt": request.system_prompt })))
}

async fn call(
    State(sift): State<ToolSift>,
    Path((team, chat)): Path<(String, String)>,
    Json(Call { name, arguments }): Json<Call>,
) -> Answer {
    let outcome = session(&sift, &team, &chat).and_then(|session| session.call(&name, &arguments)).map_err(refused)?;
    Ok(Json(json!(outcome)))
}

fn refused(error: Error) -> (StatusCode, String) {
    (StatusCode::BAD_REQUEST, error.to_string())
}
