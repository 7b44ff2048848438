//! Names of tools that have left the catalog. A name that a tool of a server has had stays that server's until the host
//! unregisters the server: a conversation that knows the name does not reach another server by it.

use std::sync::Arc;

use crate::limits;
use crate::map::{Map, Set};
use crate::text::normalized;

use super::tool::{Tool, ToolKey};

/// The names that are kept for one owner's tools.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptNames {
    /// By the server, and by the identity of the tool: the name that models know it by.
    servers: Map<Arc<str>, Map<ToolKey, Arc<str>>>,
    /// The servers by the names that models know their tools by.
    holders: Map<Arc<str>, Arc<str>>,
    /// The servers by these names in small letters and digits only.
    spelled: Map<String, Arc<str>>,
    /// The names of the servers in small letters and digits only.
    fronts: Set<String>,
}

impl KeptNames {
    /// Keeps the names of a tool that leaves, of at most [`limits::KEPT_NAMES`] tools of each server.
    pub fn keep(&mut self, tool: &Tool) {
        let Some(server) = &tool.key.server else { return };
        let names = self.servers.entry(server.clone()).or_default();
        if names.len() < limits::KEPT_NAMES {
            names.insert(tool.key.clone(), tool.model_name.clone());
            self.holders.extend(tool.names().map(|name| (name.clone(), server.clone())));
            self.spelled.entry(normalized(&tool.model_name)).or_insert_with(|| server.clone());
            self.fronts.insert(normalized(server));
        }
    }

    /// Forgets the names of a tool that has come back, which the catalog has again.
    pub fn release(&mut self, tool: &Tool) {
        let names = tool.key.server.as_ref().and_then(|server| self.servers.get_mut(server));
        if names.is_some_and(|names| names.remove(&tool.key).is_some()) {
            tool.names().for_each(|name| _ = self.holders.remove(name));
            let spelling = normalized(&tool.model_name);
            if self.spelled.get(&spelling).is_some_and(|holder| Some(&**holder) == tool.server()) {
                self.spelled.remove(&spelling);
            }
        }
    }

    /// Forgets the names of a server that the host has unregistered.
    pub fn forget(&mut self, server: &str) {
        if self.servers.remove(server).is_some() {
            self.holders.retain(|_, holder| **holder != *server);
            self.spelled.retain(|_, holder| **holder != *server);
            self.fronts.remove(&normalized(server));
        }
    }

    /// The name that a tool had. Another tool of its server may have it meanwhile.
    pub fn of(&self, key: &ToolKey) -> Option<&Arc<str>> {
        self.servers.get(key.server.as_ref()?)?.get(key)
    }

    /// The server for which a name is kept.
    pub fn holder(&self, name: &str) -> Option<&Arc<str>> {
        self.holders.get(name)
    }

    /// The server for which a name is kept in some spelling.
    pub fn spelled_by(&self, name: &str) -> Option<&Arc<str>> {
        self.holder(name).or_else(|| self.spelled.get(&normalized(name)))
    }

    /// Whether names of a server are kept; the server's name is in small letters and digits only.
    pub fn has_front(&self, server: &str) -> bool {
        self.fronts.contains(server)
    }

    /// The tool that had a name.
    pub fn key_of(&self, name: &str) -> Option<ToolKey> {
        let server = self.holder(name)?;
        let (key, _) = self.servers.get(server)?.iter().find(|(_, shown)| &***shown == name)?;
        Some(key.clone())
    }
}
