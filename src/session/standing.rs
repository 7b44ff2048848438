//! Where does a tool stand before any conversation begins? Eager, pinned or deferred.

use crate::catalog::{Deferral, Selection, SelectionRules, Tool};
use crate::map::Set;

use super::state::{Session, ToolState};

/// Which tools take part, and which of them are held back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Eligibility {
    /// The host's choice of servers and tools.
    pub selection: Selection,
    /// What that choice may not take away.
    pub rules: SelectionRules,
    /// What is never held back.
    pub lists: DeferralLists,
}

impl Eligibility {
    /// Where a tool stands in a session, or before any session.
    pub fn state(&self, tool: &Tool, session: Option<&Session>) -> ToolState {
        if !self.selection.admits(tool, &self.rules) {
            return ToolState::Hidden;
        }
        match (session, self.lists.standing(tool)) {
            (Some(session), standing) => session.state(tool, standing),
            (None, Standing::Eager) => ToolState::Eager,
            (None, Standing::Pinned) => ToolState::Pinned,
            (None, Standing::Deferred) => ToolState::Deferred,
        }
    }
}

/// Whether a tool that says nothing of itself is held back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Names that every session starts with; they stay searchable.
    pub pre_discovered: Set<String>,
    /// Names that are always sent and never searched.
    pub always_available: Set<String>,
    /// Categories whose tools every session starts with; they stay searchable.
    pub special_categories: Set<String>,
}

/// Where a tool stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Always sent, never searched.
    Eager,
    /// Sent from the start, and searchable.
    Pinned,
    /// Held back until revealed.
    Deferred,
}

impl DeferralLists {
    /// Where a tool stands. The host's lists go before what the tool says of itself.
    pub fn standing(&self, tool: &Tool) -> Standing {
        let name = &*tool.model_name;
        if self.always_available.contains(name) {
            return Standing::Eager;
        }
        let is_special = tool.category().is_some_and(|c| self.special_categories.contains(c));
        if self.pre_discovered.contains(name) || is_special {
            return Standing::Pinned;
        }
        match (tool.deferral, self.consent) {
            (Deferral::Never, _) | (Deferral::Automatic, Consent::OptIn) => Standing::Eager,
            (Deferral::Automatic, Consent::OptOut) | (Deferral::Always, _) => Standing::Deferred,
        }
    }
}
