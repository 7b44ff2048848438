//! The tools of one owner, by identity and by the names that models use: the shared tools, or those of one session's own.

use std::sync::Arc;

use crate::map::Map;

use super::kept::Kept;
use super::names::Numbers;
use super::room::Room;
use super::tool::{Tool, ToolKey};

pub use super::tool::SHARED;

/// The tools of one owner.
#[derive(Debug)]
pub(super) struct Table {
    pub owner: u32,
    pub by_key: Map<ToolKey, Arc<Tool>>,
    pub by_name: Map<Arc<str>, Arc<Tool>>,
    /// Tools whose name in Google's format is another than the model's. No name stands here and in `by_name`.
    pub by_google_name: Map<Arc<str>, Arc<Tool>>,
    /// How many tools were registered under a name, by any server.
    names: Map<Arc<str>, u32>,
    /// Names of tools that are not here, and wait.
    pub kept: Kept,
    pub numbers: Numbers,
    pub room: Room,
    /// A number that grows whenever these tools change.
    pub revision: u64,
}

impl Table {
    pub(super) fn new(owner: u32, room: Room) -> Self {
        Table {
            owner,
            by_key: Map::default(),
            by_name: Map::default(),
            by_google_name: Map::default(),
            names: Map::default(),
            kept: Kept::default(),
            numbers: Numbers::default(),
            room,
            revision: 0,
        }
    }

    /// Whether the owner has neither tools nor servers. Then its tools are the shared ones.
    pub(super) fn is_empty(&self) -> bool {
        self.by_key.is_empty() && self.room.servers().next().is_none()
    }

    /// The tool of a name, in any vendor's format.
    pub(super) fn named(&self, name: &str) -> Option<&Arc<Tool>> {
        self.by_name.get(name).or_else(|| self.by_google_name.get(name))
    }

    /// How many tools were registered under a name.
    pub(super) fn registered_as(&self, name: &str) -> u32 {
        self.names.get(name).copied().unwrap_or(0)
    }

    /// Makes a tool findable by its identity and names.
    pub(super) fn learn(&mut self, tool: &Arc<Tool>) {
        self.kept.release(&tool.key);
        if self.by_key.insert(tool.key.clone(), tool.clone()).is_none() {
            *self.names.entry(tool.key.name.clone()).or_default() += 1;
        }
        self.by_name.insert(tool.model_name.clone(), tool.clone());
        if let Some(name) = tool.own_google_name() {
            self.by_google_name.insert(name.clone(), tool.clone());
        }
    }

    /// The opposite of [`Table::learn`].
    pub(super) fn forget(&mut self, tool: &Tool) {
        if self.by_key.remove(&tool.key).is_some() {
            let left = self.registered_as(&tool.key.name).saturating_sub(1);
            if left > 0 {
                self.names.insert(tool.key.name.clone(), left);
            } else {
                self.names.remove(&tool.key.name);
            }
        }
        self.by_name.remove(&tool.model_name);
        if let Some(name) = tool.own_google_name() {
            self.by_google_name.remove(name);
        }
    }

    /// Whether a session with these tools of its own does not see a shared tool: a server of its own replaces the shared
    /// server of the same name, and no name stands for two tools.
    pub(super) fn replaces(&self, shared: &Tool) -> bool {
        self.replaces_key(&shared.key)
            || self.named(&shared.model_name).is_some()
            || shared.own_google_name().is_some_and(|name| self.named(name).is_some())
    }

    /// Whether these tools replace the shared tool of an identity, whatever its names. A server that has lost its tools
    /// still replaces the shared one: a call must not reach another account because a connection has ended.
    pub(super) fn replaces_key(&self, key: &ToolKey) -> bool {
        match &key.server {
            Some(server) => self.room.has(server),
            None => self.by_key.contains_key(key),
        }
    }
}
