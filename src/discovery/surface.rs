//! Which tools does the library add? What a call to each of them does, and what follows from it.

use crate::assembly::Definition;
use crate::search::SearchSettings;
use crate::session::Bounds;

use super::call::UnrevealedCall;
use super::find::Answer;

/// What a call to a discovery tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Finds tools, and answers in some shape.
    Search(Answer),
    /// Reveals tools by name.
    Add,
    /// Lists the names of all tools.
    ShowAll,
    /// Lists servers, and names by server.
    Browse,
    /// Shows one tool in full.
    Describe,
    /// Calls a tool on the model's behalf.
    Forward,
}

/// What loads a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reveal {
    /// Adding it by name.
    OnAdd,
    /// The search that finds it.
    OnSearch,
    /// Nothing.
    Never,
}

impl Reveal {
    /// Every value with its text form.
    pub const ALL: &[(&str, Reveal)] =
        &[("add", Reveal::OnAdd), ("search", Reveal::OnSearch), ("never", Reveal::Never)];
}

/// How much one search may load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Tools.
    pub tools: usize,
    /// Tokens of their definitions, counted as `ceil(characters / 4)`; the first is loaded whatever it takes.
    pub tokens: usize,
}

impl Budget {
    /// As much as it finds.
    pub const FREE: Budget = Budget { tools: usize::MAX, tokens: usize::MAX };
}

/// A discovery tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceTool {
    /// What the model is told.
    pub definition: Definition,
    /// What a call does.
    pub action: Action,
}

/// What the model may do, and what comes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscoverySettings {
    /// The discovery tools.
    pub surface: &'static [SurfaceTool],
    /// How tools are found.
    pub search: SearchSettings,
    /// What loads a tool.
    pub reveal: Reveal,
    /// How much one search may load.
    pub budget: Budget,
    /// Whether a call that fails again as it failed before is answered with the advice to stop.
    pub stops_repeats: bool,
    /// What happens on a call to a deferred tool that was not loaded.
    pub unrevealed_call: UnrevealedCall,
    /// Searches that a session may make a minute; 0 for any number.
    pub searches_per_minute: usize,
    /// Other names under which a tool can be added, in snake case, each with the name that it stands for.
    pub aliases: Vec<(String, String)>,
    /// What a session may hold revealed.
    pub bounds: Bounds,
}

impl DiscoverySettings {
    /// The discovery tool of a name.
    pub(super) fn tool(&self, name: &str) -> Option<&'static SurfaceTool> {
        self.surface.iter().find(|tool| tool.definition.name == name)
    }

    /// The name of the tool for an action, if the surface has one.
    pub(super) fn name_of(&self, action: Action) -> Option<&'static str> {
        self.surface.iter().find(|tool| tool.action == action).map(|tool| tool.definition.name)
    }

    /// The name of the tool that searches.
    pub(super) fn search_name(&self) -> Option<&'static str> {
        let search = self.surface.iter().find(|tool| matches!(tool.action, Action::Search(_)));
        search.map(|tool| tool.definition.name)
    }
}
