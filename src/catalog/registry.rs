//! The catalog: every tool in registration order, found by identity and by the names that models use.
//!
//! A session may have tools of its own beside the shared ones. All tools stand in one list, so that one index serves every
//! session; each owner has a [`Table`] of its own, so that no owner's names or limits depend on another's.

use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::map::Set;

use super::claims::Claims;
use super::left::Left;
use super::room::Room;
use super::table::{SHARED, Table};
use super::tool::{Tool, ToolId, ToolKey};

/// Places of tools that have gone may outnumber the others by so many before they are taken out of the list.
const GONE: usize = 1_000;

/// Every tool that the host registered, in that order.
///
/// A change costs the tools that change; only removing walks over all tools, once. A tool of a session's own that goes leaves
/// its place in the list behind, without its texts, until there are many such places: what is kept for other sessions by
/// position in the list stays right.
#[derive(Debug)]
pub struct Catalog {
    pub(super) tools: Vec<Arc<Tool>>,
    /// The tools that all sessions share. Its room counts the bytes of all tools.
    pub(super) shared: Table,
    /// The tools of sessions' own, by owner, rising.
    own: Vec<Table>,
    /// How many places of the list are of tools that have gone.
    gone: usize,
    left: Left,
    pub(super) reserved: Set<String>,
    pub(super) claims: Claims,
    pub(super) most: usize,
    pub(super) next_id: u64,
    pub(super) next_order: u64,
    pub(super) revision: u64,
    layout: u64,
    retired: u64,
}

impl Catalog {
    /// An empty catalog of at most `most` tools, in which `reserved` names (the discovery tools') are never given out.
    pub fn new(most: usize, reserved: impl IntoIterator<Item = String>) -> Self {
        Catalog {
            tools: Vec::new(),
            shared: Table::new(SHARED, Room::new(limits::CATALOG_BYTES, limits::SERVER_BYTES)),
            own: Vec::new(),
            gone: 0,
            left: Left::default(),
            reserved: reserved.into_iter().collect(),
            claims: Claims::default(),
            most,
            next_id: 0,
            next_order: 0,
            revision: 0,
            layout: 0,
            retired: 0,
        }
    }

    /// The same catalog, which keeps at most so many bytes of texts, and so many of each server.
    pub fn with_bytes(mut self, most: usize, most_of_server: usize) -> Self {
        self.shared.room = Room::new(most, most_of_server);
        self
    }

    /// All tools in registration order: shared ones, those of every session's own, and places of some that have gone. Whoever answers
    /// a session or the host walks over [`Catalog::tools_for`] instead.
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    /// The positions of the tools that there are for an owner, rising: of a session (by its opening) its own and the shared
    /// ones that they do not replace; of [`SHARED`] the shared ones.
    pub fn positions_for(&self, owner: u32) -> Vec<u32> {
        let own = self.own(owner);
        let mut positions = Vec::new();
        for (position, tool) in self.tools.iter().enumerate() {
            let is_there = match tool.owner {
                SHARED => own.is_none_or(|own| !own.replaces(tool)),
                other => other == owner && !tool.is_gone(),
            };
            if is_there {
                positions.push(position as u32);
            }
        }
        positions
    }

    /// The same tools, in registration order.
    pub fn tools_for(&self, owner: u32) -> Vec<&Arc<Tool>> {
        let mut tools = Vec::new();
        for position in self.positions_for(owner) {
            tools.push(&self.tools[position as usize]);
        }
        tools
    }

    /// Whether a session, by its opening, has tools or servers of its own. Other tools may be there for it than for others
    /// then: a server of its own replaces the shared one of its name, also while it has no tools.
    pub fn has_own(&self, owner: u32) -> bool {
        self.own(owner).is_some_and(|own| !own.is_empty())
    }

    /// A number that changes whenever the catalog does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// A number that changes whenever the shared tools do, or positions. It stays when tools of a session's own come or go.
    pub fn layout(&self) -> u64 {
        self.layout
    }

    /// A number that changes whenever the tools do that there are for an owner.
    pub fn revision_of(&self, owner: u32) -> u64 {
        self.shared.revision + self.own(owner).map_or(0, |own| own.revision)
    }

    /// How many versions of tools have left the list so far, places included: positions change with this number.
    pub fn retired(&self) -> u64 {
        self.retired
    }

    /// How many versions of tools there are no more, whether they have left the list or not.
    pub fn left(&self) -> u64 {
        self.left.count()
    }

    /// The versions of tools that have gone since [`Catalog::left`] was `count`, or nothing where it was too long ago. Whoever
    /// keeps something by [`ToolId`] releases it by this.
    pub fn left_since(&self, count: u64) -> Option<&[ToolId]> {
        self.left.since(count)
    }

    /// The shared tool that models know by this name, in any vendor's format.
    pub fn by_name(&self, name: &str) -> Option<&Arc<Tool>> {
        self.shared.named(name)
    }

    /// The tool that the model of an owner knows by this name: one of its own, or else a shared one.
    pub fn by_name_for(&self, owner: u32, name: &str) -> Option<&Arc<Tool>> {
        let Some(own) = self.own(owner) else { return self.by_name(name) };
        own.named(name).or_else(|| self.by_name(name).filter(|tool| !own.replaces(tool)))
    }

    /// The shared tool of this identity.
    pub fn by_key(&self, key: &ToolKey) -> Option<&Arc<Tool>> {
        self.shared.by_key.get(key)
    }

    /// The tool of this identity that there is for an owner: one of its own, or else a shared one.
    pub fn by_key_for(&self, owner: u32, key: &ToolKey) -> Option<&Arc<Tool>> {
        let Some(own) = self.own(owner) else { return self.by_key(key) };
        own.by_key.get(key).or_else(|| self.by_key(key).filter(|tool| !own.replaces(tool)))
    }

    /// Whether an owner has a tool that was registered under a server and a name.
    pub fn has_tool(&self, owner: u32, server: &str, name: &str) -> bool {
        let key = ToolKey { server: Some(server.into()), name: name.into() };
        self.table(owner).is_some_and(|table| table.by_key.contains_key(&key))
    }

    /// Whether another server, or none, has for an owner a tool that was registered under the same name and that fits.
    pub(crate) fn has_namesake(&self, owner: u32, tool: &Tool, fits: impl Fn(&Tool) -> bool) -> bool {
        let mut key = ToolKey { server: None, name: tool.key.name.clone() };
        let tables = [Some(&self.shared), self.own(owner)];
        // Few tools have a namesake; the others need not be looked for at every server.
        if tables.iter().flatten().map(|table| table.registered_as(&key.name)).sum::<u32>() < 2 {
            return false;
        }
        let mut servers = tables.into_iter().flatten().flat_map(|table| table.room.servers());
        loop {
            if key != tool.key && self.by_key_for(owner, &key).is_some_and(|other| fits(other)) {
                return true;
            }
            match servers.next() {
                Some(server) => key.server = Some(server.clone()),
                None => return false,
            }
        }
    }

    /// Where a tool stands in registration order.
    pub fn position(&self, tool: &Tool) -> Option<usize> {
        let known = self.table(tool.owner)?.by_key.get(&tool.key)?;
        self.tools.binary_search_by(|other| other.order.cmp(&known.order)).ok()
    }

    /// Keeps bare names that a list of the host's mentions: each stays with the shared tool that has it now, or has it
    /// first.
    pub fn claim<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            let holder = self.shared.by_name.get(name).map(|tool| &tool.key);
            self.claims.add(name, holder);
        }
    }

    /// Removes an owner's tools of a server, or of some model-facing names, or those that fit both. Returns the names that
    /// went.
    pub(crate) fn unregister_for(
        &mut self,
        owner: u32,
        server: Option<&str>,
        names: Option<&[String]>,
    ) -> Vec<Arc<str>> {
        if names.is_some_and(<[String]>::is_empty) {
            return Vec::new();
        }
        let names: Option<Set<String>> = names.map(|names| names.iter().cloned().collect());
        self.remove(owner, &|tool| {
            server.is_none_or(|server| tool.server() == Some(server))
                && names.as_ref().is_none_or(|names| names.contains(&*tool.model_name))
        })
    }

    /// Removes the tools of an owner that fit, and returns the names by which the model knew them.
    pub(super) fn remove(&mut self, owner: u32, fits: &dyn Fn(&Tool) -> bool) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        for at in 0..self.tools.len() {
            let tool = self.tools[at].clone();
            if tool.owner == owner && !tool.is_gone() && fits(&tool) {
                self.leave(&tool);
                self.tools[at] = Arc::new(tool.gone());
                names.push(tool.model_name.clone());
            }
        }
        if names.is_empty() {
            return names;
        }
        self.gone += names.len();
        let table = self.table_mut(owner);
        table.numbers.clear();
        table.revision += 1;
        self.revision += 1;
        if owner == SHARED || self.gone > self.tools.len() / 2 + GONE {
            self.sweep();
        }
        names
    }

    /// Takes the places of tools that have gone out of the list.
    fn sweep(&mut self) {
        self.tools.retain(|tool| !tool.is_gone());
        self.layout += 1;
        self.retired += self.gone as u64;
        self.gone = 0;
    }

    /// Checks that a session may have a server of its own: one that it has, or one more.
    ///
    /// # Errors
    /// `catalog_full` where the session has too many.
    pub(super) fn check_own_server(&self, owner: u32, server: &str) -> Result<()> {
        let Some(own) = self.own(owner) else { return Ok(()) };
        if own.room.has(server) || own.room.servers().count() < limits::OWN_SERVERS {
            return Ok(());
        }
        let message = format!("a session has at most {} servers of its own", limits::OWN_SERVERS);
        Err(Error::new(ErrorCode::CatalogFull, message))
    }

    /// Keeps a server of a session's own, also without tools: it replaces the shared server of its name.
    ///
    /// # Errors
    /// `catalog_full` where the session has too many.
    pub(super) fn keep_server(&mut self, owner: u32, server: &Arc<str>) -> Result<()> {
        self.check_own_server(owner, server)?;
        let room = &mut self.table_mut(owner).room;
        if !room.has(server) {
            room.keep(server);
            self.note_change(owner);
        }
        Ok(())
    }

    /// Removes all tools of a session's own, by its opening.
    pub(crate) fn disown(&mut self, owner: u32) {
        if let Ok(at) = self.place_of(owner) {
            self.remove(owner, &|_| true);
            self.own.remove(at);
        }
    }

    /// Puts a new tool behind the others.
    ///
    /// # Errors
    /// `catalog_full`, `catalog_too_large`, `server_too_large`.
    pub(super) fn push(&mut self, mut tool: Tool) -> Result<()> {
        let held = self.tools.len() - self.gone;
        if held >= self.most {
            let (name, most) = (excerpt(&tool.key.name), self.most);
            let message = format!("no room for {name}: the catalog holds {held} tools; at most {most}");
            return Err(Error::new(ErrorCode::CatalogFull, message));
        }
        self.check(&tool, None)?;
        tool.order = self.next_order;
        self.next_order += 1;
        self.next_id += 1;
        let tool = Arc::new(tool);
        self.enter(&tool);
        self.tools.push(tool);
        Ok(())
    }

    /// Puts a new version of a tool in the place of the earlier one.
    ///
    /// # Errors
    /// `catalog_too_large`, `server_too_large`.
    pub(super) fn replace(&mut self, earlier: &Tool, mut tool: Tool) -> Result<()> {
        self.check(&tool, Some(earlier))?;
        tool.order = earlier.order;
        self.next_id += 1;
        self.retired += 1;
        // What is kept of the earlier version by number may be given to another tool.
        self.layout += 1;
        let tool = Arc::new(tool);
        self.leave(earlier);
        self.enter(&tool);
        if let Some(at) = self.position(&tool) {
            self.tools[at] = tool;
        }
        Ok(())
    }

    /// Notes that tools of an owner came or changed.
    pub(super) fn note_change(&mut self, owner: u32) {
        self.revision += 1;
        self.layout += u64::from(owner == SHARED);
        self.table_mut(owner).revision += 1;
    }

    fn check(&self, tool: &Tool, earlier: Option<&Tool>) -> Result<()> {
        self.shared.room.check(tool, earlier)?;
        let table = self.table(tool.owner);
        table.map_or(Ok(()), |table| table.room.check_server(tool, earlier))
    }

    /// Makes a tool findable, and counts it.
    pub(super) fn enter(&mut self, tool: &Arc<Tool>) {
        self.shared.room.bytes += tool.bytes();
        if tool.owner == SHARED {
            self.claims.resolve(&tool.model_name, &tool.key);
        }
        let table = self.table_mut(tool.owner);
        table.room.add(tool);
        table.learn(tool);
    }

    /// The opposite of [`Catalog::enter`].
    pub(super) fn leave(&mut self, tool: &Tool) {
        self.shared.room.bytes -= tool.bytes();
        self.left.add(tool.id, self.tools.len());
        let table = self.table_mut(tool.owner);
        table.room.remove(tool);
        table.forget(tool);
    }

    fn place_of(&self, owner: u32) -> std::result::Result<usize, usize> {
        self.own.binary_search_by(|own| own.owner.cmp(&owner))
    }

    /// What a session has of its own, by its opening; nothing for [`SHARED`].
    pub(super) fn own(&self, owner: u32) -> Option<&Table> {
        self.place_of(owner).ok().map(|at| &self.own[at])
    }

    /// The tools of an owner.
    pub(super) fn table(&self, owner: u32) -> Option<&Table> {
        if owner == SHARED { Some(&self.shared) } else { self.own(owner) }
    }

    /// The tools of an owner, who has none yet where there is no table.
    pub(super) fn table_mut(&mut self, owner: u32) -> &mut Table {
        if owner == SHARED {
            return &mut self.shared;
        }
        let at = self.place_of(owner).unwrap_or_else(|at| {
            self.own.insert(at, Table::new(owner, self.shared.room.emptied()));
            at
        });
        &mut self.own[at]
    }
}
