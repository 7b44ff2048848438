//! Decides which tools take part, and the state of each. The host's lists, the tool's own deferral, the scope and the
//! loaded tools of the session decide it.

use serde::Serialize;

use crate::catalog::{Deferral, Owner, Selection, SelectionRules, Tool, ToolNames};
use crate::macros::choices;
use crate::map::Set;

use super::scope::Scope;
use super::session::Session;

choices! {
    /// The rule for tools without a deferral of their own.
    #[derive(Default)]
    pub enum Consent {
        /// Only tools that ask for it are deferred.
        OptIn = "opt-in",
        /// All tools are deferred, except those that ask not to be.
        #[default]
        OptOut = "opt-out",
    }
}

/// The rule for deferral, and the host's lists of exceptions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeferralLists {
    /// The rule for tools without a deferral of their own.
    pub consent: Consent,
    /// Tools that every session starts with; they stay searchable.
    pub pre_discovered: ToolNames,
    /// Tools that are always sent and never searched.
    pub always_available: ToolNames,
    /// Categories whose tools every session starts with; they stay searchable.
    pub special_categories: Set<String>,
}

/// The state of a tool in a session, or before any session.
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
    /// Deferred: not sent, but searchable.
    Deferred,
    /// Outside the session's scope.
    Hidden,
}

impl DeferralLists {
    /// Returns the state of a visible tool before it is loaded. The host's lists take precedence over the tool's own
    /// deferral. A skill is never sent.
    pub fn state(&self, tool: &Tool) -> ToolState {
        if tool.key.is_skill {
            return ToolState::Deferred;
        }
        if self.always_available.contains(tool) {
            return ToolState::Eager;
        }
        let is_special = tool.category().is_some_and(|c| self.special_categories.contains(c));
        if self.pre_discovered.contains(tool) || is_special {
            return ToolState::Pinned;
        }
        match (tool.deferral, self.consent) {
            (Deferral::Never, _) | (Deferral::Automatic, Consent::OptIn) => ToolState::Eager,
            (Deferral::Automatic, Consent::OptOut) | (Deferral::Always, _) => ToolState::Deferred,
        }
    }
}

/// The rules for which tools take part, and which of them are deferred.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Eligibility {
    /// The host's choice of servers and tools.
    pub selection: Selection,
    /// The tools that the selection cannot remove.
    pub rules: SelectionRules,
    /// The rules of deferral.
    pub lists: DeferralLists,
}

impl Eligibility {
    /// Returns the state of a tool in a scope, before a session loads it. The owner of the tool is not considered.
    pub fn initial_state(&self, tool: &Tool, scope: &Scope) -> ToolState {
        let is_visible = self.selection.admits(tool, &self.rules) && scope.admits(tool);
        if is_visible { self.lists.state(tool) } else { ToolState::Hidden }
    }

    /// Returns the state of a tool in a session, or before any session. Another session's own tool is hidden.
    pub fn state(&self, tool: &Tool, session: Option<&Session>) -> ToolState {
        if tool.owner != Owner::SHARED && session.is_none_or(|session| session.owner() != tool.owner) {
            return ToolState::Hidden;
        }
        match self.initial_state(tool, session.map_or(&Scope::All, Session::scope)) {
            ToolState::Deferred if session.is_some_and(|session| session.is_revealed(&tool.key)) => ToolState::Revealed,
            state => state,
        }
    }
}
