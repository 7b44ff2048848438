//! Computes the states that the tools of a catalog have for every session of one scope, before a session loads a tool.

use crate::catalog::{Catalog, Deferral, Owner, Skill, Tool};

use super::eligibility::{Eligibility, ToolState};
use super::scope::Scope;

/// The visible tools and their states. A view is valid for one [`revision_of`](Catalog::revision_of) the owner.
#[derive(Debug, Default)]
pub struct View {
    /// The positions of the tools that are not hidden, ascending, each with its state.
    visible: Vec<(u32, ToolState)>,
    /// The positions of the tools that are sent from the start, ascending.
    pub sent: Vec<u32>,
    /// The positions of the deferred tools, ascending.
    pub deferred: Vec<u32>,
    /// The number of deferred tools that are deferred however few tools there are.
    pub insisting: usize,
    /// The number of deferred tools that are skills.
    pub skills: usize,
    /// The number of these skills of which the host can read files.
    pub readable: usize,
}

impl View {
    /// Makes the view of all sessions of a scope without tools of their own, or of one session with tools of its own.
    pub fn of(catalog: &Catalog, eligibility: &Eligibility, scope: &Scope, owner: Owner) -> Self {
        let mut view = View::default();
        for position in catalog.positions_for(owner) {
            let tool = &catalog.tools()[position as usize];
            let state = eligibility.initial_state(tool, scope);
            match state {
                ToolState::Hidden => continue,
                ToolState::Deferred => {
                    view.deferred.push(position);
                    view.insisting += usize::from(tool.deferral == Deferral::Always);
                    view.skills += usize::from(tool.key.is_skill);
                    view.readable += usize::from(tool.skill().is_some_and(Skill::is_readable));
                }
                _ => view.sent.push(position),
            }
            view.visible.push((position, state));
        }
        view
    }

    /// Returns the state of the tool at a position of the catalog.
    pub fn state(&self, position: usize) -> ToolState {
        let at = self.visible.binary_search_by_key(&position, |(position, _)| *position as usize);
        at.map_or(ToolState::Hidden, |at| self.visible[at].1)
    }

    /// Returns the number of visible tools.
    pub fn len(&self) -> usize {
        self.visible.len()
    }

    /// Returns the visible tools in catalog order, each with its state.
    pub fn visible<'c>(&'c self, catalog: &'c Catalog) -> impl Iterator<Item = (&'c Tool, ToolState)> {
        self.visible.iter().map(|(position, state)| (&*catalog.tools()[*position as usize], *state))
    }

    /// Returns the positions of the tools in wanted states, ascending.
    pub fn positions(&self, is_wanted: impl Fn(ToolState) -> bool) -> Vec<u32> {
        self.visible.iter().filter(|(_, state)| is_wanted(*state)).map(|(position, _)| *position).collect()
    }
}
