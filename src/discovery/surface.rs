//! Which tools does the library add? Their definitions, and what a call to each of them does.

use std::collections::HashMap;

use crate::assembly::Definition;
use crate::search::SearchSettings;

use super::call::UnrevealedCall;

/// What a call to a discovery tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Finds tools.
    Search,
    /// Reveals tools by name.
    Add,
    /// Lists the names of all tools.
    ShowAll,
}

/// What loads a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reveal {
    /// Adding it by name.
    OnAdd,
    /// The search that finds it.
    OnSearch,
}

impl Reveal {
    /// Every value with its text form.
    pub const ALL: &[(&str, Reveal)] = &[("add", Reveal::OnAdd), ("search", Reveal::OnSearch)];
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
    /// What happens on a call to a deferred tool that was not loaded.
    pub unrevealed_call: UnrevealedCall,
    /// Other names under which a tool can be added, in snake case, each with the name that it stands for.
    pub aliases: HashMap<String, String>,
    /// Tools that a session may hold revealed.
    pub most_revealed: usize,
}

impl DiscoverySettings {
    /// The name of the tool for an action, if the surface has one.
    pub(super) fn name_of(&self, action: Action) -> Option<&'static str> {
        self.surface.iter().find(|tool| tool.action == action).map(|tool| tool.definition.name)
    }
}

/// Search by pattern, add by name, list all names.
pub const SEARCH_ADD_SHOW: &[SurfaceTool] = &[
    SurfaceTool {
        action: Action::Search,
        definition: Definition {
            name: "search_tools",
            description: "Finds tools by a regular expression over their names and descriptions; upper and lower \
                          case are the same. A search does not load anything: load what you need with add_tool.",
            parameters: r#"{"type":"object","properties":{"query":{"type":"string","description":"A word or a regular expression, such as weather, create_.*issue or file|folder"}},"required":["query"]}"#,
        },
    },
    SurfaceTool {
        action: Action::Add,
        definition: Definition {
            name: "add_tool",
            description: "Loads one or more tools by name, so that you can call them from your next step on. Use it \
                          after search_tools has told you their names.",
            parameters: r#"{"type":"object","properties":{"tool_names":{"type":"array","items":{"type":"string"},"description":"Exact names, such as [\"read_file\", \"get_weather\"]"}},"required":["tool_names"]}"#,
        },
    },
    SurfaceTool {
        action: Action::ShowAll,
        definition: Definition {
            name: "show_all_tools",
            description: "Lists the names of all tools that can be added, without descriptions. To read what a tool \
                          does, search for its name.",
            parameters: r#"{"type":"object","properties":{}}"#,
        },
    },
];
