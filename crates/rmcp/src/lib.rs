//! Adds the tools of MCP servers, which are clients of the `rmcp` crate, to a catalog, and sends calls to the servers.
//!
//! ```no_run
//! # async fn run(peer: rmcp::Peer<rmcp::RoleClient>) -> Result<(), Box<dyn std::error::Error>> {
//! use toolsift_rmcp::Servers;
//! use toolsift::{Format, Settings, ToolSift};
//!
//! let sift = ToolSift::new(Settings::default());
//! let servers = Servers::new(&sift);
//! // `peer` is that of a client: `().serve(transport).await?.peer().clone()`.
//! servers.connect("github", &peer).await?;
//!
//! let session = sift.session("chat-42", None)?;
//! let request = session.assemble(Format::OpenAi)?;
//! // The model calls a tool:
//! let reply = servers.answer(session.call("search_tools", r#"{"query": "open an issue"}"#)?).await;
//! println!("{}", reply.text);
//! # Ok(())
//! # }
//! ```

use std::collections::HashMap;
use std::error::Error as StdError;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult, PaginatedRequestParams, Tool};
use rmcp::{Peer, RoleClient, ServiceError};
use tokio::time::timeout;

use toolsift::{AnswerText, Error, ErrorCode, JsonText, Outcome, RegisterOptions, SyncReport, ToolSift, limits};

/// The maximum characters of an answer: about 25,000 tokens, which fit into every current context window beside a
/// conversation.
const ANSWER_CHARS: usize = 100_000;
/// The time limit for a server to list its tools, and for one call.
const PATIENCE: Duration = Duration::from_secs(60);
/// The maximum number of pages of one list, since a server may send pages without end.
const PAGES: usize = 1_000;

/// MCP servers by name, whose tools are in a catalog. Clones are handles to the same servers.
#[derive(Clone, Debug)]
pub struct Servers {
    sift: ToolSift,
    peers: Arc<RwLock<HashMap<String, Peer<RoleClient>>>>,
    patience: Duration,
}

/// The answer to a call, for the model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reply {
    /// The text for the model: at most 100,000 characters, with notes of type and size instead of images and files.
    pub text: String,
    /// True if the call failed or was refused.
    pub is_error: bool,
    /// The server's answer, if a server was called and answered.
    pub result: Option<CallToolResult>,
}

/// The reason why the tools of a server could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConnectError {
    /// The server failed, or took too long.
    Server(ServiceError),
    /// The catalog refused its list.
    Catalog(Error),
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectError::Server(error) => error.fmt(f),
            ConnectError::Catalog(error) => error.fmt(f),
        }
    }
}

impl StdError for ConnectError {}

impl Servers {
    /// Starts without servers. Tools of later servers are added to this catalog.
    pub fn new(sift: &ToolSift) -> Self {
        Servers { sift: sift.clone(), peers: Arc::default(), patience: PATIENCE }
    }

    /// Sets the time limit for a server to list its tools, and for one call. The default is 60 seconds.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Reads the tools of a server into the catalog, and sends their calls to it. Call it again with the same name
    /// after the server has said that its list has changed, or after a new connection.
    ///
    /// # Errors
    /// The error of the server or of the catalog; then the server's earlier tools stay. A broken tool is not an error:
    /// it is in the report.
    pub async fn connect(&self, server: &str, peer: &Peer<RoleClient>) -> Result<SyncReport, ConnectError> {
        self.connect_with(server, peer, &RegisterOptions::default()).await
    }

    /// Does the same as [`Servers::connect`], with options of the registration, such as an enrichment.
    ///
    /// # Errors
    /// The same as [`Servers::connect`].
    pub async fn connect_with(
        &self,
        server: &str,
        peer: &Peer<RoleClient>,
        options: &RegisterOptions,
    ) -> Result<SyncReport, ConnectError> {
        let late = |_| ConnectError::Server(ServiceError::Timeout { timeout: self.patience });
        let tools = timeout(self.patience, list(peer)).await.map_err(late)??;
        let report = self.sift.sync(server, &tools, options).map_err(ConnectError::Catalog)?;
        self.peers.write().unwrap_or_else(PoisonError::into_inner).insert(server.to_owned(), peer.clone());
        Ok(report)
    }

    /// Removes a server and its tools. Returns true if it was there. The host must close the connection itself.
    pub fn disconnect(&self, server: &str) -> bool {
        let is_known = self.peers.write().unwrap_or_else(PoisonError::into_inner).remove(server).is_some();
        if is_known {
            // A server is given, so that this cannot be refused.
            _ = self.sift.unregister(Some(server), None);
        }
        is_known
    }

    /// Completes a call of the model and returns the text for the model: it runs a tool of a server; every other
    /// outcome has its text. If your program has tools of its own, handle their `Outcome::Dispatch` before this.
    ///
    /// If the future is dropped, the call is cancelled.
    pub async fn answer(&self, outcome: Outcome) -> Reply {
        match outcome {
            Outcome::Result(answer) => Reply { text: answer.content, is_error: answer.is_error, result: None },
            Outcome::Refused { error } => Reply::failed(error.message),
            Outcome::Dispatch { name, server, model_name, arguments, .. } => {
                let server = server.as_deref().unwrap_or_default();
                match self.call(server, &name, &arguments).await {
                    Ok(result) => {
                        let read = serde_json::to_string(&result).ok().and_then(|json| AnswerText::read(&json).ok());
                        let AnswerText { text, is_error, .. } = read.unwrap_or_default();
                        Reply { text: AnswerText::cut(&text, ANSWER_CHARS), is_error, result: Some(result) }
                    }
                    Err(reason) => {
                        Reply::failed(AnswerText::cut(&format!("{model_name} failed: {reason}"), ANSWER_CHARS))
                    }
                }
            }
        }
    }

    async fn call(&self, server: &str, name: &str, arguments: &JsonText) -> Result<CallToolResult, String> {
        let peer = self.peers.read().unwrap_or_else(PoisonError::into_inner).get(server).cloned();
        let peer = peer.ok_or_else(|| format!("no server {server:?} is connected"))?;
        let arguments = arguments.parse().map_err(|error| error.to_string())?;
        let call = peer.call_tool(CallToolRequestParams::new(name.to_owned()).with_arguments(arguments));
        match timeout(self.patience, call).await {
            Ok(answer) => answer.map_err(|error| error.to_string()),
            Err(_) => Err(format!("no answer within {} seconds", self.patience.as_secs_f64())),
        }
    }
}

impl Reply {
    fn failed(text: String) -> Self {
        Reply { text, is_error: true, result: None }
    }
}

/// Reads all pages of a server's list.
async fn list(peer: &Peer<RoleClient>) -> Result<Vec<Tool>, ConnectError> {
    let (mut tools, mut cursor, mut bytes) = (Vec::new(), None, 0);
    for _ in 0..PAGES {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        let page = peer.list_tools(Some(params)).await.map_err(ConnectError::Server)?;
        bytes += serde_json::to_string(&page.tools).map_or(0, |text| text.len());
        tools.extend(page.tools);
        if tools.len() > limits::TOOLS || bytes > limits::REGISTER_BYTES {
            return Err(too_long(&format!("{} tools or {} bytes", limits::TOOLS, limits::REGISTER_BYTES)));
        }
        match page.next_cursor {
            None => return Ok(tools),
            next => cursor = next,
        }
    }
    Err(too_long(&format!("{PAGES} pages")))
}

fn too_long(limit: &str) -> ConnectError {
    ConnectError::Catalog(Error::new(ErrorCode::ListTooLarge, format!("the server's list has more than {limit}")))
}
