//! A host's choice of the servers and tools that take part, under rules that the profile sets.

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

/// The servers and tools that take part. Empty: all of them.
///
/// A *package* is a server, or the category of a tool that has no server.
/// The lists are sorted, so that a tool is looked up in them in logarithmic time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    servers: Vec<String>,
    wildcards: Vec<String>,
    /// Packages with tools of theirs.
    specific: Vec<(String, String)>,
    is_set: bool,
}

impl Selection {
    /// Reads server names, and entries of the form `package:tool` or `package:*`. An entry without `:` selects
    /// nothing; a selection of such entries alone is not empty.
    pub fn new<S: AsRef<str>>(servers: &[S], tools: &[S]) -> Self {
        let (mut wildcards, mut specific) = (Vec::new(), Vec::new());
        for entry in tools {
            match entry.as_ref().split_once(':') {
                Some((package, "*")) => wildcards.push(package_form(package)),
                Some((package, tool)) => specific.push((package_form(package), tool_form(tool))),
                None => {}
            }
        }
        let mut packages: Vec<String> = servers.iter().map(|s| package_form(s.as_ref())).collect();
        packages.sort();
        wildcards.sort();
        specific.sort();
        Selection { servers: packages, wildcards, specific, is_set: !servers.is_empty() || !tools.is_empty() }
    }

    /// Whether a tool takes part.
    pub fn admits(&self, tool: &Tool, rules: &SelectionRules) -> bool {
        let category = tool.category();
        if !self.is_set || category.is_some_and(|c| rules.exempt.iter().any(|e| e == c)) {
            return true;
        }
        // A tool with neither server nor category belongs to no package that could be selected.
        let Some(package) = tool.server().or(category).map(package_form) else { return true };
        let has_specific = self.has_specific(&package);
        if category.is_some_and(|c| is_system(c, rules)) && !has_specific {
            return true;
        }
        if self.wildcards.binary_search(&package).is_ok() {
            return true;
        }
        if has_specific {
            return self.specific.binary_search(&(package, tool_form(&tool.key.name))).is_ok();
        }
        self.servers.binary_search(&package).is_ok()
    }

    /// Whether tools of a package are selected one by one.
    fn has_specific(&self, package: &str) -> bool {
        let from = self.specific.partition_point(|(other, _)| other.as_str() < package);
        self.specific.get(from).is_some_and(|(other, _)| other == package)
    }
}

fn is_system(category: &str, rules: &SelectionRules) -> bool {
    rules.system.contains(&category.strip_suffix("_tools").unwrap_or(category))
}

/// Servers and categories compare in lower case, with `-` equal to `_`.
fn package_form(name: &str) -> String {
    name.to_lowercase().replace("-", "_")
}

/// Tool names compare likewise, and `camelCase` equals `camel_case` where no separator says otherwise.
fn tool_form(name: &str) -> String {
    let name = name.replace("-", "_");
    if name.contains('_') { name.to_lowercase() } else { snake_case(&name) }
}
