//! The tools that exist.
//!
//! Definitions are read from the shape of any vendor (`import.rs`) and become tools of the [`Catalog`] by registration
//! (`register.rs`) or synchronisation (`sync.rs`). Each schema is checked and kept as its own bytes ([`schema`]). Each
//! [`Tool`] gets a name that every vendor accepts and that maps back ([`names`]). The catalog keeps tools in registration
//! order, within limits on their number and bytes (`room.rs`), and by owner (`table.rs`): all sessions share most, and a session
//! may have some of its own. [`Effect`] says whether a
//! tool reads, writes or destroys, and [`Selection`] which of the tools take part.

mod asked;
mod claims;
mod definitions;
mod effect;
mod enrichment;
mod import;
mod kept;
mod left;
mod names;
mod naming;
mod outline;
mod prebuilt;
mod register;
mod registry;
mod repair;
mod report;
mod room;
mod schema;
mod selection;
mod servers;
mod sidecar;
mod sync;
mod table;
mod tool;
mod tool_definition;
mod tool_names;
mod verbs;

pub(crate) use asked::Asked;
pub(crate) use effect::no_hints;
pub(crate) use effect::without_server;
pub use effect::{Effect, Hints};
pub use enrichment::definition_hash;
pub use names::NamePolicy;
pub(crate) use names::{own_name, safe_alias};
pub use register::RegisterOptions;
pub use registry::Catalog;
pub use report::{EnrichmentReport, RegisterReport, Rejected, Repaired, SyncReport};
#[cfg(target_family = "wasm")]
pub use room::check_list;
pub use selection::{Selection, SelectionRules};
pub(crate) use servers::{NO_SERVER, by_server};
pub use sidecar::Sidecar;
pub use table::SHARED;
pub use tool::{Deferral, Tool, ToolId, ToolKey};
pub use tool_definition::ToolDefinition;
pub use tool_names::{ToolNames, unmatched};

#[cfg(test)]
mod test_calls;
