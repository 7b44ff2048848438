//! Selects the servers and tools that take part, by the host's choice and by the rules of the profile.

use crate::map::{Map, Set};
use crate::text::snake_case;

use super::tool::Tool;

/// The tools that a selection never excludes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelectionRules {
    /// Categories that always take part.
    pub exempt: Vec<String>,
    /// Categories that take part unless specific tools of theirs are selected.
    pub system: &'static [&'static str],
}

/// The servers and tools that take part. An empty selection means all of them.
///
/// A *package* is a server, or the category of a tool that has no server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    servers: Set<String>,
    wildcards: Set<String>,
    /// Selected tools, by package.
    specific: Map<String, Set<String>>,
    is_set: bool,
}

impl Selection {
    /// Reads server names, and entries of the form `package:tool` or `package:*`. An entry without `:` selects
    /// nothing; a selection of such entries alone is not empty.
    pub fn new<S: AsRef<str>>(servers: &[S], tools: &[S]) -> Self {
        let (mut wildcards, mut specific): (Set<String>, Map<String, Set<String>>) = Default::default();
        for entry in tools {
            match entry.as_ref().split_once(':') {
                Some((package, "*")) => _ = wildcards.insert(package_form(package)),
                Some((package, tool)) => _ = specific.entry(package_form(package)).or_default().insert(tool_form(tool)),
                None => {}
            }
        }
        let packages = servers.iter().map(|server| package_form(server.as_ref())).collect();
        Selection { servers: packages, wildcards, specific, is_set: !servers.is_empty() || !tools.is_empty() }
    }

    /// Returns true if a tool takes part.
    pub fn admits(&self, tool: &Tool, rules: &SelectionRules) -> bool {
        let category = tool.category();
        if !self.is_set || category.is_some_and(|c| rules.exempt.iter().any(|e| e == c)) {
            return true;
        }
        // A tool with neither server nor category belongs to no package that could be selected.
        let Some(package) = tool.server().or(category).map(package_form) else { return true };
        let specific = self.specific.get(&package);
        if (category.is_some_and(|c| is_system(c, rules)) && specific.is_none()) || self.wildcards.contains(&package) {
            return true;
        }
        match specific {
            Some(tools) => tools.contains(&tool_form(&tool.key.name)),
            None => self.servers.contains(&package),
        }
    }
}

fn is_system(category: &str, rules: &SelectionRules) -> bool {
    rules.system.contains(&category.strip_suffix("_tools").unwrap_or(category))
}

/// Servers and categories compare in lower case, with `-` equal to `_`.
fn package_form(name: &str) -> String {
    name.to_lowercase().replace("-", "_")
}

/// Tool names compare in the same way; also, `camelCase` equals `camel_case` if the name has no separator.
fn tool_form(name: &str) -> String {
    let name = name.replace("-", "_");
    if name.contains('_') { name.to_lowercase() } else { snake_case(&name) }
}
