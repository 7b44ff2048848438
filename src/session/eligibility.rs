//! Decides which tools take part, and where each stands in a session or before any session.

use crate::catalog::{Selection, SelectionRules, Tool};

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
