//! Defines the table of profiles: our own row and one per published system. No other code in `src` names a profile.

use crate::assembly::{Activation, Arrangement, Disclosure, Presence, PromptText};
use crate::discovery::definitions::{
    BRIDGE, SEARCH_ADD_SHOW, SEARCH_AND_CALL, SEARCH_LOADS, SEARCH_OR_ADD, SEARCH_RESTORES, SEARCH_SCHEMAS,
};
use crate::discovery::{Budget, OutOfScope, Reveal, UnrevealedCall};
use crate::search::{Cutoff, Grammar, Ranker, SearchSettings, Universe};
use crate::session::{Consent, SessionEviction, WhenFull};

use super::row::{Constant, OwnConfig, Profile};

/// The default share of the context window that deferrable definitions may take, 0 to 1.
pub(super) const CONTEXT_SHARE: f64 = 0.1;

/// The texts that most prompts share.
pub(super) const TEXTS: PromptText = PromptText {
    opening: "",
    categories: "What there is to search for:",
    closing: "",
    listing: "",
    by_server: "",
    listing_end: "",
    stub: "",
};

/// The columns that most profiles share.
const COMMON: Profile = Profile {
    name: "",
    after: "",
    summary: "",
    shows: "",
    own_config: OwnConfig::None,
    session_eviction: SessionEviction::LastUse,
    surface: &[],
    constant: None,
    always_available: &[],
    special_categories: &[],
    change: |_| {},
};

/// Every profile; the first is the default.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "sift",
        after: "toolsift itself",
        summary: "The model sees three small tools, and how many tools each server has. It asks in plain words: tools that \
                  clearly fit are sent from then on, others are named. A call made too early brings the tool in too.",
        shows: "`search_tools`, `add_tool`, `show_all_tools`, servers with their numbers of tools, what was loaded",
        surface: SEARCH_OR_ADD,
        constant: Some(&Constant {
            surface: SEARCH_AND_CALL,
            prompt: PromptText {
                opening: "## Finding tools\n\nMost of your tools are not in your list. Before you say that you cannot do \
                          something, say what you need to search_tools: it tells the parameters of what fits, and which of \
                          your tools calls it. If nothing fits, search once more in other words. Never guess names.",
                listing: "Servers, and how many tools each has:",
                by_server: "Tools that can be called, by server:",
                stub: "Not loaded: search_tools {name} first.",
                ..TEXTS
            },
        }),
        change: |settings| {
            settings.assembly.activation = Activation::Auto;
            settings.assembly.disclosure = Disclosure::Servers;
            settings.discovery.search = SearchSettings {
                grammar: Grammar::Full,
                ranker: Ranker::Sift,
                hits: Some(10),
                most_hits: 50,
                ..settings.discovery.search
            };
            settings.discovery.reveal = Reveal::OnSearch;
            // Ten hits are shown, and up to five of them, of 1,000 tokens in total, are loaded. In all circumstances that
            // `npm run simulate` tried, this is within a few hundredths of the best.
            settings.discovery.budget = Budget { tools: 5, tokens: 1_000 };
            settings.discovery.stops_repeats = true;
            settings.discovery.reads_calls_loosely = true;
            settings.discovery.unrevealed_call = UnrevealedCall::RefuseWithSchema;
            settings.discovery.out_of_scope = OutOfScope::Conceal;
            settings.discovery.bounds.when_full = WhenFull::Evict;
            settings.assembly.prompt = PromptText {
                opening: "## Finding tools\n\nMost of your tools are not loaded. Before you say that you cannot do something, \
                          say what you need to search_tools: what fits is loaded, and you can call it in your next step. \
                          If nothing fits, search once more in other words. Never guess names.",
                listing: "Servers, and how many tools each has:",
                by_server: "Tools that can be loaded, by server:",
                stub: "Not loaded: search_tools {name} first.",
                ..TEXTS
            };
        },
        ..COMMON
    },
    Profile {
        name: "search-add",
        after: "mcpagent Tool Search Mode",
        summary: "The model sees nothing but search tools. It searches by pattern and adds tools by name: those are sent \
                  from then on.",
        shows: "`search_tools`, `add_tool`, `show_all_tools`, what is pinned, what was added",
        surface: SEARCH_ADD_SHOW,
        // The published system keeps these tools available because it stores large results for them to read.
        always_available: &["search_large_output", "read_large_output", "query_large_output"],
        special_categories: &["structured_output", "human"],
        change: |settings| {
            settings.discovery.reveal = Reveal::OnAdd;
            // The published system hides undiscovered tools but would run them. This profile refuses such a call, since it
            // is a guess: the model cannot have seen the tool.
            settings.discovery.unrevealed_call = UnrevealedCall::Refuse;
            settings.assembly.prompt = PromptText {
                opening: "## Finding tools\n\nMost of your tools are not loaded. Search for what a task needs with \
                          search_tools (a word or a regular expression), then load it with add_tool.",
                closing: "For every task:\n1. Work out what the user needs.\n2. Search for tools with search_tools and \
                          read what it returns.\n3. Load the ones you need: add_tool(tool_names=[\"...\"]).\n4. Call \
                          them to do the task.",
                listing: "Tools that can be loaded:",
                stub: "Not loaded: search_tools, then add_tool {name}.",
                ..TEXTS
            };
            settings.eligibility.rules.system =
                &["workspace", "workspace_basic", "workspace_browser", "workspace_advanced", "workspace_git", "human"];
        },
        ..COMMON
    },
    Profile {
        name: "select",
        after: "nexo ToolSearch",
        summary: "The model sees a list of names and descriptions. A search answers with the definitions of tools, and the \
                  model calls them from there: they are never sent as tools.",
        shows: "`ToolSearch`, what is not deferred, deferred tools as lines of the prompt",
        surface: SEARCH_SCHEMAS,
        change: |settings| {
            settings.eligibility.lists.consent = Consent::OptIn;
            settings.assembly.disclosure = Disclosure::Descriptions;
            settings.assembly.presence = Presence::Always;
            settings.discovery.search = SearchSettings {
                grammar: Grammar::Commands,
                ranker: Ranker::Parts,
                universe: Universe::Deferred,
                hits: Some(5),
                most_hits: 25,
                ..settings.discovery.search
            };
            settings.discovery.unrevealed_call = UnrevealedCall::Allow;
            settings.discovery.searches_per_minute = 5;
            settings.assembly.prompt = PromptText {
                listing: "<deferred-tools>\nThese tools are listed without their parameters. Before you call one, get its \
                          definition with ToolSearch(select:<name>).",
                listing_end: "</deferred-tools>",
                stub: "Get the parameters with ToolSearch(select:{name}).",
                ..TEXTS
            };
        },
        ..COMMON
    },
    Profile {
        name: "select-load",
        after: "Claude Code ToolSearch",
        summary: "The model sees a list of names. A search sends what it finds from then on, five tools at most; an \
                  earlier call is refused.",
        shows: "`ToolSearch`, what is not deferred, names of deferred tools, what was loaded",
        surface: SEARCH_LOADS,
        change: |settings| {
            settings.assembly.disclosure = Disclosure::Names;
            settings.discovery.search = SearchSettings {
                grammar: Grammar::Commands,
                ranker: Ranker::Parts,
                universe: Universe::Deferred,
                hits: Some(5),
                most_hits: 5,
                ..settings.discovery.search
            };
            settings.discovery.reveal = Reveal::OnSearch;
            settings.assembly.prompt = PromptText {
                listing: "<deferred-tools>\nThese tools are deferred. Load one with ToolSearch before you call it; a call \
                          before that fails.",
                listing_end: "</deferred-tools>",
                stub: "Not loaded: ToolSearch select:{name} first.",
                ..TEXTS
            };
        },
        ..COMMON
    },
    Profile {
        name: "stub",
        after: "everruns tool_search",
        summary: "The model sees every tool with its description, but without its parameters. A search puts the parameters \
                  back.",
        shows: "`tool_search`, every tool, deferred ones as stubs",
        own_config: OwnConfig::Capability,
        session_eviction: SessionEviction::FirstReveal,
        surface: SEARCH_RESTORES,
        change: |settings| {
            settings.assembly.activation = Activation::Tools(15);
            settings.assembly.disclosure = Disclosure::Stubs;
            settings.assembly.arrangement = Arrangement::DiscoveryLast;
            settings.assembly.presence = Presence::Always;
            settings.discovery.search = SearchSettings {
                ranker: Ranker::Overlap,
                universe: Universe::All,
                cutoff: Cutoff::HalfOfBest,
                hits: Some(8),
                most_hits: 8,
                ..settings.discovery.search
            };
            settings.discovery.reveal = Reveal::OnSearch;
            settings.discovery.unrevealed_call = UnrevealedCall::Allow;
            settings.assembly.prompt = PromptText {
                opening: "Many of your tools are loaded lazily: you see their names and descriptions, but not their \
                          parameters. Before you use such a tool, call tool_search for it; in your next step it has its \
                          full parameters. Tools that are used often have theirs already.",
                listing: "Tools whose parameters can be loaded:",
                stub: "tool_search {name} first",
                ..TEXTS
            };
        },
        ..COMMON
    },
    Profile {
        name: "bridge",
        after: "Hermes tool_search",
        summary: "The model sees three tools: search, describe and call. It calls every other tool through them, so what is \
                  sent never changes.",
        shows: "`tool_search`, `tool_describe`, `tool_call`, what is not deferred",
        own_config: OwnConfig::Section,
        surface: BRIDGE,
        change: |settings| {
            settings.assembly.activation = Activation::ContextShare;
            settings.assembly.arrangement = Arrangement::DiscoveryLast;
            settings.discovery.search = SearchSettings {
                ranker: Ranker::Bm25,
                universe: Universe::Deferred,
                hits: Some(5),
                most_hits: 20,
                ..settings.discovery.search
            };
            settings.assembly.prompt = PromptText {
                categories: "What there is to search for with tool_search:",
                listing: "Tools behind tool_search:",
                stub: "Call {name} through tool_call.",
                ..TEXTS
            };
        },
        ..COMMON
    },
];
