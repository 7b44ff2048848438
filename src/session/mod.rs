//! Keeps what is revealed in each conversation.
//!
//! A [`Session`] is one conversation: the tools that it has loaded, in order, inside a [`Scope`] that only
//! [`SessionStore::rescope`] changes. The [`SessionStore`] keeps a bounded number of them; a [`Snapshot`] carries one to
//! another machine. [`Standing`] says how a tool is sent before any conversation begins, [`ToolState`] where it stands in
//! a session.

mod bounds;
mod eligibility;
mod rate;
mod recent;
mod revealed;
mod scope;
mod snapshot;
mod standing;
mod state;
mod store;
mod turns;
mod view;

pub use bounds::{Bounds, WhenFull};
pub use eligibility::Eligibility;
pub use revealed::RevealedTool;
pub use scope::{Listed, Scope};
pub use snapshot::Snapshot;
pub use standing::{Consent, DeferralLists, Standing, ToolState};
pub use state::{Sent, Session};
#[cfg(target_family = "wasm")]
pub use store::check_id;
pub use store::{SessionEviction, SessionStore};
pub use view::View;
