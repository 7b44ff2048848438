//! Gives tools the names that models see: unique for each owner, none of a discovery tool's, and none that is kept for
//! another tool.

use crate::error::{Error, ErrorCode, excerpt};

use super::names::{self, NamePolicy};
use super::owners::Owner;
use super::registry::Catalog;
use super::tool::{Tool, ToolKey};

impl Catalog {
    /// A name for a tool of an owner that neither another tool for that owner nor a discovery tool has, and that is kept
    /// for no other tool. Where it is taken, `server` stands in front. The tools of other owners do not count, so that no
    /// name tells of them.
    pub(super) fn free_name(
        &mut self,
        wanted: &str,
        owner: Owner,
        (key, server): (&ToolKey, Option<&str>),
        policy: NamePolicy,
    ) -> String {
        let mut numbers = std::mem::take(&mut self.owners.table_mut(owner).numbers);
        let (shared, own) = (&self.owners.shared, self.owners.own(owner));
        let is_other = |holder: &&ToolKey| *holder != key;
        let is_replaced = |shared: &ToolKey| own.is_some_and(|own| own.replaces(shared));
        // A server of a session's own is about to replace the shared one of the same name, and has its names then.
        let is_of_same_server = |tool: &Tool| key.server.is_some() && tool.key.server == key.server;
        let is_in_the_way = |tool: &Tool| {
            owner == Owner::SHARED || !(tool.key == *key || is_of_same_server(tool) || is_replaced(&tool.key))
        };
        let is_taken = |name: &str| {
            own.is_some_and(|own| own.by_name.contains_key(name))
                || shared.by_name.get(name).is_some_and(|tool| is_in_the_way(tool))
                || self.reserved.contains(name)
                || self.listed.holder(name).filter(is_other).is_some()
                || own.and_then(|own| own.waiting.holder(name)).filter(is_other).is_some()
                || shared.waiting.holder(name).filter(is_other).is_some_and(|holder| !is_replaced(holder))
        };
        let name = names::unique(wanted, server, policy, is_taken, &mut numbers);
        self.owners.table_mut(owner).numbers = numbers;
        name
    }

    /// Keeps bare names that a list of the host's mentions: each stays with the shared tool that has it now, or has it
    /// first.
    pub fn claim<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            let holder = self.by_name(name).filter(|tool| *tool.model_name == *name).map(|tool| tool.key.clone());
            self.listed.add(name, holder);
        }
    }

    /// Keeps the name that a tool of an owner has or would have, for as long as it waits for the host.
    pub(crate) fn keep_name(&mut self, owner: Owner, key: ToolKey, policy: NamePolicy) {
        let Ok(wanted) = names::model_name(&key.name, policy) else { return };
        if !self.has(owner, &key) {
            let name = self.free_name(&wanted, owner, (&key, key.server.as_deref()), policy);
            self.owners.table_mut(owner).waiting.add(name.into(), key);
        }
    }

    /// Releases such a name.
    pub(crate) fn release_name(&mut self, owner: Owner, key: &ToolKey) {
        if self.owners.table(owner).is_some() {
            self.owners.table_mut(owner).waiting.release(key);
        }
    }

    /// Gives a tool a name of its own in Google's format, where that format refuses the name that the model sees.
    pub(super) fn name_for_google(&mut self, tool: &mut Tool) {
        let safe = names::google_name(&tool.model_name);
        if *safe != *tool.model_name {
            // Without the server, whose name may begin with a digit as well.
            let name = self.free_name(&safe, tool.owner, (&tool.key, None), NamePolicy::Strict);
            tool.set_google_name(name.into());
        }
    }
}

pub(super) fn name_reserved(name: &str) -> Error {
    Error::new(ErrorCode::NameReserved, format!("{} is the name of a discovery tool", excerpt(name)))
}
