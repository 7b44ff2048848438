//! Assembles the tools and the prompt text of one request, and counts their cost.
//!
//! - [`inputs`] gathers the inputs; with [`activation`] it decides whether tools are deferred at all.
//! - [`wire`] defines the formats of vendors; [`render`] writes each tool once per format, in full or as a stub.
//! - [`prompt`] writes the section of the system prompt; [`server_list`] writes its list of servers.
//! - [`request`] puts one request together: discovery tools, tools that are always sent, and loaded tools in the order
//!   of loading.
//! - [`cost`] counts bytes and tokens of every part; [`totals`] keeps the cost of all tools of a view.

mod activation;
mod cost;
mod inputs;
mod prompt;
mod render;
mod request;
mod server_list;
mod totals;
mod wire;

pub(crate) use activation::BREAK_EVEN_TOKENS;
pub use activation::{Activation, Gate};
pub use cost::{CatalogSize, Cost, Parts, Prefix, Saved, ServerSize, Size, Tally, TextCost, TokenCounter};
pub use inputs::{Arrangement, AssemblySettings, Inputs, Presence};
pub use prompt::{Disclosure, PromptText, StubWhen};
pub use render::Renders;
pub(crate) use render::in_full;
pub use request::{Assembly, Deferrable, HeldBack, Role, assemble, held_back};
pub use totals::Totals;
pub use wire::{Definition, Format};
