//! Decides which tools take part, and the state of each: by the host's lists, by what the tool says of itself, by the scope,
//! and by what the session has revealed.

use std::sync::Arc;

use serde::Serialize;

use crate::catalog::{Catalog, Deferral, Owner, Selection, SelectionRules, Tool, ToolNames};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::macros::choices;
use crate::map::Set;

use super::bounds::Bounds;
use super::scope::Scope;
use super::session::Session;

choices! {
    /// Whether a tool that says nothing of itself is held back.
    #[derive(Default)]
    pub enum Consent {
        /// Only tools that ask for it are.
        OptIn = "opt-in",
        /// All are, but those that ask not to be.
        #[default]
        OptOut = "opt-out",
    }
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
    /// Held back.
    Deferred,
    /// Outside what the session may see.
    Hidden,
}

impl DeferralLists {
    /// The state of a visible tool before it is revealed. The host's lists go before what the tool says of itself.
    /// A skill is never sent.
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
    /// The state of a tool for the sessions of a scope, before any of them reveals it. The owner of the tool does not count.
    pub fn initial_state(&self, tool: &Tool, scope: &Scope) -> ToolState {
        let is_visible = self.selection.admits(tool, &self.rules) && scope.admits(tool);
        if is_visible { self.lists.state(tool) } else { ToolState::Hidden }
    }

    /// The state of a tool in a session, or before any session. Another session's own tool is hidden.
    pub fn state(&self, tool: &Tool, session: Option<&Session>) -> ToolState {
        if tool.owner != Owner::SHARED && session.is_none_or(|session| session.owner() != tool.owner) {
            return ToolState::Hidden;
        }
        match self.initial_state(tool, session.map_or(&Scope::All, Session::scope)) {
            ToolState::Deferred if session.is_some_and(|session| session.is_revealed(&tool.key)) => ToolState::Revealed,
            state => state,
        }
    }

    /// Reveals tools in a session, as the host. Returns the names of those that were not revealed before.
    ///
    /// # Errors
    /// `tool_out_of_scope`, `revealed_full`; no tool has been revealed then.
    pub(crate) fn reveal(
        &self,
        tools: &[&Arc<Tool>],
        session: &mut Session,
        bounds: &Bounds,
        catalog: &Catalog,
    ) -> Result<Vec<Arc<str>>> {
        let mut deferred: Vec<&Tool> = Vec::new();
        for tool in tools {
            match self.state(tool, Some(session)) {
                ToolState::Hidden => {
                    let message = format!("{} is outside what this session may see", excerpt(&tool.model_name));
                    return Err(Error::new(ErrorCode::ToolOutOfScope, message));
                }
                // A revealed tool may be evicted for another one of the list, and is revealed again then.
                ToolState::Deferred | ToolState::Revealed => deferred.push(tool),
                ToolState::Eager | ToolState::Pinned => {}
            }
        }
        let revealed = session.reveal_all(&deferred, bounds, catalog)?;
        Ok(revealed.into_iter().map(|at| deferred[at].model_name.clone()).collect())
    }
}
