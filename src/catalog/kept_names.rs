//! Keeps the names of tools that have left the catalog. Such a name stays reserved for the tool's server until the host
//! unregisters the server: a conversation that knows the name must not reach another server by it.

use std::sync::Arc;

use crate::limits;
use crate::map::{Map, Set};
use crate::text::normalized;

use super::names::google_name;
use super::tool::{Tool, ToolKey};

/// The names that are kept for one owner's tools. It is empty until a server has lost a tool.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptNames {
    /// The model-facing name of each tool, by server and identity.
    servers: Map<Arc<str>, Map<ToolKey, Arc<str>>>,
    /// The tools by their names in Google's format.
    holders: Map<Arc<str>, ToolKey>,
    /// The server that was first to lose a tool of a name, by the [`normalized`] name.
    spelled: Map<String, Arc<str>>,
    /// The [`normalized`] names of the servers.
    fronts: Set<String>,
}

impl KeptNames {
    /// Keeps the names of a tool that leaves, for at most [`limits::KEPT_NAMES`] tools of each server.
    pub fn keep(&mut self, tool: &Tool) {
        let Some(server) = &tool.key.server else { return };
        let names = self.servers.entry(server.clone()).or_default();
        if names.len() < limits::KEPT_NAMES {
            names.insert(tool.key.clone(), tool.model_name.clone());
            self.fronts.insert(normalized(server));
            self.holders.insert(tool.google_name(), tool.key.clone());
            self.spelled.entry(normalized(&tool.model_name)).or_insert_with(|| server.clone());
        }
    }

    /// Drops the names of a tool that has come back to the catalog.
    pub fn release(&mut self, tool: &Tool) {
        let names = tool.key.server.as_ref().and_then(|server| self.servers.get_mut(server));
        if names.is_some_and(|names| names.remove(&tool.key).is_some()) {
            self.holders.remove(&tool.google_name());
            let spelling = normalized(&tool.model_name);
            if self.spelled.get(&spelling) == tool.key.server.as_ref() {
                self.spelled.remove(&spelling);
            }
        }
    }

    /// Drops the names of a server that the host has unregistered.
    pub fn forget(&mut self, server: &str) {
        if self.servers.remove(server).is_some() {
            self.holders.retain(|_, key| key.server.as_deref() != Some(server));
            self.spelled.retain(|_, holder| **holder != *server);
            self.fronts = self.servers.keys().map(|known| normalized(known)).collect();
        }
    }

    /// Returns the name that a tool had. By now another tool of its server may have it.
    pub fn of(&self, key: &ToolKey) -> Option<&Arc<str>> {
        self.servers.get(key.server.as_ref()?)?.get(key)
    }

    /// Returns the tool that had a name.
    pub fn key_of(&self, name: &str) -> Option<&ToolKey> {
        self.holders.get(&*google_name(name))
    }

    /// Returns the server for which a name is kept.
    pub fn holder(&self, name: &str) -> Option<&Arc<str>> {
        self.key_of(name)?.server.as_ref()
    }

    /// Returns the server for which a name is kept in this or, first, in another spelling.
    pub fn spelled_by(&self, name: &str) -> Option<&Arc<str>> {
        self.holder(name).or_else(|| self.spelled.get(&normalized(name)))
    }

    /// Returns true if names of a server are kept. `server` is [`normalized`].
    pub fn has_front(&self, server: &str) -> bool {
        self.fronts.contains(server)
    }
}
