//! Which settings go together? One row per published system, over the settings of the stages.
//!
//! No other file names a profile, and no code branches on one: a system is its row.

use serde::Serialize;

use crate::assembly::{Activation, Arrangement, AssemblySettings, Disclosure, Presence, PromptText, StubWhen};
use crate::catalog::{Selection, SelectionRules};
use crate::discovery::definitions::{BRIDGE, SEARCH_ADD_SHOW, SEARCH_LOADS, SEARCH_RESTORES, SEARCH_SCHEMAS};
use crate::discovery::{DiscoverySettings, Reveal, SurfaceTool, UnrevealedCall};
use crate::limits;
use crate::search::{Cutoff, Grammar, Ranker, SearchSettings, Universe};
use crate::session::{Consent, DeferralLists, Eligibility};

/// A named row of settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// The published system that it follows.
    pub after: &'static str,
    /// What it is good for.
    pub summary: &'static str,
    /// What the model sees, in a few words.
    pub shows: &'static str,
    /// The shape of the published system's own configuration, which is read as that system reads it.
    pub own_config: OwnConfig,
    /// When tools are held back.
    pub activation: Activation,
    /// Which tools are held back that say nothing of themselves.
    pub consent: Consent,
    /// What the model sees of a deferred tool.
    pub disclosure: Disclosure,
    /// In which order tools are sent.
    pub arrangement: Arrangement,
    /// When discovery tools are sent.
    pub presence: Presence,
    /// How tools are found.
    pub search: SearchSettings,
    /// What loads a tool.
    pub reveal: Reveal,
    /// What happens on a call to a deferred tool that was not loaded.
    pub unrevealed_call: UnrevealedCall,
    /// Searches that a session may make a minute; 0 for any number.
    pub searches_per_minute: usize,
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

/// The shape of a published system's own configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnConfig {
    /// It has none that could be read here.
    None,
    /// `{threshold, never_defer}`.
    Capability,
    /// `{enabled, threshold_pct, search_default_limit, max_search_limit}`, or a single boolean.
    Section,
}

/// The share of the context window that deferrable definitions may take where nobody says otherwise.
const CONTEXT_SHARE: f64 = 0.1;

const NO_TEXT: PromptText =
    PromptText { opening: "", categories: "", closing: "", listing: "", listing_end: "", stub: "" };

/// Every profile; the first is the default.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "search-add",
        after: "mcpagent Tool Search Mode",
        summary: "The model searches by pattern, adds what it wants by name, and calls it. Nothing of a tool is sent \
                  before it is added.",
        shows: "`search_tools`, `add_tool`, `show_all_tools`, what is pinned, what was added",
        own_config: OwnConfig::None,
        activation: Activation::On,
        consent: Consent::OptOut,
        disclosure: Disclosure::Hidden,
        arrangement: Arrangement::DiscoveryFirst,
        presence: Presence::WhenActive,
        search: SearchSettings {
            grammar: Grammar::Plain,
            ranker: Ranker::Pattern,
            universe: Universe::Deferrable,
            cutoff: Cutoff::None,
            hits: None,
            most_hits: usize::MAX,
        },
        reveal: Reveal::OnAdd,
        // The published system hides undiscovered tools but would run them; ours does not run what the model cannot
        // have seen, since such a call is a guess.
        unrevealed_call: UnrevealedCall::Refuse,
        searches_per_minute: 0,
        surface: SEARCH_ADD_SHOW,
        prompt: PromptText {
            opening: "## Finding tools\n\nMost of your tools are not loaded. Search for what a task needs with \
                      search_tools (a word or a regular expression), then load it with add_tool.",
            categories: "What there is to search for:",
            closing: "For every task:\n1. Work out what the user needs.\n2. Search for tools with search_tools and \
                      read what it returns.\n3. Load the ones you need: add_tool(tool_names=[\"...\"]).\n4. Call \
                      them to do the task.",
            listing: "Tools that can be loaded:",
            listing_end: "",
            stub: "Not loaded: search_tools, then add_tool {name}.",
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
    },
    Profile {
        name: "select",
        after: "nexo ToolSearch",
        summary: "Tools that ask for it are listed by name and description; a search answers with their definitions, \
                  and the model calls them from there. Nothing is remembered.",
        shows: "`ToolSearch`, what is not deferred, deferred tools as lines of the prompt",
        own_config: OwnConfig::None,
        activation: Activation::On,
        consent: Consent::OptIn,
        disclosure: Disclosure::Descriptions,
        arrangement: Arrangement::DiscoveryFirst,
        presence: Presence::Always,
        search: SearchSettings {
            grammar: Grammar::Commands,
            ranker: Ranker::Parts,
            universe: Universe::Deferred,
            cutoff: Cutoff::None,
            hits: Some(5),
            most_hits: 25,
        },
        reveal: Reveal::Never,
        unrevealed_call: UnrevealedCall::Allow,
        searches_per_minute: 5,
        surface: SEARCH_SCHEMAS,
        prompt: PromptText {
            categories: "What there is to search for:",
            listing: "<deferred-tools>\nThese tools are listed without their parameters. Before you call one, get its \
                      definition with ToolSearch(select:<name>).",
            listing_end: "</deferred-tools>",
            stub: "Get the parameters with ToolSearch(select:{name}).",
            ..NO_TEXT
        },
        always_available: &[],
        special_categories: &[],
        system_categories: &[],
    },
    Profile {
        name: "select-load",
        after: "Claude Code ToolSearch",
        summary: "Deferred tools are listed by name; a search loads what it finds, five at most, and a call before \
                  that is refused.",
        shows: "`ToolSearch`, what is not deferred, names of deferred tools, what was loaded",
        own_config: OwnConfig::None,
        activation: Activation::On,
        consent: Consent::OptOut,
        disclosure: Disclosure::Names,
        arrangement: Arrangement::DiscoveryFirst,
        presence: Presence::WhenActive,
        search: SearchSettings {
            grammar: Grammar::Commands,
            ranker: Ranker::Parts,
            universe: Universe::Deferred,
            cutoff: Cutoff::None,
            hits: Some(5),
            most_hits: 5,
        },
        reveal: Reveal::OnSearch,
        unrevealed_call: UnrevealedCall::Refuse,
        searches_per_minute: 0,
        surface: SEARCH_LOADS,
        prompt: PromptText {
            categories: "What there is to search for:",
            listing: "<deferred-tools>\nThese tools are deferred. Load one with ToolSearch before you call it; a call \
                      before that fails.",
            listing_end: "</deferred-tools>",
            stub: "Not loaded: ToolSearch select:{name} first.",
            ..NO_TEXT
        },
        always_available: &[],
        special_categories: &[],
        system_categories: &[],
    },
    Profile {
        name: "stub",
        after: "everruns tool_search",
        summary: "Every tool stays in the list with its description, deferred ones without their parameters; a search \
                  puts the parameters back in place.",
        shows: "`tool_search`, every tool, deferred ones as stubs",
        own_config: OwnConfig::Capability,
        activation: Activation::Tools(15),
        consent: Consent::OptOut,
        disclosure: Disclosure::Stubs,
        arrangement: Arrangement::DiscoveryLast,
        presence: Presence::Always,
        search: SearchSettings {
            grammar: Grammar::Plain,
            ranker: Ranker::Overlap,
            universe: Universe::All,
            cutoff: Cutoff::HalfOfBest,
            hits: Some(8),
            most_hits: 8,
        },
        reveal: Reveal::OnSearch,
        unrevealed_call: UnrevealedCall::Allow,
        searches_per_minute: 0,
        surface: SEARCH_RESTORES,
        prompt: PromptText {
            opening: "Many of your tools are loaded lazily: you see their names and descriptions, but not their \
                      parameters. Before you use such a tool, call tool_search for it; in your next step it has its \
                      full parameters. Tools that are used often have theirs already.",
            categories: "What there is to search for:",
            listing: "Tools whose parameters can be loaded:",
            stub: "tool_search {name} first",
            ..NO_TEXT
        },
        always_available: &[],
        special_categories: &[],
        system_categories: &[],
    },
    Profile {
        name: "bridge",
        after: "Hermes tool_search",
        summary: "Three bridge tools stand for all that is deferred: search, describe, call. The tool list never \
                  changes, nothing is remembered, and the host sees the real tool only.",
        shows: "`tool_search`, `tool_describe`, `tool_call`, what is not deferred",
        own_config: OwnConfig::Section,
        activation: Activation::ContextShare,
        consent: Consent::OptOut,
        disclosure: Disclosure::Hidden,
        arrangement: Arrangement::DiscoveryLast,
        presence: Presence::WhenActive,
        search: SearchSettings {
            grammar: Grammar::Plain,
            ranker: Ranker::Bm25,
            universe: Universe::Deferred,
            cutoff: Cutoff::None,
            hits: Some(5),
            most_hits: 20,
        },
        reveal: Reveal::Never,
        unrevealed_call: UnrevealedCall::Refuse,
        searches_per_minute: 0,
        surface: BRIDGE,
        prompt: PromptText {
            categories: "What there is to search for with tool_search:",
            listing: "Tools behind tool_search:",
            stub: "Call {name} through tool_call.",
            ..NO_TEXT
        },
        always_available: &[],
        special_categories: &[],
        system_categories: &[],
    },
];

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
                    consent: self.consent,
                    pre_discovered: Default::default(),
                    always_available: owned(self.always_available),
                    special_categories: owned(self.special_categories),
                },
            },
            assembly: AssemblySettings {
                activation: self.activation,
                context_window: None,
                context_share: CONTEXT_SHARE,
                disclosure: self.disclosure,
                stub_when: StubWhen::Smaller,
                arrangement: self.arrangement,
                presence: self.presence,
                prompt: self.prompt,
                categories: Vec::new(),
                surface: self.surface.iter().map(|tool| tool.definition).collect(),
            },
            discovery: DiscoverySettings {
                surface: self.surface,
                search: self.search,
                reveal: self.reveal,
                unrevealed_call: self.unrevealed_call,
                searches_per_minute: self.searches_per_minute,
                aliases: Default::default(),
                most_revealed: limits::REVEALED,
            },
        }
    }

    /// The row as data, for tables.
    pub fn info(&'static self) -> ProfileInfo {
        let settings = self.settings().info();
        ProfileInfo {
            name: self.name,
            profile: self.name,
            after: self.after,
            summary: self.summary,
            shows: self.shows,
            activation: settings.activation,
            deferral: settings.deferral,
            disclosure: settings.disclosure,
            stub_when: settings.stub_when,
            reveal: settings.reveal,
            unrevealed_call: settings.unrevealed_call,
            search: settings.search,
            searches_per_minute: settings.searches_per_minute,
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

impl Settings {
    /// The settings as data, in the text forms that the options take.
    pub fn info(&self) -> SettingsInfo {
        let search = &self.discovery.search;
        SettingsInfo {
            profile: self.profile.name,
            activation: match self.assembly.activation {
                Activation::On => ActivationInfo::Switch("on"),
                Activation::Off => ActivationInfo::Switch("off"),
                Activation::Tools(tools) => ActivationInfo::Tools { tools },
                Activation::ContextShare => ActivationInfo::Share { context_share: self.assembly.context_share },
            },
            deferral: text_of(Consent::ALL, self.eligibility.lists.consent),
            disclosure: text_of(Disclosure::ALL, self.assembly.disclosure),
            stub_when: text_of(StubWhen::ALL, self.assembly.stub_when),
            reveal: text_of(Reveal::ALL, self.discovery.reveal),
            unrevealed_call: text_of(UnrevealedCall::ALL, self.discovery.unrevealed_call),
            search: SearchInfo {
                ranker: text_of(Ranker::ALL, search.ranker),
                grammar: text_of(Grammar::ALL, search.grammar),
                universe: text_of(Universe::ALL, search.universe),
                cutoff: text_of(Cutoff::ALL, search.cutoff),
                hits: search.hits,
                max_hits: Some(search.most_hits).filter(|most| *most < usize::MAX),
            },
            searches_per_minute: self.discovery.searches_per_minute,
        }
    }
}

/// A profile as data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileInfo {
    /// See [`Profile::name`].
    pub name: &'static str,
    /// See [`Profile::after`].
    pub after: &'static str,
    /// See [`Profile::summary`].
    pub summary: &'static str,
    /// See [`Profile::shows`].
    pub shows: &'static str,
    /// As [`SettingsInfo::profile`], and so on for every axis: written out, since a flattened struct would weigh more.
    pub profile: &'static str,
    /// See [`SettingsInfo::activation`].
    pub activation: ActivationInfo,
    /// See [`SettingsInfo::deferral`].
    pub deferral: &'static str,
    /// See [`SettingsInfo::disclosure`].
    pub disclosure: &'static str,
    /// See [`SettingsInfo::stub_when`].
    pub stub_when: &'static str,
    /// See [`SettingsInfo::reveal`].
    pub reveal: &'static str,
    /// See [`SettingsInfo::unrevealed_call`].
    pub unrevealed_call: &'static str,
    /// See [`SettingsInfo::search`].
    pub search: SearchInfo,
    /// See [`SettingsInfo::searches_per_minute`].
    pub searches_per_minute: usize,
    /// Names of the discovery tools.
    pub surface: Vec<&'static str>,
    /// See [`Profile::always_available`].
    pub always_available: &'static [&'static str],
    /// See [`Profile::special_categories`].
    pub special_categories: &'static [&'static str],
}

/// One value on each axis, in the text forms that the options take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingsInfo {
    /// The row that they began as.
    pub profile: &'static str,
    /// When tools are held back.
    pub activation: ActivationInfo,
    /// Which tools are held back that say nothing of themselves.
    pub deferral: &'static str,
    /// What the model sees of a deferred tool.
    pub disclosure: &'static str,
    /// When a stub is used.
    pub stub_when: &'static str,
    /// What loads a tool.
    pub reveal: &'static str,
    /// What happens on a call to a deferred tool that was not loaded.
    pub unrevealed_call: &'static str,
    /// How tools are found.
    pub search: SearchInfo,
    /// Searches that a session may make a minute; 0 for any number.
    pub searches_per_minute: usize,
}

/// When tools are held back.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum ActivationInfo {
    /// On or off.
    Switch(&'static str),
    /// From a number of tools on.
    Tools {
        /// The number.
        tools: usize,
    },
    /// From a share of the context window on.
    #[serde(rename_all = "camelCase")]
    Share {
        /// The share, 0 to 1.
        context_share: f64,
    },
}

/// How tools are found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchInfo {
    /// How hits are made.
    pub ranker: &'static str,
    /// How the query is read.
    pub grammar: &'static str,
    /// Which tools are searched.
    pub universe: &'static str,
    /// Which hits are left out.
    pub cutoff: &'static str,
    /// Hits where nobody asks for a number; none for the ranker's own bound.
    pub hits: Option<usize>,
    /// Hits at the most; none for any number.
    pub max_hits: Option<usize>,
}

fn owned<C: FromIterator<String>>(list: &[&str]) -> C {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn text_of<T: PartialEq + Copy>(all: &[(&'static str, T)], value: T) -> &'static str {
    all.iter().find(|(_, v)| *v == value).map_or("", |(text, _)| text)
}
