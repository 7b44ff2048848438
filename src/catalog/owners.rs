//! Keeps the tools of every owner: the shared tools, and the sessions' own tools.
//!
//! A server of a session's own replaces the shared server of the same name for that session. A tool of its own hides the
//! shared tool of the same name.

use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::map::Map;

use super::kept_names::KeptNames;
use super::names::google_name;
use super::tool::{Owner, Tool, ToolKey};

/// The tools of every owner.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners {
    pub shared: Arc<Table>,
    sessions: Map<Owner, Arc<Table>>,
}

impl Owners {
    /// Returns the tools of an owner, or `None` if a session has none of its own.
    pub fn table(&self, owner: Owner) -> Option<&Table> {
        if owner == Owner::SHARED { Some(&self.shared) } else { self.own(owner) }
    }

    /// Returns the table of an owner, and creates it if it does not exist.
    pub fn table_mut(&mut self, owner: Owner) -> &mut Table {
        Arc::make_mut(if owner == Owner::SHARED { &mut self.shared } else { self.sessions.entry(owner).or_default() })
    }

    /// Returns the table of a session's own tools; `None` for [`Owner::SHARED`].
    pub fn own(&self, owner: Owner) -> Option<&Table> {
        self.sessions.get(&owner).map(|table| &**table)
    }

    /// Removes the table of a session.
    pub fn forget(&mut self, owner: Owner) {
        self.sessions.remove(&owner);
    }

    /// Looks a tool up for an owner: first among its own tools, then among the shared ones.
    pub fn first<'a>(
        &'a self,
        owner: Owner,
        find: impl Fn(&'a Table) -> Option<&'a Arc<Tool>>,
    ) -> Option<&'a Arc<Tool>> {
        let Some(own) = self.own(owner) else { return find(&self.shared) };
        find(own).or_else(|| find(&self.shared).filter(|tool| !own.hides(tool)))
    }

    /// Checks that an owner may have this server.
    ///
    /// # Errors
    /// `catalog_full` if a session has too many servers of its own.
    pub fn check_server(&self, owner: Owner, server: &str) -> Result<()> {
        let Some(own) = self.own(owner) else { return Ok(()) };
        if own.servers.len() < limits::OWN_SERVERS || own.servers.contains_key(server) {
            return Ok(());
        }
        let message = format!("a session has at most {} servers of its own", limits::OWN_SERVERS);
        Err(Error::new(ErrorCode::CatalogFull, message))
    }
}

/// The tools of one owner.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub by_key: Map<ToolKey, Arc<Tool>>,
    /// The tools by their names in [Google's format](Tool::google_name), so that a name means one tool in every format.
    pub by_name: Map<Arc<str>, Arc<Tool>>,
    /// The tools that are registered under a name.
    pub registered: Map<Arc<str>, Vec<ToolKey>>,
    /// The servers that have tools. A session's own servers stay here without tools.
    pub servers: Map<Arc<str>, Usage>,
    pub kept: KeptNames,
    /// The last number used for each name. See [`unique`](super::names::unique).
    pub numbers: Map<String, usize>,
    /// A number that grows whenever these tools change.
    pub revision: u64,
}

/// The tools and bytes of a server.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    pub tools: usize,
    pub bytes: usize,
}

impl Table {
    /// Returns the shared copy of a server's name, so that all of its tools use one copy.
    pub fn server_name(&self, name: &str) -> Arc<str> {
        self.servers.get_key_value(name).map_or_else(|| name.into(), |(name, _)| name.clone())
    }

    /// Adds a tool to the maps, and counts it for its server.
    pub fn insert(&mut self, tool: &Arc<Tool>) {
        self.kept.release(tool);
        self.by_key.insert(tool.key.clone(), tool.clone());
        self.registered.entry(tool.key.name.clone()).or_default().push(tool.key.clone());
        self.by_name.insert(tool.google_name(), tool.clone());
        if let Some(server) = &tool.key.server {
            let usage = self.servers.entry(server.clone()).or_default();
            usage.tools += 1;
            usage.bytes += tool.bytes();
        }
    }

    /// Returns the name that a tool had before it left, unless another tool has it now.
    pub fn kept_name(&self, key: &ToolKey) -> Option<&Arc<str>> {
        self.kept.of(key).filter(|name| self.named(name).is_none())
    }

    /// Returns the tool that models know by this name, in any vendor's format.
    pub fn named(&self, name: &str) -> Option<&Arc<Tool>> {
        self.by_name.get(&*google_name(name))
    }

    /// Removes a tool from the maps and from the counts. A session's own server stays, even without tools.
    pub fn remove(&mut self, tool: &Tool) {
        self.by_key.remove(&tool.key);
        if let Some(tools) = self.registered.get_mut(&tool.key.name) {
            tools.retain(|key| *key != tool.key);
            if tools.is_empty() {
                self.registered.remove(&tool.key.name);
            }
        }
        self.by_name.remove(&tool.google_name());
        if let Some(usage) = tool.server().and_then(|server| self.servers.get_mut(server)) {
            usage.tools = usage.tools.saturating_sub(1);
            usage.bytes = usage.bytes.saturating_sub(tool.bytes());
            if usage.tools == 0 && tool.owner == Owner::SHARED {
                tool.server().map(|server| self.servers.remove(server));
            }
        }
    }

    /// Returns true if a session with these tools of its own does not see a shared tool: its server is replaced, or one
    /// of its names is taken.
    pub fn hides(&self, shared: &Tool) -> bool {
        self.replaces(&shared.key) || self.named(&shared.model_name).is_some()
    }

    /// Returns true if a session with these tools of its own replaces the shared tool with this identity. A server of
    /// the same name does so even if it has lost its tools: a call must not reach another account because a connection
    /// has ended.
    pub fn replaces(&self, key: &ToolKey) -> bool {
        match &key.server {
            Some(server) => self.servers.contains_key(server),
            None => self.by_key.contains_key(key),
        }
    }
}
