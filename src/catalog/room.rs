//! Counts the bytes that a catalog and each of its servers keep, as running totals, and checks them against the limits.

use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::map::Map;
use crate::memory;

use super::tool::{SHARED, Tool};

/// Running totals of a catalog.
#[derive(Debug)]
pub(super) struct Room {
    /// Bytes that the catalog may keep.
    most: usize,
    /// Bytes that each server may keep. The host's own tools are bounded by the catalog alone.
    most_of_server: usize,
    /// Bytes that the catalog keeps. The catalog counts them in one place for all owners.
    pub bytes: usize,
    servers: Map<Arc<str>, Server>,
}

/// Totals of one server.
#[derive(Debug)]
struct Server {
    /// The one copy of its name, which all of its tools share.
    name: Arc<str>,
    tools: usize,
    bytes: usize,
}

impl Room {
    pub(super) fn new(most: usize, most_of_server: usize) -> Self {
        Room { most, most_of_server, bytes: 0, servers: Map::default() }
    }

    /// Room of the same size in which nothing is.
    pub(super) fn emptied(&self) -> Self {
        Room::new(self.most, self.most_of_server)
    }

    /// The shared copy of a server's name.
    pub(super) fn server_name(&self, name: &str) -> Arc<str> {
        self.servers.get(name).map_or_else(|| name.into(), |server| server.name.clone())
    }

    /// The names of the servers that have tools, or are kept without any.
    pub(super) fn servers(&self) -> impl Iterator<Item = &Arc<str>> {
        self.servers.values().map(|server| &server.name)
    }

    /// Whether a server has tools, or is kept without any.
    pub(super) fn has(&self, server: &str) -> bool {
        self.servers.contains_key(server)
    }

    /// Keeps a server without tools, which is new.
    pub(super) fn keep(&mut self, name: &Arc<str>) {
        self.servers.insert(name.clone(), Server { name: name.clone(), tools: 0, bytes: 0 });
    }

    /// Keeps only some of the servers. Those that go have no tools.
    pub(super) fn retain(&mut self, stays: impl Fn(&Arc<str>) -> bool) {
        self.servers.retain(|name, _| stays(name));
    }

    /// How many tools a server has.
    pub(super) fn tools_of(&self, server: &str) -> usize {
        self.servers.get(server).map_or(0, |server| server.tools)
    }

    /// Checks that a tool fits into the catalog, in the place of an earlier version where there is one.
    ///
    /// # Errors
    /// `catalog_too_large`.
    pub(super) fn check(&self, tool: &Tool, earlier: Option<&Tool>) -> Result<()> {
        let (bytes, freed) = (tool.bytes(), earlier.map_or(0, Tool::bytes));
        let name = excerpt(&tool.key.name);
        let kept = self.bytes.saturating_sub(freed);
        if kept.saturating_add(bytes) > self.most {
            let most = self.most;
            let message = format!("tool {name} takes {bytes} bytes; the catalog keeps {kept} of at most {most}");
            return Err(Error::new(ErrorCode::CatalogTooLarge, message));
        }
        Ok(())
    }

    /// The same of the tool's server.
    ///
    /// # Errors
    /// `server_too_large`.
    pub(super) fn check_server(&self, tool: &Tool, earlier: Option<&Tool>) -> Result<()> {
        let (bytes, freed) = (tool.bytes(), earlier.map_or(0, Tool::bytes));
        let Some(server) = tool.server() else { return Ok(()) };
        let kept = self.servers.get(server).map_or(0, |server| server.bytes).saturating_sub(freed);
        if kept.saturating_add(bytes) > self.most_of_server {
            let (name, server, most) = (excerpt(&tool.key.name), excerpt(server), self.most_of_server);
            let message = format!("tool {name} takes {bytes} bytes; server {server} keeps {kept} of at most {most}");
            return Err(Error::new(ErrorCode::ServerTooLarge, message));
        }
        Ok(())
    }

    /// Counts a tool towards its server.
    pub(super) fn add(&mut self, tool: &Tool) {
        let bytes = tool.bytes();
        let Some(name) = &tool.key.server else { return };
        match self.servers.get_mut(name) {
            Some(server) => {
                server.tools += 1;
                server.bytes += bytes;
            }
            None => {
                self.servers.insert(name.clone(), Server { name: name.clone(), tools: 1, bytes });
            }
        }
    }

    /// The opposite of [`Room::add`]. A server of a session's own stays, without tools: see [`Table::replaces_key`].
    ///
    /// [`Table::replaces_key`]: super::table::Table::replaces_key
    pub(super) fn remove(&mut self, tool: &Tool) {
        let bytes = tool.bytes();
        let Some(name) = &tool.key.server else { return };
        if let Some(server) = self.servers.get_mut(name) {
            server.tools = server.tools.saturating_sub(1);
            server.bytes = server.bytes.saturating_sub(bytes);
            if server.tools == 0 && tool.owner == SHARED {
                self.servers.remove(name);
            }
        }
    }
}

/// Checks a list of definitions by its size in bytes, before it is copied or read: it must be within
/// [`limits::REGISTER_BYTES`], and there must be memory for the list and for what is kept of it.
///
/// # Errors
/// `list_too_large`, `out_of_memory`.
pub fn check_list(bytes: usize) -> Result<()> {
    if bytes > limits::REGISTER_BYTES {
        let message = format!("a list of tools takes {bytes} bytes; at most {}", limits::REGISTER_BYTES);
        return Err(Error::new(ErrorCode::ListTooLarge, message));
    }
    memory::reserve(2 * bytes)
}
