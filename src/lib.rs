//! `toolsift` lets a language-model agent carry thousands of tools and pay for the few that it uses.
//!
//! An agent that sends every tool's JSON Schema with every request pays for all of them, every turn. Tool search
//! holds most tools back (*deferred*), gives the model a small tool to search with, and *reveals* what it finds. This
//! crate is the core of it: plain Rust, no I/O, no clock, and no randomness that an answer depends on. The npm package
//! `toolsift` is the same core compiled to WebAssembly.
//!
//! # The cycle of a request
//!
//! A host makes one [`ToolSift`] and one [`SessionHandle`] per conversation. For every request to the model it asks the session
//! for the tools and the prompt text to send ([`SessionHandle::assemble`]), and it gives every call of the model to the
//! session ([`SessionHandle::call`]), which says what to do: [`Outcome::Result`] goes back to the model,
//! [`Outcome::Dispatch`] is a real tool to run, and [`Outcome::Refused`] goes back to the model as an error.
//!
//! # A tour in five stages
//!
//! 1. **Catalog.** [`ToolSift::register`] takes definitions in the shapes of MCP, OpenAI, Anthropic and Google, as text, values or
//!    structs ([`ToolSource`]). Each [`Tool`] gets a name that
//!    every vendor accepts and that maps back to its server. [`ToolSift::sync`] follows the list of a server that changes.
//! 2. **Search.** [`ToolSift::search`] finds the tools that fit a query, as the model's search does. Hits say why they are
//!    hits ([`HitPart`]); [`SearchRequest::explain`] says why one tool is a hit or none. A host's own ranker can take part
//!    ([`ToolSift::with_ranker`]).
//! 3. **Session.** A [`SessionHandle`] keeps what is revealed in one conversation, in order, inside a [`Scope`]. A
//!    [`Snapshot`] carries it to another machine.
//! 4. **Assembly.** [`SessionHandle::assemble`] puts one request together: tools and prompt text in a vendor's [`Format`], with
//!    bytes and tokens of every part ([`Size`]).
//! 5. **Discovery.** [`SessionHandle::call`] answers the calls of the model: discovery tools run, and real tools are handed to
//!    the host or refused.
//!
//! [`Settings`] begin as the row of a [`Profile`], one of five published systems or ours, and can be changed by type or read
//! from options ([`Settings::from_options`]).
//!
//! ```
//! use serde_json::json;
//! use toolsift::{Activation, Format, Outcome, RegisterOptions, Settings, ToolDefinition, ToolSift};
//!
//! // By default, few tools are all sent.
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
//! // 5. The model searches, and what clearly fits is part of the next request.
//! let Outcome::Result { content, revealed, .. } = chat.call("search_tools", &json!({ "query": "open an issue" }))? else {
//!     panic!("a discovery tool has a result");
//! };
//! assert!(content.contains("create_issue"));
//! assert_eq!(&*revealed[0], "create_issue");
//! assert_eq!(chat.assemble(Format::OpenAi)?.size.parts.revealed.tools, 1);
//!
//! // The model calls the tool with arguments as text, as most vendors give them.
//! let outcome = chat.call("create_issue", r#"{"title": "Hello"}"#)?;
//! let Outcome::Dispatch { name, server, arguments, .. } = outcome else { panic!("a revealed tool is to be run") };
//! assert_eq!((&*name, server.as_deref()), ("create_issue", Some("github")));
//! assert_eq!(arguments.value()?["title"], "Hello");
//! # Ok::<(), toolsift::Error>(())
//! ```
//!
//! # Threads
//!
//! A [`ToolSift`] is `Send` and `Sync`, its clones share one catalog, and all methods take `&self`. Each search and each call
//! reads the catalog as it was when it began; a change makes the next state meanwhile. Operations of one session follow each
//! other, and no session waits for another. A [`SessionHandle`] owns what it needs and can be kept anywhere.
//!
//! # JSON text and values
//!
//! What takes JSON takes it as text or as a value ([`ToolSource`]). What the core passes on as it was written is [`JsonText`]:
//! text, and on demand a value.
//! A schema keeps the order of its keys as text; as a `serde_json::Value` it does with serde_json's feature `preserve_order`.
//!
//! # Errors
//!
//! Everything that can fail returns an [`Error`] with a stable [`ErrorCode`] and a message that names the offending value
//! and the limit ([`limits`]). What a *model* does wrong is no error: it is an [`Outcome`], whose text tells the model what to
//! do instead.
//!
//! # Other crates
//!
//! `toolsift-rmcp` connects MCP servers of the `rmcp` crate, `toolsift-rig` puts tool search into an agent of rig. This crate
//! depends on serde, two hash maps and its own pattern engine.

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
mod lru;
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
    AnswerImage, AnswerText, Budget, MessageFormat, OutOfScope, Outcome, Refusal, Reveal, SkillFile, Turn,
    UnrevealedCall, Visible,
};
pub use error::{Error, ErrorCode, Result};
pub use facade::{
    Explanation, FoundTool, HistoryReport, RankError, Restored, SearchRequest, SearchResult, SessionHandle, ToolInfo,
    ToolSift, ToolSource, VerdictInfo,
};
pub use json::JsonText;
pub use options::RestoreOptions;
pub use profile::{PROFILES, Profile, Settings};
pub use search::{
    Confidence, Cutoff, Grammar, HitPart, How, Ingredient, Ranker, SearchedField, Stage, Translations, Universe,
};
pub use session::{Consent, Listed, RevealedTool, Scope, Snapshot, ToolState, WhenFull};
