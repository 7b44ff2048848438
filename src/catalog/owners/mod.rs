//! The tools of every owner: what all sessions share, and what sessions have of their own.
//!
//! A server of a session's own replaces the shared server of the same name for that session. A tool of its own hides the
//! shared tool of the same name.

mod owner;
mod table;

use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::map::Map;

use super::tool::{Tool, ToolKey};

pub use owner::Owner;
pub(super) use table::{Table, Usage};

/// The tools of every owner.
#[derive(Debug, Default)]
pub(super) struct Owners {
    pub shared: Table,
    sessions: Map<Owner, Table>,
}

impl Owners {
    /// The tools of an owner; none where a session has nothing of its own.
    pub fn table(&self, owner: Owner) -> Option<&Table> {
        if owner == Owner::SHARED { Some(&self.shared) } else { self.own(owner) }
    }

    /// The tools of an owner, who may have none yet.
    pub fn table_mut(&mut self, owner: Owner) -> &mut Table {
        if owner == Owner::SHARED { &mut self.shared } else { self.sessions.entry(owner).or_default() }
    }

    /// What a session has of its own; none for [`Owner::SHARED`].
    pub fn own(&self, owner: Owner) -> Option<&Table> {
        self.sessions.get(&owner)
    }

    /// Whether any session has something of its own.
    pub fn has_any_own(&self) -> bool {
        !self.sessions.is_empty()
    }

    /// Forgets what a session has of its own.
    pub fn forget(&mut self, owner: Owner) {
        self.sessions.remove(&owner);
    }

    /// The tool that the model of an owner knows by a name: one of its own, or else a shared one.
    pub fn named(&self, owner: Owner, name: &str) -> Option<&Arc<Tool>> {
        self.first(owner, |table| table.by_name.get(name))
    }

    /// The tool of an identity that there is for an owner: one of its own, or else a shared one.
    pub fn identified(&self, owner: Owner, key: &ToolKey) -> Option<&Arc<Tool>> {
        self.first(owner, |table| table.by_key.get(key))
    }

    fn first<'a>(&'a self, owner: Owner, find: impl Fn(&'a Table) -> Option<&'a Arc<Tool>>) -> Option<&'a Arc<Tool>> {
        let Some(own) = self.own(owner) else { return find(&self.shared) };
        find(own).or_else(|| find(&self.shared).filter(|tool| !own.hides(tool)))
    }

    /// Whether another server, or none, has for an owner a tool that was registered under the same name and that fits.
    pub fn has_namesake(&self, owner: Owner, tool: &Tool, fits: impl Fn(&Tool) -> bool) -> bool {
        let tables = || [Some(&self.shared), self.own(owner)].into_iter().flatten();
        // Few tools have a namesake; the others need not be looked for at every server.
        if tables().map(|table| table.registered_as(&tool.key.name)).sum::<u32>() < 2 {
            return false;
        }
        let servers = tables().flat_map(|table| table.servers.keys()).map(|server| Some(server.clone()));
        servers.chain([None]).any(|server| {
            let key = ToolKey { server, name: tool.key.name.clone() };
            key != tool.key && self.identified(owner, &key).is_some_and(|other| fits(other))
        })
    }

    /// Checks that an owner may have a server.
    ///
    /// # Errors
    /// `catalog_full` where a session has too many of its own.
    pub fn check_server(&self, owner: Owner, server: &str) -> Result<()> {
        let Some(own) = self.own(owner) else { return Ok(()) };
        if own.servers.len() < limits::OWN_SERVERS || own.servers.contains_key(server) {
            return Ok(());
        }
        let message = format!("a session has at most {} servers of its own", limits::OWN_SERVERS);
        Err(Error::new(ErrorCode::CatalogFull, message))
    }
}
