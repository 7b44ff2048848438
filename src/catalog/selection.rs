//! A host's choice of the servers and tools that take part, under rules that the profile sets.

use crate::case::lower;
use crate::text::snake_case;

use super::tool::Tool;

/// What a selection may not take away.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SelectionRules {
    /// Categories that always take part.
    pub exempt: Vec<String>,
    /// Categories that take part unless specific tools of theirs are selected.
    pub system: &'static [&'static str],
}

/// The servers and tools that take part. Empty: all of them.
///
/// A *package* is a server, or the category of a tool that has no server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    servers: Vec<String>,
    wildcards: Vec<String>,
    specific: Vec<(String, String)>,
    is_set: bool,
}

impl Selection {
    /// Reads server names, and entries of the form `package:tool` or `package:*`. An entry without `:` selects
    /// nothing, but makes the selection count.
    pub fn new<S: AsRef<str>>(servers: &[S], tools: &[S]) -> Self {
        let mut selection = Selection {
            servers: servers.iter().map(|s| package_form(s.as_ref())).collect(),
            is_set: !servers.is_empty() || !tools.is_empty(),
            ..Selection::default()
        };
        for entry in tools {
            match entry.as_ref().split_once(':') {
                Some((package, "*")) => selection.wildcards.push(package_form(package)),
                Some((package, tool)) => selection.specific.push((package_form(package), tool_form(tool))),
                None => {}
            }
        }
        selection
    }

    /// Whether a tool takes part.
    pub fn admits(&self, tool: &Tool, rules: &SelectionRules) -> bool {
        let category = tool.category();
        if !self.is_set || category.is_some_and(|c| rules.exempt.iter().any(|e| e == c)) {
            return true;
        }
        // A tool with neither server nor category belongs to no package that could be selected.
        let Some(package) = tool.server().or(category).map(package_form) else { return true };
        let mut specific = self.specific.iter().filter(|(p, _)| *p == package).peekable();
        if category.is_some_and(|c| is_system(c, rules)) && specific.peek().is_none() {
            return true;
        }
        if self.wildcards.contains(&package) {
            return true;
        }
        if specific.peek().is_some() {
            let name = tool_form(&tool.key.name);
            return specific.any(|(_, tool)| *tool == name);
        }
        self.servers.contains(&package)
    }
}

fn is_system(category: &str, rules: &SelectionRules) -> bool {
    rules.system.contains(&category.strip_suffix("_tools").unwrap_or(category))
}

/// Servers and categories compare in lower case, with `-` equal to `_`.
fn package_form(name: &str) -> String {
    lower(name).replace('-', "_")
}

/// Tool names compare likewise, and `camelCase` equals `camel_case` where no separator says otherwise.
fn tool_form(name: &str) -> String {
    let name = name.replace('-', "_");
    if name.contains('_') { lower(&name) } else { snake_case(&name) }
}
