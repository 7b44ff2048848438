//! Which settings go together? One row per published system, over the settings of the stages.
//!
//! No other file names a profile, and no code branches on one: a system is its row.

use serde::Serialize;

use crate::assembly::{Activation, AssemblySettings, Disclosure, PromptText};
use crate::catalog::{Selection, SelectionRules};
use crate::discovery::{DiscoverySettings, Reveal, SEARCH_ADD_SHOW, SurfaceTool, UnrevealedCall};
use crate::limits;
use crate::search::{Ranker, SearchSettings};
use crate::session::{DeferralLists, Eligibility};

/// A named row of settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// The published system that it follows.
    pub after: &'static str,
    /// What it is good for.
    pub summary: &'static str,
    /// When tools are held back.
    pub activation: Activation,
    /// What the model sees of a deferred tool.
    pub disclosure: Disclosure,
    /// How tools are found.
    pub search: SearchSettings,
    /// What loads a tool.
    pub reveal: Reveal,
    /// What happens on a call to a deferred tool that was not loaded.
    pub unrevealed_call: UnrevealedCall,
    /// The discovery tools.
    pub surface: &'static [SurfaceTool],
    /// The texts of the prompt section.
    pub prompt: PromptText,
    /// Names that are always sent and never searched.
    pub always_available: &'static [&'static str],
    /// Categories whose tools every session starts with, and which no selection takes away.
    pub special_categories: &'static [&'static str],
    /// Categories that a selection takes away only by selecting specific tools of theirs.
    pub system_categories: &'static [&'static str],
}

/// Every profile; the first is the default.
pub const PROFILES: &[Profile] = &[Profile {
    name: "search-add",
    after: "mcpagent Tool Search Mode",
    summary: "The model searches by pattern, adds what it wants by name, and calls it. Nothing of a tool is sent \
              before it is added.",
    activation: Activation::On,
    disclosure: Disclosure::Hidden,
    search: SearchSettings { ranker: Ranker::PatternThenFuzzy, limit: None },
    reveal: Reveal::OnAdd,
    // The published system hides undiscovered tools but would run them; ours does not run what the model cannot have
    // seen, since such a call is a guess.
    unrevealed_call: UnrevealedCall::Refuse,
    surface: SEARCH_ADD_SHOW,
    prompt: PromptText {
        opening: "## Finding tools\n\nMost of your tools are not loaded. Search for what a task needs with \
                  search_tools (a word or a regular expression), then load it with add_tool.",
        categories: "What there is to search for:",
        closing: "For every task:\n1. Work out what the user needs.\n2. Search for tools with search_tools and read \
                  what it returns.\n3. Load the ones you need: add_tool(tool_names=[\"...\"]).\n4. Call them to do \
                  the task.",
        listing: "Tools that can be loaded:",
    },
    // The published system keeps these in reach because large results are stored under their care.
    always_available: &["search_large_output", "read_large_output", "query_large_output"],
    special_categories: &["structured_output", "human"],
    system_categories: &[
        "workspace",
        "workspace_basic",
        "workspace_browser",
        "workspace_advanced",
        "workspace_git",
        "human",
    ],
}];

impl Profile {
    /// The profile of a name.
    pub fn named(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }

    /// Its settings, to be used as they are or changed.
    pub fn settings(&'static self) -> Settings {
        Settings {
            profile: self,
            most_tools: limits::TOOLS,
            most_sessions: limits::SESSIONS,
            eligibility: Eligibility {
                selection: Selection::default(),
                rules: SelectionRules { exempt: owned(self.special_categories), system: self.system_categories },
                lists: DeferralLists {
                    pre_discovered: Default::default(),
                    always_available: owned(self.always_available),
                    special_categories: owned(self.special_categories),
                },
            },
            assembly: AssemblySettings {
                activation: self.activation,
                context_window: None,
                disclosure: self.disclosure,
                prompt: self.prompt,
                categories: Vec::new(),
                surface: self.surface.iter().map(|tool| tool.definition).collect(),
            },
            discovery: DiscoverySettings {
                surface: self.surface,
                search: self.search,
                reveal: self.reveal,
                unrevealed_call: self.unrevealed_call,
                aliases: Default::default(),
                most_revealed: limits::REVEALED,
            },
        }
    }

    /// The row as data, for tables.
    pub fn info(&self) -> ProfileInfo {
        ProfileInfo {
            name: self.name,
            after: self.after,
            summary: self.summary,
            activation: self.activation,
            disclosure: text_of(Disclosure::ALL, self.disclosure),
            search: self.search.describe(),
            reveal: text_of(Reveal::ALL, self.reveal),
            unrevealed_call: text_of(UnrevealedCall::ALL, self.unrevealed_call),
            surface: self.surface.iter().map(|tool| tool.definition.name).collect(),
            always_available: self.always_available,
            special_categories: self.special_categories,
        }
    }
}

/// The settings of every stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The row that they began as.
    pub profile: &'static Profile,
    /// Tools in the catalog.
    pub most_tools: usize,
    /// Sessions kept.
    pub most_sessions: usize,
    /// Which tools take part, and which are held back.
    pub eligibility: Eligibility,
    /// How requests are put together.
    pub assembly: AssemblySettings,
    /// What the model may do.
    pub discovery: DiscoverySettings,
}

impl Default for Settings {
    fn default() -> Self {
        PROFILES[0].settings()
    }
}

/// A profile as data. Values have the text forms that the options take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileInfo {
    /// See [`Profile::name`].
    pub name: &'static str,
    /// See [`Profile::after`].
    pub after: &'static str,
    /// See [`Profile::summary`].
    pub summary: &'static str,
    /// See [`Profile::activation`].
    pub activation: Activation,
    /// See [`Profile::disclosure`].
    pub disclosure: &'static str,
    /// See [`Profile::search`].
    pub search: &'static str,
    /// See [`Profile::reveal`].
    pub reveal: &'static str,
    /// See [`Profile::unrevealed_call`].
    pub unrevealed_call: &'static str,
    /// Names of the discovery tools.
    pub surface: Vec<&'static str>,
    /// See [`Profile::always_available`].
    pub always_available: &'static [&'static str],
    /// See [`Profile::special_categories`].
    pub special_categories: &'static [&'static str],
}

fn owned<C: FromIterator<String>>(list: &[&str]) -> C {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn text_of<T: PartialEq + Copy>(all: &[(&'static str, T)], value: T) -> &'static str {
    all.iter().find(|(_, v)| *v == value).map_or("", |(text, _)| text)
}
