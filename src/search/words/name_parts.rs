//! The texts in which the ranker of name parts looks for the words of a query: the parts of names, descriptions and hints, in
//! ASCII lower case.

use crate::catalog::Tool;
use crate::search::ids::Slot;
use crate::search::words::column::Column;
use crate::search::words::text_column::TextColumn;
use crate::text::joined;

/// What tools offer to words, by slot.
#[derive(Debug, Default)]
pub(in crate::search) struct NameParts {
    /// The parts of each name, one a line: no name and no word of a query has line breaks.
    pub names: TextColumn,
    pub descriptions: TextColumn,
    pub hints: TextColumn,
}

/// How the names of tools that come from MCP servers begin where a client writes the server into them.
const MCP_PREFIX: &str = "mcp__";

impl NameParts {
    /// The first part of the name in a slot that contains a word, if any does, and whether the word is a whole part.
    pub(in crate::search) fn part(&self, slot: Slot, word: &str) -> (Option<&str>, bool) {
        let (mut first, mut is_whole) = (None, false);
        for part in self.names.text(slot).split('\n') {
            if first.is_none() && part.contains(word) {
                first = Some(part);
            }
            is_whole |= part == word;
        }
        (first, is_whole)
    }

    /// Drops the texts of the tool in a slot, which has left the catalog.
    pub(in crate::search) fn forget(&mut self, slot: Slot) {
        self.names.forget(slot);
        self.descriptions.forget(slot);
        self.hints.forget(slot);
    }
}

impl Column for NameParts {
    fn len(&self) -> usize {
        self.names.len()
    }

    fn push(&mut self, tool: Option<&Tool>) {
        self.names.push(tool.map(|tool| joined(&parts(&tool.model_name), "\n")).unwrap_or_default());
        self.descriptions.push(tool.map(|tool| tool.description.to_ascii_lowercase()).unwrap_or_default());
        let hint = tool.and_then(Tool::search_hint).unwrap_or("");
        self.hints.push(hint.to_ascii_lowercase());
    }
}

/// Whether a tool comes from an MCP server: it has a server, or a name that says so.
pub(in crate::search) fn is_of_server(tool: &Tool) -> bool {
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
