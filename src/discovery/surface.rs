//! The discovery tools that the library adds, and the settings of what a call does.

use crate::assembly::Definition;
use crate::catalog::Effect;
use crate::macros::choices;
use crate::map::Map;
use crate::search::SearchSettings;
use crate::session::Bounds;

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
    /// Reads on in an answer that was cut.
    ReadOn,
    /// Reads a file of a skill.
    ReadSkill,
    /// Calls a tool on the model's behalf, if its server says that its effect is at most this one.
    Forward(Effect),
}

/// The shape of the answer to a search, and of the arguments that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Names and descriptions.
    Names,
    /// Names, scores, descriptions and schemas, or the names that are missing.
    Schemas,
    /// What was loaded.
    Load,
    /// The schemas that stubs stood for, or the names of all tools.
    Restore,
    /// What was loaded, what else there is, and how sure that is.
    Ranked,
    /// What can be called and how, what else there is, and how sure that is.
    Callable,
    /// Names with their sources and the beginning of their descriptions.
    Bridge,
}

choices! {
    /// What happens on a call to a deferred tool that was not loaded.
    pub enum UnrevealedCall {
        /// It is refused, with the way to load it.
        Refuse = "refuse",
        /// It is refused with its schema in the message, and revealed, so that the next attempt is right.
        RefuseWithSchema = "refuse-with-schema",
        /// It is revealed and run.
        Run = "run",
        /// It is run, and stays deferred.
        Allow = "allow",
    }

    /// What the model learns when it calls a tool that exists and that the session may not see.
    pub enum OutOfScope {
        /// What it would learn of a tool that does not exist, so that no call tells which tools other sessions have.
        Conceal = "conceal",
        /// That the tool is not available in this session.
        Tell = "tell",
    }

    /// What loads a tool.
    pub enum Reveal {
        /// Adding it by name.
        OnAdd = "add",
        /// The search that finds it.
        OnSearch = "search",
        /// Nothing.
        Never = "never",
    }
}

/// How much one search may load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Tools.
    pub tools: usize,
    /// Tokens of their definitions, counted as `ceil(characters / 4)`; the first is loaded whatever it takes, and
    /// a tool of another server that fits too is not counted against the others.
    pub tokens: usize,
}

impl Budget {
    /// No bound: a search loads all that it shows.
    pub const FREE: Budget = Budget { tools: usize::MAX, tokens: usize::MAX };
    /// What a user's own message may load before the model is asked.
    pub const AHEAD: Budget = Budget { tools: 3, tokens: 1_000 };
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
    /// Whether calls are read in whatever form a model writes them: names in any form, one name for a list of one; in a call
    /// through another tool also arguments under other names, beside the tool's name or missing, and calls within calls. The
    /// published systems are exact.
    pub reads_calls_loosely: bool,
    /// What happens on a call to a deferred tool that was not loaded.
    pub unrevealed_call: UnrevealedCall,
    /// Searches that a session may make a minute; 0 for any number.
    pub searches_per_minute: usize,
    /// What the model learns of a tool that the session may not see.
    pub out_of_scope: OutOfScope,
    /// Other names under which a tool can be added, in snake case, each with the name that it stands for.
    pub aliases: Map<String, String>,
    /// What a session may hold revealed.
    pub bounds: Bounds,
}

impl DiscoverySettings {
    /// The discovery tool of a name.
    pub(super) fn tool(&self, name: &str) -> Option<&'static SurfaceTool> {
        self.surface.iter().find(|tool| tool.definition.name == name)
    }

    /// Whether a name is that of a discovery tool.
    pub fn is_discovery_tool(&self, name: &str) -> bool {
        self.tool(name).is_some()
    }

    /// The name of the tool for an action, if the surface has one.
    pub(super) fn name_of(&self, action: Action) -> Option<&'static str> {
        self.surface.iter().find(|tool| tool.action == action).map(|tool| tool.definition.name)
    }

    /// The name of the tool that calls tools of an effect, if the surface has one.
    pub(super) fn caller_of(&self, effect: Effect) -> Option<&'static str> {
        let calls = |tool: &&SurfaceTool| matches!(tool.action, Action::Forward(most) if effect <= most);
        self.surface.iter().find(calls).map(|tool| tool.definition.name)
    }

    /// Whether the model can find and load skills: the answers of published systems have no place for them.
    pub fn takes_skills(&self) -> bool {
        let finds = |tool: &SurfaceTool| matches!(tool.action, Action::Search(Answer::Ranked | Answer::Callable));
        self.surface.iter().any(finds)
    }

    /// The name of the tool that searches.
    pub(super) fn search_name(&self) -> Option<&'static str> {
        let search = self.surface.iter().find(|tool| matches!(tool.action, Action::Search(_)));
        search.map(|tool| tool.definition.name)
    }
}
