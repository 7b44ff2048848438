//! What is asked for? The grammar of queries: plain text, or commands among the words.

use crate::catalog::Tool;
use crate::limits;
use crate::text::joined;

use super::passage::{Needle, Passage};

/// How a query is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// As it stands.
    Plain,
    /// `select:name,name` names tools; a word behind `+` must occur; other words rank.
    Commands,
    /// The same, and `-not`, `server:name` and `/pattern/`. Never an error: what cannot be read as one of them is words.
    Full,
}

impl Grammar {
    /// Every value with its text form.
    pub const ALL: &[(&str, Grammar)] =
        &[("plain", Grammar::Plain), ("commands", Grammar::Commands), ("full", Grammar::Full)];
}

/// The names behind `select:` or `SELECT:`, if the query is of that form: trimmed, blanks left out, repeats kept.
pub fn selected(query: &str) -> Option<Vec<&str>> {
    let query = query.trim();
    let names = query.strip_prefix("select:").or_else(|| query.strip_prefix("SELECT:"))?;
    Some(names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect())
}

/// The words of a query with commands, in ASCII lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keywords {
    /// Words that must occur in the name, the description or the hint.
    pub required: Vec<String>,
    /// Words that rank.
    pub optional: Vec<String>,
}

impl Keywords {
    /// Reads words. One `+` in front makes a word required; a bare `+` is no word.
    pub fn read(query: &str) -> Self {
        let mut keywords = Keywords::default();
        for word in words(query).map(str::to_ascii_lowercase) {
            match word.strip_prefix('+') {
                Some("") => {}
                Some(required) => keywords.required.push(required.to_owned()),
                None => keywords.optional.push(word),
            }
        }
        keywords
    }

    /// The words of a query without commands.
    pub(super) fn plain(query: &str) -> Self {
        let optional = words(query).map(str::to_ascii_lowercase).collect();
        Keywords { required: Vec::new(), optional }
    }

    /// Whether there is no word at all.
    pub fn is_empty(&self) -> bool {
        self.required.is_empty() && self.optional.is_empty()
    }

    /// The required words, then the others.
    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.required.iter().chain(&self.optional)
    }
}

/// The words of a query, as many as rankers look at.
pub(super) fn words(query: &str) -> impl Iterator<Item = &str> {
    query.split_whitespace().take(limits::QUERY_WORDS)
}

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

    #[test]
    fn queries_are_commands_and_words() {
        assert_eq!(selected(" select: a, ,b,a "), Some(vec!["a", "b", "a"]));
        assert_eq!(selected("SELECT:a"), Some(vec!["a"]));
        assert_eq!(selected("Select:a"), None);
        let keywords = Keywords::read("+File ++x + edit");
        assert_eq!((keywords.required, keywords.optional), (vec!["file".into(), "+x".into()], vec!["edit".into()]));
        assert!(Keywords::read("+ +").is_empty());
    }
}
