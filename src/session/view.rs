//! The states that the tools of a catalog have for every session of one scope, before a session reveals a tool.

use crate::catalog::{Catalog, Deferral, Tool};

use super::eligibility::Eligibility;
use super::scope::Scope;
use super::standing::Standing;

/// Where the tools of a catalog stand. It holds for one [`revision_of`](Catalog::revision_of) the owner.
#[derive(Debug, Default)]
pub struct View {
    /// The positions of the tools that are not hidden, rising, each with where the tool stands.
    visible: Vec<(u32, Standing)>,
    /// The positions of the tools that are sent from the start.
    sent: Vec<u32>,
    /// The positions of the tools that are held back until they are revealed.
    deferred: Vec<u32>,
    /// How many of the deferred tools ask to be held back whatever their number.
    insisting: usize,
}

impl View {
    /// The view of the sessions of a scope: of one with tools of its own, by its opening, or of all that share the scope.
    pub fn of(catalog: &Catalog, eligibility: &Eligibility, (scope, owner): (&Scope, u32)) -> Self {
        let mut view = View::default();
        for position in catalog.positions_for(owner) {
            let tool = &catalog.tools()[position as usize];
            let Some(standing) = eligibility.standing(tool, scope) else { continue };
            match standing {
                Standing::Eager | Standing::Pinned => view.sent.push(position),
                Standing::Deferred => {
                    view.deferred.push(position);
                    view.insisting += usize::from(tool.deferral == Deferral::Always);
                }
            }
            view.visible.push((position, standing));
        }
        view
    }

    /// Where the tool at a position of the catalog stands; none where it is hidden.
    pub fn standing(&self, position: usize) -> Option<Standing> {
        let at = self.visible.partition_point(|(other, _)| (*other as usize) < position);
        self.visible.get(at).filter(|(other, _)| *other as usize == position).map(|(_, standing)| *standing)
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

    /// The visible tools in catalog order, each with where it stands.
    pub fn visible<'c>(&'c self, catalog: &'c Catalog) -> impl Iterator<Item = (&'c Tool, Standing)> {
        self.visible.iter().map(|(position, standing)| (&*catalog.tools()[*position as usize], *standing))
    }

    /// The positions of the tools that stand as wanted, rising.
    pub fn positions(&self, is_wanted: impl Fn(Standing) -> bool) -> Vec<u32> {
        self.visible.iter().filter(|(_, standing)| is_wanted(*standing)).map(|(position, _)| *position).collect()
    }

    /// About how many bytes this takes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.len() * size_of::<(u32, Standing, u32)>()
    }
}
