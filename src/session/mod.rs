//! Keeps the loaded tools of each conversation.
//!
//! A [`Session`] is one conversation: the tools that it has loaded, in order, within a [`Scope`] that only
//! [`SessionStore::rescope`] changes. The [`SessionStore`] keeps a limited number of sessions; a [`Snapshot`] carries
//! one to another machine. [`Eligibility`] decides the [`ToolState`] of a tool, and a [`View`] keeps the states with
//! which all sessions of a scope start.

mod bounds;
mod cut;
mod eligibility;
mod recent;
mod record;
mod revealed;
mod scope;
mod scoped_ids;
#[allow(clippy::module_inception)]
mod session;
mod snapshot;
mod store;
mod view;

pub use bounds::{Bounds, WhenFull};
pub use cut::CutAnswers;
pub use eligibility::{Consent, DeferralLists, Eligibility, ToolState};
pub use revealed::RevealedTool;
pub use scope::{Listed, Scope};
pub use session::{Sent, Session};
pub use snapshot::Snapshot;
pub use store::{SessionEviction, SessionStore, check_id};
pub use view::View;
