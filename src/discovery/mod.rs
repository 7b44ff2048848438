//! What may the model do?
//!
//! A [`SurfaceTool`] is a discovery tool: what the model is told of it ([`definitions`]), and what a call to it does.
//! [`call()`] decides what any call of the model comes to: a discovery tool answers, a real tool is handed to the host,
//! everything else is refused with the way out.

mod add;
mod arguments;
mod browse;
mod call;
pub mod definitions;
mod describe;
mod find;
mod forward;
mod loose;
mod show;
mod surface;

pub use call::{Context, Outcome, Refusal, Turn, UnrevealedCall, Visible, call};
pub use find::Answer;
pub use surface::{Action, Budget, DiscoverySettings, Reveal, SurfaceTool};
