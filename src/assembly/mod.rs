//! Assembles what the model sees in one request, and counts what it costs.
//!
//! [`Activation`] decides whether tools are held back at all. [`wire`] writes a tool in a vendor's format, [`prompt`]
//! the section of the system prompt, [`cost`] counts bytes and tokens of every part. [`assemble`] puts one request
//! together: discovery tools, what is always there, and what was revealed, appended in the order of its reveal.

mod activation;
mod cost;
mod prompt;
mod request;
mod server_list;
mod stub;
mod totals;
mod wire;

pub(crate) use activation::BREAK_EVEN_TOKENS;
pub use activation::{Activation, Gate};
pub use cost::{CatalogSize, Cost, Parts, Prefix, Saved, ServerSize, Size, Tally, TokenCounter};
pub use prompt::{Disclosure, PromptText, StubWhen};
pub use request::{
    Arrangement, Assembly, AssemblySettings, Deferrable, HeldBack, Inputs, Presence, Role, assemble, gate, held_back,
};
pub use totals::Totals;
pub use wire::{Definition, Format, Renders};
