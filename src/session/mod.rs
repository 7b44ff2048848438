//! What is revealed?
//!
//! A [`Session`] is one conversation: the tools that it has loaded, in order, inside a [`Scope`] that it cannot
//! leave. The [`SessionStore`] keeps a bounded number of them; a [`Snapshot`] carries one to another machine.
//! [`Standing`] says where a tool stands before any conversation begins.

mod bounds;
mod memory;
mod rate;
mod scope;
mod snapshot;
mod standing;
mod state;
mod store;

pub use bounds::{Bounds, Reveal, WhenFull};
pub use scope::Scope;
pub use snapshot::Snapshot;
pub use standing::{Consent, DeferralLists, Eligibility, Standing};
pub use state::{Sent, Session, ToolState};
pub use store::SessionStore;
