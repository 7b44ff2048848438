//! Assembles what the model sees in one request, and counts what it costs.
//!
//! - [`inputs`] is what an assembly is made from; by [`activation`] it decides whether tools are held back at all.
//! - [`wire`] has the formats of vendors; [`render`] writes a tool in one of them, in full or as a stub, once.
//! - [`prompt`] writes the section of the system prompt; [`server_list`] the part of it that names the servers.
//! - [`request`] puts one request together: discovery tools, what is always there, and what was revealed, appended in the
//!   order of its reveal. [`list`] holds these definitions.
//! - [`cost`] counts bytes and tokens of every part; [`totals`] keeps what all tools of a view cost.

mod activation;
mod cost;
mod inputs;
mod list;
mod prompt;
mod render;
mod request;
mod server_list;
mod telling;
mod totals;
mod wire;

pub(crate) use activation::BREAK_EVEN_TOKENS;
pub use activation::{Activation, Gate};
pub use cost::{CatalogSize, Cost, Parts, Prefix, Saved, ServerSize, Size, Tally, TextCost, TokenCounter};
pub use inputs::{Arrangement, AssemblySettings, Inputs, Presence};
pub use list::Role;
pub use prompt::{Disclosure, PromptText, StubWhen};
pub use render::Renders;
pub(crate) use render::in_full;
pub use request::{Assembly, Deferrable, HeldBack, assemble, held_back};
pub use totals::Totals;
pub use wire::{Definition, Format};
