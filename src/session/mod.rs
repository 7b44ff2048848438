//! Keeps the loaded tools of each conversation.
//!
//! A [`Session`] is one conversation. It keeps the loaded tools in the order in which they were loaded. Its [`Scope`] says
//! which tools it may see; only [`SessionStore::rescope`] changes the scope. The [`SessionStore`] keeps a limited number of
//! sessions, and a [`Snapshot`] carries one to another machine. [`Eligibility`] decides the [`ToolState`] of a tool. A
//! [`View`] has the state of each tool at the start of every session with the same scope.

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
