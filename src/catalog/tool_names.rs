//! Matches tools with lists of names that the host wrote: `server:tool`, `server:*`, or the bare name that the model
//! sees.

use std::sync::Arc;

use crate::map::Set;
use crate::prebuilt::digest;

use super::registry::Catalog;
use super::tool::{Owner, Tool};

/// A list of tools by name.
///
/// An entry with a colon names a tool by its server. If an entry with a colon is meant as a bare name, it matches only
/// tools without a server.
#[derive(Clone, Debug, Default)]
pub struct ToolNames {
    servers: Set<String>,
    entries: Set<String>,
    /// The entries in the order in which they were added, each once.
    list: Vec<String>,
    is_qualified: bool,
}

impl ToolNames {
    /// Adds all tools of a server.
    pub fn add_server(&mut self, server: &str) {
        if self.servers.insert(server.to_owned()) {
            self.list.push(format!("{server}:*"));
        }
    }

    /// Adds an entry.
    pub fn add(&mut self, entry: &str) {
        if let Some(server) = entry.strip_suffix(":*") {
            self.add_server(server);
        } else if self.entries.insert(entry.to_owned()) {
            self.is_qualified |= entry.contains(':');
            self.list.push(entry.to_owned());
        }
    }

    /// Returns true if an entry names a tool.
    pub fn contains(&self, tool: &Tool) -> bool {
        let Some(server) = tool.server() else { return self.entries.contains(&*tool.model_name) };
        self.names_key(server, &tool.key.name)
            || (self.entries.contains(&*tool.model_name) && !tool.model_name.contains(':'))
    }

    /// Returns true if an entry names a tool by its server.
    pub fn names_key(&self, server: &str, name: &str) -> bool {
        // Most lists have no such entry; then no text is built.
        self.servers.contains(server) || (self.is_qualified && self.entries.contains(&*format!("{server}:{name}")))
    }

    /// Returns the bare names.
    pub fn bare(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str).filter(|entry| !entry.contains(':'))
    }

    /// Returns a number that is the same for equal lists, whatever the order of their entries.
    pub fn digest(&self) -> u64 {
        let mut sorted: Vec<&str> = self.list.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        // No UTF-8 text has the byte 0xff, so that `ab` `c` differs from `a` `bc`.
        let mut bytes = Vec::new();
        for entry in sorted {
            bytes.extend_from_slice(entry.as_bytes());
            bytes.push(0xff);
        }
        digest(&bytes)
    }
}

/// Returns the entries of the lists that match no tool of an owner, or that could be tools of several servers, in their
/// order.
pub fn unmatched(lists: &[&ToolNames], catalog: &Catalog, owner: Owner) -> Vec<Arc<str>> {
    let mut matched: Set<String> = Set::default();
    for tool in catalog.tools_for(owner) {
        matched.insert(tool.model_name.to_string());
        if let Some(server) = tool.server() {
            matched.insert(format!("{server}:*"));
            matched.insert(format!("{server}:{}", tool.key.name));
        }
    }
    let entries = lists.iter().flat_map(|names| &names.list);
    let is_unclear = |entry: &str| !entry.contains(':') && catalog.ambiguous(owner, entry).is_some();
    entries
        .filter(|entry| !matched.contains(&***entry) || is_unclear(entry))
        .map(|entry| entry.as_str().into())
        .collect()
}

impl PartialEq for ToolNames {
    fn eq(&self, other: &Self) -> bool {
        self.servers == other.servers && self.entries == other.entries
    }
}

impl Extend<String> for ToolNames {
    fn extend<I: IntoIterator<Item = String>>(&mut self, entries: I) {
        entries.into_iter().for_each(|entry| self.add(&entry));
    }
}

impl FromIterator<String> for ToolNames {
    fn from_iter<I: IntoIterator<Item = String>>(entries: I) -> Self {
        let mut names = ToolNames::default();
        names.extend(entries);
        names
    }
}
