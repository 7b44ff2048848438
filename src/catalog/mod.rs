//! Keeps the tools that exist.
//!
//! `import.rs`, [`schema`] and `enrichment.rs` read definitions from the shape of any vendor. Registration
//! (`register.rs`) and synchronisation (`sync.rs`) make tools of them, with names that every vendor accepts and that
//! map back (`naming.rs`, [`names`]). A [`Skill`] is also kept as a tool. The [`Catalog`] keeps tools in registration
//! order: `registry.rs` reads it, `changes.rs` changes it. Most tools are shared; [`owners`] keeps those of single
//! sessions. [`Effect`] says whether a tool reads, writes or destroys, and [`Selection`] which tools take part.

mod changes;
mod effect;
mod enrichment;
mod import;
mod kept_names;
mod names;
mod naming;
mod own_verbs;
mod owners;
mod prebuilt;
mod register;
mod registry;
mod report;
mod requested_effects;
mod schema;
mod selection;
mod sidecar;
mod skill;
mod sync;
mod tool;
mod tool_definition;
mod tool_names;
mod verbs;

pub use effect::{Effect, Hints};
pub(crate) use effect::{READ_ONLY, no_hints, without_server};
pub use enrichment::definition_hash;
pub use names::NamePolicy;
pub(crate) use names::{own_name, safe_alias};
pub use register::RegisterOptions;
pub use registry::Catalog;
pub(crate) use registry::by_server;
pub use report::{EnrichmentReport, RegisterReport, Rejected, Repaired, SyncReport};
pub(crate) use requested_effects::{RequestedEffects, is_verb};
pub(crate) use schema::Unreached;
pub use schema::{SchemaChange, SchemaRule};
pub use selection::{Selection, SelectionRules};
pub use sidecar::Sidecar;
pub use skill::Skill;
pub(crate) use skill::SkillBlock;
pub(crate) use tool::is_false;
pub use tool::{Deferral, Owner, Tool, ToolId, ToolKey};
pub use tool_definition::ToolDefinition;
pub use tool_names::{ToolNames, unmatched};

#[cfg(test)]
mod test_calls;
