//! Defines the context of a call: the catalog, the settings, and the host's data about the turn.

use std::sync::Arc;

use crate::assembly::Gate;
use crate::catalog::{Catalog, Owner, Tool};
use crate::error::Result;
use crate::macros::setters;
use crate::map::Set;
use crate::search::{Corpus, Index, NameIndex, Universe, may_mean};
use crate::session::{CutAnswers, Eligibility, Session, ToolState, View};

use super::definitions::{READ_CUT_ANSWER, READ_SKILL};
use super::surface::{DiscoverySettings, SurfaceTool};

/// The host's data about the turn in which a call is made.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Turn {
    /// The host's clock in milliseconds; without it, the rate of searches is not limited.
    pub now: Option<f64>,
    /// The tools that are visible.
    pub visible: Visible,
    /// The host's own scores of tools for a search, from 0 to 1, by the names that the model sees.
    pub scores: Vec<(String, f64)>,
}

setters! { Turn:
    /// Sets the host's clock in milliseconds.
    now(milliseconds: f64) => now = Some(milliseconds);
    /// Sets the tools that are visible.
    visible(visible: Visible) => visible = visible;
    /// Sets the host's own scores of tools for a search, from 0 to 1, by the names that the model sees.
    scores(scores: Vec<(String, f64)>) => scores = scores;
}

/// The tools that are visible in a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Visible {
    /// All tools that the session may see.
    #[default]
    All,
    /// The tools with these names, in this order.
    Names(Vec<String>),
    /// The host meant to give a list, but has lost it.
    Missing,
}

impl Visible {
    /// Returns the names as a set, if the host gave a list.
    pub fn names(&self) -> Option<Set<&str>> {
        match self {
            Visible::All | Visible::Missing => None,
            Visible::Names(names) => Some(names.iter().map(String::as_str).collect()),
        }
    }
}

/// The data that a call is decided by.
pub struct Context<'a> {
    pub catalog: &'a Catalog,
    pub session: &'a mut Session,
    pub eligibility: &'a Eligibility,
    pub settings: &'a DiscoverySettings,
    pub index: &'a Index,
    /// The deferral policies that apply.
    pub gate: Gate,
    /// The tools that are searched in this turn.
    pub corpus: &'a Corpus,
    /// The tools over which words are counted. There are more of these than in `corpus` if the turn leaves some out.
    pub whole: &'a Corpus,
    /// The tools and the skills of `whole`, separately. `None` if there are no skills.
    pub kinds: Option<&'a [Corpus; 2]>,
    pub view: &'a View,
    /// Long answers that were cut, in which models can read on.
    pub cut_answers: &'a CutAnswers,
    pub turn: &'a Turn,
    /// The scores of the turn, by positions in the catalog.
    pub scores: &'a [(u32, f64)],
    /// The names that are visible in this turn, if the host gave a list: [`Visible::names`].
    pub visible: Option<Set<&'a str>>,
}

/// Returns true if the sessions of a view have the discovery tool that reads files of skills: they see a skill with
/// files, and no tool of the catalog has that tool's name.
pub fn reads_skills(catalog: &Catalog, view: &View, owner: Owner) -> bool {
    view.readable > 0 && catalog.by_name_for(owner, READ_SKILL.definition.name).is_none()
}

impl<'a> Context<'a> {
    /// Returns the discovery tool with this name, if the session has it now.
    pub(super) fn tool(&self, name: &str) -> Option<&'static SurfaceTool> {
        let reads_on = name == READ_CUT_ANSWER.definition.name && self.session.cut_answers().next().is_some();
        let reads_skills = name == READ_SKILL.definition.name && self.reads_skills();
        let beside = if reads_skills { Some(&READ_SKILL) } else { Some(&READ_CUT_ANSWER).filter(|_| reads_on) };
        self.settings.tool(name).or(beside)
    }

    /// Returns true if the session has the tool that reads files of skills.
    pub(super) fn reads_skills(&self) -> bool {
        reads_skills(self.catalog, self.view, self.session.owner())
    }

    /// Returns the state of a tool in this turn of the session.
    pub(super) fn state(&self, tool: &Tool) -> ToolState {
        if !self.is_visible(tool) {
            return ToolState::Hidden;
        }
        match self.eligibility.state(tool, Some(self.session)) {
            // If the view has skills and a small catalog is sent whole, deferrable tools are not deferred.
            ToolState::Deferred if self.view.skills > 0 && !self.gate.holds(tool.deferral) => ToolState::Eager,
            state => state,
        }
    }

    fn is_visible(&self, tool: &Tool) -> bool {
        self.visible.as_ref().is_none_or(|names| names.contains(&*tool.model_name))
    }

    /// Returns how many tools are deferred in this turn, loaded ones included.
    pub(super) fn deferred(&self) -> usize {
        let tools = self.view.deferred.iter().map(|position| &self.catalog.tools()[*position as usize]);
        tools.filter(|tool| self.is_visible(tool)).count()
    }

    /// Returns true if the session may see a tool in this turn.
    pub(super) fn sees(&self, tool: &Tool) -> bool {
        self.state(tool) != ToolState::Hidden
    }

    /// Returns the tool with this name for the session's model.
    pub(super) fn named(&self, name: &str) -> Option<&'a Arc<Tool>> {
        self.catalog.by_name_for(self.session.owner(), name)
    }

    /// Returns the tool with this name, if the session may see it in this turn.
    pub(super) fn seen(&self, name: &str) -> Option<&'a Arc<Tool>> {
        self.named(name).filter(|tool| self.sees(tool))
    }

    /// Loads a tool.
    ///
    /// # Errors
    /// `revealed_full`, with the limit.
    pub(super) fn reveal(&mut self, tool: &Tool) -> Result<()> {
        self.session.reveal(tool, &self.settings.bounds, self.catalog)
    }

    /// Returns the look-up of names for this call.
    pub(super) fn names(&self) -> NameIndex<'a> {
        NameIndex::new(self.index, self.catalog, self.session.owner())
    }

    /// Returns the tools that a name in any form may mean, among those that the session may see in this turn.
    pub(super) fn meant(&self, index: &NameIndex<'a>, name: &str) -> Vec<&'a Arc<Tool>> {
        let found = index.resolve(name, &|_, tool: &Tool| self.sees(tool));
        found.into_iter().map(|position| &self.catalog.tools()[position]).collect()
    }

    /// Returns the only skill, or the only tool, that a name may mean; the other kind is ignored.
    pub(super) fn only(&self, index: &NameIndex<'a>, name: &str, is_skill: bool) -> Option<&'a Arc<Tool>> {
        let counts = |tool: &Tool| tool.key.is_skill == is_skill && self.sees(tool);
        let named = self.named(name).filter(|tool| counts(tool));
        named.or_else(|| match index.resolve(name, &|_, tool: &Tool| counts(tool))[..] {
            [position] => Some(&self.catalog.tools()[position]),
            _ => None,
        })
    }

    /// Returns the tools that a misspelt name may mean, in catalog order, or `None` if the name has no known server in
    /// it.
    pub(super) fn claimed(&self, name: &str) -> Option<Vec<&'a Arc<Tool>>> {
        let claims = self.names().claims(name, &|_, tool: &Tool| self.sees(tool));
        let tools = self.all_seen().into_iter().filter(|tool| may_mean(tool, &claims));
        (!claims.is_empty()).then(|| tools.collect())
    }

    /// Returns the tools that the session may see in this turn, in catalog order.
    pub(super) fn all_seen(&self) -> Vec<&'a Arc<Tool>> {
        let tools = self.catalog.tools_for(self.session.owner());
        tools.into_iter().filter(|tool| self.sees(tool)).collect()
    }

    /// Returns the tools that are searched in this turn, in catalog order.
    pub(super) fn searchable(&self) -> impl Iterator<Item = &'a Arc<Tool>> + use<'a> {
        let (catalog, corpus) = (self.catalog, self.corpus);
        corpus.positions().iter().map(|position| &catalog.tools()[*position as usize])
    }

    /// Returns the key of a search of the session: the query, the revision of the session's tools, and the names that
    /// are visible in this turn.
    pub(super) fn search_key(&self, query: &str) -> Vec<String> {
        let mut key = vec![query.to_owned(), self.catalog.revision_of(self.session.owner()).to_string()];
        if let Visible::Names(names) = &self.turn.visible {
            key.extend(names.iter().cloned());
        }
        key
    }
}

impl Universe {
    /// Returns true if a tool in this state is searched.
    pub(crate) fn holds(self, state: ToolState) -> bool {
        match state {
            ToolState::Hidden => false,
            ToolState::Deferred | ToolState::Revealed => true,
            ToolState::Pinned => self != Universe::Deferred,
            ToolState::Eager => self == Universe::All,
        }
    }
}
