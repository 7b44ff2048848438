//! The words of a tool in the form in which the ranker of name parts reads them: the parts of its name, its description
//! and its hint.

use crate::catalog::Tool;
use crate::text::joined;

use super::passage::{Needle, Passage};

/// What a tool offers to words: the parts of its name, its description and its hint, in ASCII lower case.
#[derive(Debug)]
pub(super) struct Words {
    pub parts: Vec<String>,
    name: Passage,
    pub description: Passage,
    pub hint: Passage,
}

/// How the names of tools that come from MCP servers begin where a client writes the server into them.
const MCP_PREFIX: &str = "mcp__";

impl Words {
    pub(super) fn of(tool: &Tool) -> Self {
        let parts = parts(&tool.model_name);
        Words {
            name: Passage::new(joined(&parts, "\n")),
            parts,
            description: Passage::new(tool.description.to_ascii_lowercase()),
            hint: Passage::new(tool.search_hint().unwrap_or("").to_ascii_lowercase()),
        }
    }

    /// The first part of the name that holds a word.
    pub(super) fn part(&self, word: &Needle) -> Option<&String> {
        let parts: &[String] = if self.name.might_hold(word) { &self.parts } else { &[] };
        parts.iter().find(|part| part.contains(word.text()))
    }

    /// Whether every required word occurs somewhere.
    pub(super) fn hold(&self, required: &[Needle]) -> bool {
        let holds = |word: &Needle| self.part(word).is_some() || self.description.holds(word) || self.hint.holds(word);
        required.iter().all(holds)
    }
}

/// Whether a tool comes from an MCP server: it has a server, or a name that says so.
pub(super) fn is_of_server(tool: &Tool) -> bool {
    tool.server().is_some() || tool.model_name.starts_with(MCP_PREFIX)
}

/// The parts of a name. Behind `mcp__` they are cut at underscores only; elsewhere also at dots, and before an ASCII
/// capital that does not follow another.
fn parts(name: &str) -> Vec<String> {
    if let Some(rest) = name.strip_prefix(MCP_PREFIX) {
        return rest.to_ascii_lowercase().split('_').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    }
    let mut parts = vec![String::new()];
    let mut after_capital = false;
    for (at, c) in name.chars().enumerate() {
        let starts = c.is_ascii_uppercase() && !after_capital && at > 0;
        if starts || matches!(c, '_' | '.') {
            parts.push(String::new());
        }
        if let (false, Some(part)) = (matches!(c, '_' | '.'), parts.last_mut()) {
            part.push(c.to_ascii_lowercase());
        }
        after_capital = c.is_ascii_uppercase();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_parts() {
        assert_eq!(parts("mcp__my_server__do__Thing"), ["my", "server", "do", "thing"]);
        assert_eq!(parts("HTTPServerStatus"), ["httpserver", "status"]);
        assert_eq!(parts("crm.contacts.bulk-import"), ["crm", "contacts", "bulk-import"]);
        assert_eq!(parts("ns:action"), ["ns:action"]);
        assert_eq!(parts("_FileEdit_"), ["file", "edit"]);
        assert_eq!(parts("日本語翻訳"), ["日本語翻訳"]);
    }
}
