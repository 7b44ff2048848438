//! Says how a tool is sent before any conversation begins (eager, pinned or deferred), by the host's lists and by what
//! the tool says of itself.

use serde::Serialize;

use crate::catalog::{Deferral, Tool, ToolNames};
use crate::map::Set;

/// Whether a tool that says nothing of itself is held back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Consent {
    /// Only tools that ask for it are.
    OptIn,
    /// All are, but those that ask not to be.
    #[default]
    OptOut,
}

impl Consent {
    /// Every value with its text form.
    pub const ALL: &[(&str, Consent)] = &[("opt-in", Consent::OptIn), ("opt-out", Consent::OptOut)];
}

/// What is held back, and the host's lists of what never is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeferralLists {
    /// What counts for tools that say nothing of themselves.
    pub consent: Consent,
    /// Tools that every session starts with; they stay searchable.
    pub pre_discovered: ToolNames,
    /// Tools that are always sent and never searched.
    pub always_available: ToolNames,
    /// Categories whose tools every session starts with; they stay searchable.
    pub special_categories: Set<String>,
}

/// Where a tool stands before any conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Always sent, never searched.
    Eager,
    /// Sent from the start, and searchable.
    Pinned,
    /// Held back until revealed.
    Deferred,
}

/// Where a tool stands in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ToolState {
    /// Sent in full, not searched.
    Eager,
    /// Sent in full from the start, and searchable.
    Pinned,
    /// Deferred, found and loaded.
    Revealed,
    /// Held back.
    Deferred,
    /// Outside what the session may see.
    Hidden,
}

impl DeferralLists {
    /// Where a tool stands. The host's lists go before what the tool says of itself.
    pub fn standing(&self, tool: &Tool) -> Standing {
        if self.always_available.contains(tool) {
            return Standing::Eager;
        }
        let is_special = tool.category().is_some_and(|c| self.special_categories.contains(c));
        if self.pre_discovered.contains(tool) || is_special {
            return Standing::Pinned;
        }
        match (tool.deferral, self.consent) {
            (Deferral::Never, _) | (Deferral::Automatic, Consent::OptIn) => Standing::Eager,
            (Deferral::Automatic, Consent::OptOut) | (Deferral::Always, _) => Standing::Deferred,
        }
    }
}
