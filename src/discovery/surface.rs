//! Defines the discovery tools that toolsift adds, and the settings that decide calls.

use crate::assembly::Definition;
use crate::catalog::Effect;
use crate::macros::choices;
use crate::map::Map;
use crate::search::SearchSettings;
use crate::session::Bounds;

/// The action of a call to a discovery tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Searches tools, and answers in some shape.
    Search(Answer),
    /// Loads tools by name.
    Add,
    /// Lists the names of all tools.
    ShowAll,
    /// Lists servers, or the names of one server's tools.
    Browse,
    /// Shows one tool in full.
    Describe,
    /// Reads on in an answer that was cut.
    ReadOn,
    /// Reads a file of a skill.
    ReadSkill,
    /// Calls a tool for the model, if the effect that its server declares is at most this one.
    Forward(Effect),
}

/// The shape of the answer to a search, and of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Names and descriptions.
    Names,
    /// Names, scores, descriptions and schemas; for a query by name, also the missing names.
    Schemas,
    /// The loaded tools.
    Load,
    /// The schemas of stubs, or the names of all tools if nothing matches.
    Restore,
    /// The loaded tools, lines for the other hits, and the confidence.
    Ranked,
    /// The tools to call with their parameters, lines for the other hits, and the confidence.
    Callable,
    /// Names with their sources and the beginnings of their descriptions.
    Bridge,
}

choices! {
    /// The answer to a call of a deferred tool that was not loaded.
    pub enum UnrevealedCall {
        /// The call is refused, with the way to load the tool.
        Refuse = "refuse",
        /// The call is refused with the tool's schema in the message, and the tool is loaded, so that the next attempt
        /// can succeed.
        RefuseWithSchema = "refuse-with-schema",
        /// The tool is loaded and run.
        Run = "run",
        /// The tool is run, and stays deferred.
        Allow = "allow",
    }

    /// The answer to a call of a tool that exists, but that the session may not see.
    pub enum OutOfScope {
        /// The answer that an unknown tool gets, so that no call tells which tools other sessions have.
        Conceal = "conceal",
        /// The answer that the tool is not available in this session.
        Tell = "tell",
    }

    /// The step that loads a tool.
    pub enum Reveal {
        /// Adding the tool by name.
        OnAdd = "add",
        /// The search that finds the tool.
        OnSearch = "search",
        /// No step.
        Never = "never",
    }
}

/// The most that one search may load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The maximum number of tools.
    pub tools: usize,
    /// The maximum number of tokens of their definitions, counted as `ceil(characters / 4)`. The best hit is loaded
    /// whatever it takes, and a tool of another server that fits too is not counted against the others.
    pub tokens: usize,
}

impl Budget {
    /// No limit: a search loads all tools that it shows.
    pub const FREE: Budget = Budget { tools: usize::MAX, tokens: usize::MAX };
    /// The budget for a user's own message, before the model is asked.
    pub const AHEAD: Budget = Budget { tools: 3, tokens: 1_000 };
}

/// A discovery tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceTool {
    /// The definition for the model.
    pub definition: Definition,
    /// The action of a call.
    pub action: Action,
}

/// The settings of the model's calls.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscoverySettings {
    /// The discovery tools.
    pub surface: &'static [SurfaceTool],
    /// The settings of the search.
    pub search: SearchSettings,
    /// The step that loads a tool.
    pub reveal: Reveal,
    /// The most that one search may load.
    pub budget: Budget,
    /// If true, a call that fails twice in the same way is answered with the advice to stop.
    pub stops_repeats: bool,
    /// If true, calls are read in any form in which models write them: names in any form, and a single name instead of
    /// a list. In a call through another tool, the arguments may also have another name, be written beside the tool's
    /// name, or be missing, and calls may be nested. The published systems are exact.
    pub reads_calls_loosely: bool,
    /// The answer to a call of a deferred tool that was not loaded.
    pub unrevealed_call: UnrevealedCall,
    /// The number of searches that a session may make per minute; 0 means no limit.
    pub searches_per_minute: usize,
    /// The answer about a tool that the session may not see.
    pub out_of_scope: OutOfScope,
    /// Other names under which a tool can be added, in snake case, each with the real name.
    pub aliases: Map<String, String>,
    /// The limits of the loaded tools of a session.
    pub bounds: Bounds,
}

impl DiscoverySettings {
    /// Returns the discovery tool with this name.
    pub(super) fn tool(&self, name: &str) -> Option<&'static SurfaceTool> {
        self.surface.iter().find(|tool| tool.definition.name == name)
    }

    /// Returns true if this is the name of a discovery tool.
    pub fn is_discovery_tool(&self, name: &str) -> bool {
        self.tool(name).is_some()
    }

    /// Returns the name of the tool for an action, if there is one.
    pub(super) fn name_of(&self, action: Action) -> Option<&'static str> {
        self.surface.iter().find(|tool| tool.action == action).map(|tool| tool.definition.name)
    }

    /// Returns the name of the tool that calls tools of this effect, if there is one.
    pub(super) fn caller_of(&self, effect: Effect) -> Option<&'static str> {
        let calls = |tool: &&SurfaceTool| matches!(tool.action, Action::Forward(most) if effect <= most);
        self.surface.iter().find(calls).map(|tool| tool.definition.name)
    }

    /// Returns true if the model can find and load skills: the answers of published systems have no place for them.
    pub fn takes_skills(&self) -> bool {
        let finds = |tool: &SurfaceTool| matches!(tool.action, Action::Search(Answer::Ranked | Answer::Callable));
        self.surface.iter().any(finds)
    }

    /// Returns the name of the search tool.
    pub(super) fn search_name(&self) -> Option<&'static str> {
        let search = self.surface.iter().find(|tool| matches!(tool.action, Action::Search(_)));
        search.map(|tool| tool.definition.name)
    }
}
