//! The catalog: every tool in registration order, found by identity and by the names that models use.

use std::rc::Rc;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::map::{Map, Set};

use super::claims::Claims;
use super::names::{self, NamePolicy, Numbers};
use super::room::Room;
use super::tool::{Tool, ToolKey};

/// Every tool that the host registered, in that order.
///
/// A change costs the tools that change; only removing walks over all tools, once.
#[derive(Debug)]
pub struct Catalog {
    pub(super) tools: Vec<Rc<Tool>>,
    pub(super) by_key: Map<ToolKey, Rc<Tool>>,
    pub(super) by_name: Map<Rc<str>, Rc<Tool>>,
    /// Tools whose name in Google's format is another than the model's. No name stands here and in `by_name`.
    pub(super) by_google_name: Map<Rc<str>, Rc<Tool>>,
    pub(super) reserved: Set<String>,
    pub(super) numbers: Numbers,
    pub(super) room: Room,
    pub(super) claims: Claims,
    pub(super) most: usize,
    pub(super) next_id: u64,
    pub(super) next_order: u64,
    pub(super) revision: u64,
    retired: u64,
}

impl Catalog {
    /// An empty catalog of at most `most` tools, in which `reserved` names (the discovery tools') are never given out.
    pub fn new(most: usize, reserved: impl IntoIterator<Item = String>) -> Self {
        Catalog {
            tools: Vec::new(),
            by_key: Map::default(),
            by_name: Map::default(),
            by_google_name: Map::default(),
            reserved: reserved.into_iter().collect(),
            numbers: Numbers::default(),
            room: Room::new(limits::CATALOG_BYTES, limits::SERVER_BYTES),
            claims: Claims::default(),
            most,
            next_id: 0,
            next_order: 0,
            revision: 0,
            retired: 0,
        }
    }

    /// The same catalog, which keeps at most so many bytes of texts, and so many of each server.
    pub fn with_bytes(mut self, most: usize, most_of_server: usize) -> Self {
        (self.room.most, self.room.most_of_server) = (most, most_of_server);
        self
    }

    /// The tools in registration order.
    pub fn tools(&self) -> &[Rc<Tool>] {
        &self.tools
    }

    /// A number that changes whenever the catalog does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// How many versions of tools have left the catalog so far. Whoever keeps something by [`ToolId`](super::ToolId) may
    /// forget what is stale when many have left, instead of after every change.
    pub fn retired(&self) -> u64 {
        self.retired
    }

    /// The tool that models know by this name, in any vendor's format.
    pub fn by_name(&self, name: &str) -> Option<&Rc<Tool>> {
        self.by_name.get(name).or_else(|| self.by_google_name.get(name))
    }

    /// The tool of this identity.
    pub fn by_key(&self, key: &ToolKey) -> Option<&Rc<Tool>> {
        self.by_key.get(key)
    }

    /// Whether another server, or none, has a tool that was registered under the same name and that fits.
    pub(crate) fn has_namesake(&self, tool: &Tool, fits: impl Fn(&Tool) -> bool) -> bool {
        let mut key = ToolKey { server: None, name: tool.key.name.clone() };
        let mut servers = self.room.servers();
        loop {
            if key != tool.key && self.by_key.get(&key).is_some_and(|other| fits(other)) {
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
        let known = self.by_key.get(&tool.key)?;
        self.tools.binary_search_by(|other| other.order.cmp(&known.order)).ok()
    }

    /// Keeps bare names that a list of the host's mentions: each stays with the tool that has it now, or has it first.
    pub fn claim<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        for name in names {
            let holder = self.by_name.get(name).map(|tool| &tool.key);
            self.claims.add(name, holder);
        }
    }

    /// Removes tools of a server, or of some model-facing names, or those that fit both. Returns the names that went.
    pub fn unregister(&mut self, server: Option<&str>, names: Option<&[String]>) -> Vec<Rc<str>> {
        let names: Option<Set<String>> = names.map(|names| names.iter().cloned().collect());
        self.remove(|tool| {
            server.is_none_or(|server| tool.server() == Some(server))
                && names.as_ref().is_none_or(|names| names.contains(&*tool.model_name))
        })
    }

    /// Removes the tools that fit, and returns the names by which the model knew them.
    pub fn remove(&mut self, fits: impl Fn(&Tool) -> bool) -> Vec<Rc<str>> {
        let mut gone: Vec<Rc<Tool>> = Vec::new();
        self.tools.retain(|tool| {
            let goes = fits(tool);
            if goes {
                gone.push(tool.clone());
            }
            !goes
        });
        for tool in &gone {
            self.by_key.remove(&tool.key);
            self.by_name.remove(&tool.model_name);
            if let Some(name) = tool.own_google_name() {
                self.by_google_name.remove(name);
            }
            self.room.remove(tool);
        }
        if !gone.is_empty() {
            self.numbers.clear();
            self.revision += 1;
            self.retired += gone.len() as u64;
        }
        gone.iter().map(|tool| tool.model_name.clone()).collect()
    }

    /// Puts a new tool behind the others.
    ///
    /// # Errors
    /// `catalog_full`, `catalog_too_large`, `server_too_large`.
    pub(super) fn push(&mut self, mut tool: Tool) -> Result<()> {
        if self.tools.len() >= self.most {
            let (name, most) = (excerpt(&tool.key.name), self.most);
            let message = format!("no room for {name}: the catalog holds {} tools; at most {most}", self.tools.len());
            return Err(Error::new(ErrorCode::CatalogFull, message));
        }
        self.room.check(&tool, None)?;
        tool.order = self.next_order;
        self.next_order += 1;
        self.next_id += 1;
        let tool = Rc::new(tool);
        self.learn(&tool);
        self.room.add(&tool);
        self.tools.push(tool);
        Ok(())
    }

    /// Puts a new version of a tool in the place of the earlier one.
    ///
    /// # Errors
    /// `catalog_too_large`, `server_too_large`.
    pub(super) fn replace(&mut self, earlier: &Tool, mut tool: Tool) -> Result<()> {
        self.room.check(&tool, Some(earlier))?;
        tool.order = earlier.order;
        self.next_id += 1;
        self.retired += 1;
        let tool = Rc::new(tool);
        self.room.remove(earlier);
        self.room.add(&tool);
        self.learn(&tool);
        if let Some(at) = self.position(&tool) {
            self.tools[at] = tool;
        }
        Ok(())
    }

    /// Makes a tool findable by its identity and names.
    pub(super) fn learn(&mut self, tool: &Rc<Tool>) {
        self.by_key.insert(tool.key.clone(), tool.clone());
        self.by_name.insert(tool.model_name.clone(), tool.clone());
        self.claims.resolve(&tool.model_name, &tool.key);
        if let Some(name) = tool.own_google_name() {
            self.by_google_name.insert(name.clone(), tool.clone());
        }
    }

    /// A name for a tool that neither another tool nor a discovery tool has, and that is kept for no other tool. Where it
    /// is taken, `server` stands in front.
    pub(super) fn free_name(
        &mut self,
        wanted: &str,
        (key, server): (&ToolKey, Option<&str>),
        policy: NamePolicy,
    ) -> String {
        let Catalog { by_name, by_google_name, reserved, claims, numbers, .. } = self;
        let is_taken = |name: &str| {
            by_name.contains_key(name)
                || by_google_name.contains_key(name)
                || reserved.contains(name)
                || claims.is_kept_from(name, key)
        };
        names::unique(wanted, server, policy, is_taken, numbers)
    }

    /// Gives a tool a name of its own in Google's format, where that format refuses the name that the model sees.
    pub(super) fn name_for_google(&mut self, tool: &mut Tool) {
        let safe = names::google_name(&tool.model_name);
        if *safe != *tool.model_name {
            // Without the server, whose name may begin with a digit as well.
            let name = self.free_name(&safe, (&tool.key, None), NamePolicy::Strict);
            tool.set_google_name(name.into());
        }
    }
}

pub(super) fn name_reserved(name: &str) -> Error {
    Error::new(ErrorCode::NameReserved, format!("{} is the name of a discovery tool", excerpt(name)))
}
