//! Gives tools the names that models see: unique for each owner, none of a discovery tool's, and kept for tools that wait.

use crate::error::{Error, ErrorCode, excerpt};

use super::names::{self, NamePolicy};
use super::registry::Catalog;
use super::table::SHARED;
use super::tool::{Tool, ToolKey};

impl Catalog {
    /// A name for a tool of an owner that neither another tool for that owner nor a discovery tool has, and that is kept
    /// for no other tool. Where it is taken, `server` stands in front. The tools of other owners do not count, so that no
    /// name tells of them.
    pub(super) fn free_name(
        &mut self,
        wanted: &str,
        owner: u32,
        (key, server): (&ToolKey, Option<&str>),
        policy: NamePolicy,
    ) -> String {
        let mut numbers = std::mem::take(&mut self.table_mut(owner).numbers);
        let Catalog { shared, reserved, claims, .. } = &*self;
        let own = self.own(owner);
        // A server of a session's own is about to replace the shared one of the same name, and has its names then.
        let stays = |tool: &Tool| {
            let is_replaced = tool.key == *key || (key.server.is_some() && tool.key.server == key.server);
            owner == SHARED || !(is_replaced || own.is_some_and(|own| own.replaces_key(&tool.key)))
        };
        let waits =
            |holder: &ToolKey| holder != key && (owner == SHARED || own.is_none_or(|own| !own.replaces_key(holder)));
        let is_taken = |name: &str| {
            own.is_some_and(|own| own.named(name).is_some())
                || shared.named(name).is_some_and(|tool| stays(tool))
                || reserved.contains(name)
                || claims.is_kept_from(name, key)
                || own.and_then(|own| own.kept.holder(name)).is_some_and(|holder| holder != key)
                || shared.kept.holder(name).is_some_and(waits)
        };
        let name = names::unique(wanted, server, policy, is_taken, &mut numbers);
        self.table_mut(owner).numbers = numbers;
        name
    }

    /// Keeps the name that a tool of an owner has or would have, for as long as it is not registered: it waits for the host.
    pub(crate) fn keep_name(&mut self, owner: u32, server: &str, name: &str, policy: NamePolicy) {
        let key = ToolKey { server: Some(server.into()), name: name.into() };
        let Ok(wanted) = names::model_name(name, policy) else { return };
        if !self.has_tool(owner, server, name) {
            let name = self.free_name(&wanted, owner, (&key, Some(server)), policy);
            self.table_mut(owner).kept.keep(name.into(), key);
        }
    }

    /// Lets go of such a name.
    pub(crate) fn release_name(&mut self, owner: u32, server: &str, name: &str) {
        let key = ToolKey { server: Some(server.into()), name: name.into() };
        if self.table(owner).is_some() {
            self.table_mut(owner).kept.release(&key);
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
