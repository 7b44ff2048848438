//! What tools exist?
//!
//! A [`Tool`] is read from the shape of any vendor ([`import`]), its schema checked and kept as its own bytes
//! ([`schema`]), given a name that every vendor accepts and that maps back ([`names`]), and kept in registration
//! order by the [`Catalog`]. [`Effect`] says whether a tool reads, writes or destroys, and [`Selection`] which of the tools
//! take part.

mod effect;
pub mod import;
pub mod names;
mod prebuilt;
mod registry;
pub mod schema;
mod selection;
mod servers;
mod tool;
mod verbs;

pub(crate) use effect::without_server;
pub use effect::{Effect, Hints};
pub use names::NamePolicy;
pub use registry::{Catalog, RegisterOptions, RegisterReport, Rejected, Repaired, SyncReport};
pub use selection::{Selection, SelectionRules};
pub(crate) use servers::{OF_THE_HOST, by_server};
pub use tool::{Deferral, Tool, ToolId, ToolKey};
