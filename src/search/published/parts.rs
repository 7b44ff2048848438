//! Ranks tools by the words of a query in the parts of their names. A whole part counts most, then a part that contains
//! the word, then the hint, then the description. Upper and lower case are those of ASCII.

use crate::catalog::Tool;
use crate::search::hit::{Found, HitPart, How, SearchedField, Stage};
use crate::search::published::{Ranking, Ties};
use crate::search::query::Keywords;

/// The weights of a word in the name: it is a whole part, or inside one.
struct NameWeights {
    whole: f64,
    inside: f64,
}

/// The weights for tools without a server.
const OWN: NameWeights = NameWeights { whole: 10.0, inside: 5.0 };
/// The weights for tools of servers, which differ only by their names.
const OF_SERVER: NameWeights = NameWeights { whole: 12.0, inside: 6.0 };
/// The weight of a word in the hint.
const IN_HINT: f64 = 4.0;
/// The weight of a word in the description.
const IN_DESCRIPTION: f64 = 2.0;

/// The beginning of names of MCP tools if a client writes the server into them.
const MCP_PREFIX: &str = "mcp__";

/// Ranks tools by descending score, equal ones by name. A repeated word counts again.
#[inline(never)]
pub(crate) fn search(keywords: &Keywords, ranking: &Ranking<'_>) -> Found {
    let words: Vec<&str> = keywords.all().map(String::as_str).collect();
    ranking.found(Stage::Parts, Ties::ByName, |tool| {
        let matches = matches(&words, tool);
        (!matches.is_empty()).then_some(matches)
    })
}

/// Returns true if every required word occurs in a tool.
pub(crate) fn has_all(required: &[String], tool: &Tool) -> bool {
    required.iter().all(|word| !matches(&[word], tool).is_empty())
}

/// Returns the matches of words in a tool.
fn matches(words: &[&str], tool: &Tool) -> Vec<HitPart> {
    let is_of_server = tool.server().is_some() || tool.model_name.starts_with(MCP_PREFIX);
    let weights = if is_of_server { OF_SERVER } else { OWN };
    let parts = Parts::of(&tool.model_name);
    let [hint, description] = [tool.search_hint().unwrap_or(""), &tool.description].map(str::to_ascii_lowercase);
    let mut matches = Vec::new();
    for word in words {
        if parts.each().any(|part| part == *word) {
            matches.push(HitPart::new(SearchedField::Name, word, word, How::Word, weights.whole));
        } else if let Some(part) = parts.each().find(|part| part.contains(word)) {
            matches.push(HitPart::new(SearchedField::Name, word, part, How::Inside, weights.inside));
        }
        if hint.contains(word) {
            matches.push(HitPart::new(SearchedField::Hint, word, word, How::Inside, IN_HINT));
        }
        if description.contains(word) {
            matches.push(HitPart::new(SearchedField::Description, word, word, How::Inside, IN_DESCRIPTION));
        }
    }
    matches
}

/// The parts of a name. After `mcp__`, it is split only at underscores; other names are also split at dots, and before
/// an ASCII capital that does not follow another.
struct Parts {
    text: String,
    separators: &'static [char],
}

impl Parts {
    fn of(name: &str) -> Self {
        if let Some(rest) = name.strip_prefix(MCP_PREFIX) {
            return Parts { text: rest.to_ascii_lowercase(), separators: &['_'] };
        }
        let (mut text, mut after_capital) = (String::with_capacity(2 * name.len()), false);
        for c in name.chars() {
            if c.is_ascii_uppercase() && !after_capital {
                text.push('_');
            }
            after_capital = c.is_ascii_uppercase();
            text.push(c.to_ascii_lowercase());
        }
        Parts { text, separators: &['_', '.'] }
    }

    fn each(&self) -> impl Iterator<Item = &str> {
        self.text.split(self.separators).filter(|part| !part.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_parts() {
        for (name, parts) in [
            ("mcp__my_server__do__Thing", &["my", "server", "do", "thing"][..]),
            ("HTTPServerStatus", &["httpserver", "status"]),
            ("crm.contacts.bulk-import", &["crm", "contacts", "bulk-import"]),
            ("ns:action", &["ns:action"]),
            ("_FileEdit_", &["file", "edit"]),
            ("日本語翻訳", &["日本語翻訳"]),
        ] {
            assert_eq!(Parts::of(name).each().collect::<Vec<_>>(), parts);
        }
    }
}
