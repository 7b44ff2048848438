//! Finds the tools that a request names: as a whole, as a list of names, or in words that are written like names.

use crate::map::{Map, Set};
use crate::search::ids::{Doc, ServerId};
use crate::search::index::names::Names;
use crate::text::normalized;

/// The maximum number of tools of one server that one name may mean. Otherwise a server could have any number, with
/// different separators between the letters.
const NAMED_OF_SERVER: usize = 2;

/// The maximum number of tools that one request may name. If more share a name, it does not tell which of them is
/// meant.
const NAMED_TOOLS: usize = 500;

/// Returns the tools that a request names, in its order; tools with exactly this name come before others. `server`
/// returns a tool's server.
pub(crate) fn in_request(
    names: &Names,
    text: &str,
    clauses: &[&str],
    position: impl Fn(Doc) -> Option<usize>,
    server: impl Fn(Doc) -> ServerId,
) -> Vec<Doc> {
    /// Longer texts are not lists of names.
    const LIST_BYTES: usize = 4_000;
    let mut named: Vec<Doc> = Vec::new();
    if text.len() > LIST_BYTES {
        return named;
    }
    let called = |name: &str| by_turns(called(names, name, &position), &server);
    // A request may repeat a name hundreds of times, and thousands of tools may have it.
    let mut seen = Set::default();
    // The text itself is looked up in any case.
    let several = if clauses.len() > 1 { clauses } else { &[] };
    let distinct = several.iter().filter(|name| seen.insert(normalized(name)));
    let parts: Vec<Vec<Doc>> = distinct.map(|name| called(name)).collect();
    // The parts are names only if all are: in `list files or search the web` the first part is not a name, even if a
    // tool is called so.
    let lists = if parts.iter().all(|part| !part.is_empty()) { parts } else { Vec::new() };
    let mut seen = Set::default();
    let tokens = text.split_whitespace().filter(|token| is_identifier(token) && seen.insert(normalized(token)));
    let tokens = tokens.map(called);
    for doc in std::iter::once(called(text)).chain(lists).chain(tokens).flatten() {
        if !named.contains(&doc) {
            named.push(doc);
            if named.len() == NAMED_TOOLS {
                break;
            }
        }
    }
    named
}

/// Returns the tools that a name may mean: exact names first, then in the order of `position`, which returns a tool's
/// place, or `None` if the tool is not considered.
fn called(names: &Names, name: &str, position: impl Fn(Doc) -> Option<usize>) -> Vec<Doc> {
    let name = normalized(name);
    let with_name = names.with_name(&name);
    let mut found: Vec<(usize, usize, Doc)> =
        with_name.filter_map(|(doc, form)| Some((form, position(doc)?, doc))).collect();
    found.sort_unstable();
    found.into_iter().map(|(.., doc)| doc).collect()
}

/// Puts the first tool of every server before the second ones, and drops further ones. Tools without a server all stay.
fn by_turns(called: Vec<Doc>, server: impl Fn(Doc) -> ServerId) -> Vec<Doc> {
    let mut seen: Map<ServerId, usize> = Map::default();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for doc in called {
        let server = server(doc);
        let before = seen.get(&server).copied().unwrap_or(0);
        if before == 0 || server == ServerId::NONE {
            first.push(doc);
        } else if before < NAMED_OF_SERVER {
            second.push(doc);
        }
        seen.insert(server, before + 1);
    }
    first.append(&mut second);
    first
}

/// Returns true if a text has a word that is written like a name.
pub(crate) fn has_identifier(text: &str) -> bool {
    text.split_whitespace().any(is_identifier)
}

/// Returns true if a word is written like a name: with separators or camelCase inside.
fn is_identifier(token: &str) -> bool {
    let token = token.trim_matches(|c: char| !c.is_alphanumeric());
    let hump = |(a, b): (char, char)| a.is_lowercase() && b.is_uppercase();
    token.contains(['_', '-', '.', ':', '/']) || token.chars().zip(token.chars().skip(1)).any(hump)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, NamePolicy, RegisterOptions};
    use crate::search::analysis::sentences::clauses;

    #[test]
    fn tools_are_found_by_every_form_of_their_names() {
        let mut catalog = Catalog::new(10, []);
        let tools = r#"[{"name":"createIssue"},{"name":"mcp__git__create_issue","server":"git"},{"name":"issue"},
            {"name":"日本","server":"git"},{"name":"git_create-issue"}]"#;
        let options = RegisterOptions { names: NamePolicy::Any, ..RegisterOptions::default() };
        catalog.register(tools, &options).unwrap();
        let mut names = Names::default();
        catalog.tools().iter().for_each(|tool| names.push(tool));
        let position = |doc: Doc| Some(doc.index());
        for (name, found) in [
            ("Create Issue", &[0, 1][..]),
            ("git:create_issue", &[4, 1]),
            ("mcp__git__create_issue", &[1]),
            ("issue", &[2]),
            ("git日本", &[3]),
            ("tissue", &[]),
            ("", &[]),
            ("??", &[]),
        ] {
            assert_eq!(called(&names, name, position), found.iter().map(|doc| Doc(*doc)).collect::<Vec<_>>(), "{name}");
        }
        assert_eq!(called(&names, "createIssue", |doc| position(doc).filter(|_| doc != Doc(0))), [Doc(1)]);
        assert!(!names.containing("tissue")(Doc(1)) && names.containing("eissu")(Doc(1)));
    }

    #[test]
    fn a_name_that_a_request_repeats_is_looked_up_once() {
        let mut catalog = Catalog::new(1_000, []);
        for server in 0..600 {
            let options = RegisterOptions { server: Some(format!("s{server}")), ..RegisterOptions::default() };
            catalog.register(r#"[{"name":"web_search"}]"#, &options).unwrap();
        }
        let mut names = Names::default();
        catalog.tools().iter().for_each(|tool| names.push(tool));
        let looked_at = std::cell::Cell::new(0);
        let position = |doc: Doc| {
            looked_at.set(looked_at.get() + 1);
            Some(doc.index())
        };
        let text = "web_search, web-search; webSearch\n".repeat(100);
        let named = in_request(&names, &text, &clauses(&text), position, |doc| ServerId(doc.0));
        assert_eq!(named, (0..NAMED_TOOLS as u32).map(Doc).collect::<Vec<_>>());
        assert!(looked_at.get() <= 3 * 600, "{}", looked_at.get());
    }

    #[test]
    fn identifiers_have_separators_or_humps_inside() {
        for token in ["read_file", "(createIssue)", "github:search", "a.b", "`list-all`"] {
            assert!(is_identifier(token), "{token}");
        }
        for token in ["user's", "files.", "Read", "/users/", "JSON", "--", ""] {
            assert!(!is_identifier(token), "{token}");
        }
    }
}
