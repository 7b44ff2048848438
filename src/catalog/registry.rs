//! Defines the catalog as searches and sessions read it: every tool in registration order, found by identity and by the
//! names that models use. `changes.rs` changes it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::limits;
use crate::map::{Map, Set};

use super::owners::Owners;
use super::tool::{Owner, Tool, ToolId, ToolKey};

/// The heading for tools without a server.
pub(crate) const NO_SERVER: &str = "no server";

/// Every registered tool, in registration order.
///
/// The tools of all owners are in one list, so that one index serves every session. A removed tool of a session's own
/// leaves an empty place in the list, so that other tools keep their positions. When there are many empty places, they
/// are removed.
///
/// A copy shares the tools, and shares the tables of owners until either copy changes them.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    pub(super) tools: Vec<Arc<Tool>>,
    pub(super) owners: Owners,
    /// The number of empty places in the list.
    pub(super) empty: usize,
    /// UTF-8 bytes of the texts of all tools.
    pub(super) bytes: usize,
    /// The number of skills.
    pub(super) skills: usize,
    pub(super) limits: Limits,
    /// The names of the discovery tools.
    pub(super) reserved: Set<String>,
    pub(super) next_id: u64,
    pub(super) next_order: u64,
    pub(super) revision: u64,
    pub(super) retired: u64,
    /// The versions of tools that left since the last call of [`Catalog::take_departed`].
    pub(super) departed: Vec<ToolId>,
}

/// The limits of a catalog.
#[derive(Clone, Debug, Default)]
pub(super) struct Limits {
    pub tools: usize,
    /// The maximum number of skills.
    pub skills: usize,
    pub bytes: usize,
    /// The maximum bytes per server. Tools without a server are limited only by `bytes`.
    pub server_bytes: usize,
}

impl Catalog {
    /// Makes an empty catalog of at most `tools` tools. No tool gets one of the `reserved` names (of the discovery
    /// tools).
    pub fn new(tools: usize, reserved: impl IntoIterator<Item = String>) -> Self {
        let limits = Limits { tools, skills: 0, bytes: limits::CATALOG_BYTES, server_bytes: limits::SERVER_BYTES };
        Catalog { limits, reserved: reserved.into_iter().collect(), ..Catalog::default() }
    }

    /// Sets the maximum bytes of texts, in total and per server.
    pub fn with_bytes(mut self, bytes: usize, server_bytes: usize) -> Self {
        self.limits = Limits { bytes, server_bytes, ..self.limits };
        self
    }

    /// Sets the maximum number of skills.
    pub fn with_skills(mut self, skills: usize) -> Self {
        self.limits.skills = skills;
        self
    }

    /// Returns the tools of all owners and empty places, in registration order. To answer a session or the host, use
    /// [`Catalog::tools_for`] instead.
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    /// Returns the positions of the tools that an owner has, ascending.
    pub fn positions_for(&self, owner: Owner) -> Vec<u32> {
        let own = self.owners.own(owner);
        let is_there = |tool: &Tool| match tool.owner {
            Owner::SHARED => own.is_none_or(|own| !own.hides(tool)),
            other => other == owner,
        };
        let places = self.tools.iter().enumerate();
        places.filter(|(_, tool)| is_there(tool)).map(|(position, _)| position as u32).collect()
    }

    /// Returns the tools that an owner has, in registration order.
    pub fn tools_for(&self, owner: Owner) -> Vec<&Arc<Tool>> {
        self.positions_for(owner).into_iter().map(|position| &self.tools[position as usize]).collect()
    }

    /// Returns true if a session has tools or servers of its own.
    pub fn has_own(&self, owner: Owner) -> bool {
        self.owners.own(owner).is_some_and(|own| !(own.by_key.is_empty() && own.servers.is_empty()))
    }

    /// Returns a number that changes whenever the catalog changes.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns a number that changes whenever the tools that an owner has change.
    pub fn revision_of(&self, owner: Owner) -> u64 {
        self.owners.shared.revision + self.owners.own(owner).map_or(0, |own| own.revision)
    }

    /// Returns how many versions of tools have left the list so far. If this number is unchanged, positions are
    /// unchanged.
    pub fn retired(&self) -> u64 {
        self.retired
    }

    /// Returns the shared tool with this name, in any vendor's format.
    pub fn by_name(&self, name: &str) -> Option<&Arc<Tool>> {
        self.by_name_for(Owner::SHARED, name)
    }

    /// Returns the tool that the model of an owner knows by this name: one of its own, or else a shared one.
    pub fn by_name_for(&self, owner: Owner, name: &str) -> Option<&Arc<Tool>> {
        self.owners.first(owner, |table| table.named(name))
    }

    /// Returns the tool with this identity for an owner: one of its own, or else a shared one.
    pub fn by_key_for(&self, owner: Owner, key: &ToolKey) -> Option<&Arc<Tool>> {
        self.owners.first(owner, |table| table.by_key.get(key))
    }

    /// Returns the model-facing names of those tools that an owner has.
    pub(crate) fn names_for<'k>(&self, owner: Owner, keys: impl IntoIterator<Item = &'k ToolKey>) -> Vec<Arc<str>> {
        let tools = keys.into_iter().filter_map(|key| self.by_key_for(owner, key));
        tools.map(|tool| tool.model_name.clone()).collect()
    }

    /// Returns true if an owner itself has a tool with this identity.
    pub(crate) fn has(&self, owner: Owner, key: &ToolKey) -> bool {
        self.owners.table(owner).is_some_and(|table| table.by_key.contains_key(key))
    }

    /// Returns the position of a tool in the list.
    pub fn position(&self, tool: &Tool) -> Option<usize> {
        let known = self.owners.table(tool.owner)?.by_key.get(&tool.key)?;
        self.tools.binary_search_by_key(&known.order, |tool| tool.order).ok()
    }
}

/// Groups tools by server, in the order in which servers and tools come. Skills form groups of their own.
pub(crate) fn by_server<'t>(tools: impl Iterator<Item = &'t Tool>) -> Vec<(Cow<'t, str>, Vec<&'t Tool>)> {
    let mut servers: Vec<(Cow<'_, str>, Vec<&Tool>)> = Vec::new();
    let mut places: Map<(Option<&str>, bool), usize> = Map::default();
    for tool in tools {
        let place = *places.entry((tool.server(), tool.key.is_skill)).or_insert(servers.len());
        if place == servers.len() {
            let heading = match (tool.server(), tool.key.is_skill) {
                (server, false) => Cow::Borrowed(server.unwrap_or(NO_SERVER)),
                (None, true) => Cow::Borrowed("skills"),
                (Some(server), true) => Cow::Owned(format!("skills of {server}")),
            };
            servers.push((heading, Vec::new()));
        }
        servers[place].1.push(tool);
    }
    servers
}
