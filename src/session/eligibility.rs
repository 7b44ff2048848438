//! Decides which tools take part, and where each stands in a session or before any session.

use crate::catalog::{SHARED, Selection, SelectionRules, Tool};

use super::scope::Scope;
use super::standing::{DeferralLists, Standing, ToolState};
use super::state::Session;

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
    /// Where a tool stands for the sessions of a scope, before any of them reveals it; none where it is hidden. Whose tool
    /// it is does not count here.
    pub fn standing(&self, tool: &Tool, scope: &Scope) -> Option<Standing> {
        let is_visible = self.selection.admits(tool, &self.rules) && scope.admits(tool);
        is_visible.then(|| self.lists.standing(tool))
    }

    /// Where a tool stands in a session, or before any session. Another session's own tool is hidden.
    pub fn state(&self, tool: &Tool, session: Option<&Session>) -> ToolState {
        let is_its_own = tool.owner == SHARED || session.is_some_and(|session| session.opening() == tool.owner);
        let standing = self.standing(tool, session.map_or(&Scope::All, Session::scope));
        match standing.filter(|_| is_its_own) {
            None => ToolState::Hidden,
            Some(Standing::Eager) => ToolState::Eager,
            Some(Standing::Pinned) => ToolState::Pinned,
            Some(Standing::Deferred) if session.is_some_and(|session| session.is_revealed(&tool.key)) => {
                ToolState::Revealed
            }
            Some(Standing::Deferred) => ToolState::Deferred,
        }
    }
}
