//! Gives tools the names that models see: unique for each owner, different from discovery tools, and never a former
//! name of another server's tool.

use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result, excerpt};

use super::names::{self, NamePolicy};
use super::owners::Table;
use super::registry::Catalog;
use super::tool::{Owner, Tool, ToolKey};

impl Catalog {
    /// Returns a name for a tool of an owner that no other tool of that owner, no shared tool, and no discovery tool
    /// has, in any vendor's format, and that is kept for no other server. If the wanted name is taken, the server is
    /// prefixed. Tools of other sessions are ignored, so that no name gives them away.
    pub(super) fn free_name(&mut self, wanted: &str, owner: Owner, key: &ToolKey, policy: NamePolicy) -> String {
        let mut numbers = std::mem::take(&mut self.owners.table_mut(owner).numbers);
        let (shared, own) = (&self.owners.shared, self.owners.own(owner));
        let is_other = |holder: &Arc<str>| key.server.as_ref() != Some(holder);
        let is_replaced = |shared: &ToolKey| own.is_some_and(|own| own.replaces(shared));
        let is_replaced_server = |server: &Arc<str>| own.is_some_and(|own| own.servers.contains_key(server));
        // A server of a session's own is about to replace the shared server of the same name, and then takes over its
        // names.
        let is_of_same_server = |tool: &Tool| key.server.is_some() && tool.key.server == key.server;
        let is_in_the_way = |tool: &Tool| {
            owner == Owner::SHARED || !(tool.key == *key || is_of_same_server(tool) || is_replaced(&tool.key))
        };
        let is_taken = |name: &str| {
            own.is_some_and(|own| own.named(name).is_some())
                || shared.named(name).is_some_and(|tool| is_in_the_way(tool))
                || self.reserved.contains(name)
                || own.and_then(|own| own.kept.holder(name)).is_some_and(is_other)
                || shared.kept.holder(name).is_some_and(|holder| is_other(holder) && !is_replaced_server(holder))
        };
        let name = names::unique(wanted, key.server.as_deref(), policy, is_taken, &mut numbers);
        self.owners.table_mut(owner).numbers = numbers;
        name
    }

    /// Returns the server for which a name is kept, in any spelling: the name must not lead to a tool of another
    /// server.
    pub(crate) fn kept_for(&self, owner: Owner, name: &str) -> Option<&Arc<str>> {
        self.tables(owner).find_map(|table| table.kept.spelled_by(name))
    }

    /// Returns true if names are kept for a server. `server` is in lower case, with letters and digits only.
    pub(crate) fn keeps_names_of(&self, owner: Owner, server: &str) -> bool {
        self.tables(owner).any(|table| table.kept.has_front(server))
    }

    /// Returns the tool that had a name and is not in the catalog now.
    pub(crate) fn absent(&self, owner: Owner, name: &str) -> Option<ToolKey> {
        self.tables(owner).find_map(|table| table.kept.key_of(name).cloned())
    }

    /// Returns the session's own table, if it has one, and the shared table.
    fn tables(&self, owner: Owner) -> impl Iterator<Item = &Table> {
        self.owners.own(owner).into_iter().chain([&*self.owners.shared])
    }

    /// Checks that the bare names in a list of the host are not ambiguous for an owner.
    ///
    /// # Errors
    /// `name_ambiguous`.
    pub(crate) fn check_names<'n>(&self, owner: Owner, names: impl IntoIterator<Item = &'n str>) -> Result<()> {
        for name in names {
            if let Some(tools) = self.ambiguous(owner, name) {
                let written = tools.map(|tool| match tool.server() {
                    Some(server) => excerpt(&format!("{server}:{}", tool.key.name)),
                    None => excerpt(&tool.model_name),
                });
                let message = format!("{} could be several tools: write {}", excerpt(name), written.join(" or "));
                return Err(Error::new(ErrorCode::NameAmbiguous, message));
            }
        }
        Ok(())
    }

    /// Returns two tools that a bare name could mean, if there are two: the tool that models know by it, and tools
    /// registered under it. A tool without a server that models know by this name is always meant.
    pub(crate) fn ambiguous(&self, owner: Owner, name: &str) -> Option<[&Arc<Tool>; 2]> {
        let known = self.by_name_for(owner, name);
        if known.is_some_and(|tool| tool.server().is_none()) {
            return None;
        }
        let registered = self.tables(owner).filter_map(|table| table.registered.get(name)).flatten();
        let registered = registered.filter(|key| !key.is_skill).filter_map(|key| self.by_key_for(owner, key));
        let mut tools = known.into_iter().chain(registered);
        let first = tools.next()?;
        let second = tools.find(|tool| tool.key != first.key)?;
        Some([first, second])
    }
}

pub(super) fn name_reserved(name: &str) -> Error {
    Error::new(ErrorCode::NameReserved, format!("{} is the name of a discovery tool", excerpt(name)))
}
