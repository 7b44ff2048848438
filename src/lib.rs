//! `toolsift` lets a language-model agent carry thousands of tools and pay for the few that it uses.
//!
//! An agent that sends every tool's JSON Schema with every request pays for all of them in every turn. Tool search
//! *defers* most tools: it does not send them at first, gives the model a small tool to search with, and *reveals*
//! (loads) the tools that it finds. This crate is the Rust core: it does no I/O, reads no clock, and no answer depends
//! on randomness. The npm package `toolsift` is the same core compiled to WebAssembly.
//!
//! # The cycle of a request
//!
//! The *host*, which is the program that uses this crate, makes one [`ToolSift`], and one [`SessionHandle`] per
//! conversation. For every request to the model it asks the session for the tools and the prompt text
//! ([`SessionHandle::assemble`]). It gives every call of the model to the session ([`SessionHandle::call`]):
//! [`Outcome::Result`] goes back to the model, [`Outcome::Dispatch`] is a real tool to run, and [`Outcome::Refused`]
//! goes back to the model as an error.
//!
//! # A tour in five stages
//!
//! 1. **Catalog.** [`ToolSift::register`] takes definitions in the shapes of MCP, OpenAI, Anthropic and Google, as
//!    text, values or structs ([`ToolSource`]). Each [`Tool`] gets a name that every vendor accepts and that maps back
//!    to its server. [`ToolSift::sync`] applies the changes of a server's tool list.
//! 2. **Search.** [`ToolSift::search`] finds the tools that fit a query, as the model's search does. A hit lists the
//!    reasons for its score ([`HitPart`]); [`SearchRequest::explain`] says why one tool is or is not a hit. The host's
//!    own ranker can take part ([`ToolSift::with_ranker`]).
//! 3. **Session.** A [`SessionHandle`] keeps the tools that one conversation has loaded, in order, and a [`Scope`]
//!    limits what it may see. A [`Snapshot`] carries the session to another machine.
//! 4. **Assembly.** [`SessionHandle::assemble`] puts one request together: tools and prompt text in a vendor's
//!    [`Format`], with the bytes and tokens of every part ([`Size`]).
//! 5. **Discovery.** [`SessionHandle::call`] answers the calls of the model: it runs the discovery tools, and it hands
//!    real tools to the host or refuses them.
//!
//! [`Settings`] begin as the row of a [`Profile`] (ours, or one of five that follow published systems). They can be
//! changed by setters or read from options ([`Settings::from_options`]).
//!
//! ```
//! use serde_json::json;
//! use toolsift::{Activation, Format, Outcome, RegisterOptions, Settings, ToolDefinition, ToolSift};
//!
//! // Without this, a small catalog is sent whole.
//! let sift = ToolSift::new(Settings::default().activation(Activation::On));
//!
//! // 1. Catalog: a broken tool costs nothing but itself.
//! let github = RegisterOptions::default().server("github");
//! let report = sift.register(&json!([
//!     { "name": "create_issue", "description": "Open an issue.", "inputSchema": { "type": "object" } },
//!     { "name": "list_issues", "description": "List issues.", "inputSchema": { "type": "object" } },
//!     { "name": 42 },
//! ]), &github)?;
//! assert_eq!(report.registered.len(), 2);
//! assert_eq!(report.rejected[0].index, 2);
//! let own = ToolDefinition::new("get_time").description("What time it is.");
//! sift.register_one(&own, &RegisterOptions::default())?;
//!
//! // 2. Search, as the host.
//! let found = sift.search("open an issue").limit(3).run()?;
//! assert_eq!(&*found.hits[0].name, "create_issue");
//!
//! // 3. and 4. A conversation, and its first request: search_tools, add_tool, show_all_tools.
//! let chat = sift.session("chat-42", None)?;
//! let request = chat.assemble(Format::OpenAi)?;
//! assert_eq!(request.tools.value()?.as_array().map(Vec::len), Some(3));
//! assert_eq!((request.size.parts.discovery.tools, request.size.parts.revealed.tools), (3, 0));
//!
//! // 5. The model searches, and the next request has the tools that clearly fit.
//! let Outcome::Result(answer) = chat.call("search_tools", &json!({ "query": "open an issue" }))? else {
//!     panic!("a discovery tool has a result");
//! };
//! assert!(answer.content.contains("create_issue"));
//! assert_eq!(&*answer.revealed[0], "create_issue");
//! assert_eq!(chat.assemble(Format::OpenAi)?.size.parts.revealed.tools, 1);
//!
//! // The model calls the tool. Most vendors give the arguments as text.
//! let outcome = chat.call("create_issue", r#"{"title": "Hello"}"#)?;
//! let Outcome::Dispatch { name, server, arguments, .. } = outcome else { panic!("a revealed tool is to be run") };
//! assert_eq!((&*name, server.as_deref()), ("create_issue", Some("github")));
//! assert_eq!(arguments.value()?["title"], "Hello");
//! # Ok::<(), toolsift::Error>(())
//! ```
//!
//! # Threads
//!
//! A [`ToolSift`] is `Send` and `Sync`, its clones share one catalog, and all methods take `&self`. Each search and
//! each call reads the catalog as it was when it began; a change that comes meanwhile is seen by later ones. Operations
//! of one session run one after the other, and no session waits for another. A [`SessionHandle`] owns its data and can
//! be kept anywhere.
//!
//! # JSON text and values
//!
//! Functions that take JSON accept text or a value ([`ToolSource`]). JSON that the core passes on unchanged is
//! [`JsonText`]: it holds the text, and parses it on demand. As text, a schema keeps the order of its keys; as a
//! `serde_json::Value`, only with serde_json's feature `preserve_order`.
//!
//! # Errors
//!
//! Everything that can fail returns an [`Error`] with a stable [`ErrorCode`] and a message that names the offending
//! value and the limit ([`limits`]). A mistake of the *model* is not an [`Error`]: it is an [`Outcome`], whose text
//! tells the model what to do instead.
//!
//! # Other crates
//!
//! `toolsift-rmcp` connects MCP servers of the `rmcp` crate, `toolsift-rig` adds tool search to an agent of rig. This
//! crate depends on serde, postcard, two hash map crates and its own pattern engine.

#![warn(clippy::disallowed_methods)]

mod assembly;
#[doc(hidden)]
pub mod bindings;
mod catalog;
mod count;
mod discovery;
mod error;
mod facade;
mod json;
pub mod limits;
mod lock;
mod macros;
mod map;
mod markers;
mod options;
mod prebuilt;
mod profile;
mod running;
mod search;
mod session;
mod spelling;
mod text;

pub use assembly::{
    Activation, Assembly, CatalogSize, Cost, Deferrable, Disclosure, Format, HeldBack, Parts, Prefix, Role, Saved,
    ServerSize, Size, StubWhen, TextCost, TokenCounter,
};
pub use catalog::{
    Deferral, Effect, EnrichmentReport, NamePolicy, RegisterOptions, RegisterReport, Rejected, Repaired, SchemaChange,
    SchemaRule, Sidecar, Skill, SyncReport, Tool, ToolDefinition, ToolId, ToolKey, definition_hash,
};
pub use discovery::{
    AnswerImage, AnswerPart, AnswerText, Answered, Budget, MessageFormat, OutOfScope, Outcome, Refusal, Reveal,
    SkillFile, Turn, UnrevealedCall, Visible,
};
pub use error::{Error, ErrorCode, Result};
pub use facade::{
    Explanation, FoundTool, HistoryReport, RankError, Restored, SearchRequest, SearchResult, SessionHandle, ToolInfo,
    ToolSift, ToolSource,
};
pub use json::JsonText;
pub use options::RestoreOptions;
pub use profile::{PROFILES, Profile, Settings};
pub use search::{
    Confidence, Cutoff, Grammar, HitPart, How, Ingredient, Ranker, SearchedField, Stage, Translations, Universe,
    Verdict,
};
pub use session::{Consent, Listed, RevealedTool, Scope, Snapshot, ToolState, WhenFull};
