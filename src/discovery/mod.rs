//! Decides what the model may do: which discovery tools it gets, and what each of its calls comes to.
//!
//! A [`SurfaceTool`] is a discovery tool: what the model is told of it ([`definitions`]), and what a call to it does.
//! [`call()`] decides what any call of the model comes to: a discovery tool answers, a real tool is handed to the host,
//! everything else is refused with the way out. A call is decided by what is known ([`Context`]), comes to typed facts,
//! and the texts of an [`Outcome`] are written from these.

mod add;
mod arguments;
mod browse;
mod context;
pub(crate) mod definitions;
mod describe;
mod find;
mod forward;
mod json_text;
mod loose;
mod meant;
mod outcome;
mod policy;
mod refusal;
mod replay;
mod route;
mod show;
mod surface;

pub use context::{Context, Turn, Visible};
pub use outcome::{Outcome, Refusal};
pub use replay::Replay;
pub use route::{call, searched_query};
pub use surface::{Action, Budget, DiscoverySettings, OutOfScope, Reveal, SurfaceTool, UnrevealedCall};
