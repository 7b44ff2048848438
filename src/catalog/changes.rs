//! Adds, replaces and removes tools of the catalog. Limits are checked before anything changes.

use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::map::Set;

use super::kept_names::KeptNames;
use super::registry::{Catalog, Limits};
use super::tool::{Owner, Tool, ToolId};

/// Empty places are removed when there are this number more than half of the list.
const EMPTY_PLACES: usize = 1_000;

impl Catalog {
    /// Adds a new tool at the end.
    ///
    /// # Errors
    /// `catalog_full`, `skills_full`, `catalog_too_large`, `server_too_large`.
    pub(super) fn push(&mut self, mut tool: Tool) -> Result<()> {
        let held = self.tools.len() - self.empty;
        if held >= self.limits.tools {
            let (name, most) = (excerpt(&tool.key.name), self.limits.tools);
            let message = format!("no room for {name}: the catalog holds {held} tools; at most {most}");
            return Err(Error::new(ErrorCode::CatalogFull, message));
        }
        if tool.key.is_skill && self.skills >= self.limits.skills {
            let (name, most) = (excerpt(&tool.key.name), self.limits.skills);
            let message = match most {
                0 => format!("no room for {name}: under this profile a catalog has no skills"),
                _ => format!("no room for {name}: the catalog holds {} skills; at most {most}", self.skills),
            };
            return Err(Error::new(ErrorCode::SkillsFull, message));
        }
        self.check_bytes(&tool, None)?;
        tool.id = self.new_id();
        tool.order = self.next_order;
        self.next_order += 1;
        let tool = Arc::new(tool);
        self.enter(&tool);
        self.tools.push(tool);
        Ok(())
    }

    /// Replaces a tool by a new version.
    ///
    /// # Errors
    /// `catalog_too_large`, `server_too_large`.
    pub(super) fn replace(&mut self, earlier: &Tool, mut tool: Tool) -> Result<()> {
        self.check_bytes(&tool, Some(earlier))?;
        tool.id = self.new_id();
        tool.order = earlier.order;
        self.retired += 1;
        let tool = Arc::new(tool);
        self.leave(earlier);
        self.enter(&tool);
        if let Some(at) = self.position(&tool) {
            self.tools[at] = tool;
        }
        Ok(())
    }

    /// Removes the tools of an owner that fit. Returns their model-facing names in registration order. Names of
    /// servers' tools stay reserved for them.
    pub(super) fn remove(&mut self, owner: Owner, fits: impl Fn(&Tool) -> bool) -> Vec<Arc<str>> {
        let Some(table) = self.owners.table(owner) else { return Vec::new() };
        let mut gone: Vec<Arc<Tool>> = table.by_key.values().filter(|tool| fits(tool)).cloned().collect();
        if gone.is_empty() {
            return Vec::new();
        }
        gone.sort_unstable_by_key(|tool| tool.order);
        for tool in &gone {
            if let Some(at) = self.position(tool) {
                self.tools[at] = Arc::new(tool.empty_place());
            }
            self.leave(tool);
        }
        self.empty += gone.len();
        let table = self.owners.table_mut(owner);
        table.numbers.clear();
        gone.iter().for_each(|tool| table.kept.keep(tool));
        if owner == Owner::SHARED || self.empty > self.tools.len() / 2 + EMPTY_PLACES {
            self.tools.retain(|tool| tool.owner != Owner::NOBODY);
            self.retired += std::mem::take(&mut self.empty) as u64;
        }
        gone.iter().map(|tool| tool.model_name.clone()).collect()
    }

    /// Removes an owner's tools of a server, of some model-facing names, or of both conditions together. Returns their
    /// names. If a whole server is removed, others may use the names.
    pub(crate) fn unregister_for(
        &mut self,
        owner: Owner,
        server: Option<&str>,
        names: Option<&[String]>,
    ) -> Vec<Arc<str>> {
        let is_whole = names.is_none();
        let names: Option<Set<&str>> = names.map(|names| names.iter().map(String::as_str).collect());
        let gone = self.remove(owner, |tool| {
            server.is_none_or(|server| tool.server() == Some(server))
                && names.as_ref().is_none_or(|names| names.contains(&*tool.model_name))
        });
        if !gone.is_empty() {
            self.note_change(owner);
        }
        if is_whole && self.owners.table(owner).is_some() {
            let kept = &mut self.owners.table_mut(owner).kept;
            match server {
                Some(server) => kept.forget(server),
                None => *kept = KeptNames::default(),
            }
        }
        gone
    }

    /// Removes all tools of closed sessions' own.
    pub(crate) fn forget_sessions(&mut self, owners: impl IntoIterator<Item = Owner>) {
        for owner in owners {
            self.unregister_for(owner, None, None);
            self.owners.forget(owner);
        }
    }

    /// Returns the versions of tools that have left since the last call, so that caches by [`ToolId`] can release them.
    pub(crate) fn take_departed(&mut self) -> Vec<ToolId> {
        std::mem::take(&mut self.departed)
    }

    /// Notes that the tools of an owner changed.
    pub(super) fn note_change(&mut self, owner: Owner) {
        self.revision += 1;
        self.owners.table_mut(owner).revision += 1;
    }

    fn new_id(&mut self) -> ToolId {
        self.next_id += 1;
        ToolId(self.next_id - 1)
    }

    /// Adds a tool to those of its owner, and counts its bytes.
    pub(super) fn enter(&mut self, tool: &Arc<Tool>) {
        self.bytes += tool.bytes();
        self.skills += usize::from(tool.key.is_skill);
        self.owners.table_mut(tool.owner).insert(tool);
    }

    /// Removes a tool from those of its owner, and subtracts its bytes.
    pub(super) fn leave(&mut self, tool: &Tool) {
        self.bytes -= tool.bytes();
        self.skills -= usize::from(tool.key.is_skill);
        self.departed.push(tool.id);
        self.owners.table_mut(tool.owner).remove(tool);
    }

    /// Checks that the catalog and the tool's server have bytes left for a tool, which may replace an earlier version.
    fn check_bytes(&self, tool: &Tool, earlier: Option<&Tool>) -> Result<()> {
        let (bytes, freed) = (tool.bytes(), earlier.map_or(0, Tool::bytes));
        let usage = self.owners.table(tool.owner).zip(tool.server());
        let usage = usage.and_then(|(table, server)| table.servers.get(server)).map_or(0, |usage| usage.bytes);
        let (kept, kept_of_server) = (self.bytes - freed, usage - freed.min(usage));
        let Limits { bytes: most, server_bytes: most_of_server, .. } = self.limits;
        let name = || excerpt(&tool.key.name);
        if kept.saturating_add(bytes) > most {
            let message = format!("tool {} takes {bytes} bytes; the catalog keeps {kept} of at most {most}", name());
            return Err(Error::new(ErrorCode::CatalogTooLarge, message));
        }
        match tool.server().filter(|_| kept_of_server.saturating_add(bytes) > most_of_server) {
            None => Ok(()),
            Some(server) => {
                let (name, server) = (name(), excerpt(server));
                let message = format!(
                    "tool {name} takes {bytes} bytes; server {server} keeps {kept_of_server} of at most {most_of_server}"
                );
                Err(Error::new(ErrorCode::ServerTooLarge, message))
            }
        }
    }
}
