//! Does a request name tools? Names in any case and with any separators, with or without the server, one or several.

use crate::catalog::Tool;
use crate::map::Map;
use crate::text::plain;

use super::fields::own_name;
use super::intents::parts;

/// How many names a tool may have.
const FORMS: usize = 5;

/// What a tool may be called, in small letters and digits only; its full names first.
#[derive(Debug, Default)]
pub(super) struct Identity(Vec<String>);

impl Identity {
    pub(super) fn of(tool: &Tool) -> Self {
        let (server, own) = (tool.server().unwrap_or(""), own_name(tool));
        // Clients that write servers into names put two underscores behind them.
        let tail = own.rsplit("__").next().unwrap_or(own);
        let whole = format!("{server}{own}");
        let names: [&str; FORMS] = [&tool.model_name, &tool.key.name, &whole, own, tail];
        let mut identity = Identity::default();
        for (form, name) in names.iter().enumerate() {
            // Most tools are called alike in most forms, and to take a name to pieces takes time.
            if names[..form].contains(name) {
                continue;
            }
            let name = plain(name);
            if !name.is_empty() && !identity.0.contains(&name) {
                identity.0.push(name);
            }
        }
        identity
    }

    /// Whether a text stands in one of the names.
    pub(super) fn contains(&self, text: &str) -> bool {
        let text = plain(text);
        self.0.iter().any(|name| name.contains(&text))
    }
}

/// The documents that each name may mean, those first that are called so in full.
#[derive(Debug, Default)]
pub(super) struct Names(Map<String, Vec<usize>>);

impl Names {
    pub(super) fn of<'i>(identities: impl Iterator<Item = &'i Identity> + Clone) -> Self {
        let mut names = Names::default();
        names.0.reserve(FORMS * identities.clone().count());
        for form in 0..FORMS {
            for (document, identity) in identities.clone().enumerate() {
                if let Some(name) = identity.0.get(form) {
                    names.0.entry(name.clone()).or_default().push(document);
                }
            }
        }
        names
    }

    /// The documents that a name may mean.
    pub(super) fn called(&self, name: &str) -> Vec<usize> {
        self.0.get(&plain(name)).cloned().unwrap_or_default()
    }

    /// The documents that a request names, in its order; those that are called so in full before others.
    pub(super) fn in_request(&self, text: &str, is_candidate: impl Fn(usize) -> bool) -> Vec<usize> {
        /// Longer texts are no lists of names.
        const LONGEST: usize = 4_000;
        let mut named: Vec<usize> = Vec::new();
        if text.len() > LONGEST {
            return named;
        }
        let called = |name: &str| {
            let mut documents = self.called(name);
            documents.retain(|document| is_candidate(*document));
            documents
        };
        let parts: Vec<Vec<usize>> = parts(text).into_iter().map(called).collect();
        // Parts are names only together: in `list files or search the web` the first is none, whatever tools are called.
        let lists = if parts.iter().all(|part| !part.is_empty()) { parts } else { Vec::new() };
        let tokens = text.split_whitespace().filter(|token| is_identifier(token)).map(called);
        for found in std::iter::once(called(text)).chain(lists).chain(tokens) {
            for document in found {
                if !named.contains(&document) {
                    named.push(document);
                }
            }
        }
        named
    }
}

/// Whether a word is written as only names are: with separators or humps inside.
fn is_identifier(token: &str) -> bool {
    let token = token.trim_matches(|c: char| !c.is_alphanumeric());
    let hump = |(a, b): (char, char)| a.is_lowercase() && b.is_uppercase();
    token.contains(['_', '-', '.', ':', '/']) || token.chars().zip(token.chars().skip(1)).any(hump)
}

#[cfg(test)]
mod tests {
    use super::is_identifier;

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
