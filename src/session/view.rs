//! The states that the tools of a catalog have for every session of one scope, before a session reveals a tool.

use crate::catalog::{Catalog, Deferral, Owner, Skill, Tool};

use super::eligibility::{Eligibility, ToolState};
use super::scope::Scope;

/// The visible tools and their states. It holds for one [`revision_of`](Catalog::revision_of) the owner.
#[derive(Debug, Default)]
pub struct View {
    /// The positions of the tools that are not hidden, rising, each with its state.
    visible: Vec<(u32, ToolState)>,
    sent: Vec<u32>,
    deferred: Vec<u32>,
    insisting: usize,
    skills: usize,
    readable: usize,
}

impl View {
    /// The view of the sessions of a scope that share all tools, or of the one session that has tools of its own.
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

    /// The state of the tool at a position of the catalog.
    pub fn state(&self, position: usize) -> ToolState {
        let at = self.visible.binary_search_by_key(&position, |(position, _)| *position as usize);
        at.map_or(ToolState::Hidden, |at| self.visible[at].1)
    }

    /// How many tools are visible.
    pub fn len(&self) -> usize {
        self.visible.len()
    }

    /// The positions of the tools that are sent from the start, rising.
    pub fn sent(&self) -> &[u32] {
        &self.sent
    }

    /// The positions of the tools that are held back until they are revealed, rising.
    pub fn deferred(&self) -> &[u32] {
        &self.deferred
    }

    /// How many of the deferred tools ask to be held back whatever their number.
    pub fn insisting(&self) -> usize {
        self.insisting
    }

    /// How many of them are skills.
    pub fn skills(&self) -> usize {
        self.skills
    }

    /// Whether the host reads files of any of these.
    pub fn has_skill_files(&self) -> bool {
        self.readable > 0
    }

    /// The visible tools in catalog order, each with its state.
    pub fn visible<'c>(&'c self, catalog: &'c Catalog) -> impl Iterator<Item = (&'c Tool, ToolState)> {
        self.visible.iter().map(|(position, state)| (&*catalog.tools()[*position as usize], *state))
    }

    /// The positions of the tools in wanted states, rising.
    pub fn positions(&self, is_wanted: impl Fn(ToolState) -> bool) -> Vec<u32> {
        self.visible.iter().filter(|(_, state)| is_wanted(*state)).map(|(position, _)| *position).collect()
    }
}
