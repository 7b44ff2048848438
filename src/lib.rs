//! `toolsift` lets a language-model agent carry thousands of tools and pay for the few that it uses.
//!
//! An agent that sends every tool's JSON Schema with every request pays for all of them, every turn. Tool search
//! holds most tools back (*deferred*), gives the model a small tool to search with, and *reveals* what it finds. This
//! crate is the core of it: plain Rust, no I/O, no clock, and no randomness that an answer depends on. The npm package
//! `toolsift` is the same core compiled to WebAssembly.
//!
//! # A tour in five stages
//!
//! 1. [`catalog`] keeps the tools that exist. Definitions are read one at a time from the shapes of MCP, OpenAI,
//!    Anthropic and Google; each gets a name that every vendor accepts and that maps back to its server.
//! 2. [`search`] finds the tools that fit a query. Rankers answer with hits that say why they are hits.
//! 3. [`session`] keeps what is revealed: the reveals of one conversation, in order, inside a scope.
//! 4. [`assembly`] puts one request together: tools and prompt text in a vendor's format, with bytes and tokens of every
//!    part.
//! 5. [`discovery`] answers the calls of the model: discovery tools run, and real tools are handed to the host or refused.
//!
//! Each stage owns its settings; a [`Profile`] is one row of values over all of them, and [`options`] reads what a host
//! wants changed. Later stages use earlier ones, never the reverse; [`ToolSift`] puts them together, and
//! `wasm` is the only module that knows JavaScript.
//!
//! ```
//! use toolsift::{Format, Outcome, RegisterOptions, Settings, ToolSift, assembly::Activation};
//!
//! let mut settings = Settings::default();
//! settings.assembly.activation = Activation::On;             // by default, few tools are all sent
//! let sift = ToolSift::new(settings);
//! let github = RegisterOptions { server: Some("github".into()), ..RegisterOptions::default() };
//! let report = sift.register(r#"[
//!     {"name": "create_issue", "description": "Open an issue.", "inputSchema": {"type": "object"}},
//!     {"name": "list_issues", "description": "List issues.", "inputSchema": {"type": "object"}},
//!     {"name": 42}
//! ]"#, &github)?;
//! assert_eq!(report.registered.len(), 2);
//! assert_eq!(report.rejected[0].index, 2);                   // a broken tool costs nothing but itself
//!
//! let chat = sift.session("chat-42", None)?;
//! let request = chat.assemble(Format::OpenAi)?;              // search_tools, add_tool, show_all_tools
//! assert_eq!(request.size.parts.discovery.tools, 3);
//! assert_eq!(request.size.parts.revealed.tools, 0);
//!
//! let Outcome::Result { content, .. } = chat.call("search_tools", r#"{"query": "open"}"#)? else { panic!() };
//! assert!(content.contains("create_issue"));
//! chat.call("add_tool", r#"{"tool_names": ["create_issue"]}"#)?;
//! assert_eq!(chat.assemble(Format::OpenAi)?.size.parts.revealed.tools, 1);
//!
//! let Outcome::Dispatch { name, server, .. } = chat.call("create_issue", r#"{"title": "Hello"}"#)? else { panic!() };
//! assert_eq!((&*name, server.as_deref()), ("create_issue", Some("github")));
//! # Ok::<(), toolsift::Error>(())
//! ```

#![warn(clippy::disallowed_methods)]

pub mod assembly;
pub mod catalog;
mod count;
pub mod discovery;
mod error;
mod facade;
mod json;
pub mod limits;
mod lock;
mod map;
mod markers;
mod memory;
pub mod options;
#[cfg(all(not(target_family = "wasm"), any(test, toolsift_oracles)))]
#[doc(hidden)]
pub mod oracles;
mod prebuilt;
mod profile;
pub mod search;
pub mod session;
mod spelling;
mod text;
#[cfg(target_family = "wasm")]
mod wasm;

pub use assembly::{Assembly, Format, HeldBack, TokenCounter};
pub use catalog::{EnrichmentReport, RegisterOptions, RegisterReport, Sidecar, SyncReport, definition_hash};
pub use discovery::{Outcome, Turn, Visible};
pub use error::{Error, ErrorCode, Result};
pub use facade::{Explanation, FoundTool, SearchResult, SessionHandle, ToolInfo, ToolSift};
pub use profile::{
    ActivationInfo, BudgetInfo, LimitsInfo, OwnConfig, PROFILES, Profile, ProfileInfo, SearchInfo, Settings,
    SettingsInfo,
};
