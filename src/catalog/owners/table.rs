//! The tools of one owner, by identity and by the names that models use, and what each of the owner's servers takes.

use std::sync::Arc;

use crate::catalog::reserved_names::WaitingNames;
use crate::catalog::tool::{Tool, ToolKey};
use crate::map::Map;

use super::owner::Owner;

/// The tools of one owner.
#[derive(Debug, Default)]
pub(in crate::catalog) struct Table {
    pub by_key: Map<ToolKey, Arc<Tool>>,
    /// By the names that models use: a tool has a second one where Google's format refuses the first.
    pub by_name: Map<Arc<str>, Arc<Tool>>,
    /// How many tools were registered under a name, by any server.
    registered: Map<Arc<str>, u32>,
    /// The servers that have tools; of a session's own servers also those that have none.
    pub servers: Map<Arc<str>, Usage>,
    pub waiting: WaitingNames,
    /// The number that each name was last given out with. See [`unique`](crate::catalog::names::unique).
    pub numbers: Map<String, usize>,
    /// A number that grows whenever these tools change.
    pub revision: u64,
}

/// What a server takes.
#[derive(Debug, Default)]
pub(in crate::catalog) struct Usage {
    pub tools: usize,
    pub bytes: usize,
}

impl Table {
    /// The one copy of a server's name, which all of its tools share.
    pub fn server_name(&self, name: &str) -> Arc<str> {
        self.servers.get_key_value(name).map_or_else(|| name.into(), |(name, _)| name.clone())
    }

    /// How many tools were registered under a name.
    pub fn registered_as(&self, name: &str) -> u32 {
        self.registered.get(name).copied().unwrap_or(0)
    }

    /// Makes a tool findable, and counts it towards its server.
    pub fn insert(&mut self, tool: &Arc<Tool>) {
        self.waiting.release(&tool.key);
        if self.by_key.insert(tool.key.clone(), tool.clone()).is_none() {
            *self.registered.entry(tool.key.name.clone()).or_default() += 1;
        }
        for name in [Some(&tool.model_name), tool.own_google_name()].into_iter().flatten() {
            self.by_name.insert(name.clone(), tool.clone());
        }
        if let Some(server) = &tool.key.server {
            let usage = self.servers.entry(server.clone()).or_default();
            usage.tools += 1;
            usage.bytes += tool.bytes();
        }
    }

    /// The opposite of [`Table::insert`]. A server of a session's own stays, also without tools.
    pub fn remove(&mut self, tool: &Tool) {
        if self.by_key.remove(&tool.key).is_some() {
            match self.registered_as(&tool.key.name) {
                0 | 1 => self.registered.remove(&tool.key.name),
                more => self.registered.insert(tool.key.name.clone(), more - 1),
            };
        }
        for name in [Some(&tool.model_name), tool.own_google_name()].into_iter().flatten() {
            self.by_name.remove(name);
        }
        if let Some(usage) = tool.server().and_then(|server| self.servers.get_mut(server)) {
            usage.tools = usage.tools.saturating_sub(1);
            usage.bytes = usage.bytes.saturating_sub(tool.bytes());
            if usage.tools == 0 && tool.owner == Owner::SHARED {
                tool.server().map(|server| self.servers.remove(server));
            }
        }
    }

    /// Whether a session with these tools of its own does not see a shared tool: its server is replaced, or one of its names
    /// is taken.
    pub fn hides(&self, shared: &Tool) -> bool {
        let names = [Some(&shared.model_name), shared.own_google_name()];
        self.replaces(&shared.key) || names.into_iter().flatten().any(|name| self.by_name.contains_key(name))
    }

    /// Whether a session with these tools of its own replaces the shared tool of an identity: by a server of the same name,
    /// also one that has lost its tools. A call must not reach another account because a connection has ended.
    pub fn replaces(&self, key: &ToolKey) -> bool {
        match &key.server {
            Some(server) => self.servers.contains_key(server),
            None => self.by_key.contains_key(key),
        }
    }
}
