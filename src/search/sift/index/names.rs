//! The names by which tools are called: in any case and with any separators, with or without the server.

use hashbrown::HashTable;

use crate::catalog::{Tool, own_name};
use crate::map::{Map, Set, hash_of};
use crate::search::sift::index::name_keys::NameKeys;
use crate::search::sift::query::clauses::clauses;
use crate::search::slots::Slot;
use crate::search::words::column::Column;
use crate::text::{behind_underscores, normalized};

/// How many names a tool may have.
const FORMS: usize = 5;
/// Separates the names of one tool. It is neither a letter nor a digit, of which names consist here.
const SEPARATOR: char = '\n';
/// Where a chain of names ends.
const END: u32 = u32::MAX;

/// What the tools may be called, in small letters and digits only; full names before others.
#[derive(Debug, Default)]
pub(in crate::search) struct Names {
    /// Their words.
    pub(in crate::search) keys: NameKeys,
    /// By slot: the distinct names of a tool.
    forms: Vec<Box<str>>,
    /// The first name of each chain of equal names. A name is numbered by slot and form.
    chains: HashTable<u32>,
    /// By name: the next one of its chain.
    next: Vec<[u32; FORMS]>,
}

impl Column for Names {
    fn len(&self) -> usize {
        self.forms.len()
    }

    fn push(&mut self, tool: Option<&Tool>) {
        self.keys.push(tool);
        let slot = self.forms.len() as u32;
        self.forms.push(tool.map(forms_of).unwrap_or_default().into());
        self.next.push([END; FORMS]);
        let Names { forms, chains, next, .. } = self;
        for (form, name) in forms[slot as usize].split(SEPARATOR).enumerate().filter(|(_, name)| !name.is_empty()) {
            let number = slot * FORMS as u32 + form as u32;
            let hash = hash_of(name);
            match chains.find_mut(hash, |first| name_of(forms, *first) == name) {
                Some(first) => next[slot as usize][form] = std::mem::replace(first, number),
                None => _ = chains.insert_unique(hash, number, |first| hash_of(name_of(forms, *first))),
            }
        }
    }
}

impl Names {
    /// The tools that have a name, in small letters and digits only, each with the number of the form that it is.
    pub(in crate::search) fn with_name(&self, name: &str) -> impl Iterator<Item = (Slot, u32)> {
        let first = self.chains.find(hash_of(name), |first| name_of(&self.forms, *first) == name);
        let first = first.copied().filter(|_| !name.is_empty());
        let next = |number: &u32| self.next[*number as usize / FORMS][*number as usize % FORMS];
        let numbers = std::iter::successors(first, move |number| Some(next(number)).filter(|next| *next != END));
        numbers.map(|number| (number / FORMS as u32, number % FORMS as u32))
    }

    /// The tools that a name may mean: those that are called so in full before others, then in the order of `place`,
    /// which says where a tool stands, or that it does not count.
    fn called(&self, name: &str, place: impl Fn(Slot) -> Option<u32>) -> Vec<Slot> {
        let name = normalized(name);
        let with_name = self.with_name(&name);
        let mut by_form: [Vec<(u32, Slot)>; FORMS] = Default::default();
        for (slot, form) in with_name {
            by_form[form as usize].extend(place(slot).map(|place| (place, slot)));
        }
        by_form.iter_mut().for_each(|found| found.sort_unstable());
        by_form.into_iter().flatten().map(|(_, slot)| slot).collect()
    }

    /// Whether a text, in small letters and digits only, stands in one of the names of a tool.
    pub(in crate::search::sift) fn contain(&self, slot: Slot, plain_text: &str) -> bool {
        self.forms[slot as usize].contains(plain_text)
    }

    /// The tools that a request names, in its order; those that are called so in full before others. `server` gives the
    /// number of a tool's server.
    pub(in crate::search::sift) fn in_request(
        &self,
        text: &str,
        place: impl Fn(Slot) -> Option<u32>,
        server: impl Fn(Slot) -> u32,
    ) -> Vec<Slot> {
        /// Longer texts are no lists of names.
        const LONGEST: usize = 4_000;
        let mut named: Vec<Slot> = Vec::new();
        if text.len() > LONGEST {
            return named;
        }
        let called = |name: &str| by_turns(self.called(name, &place), &server);
        // A request may repeat a name hundreds of times, and thousands of tools may have it.
        let mut seen = Set::default();
        let distinct = clauses(text).into_iter().filter(|name| seen.insert(normalized(name)));
        let parts: Vec<Vec<Slot>> = distinct.map(called).collect();
        // Parts are names only together: in `list files or search the web` the first is none, whatever tools are called.
        let lists = if parts.iter().all(|part| !part.is_empty()) { parts } else { Vec::new() };
        let mut seen = Set::default();
        let tokens = text.split_whitespace().filter(|token| is_identifier(token) && seen.insert(normalized(token)));
        let tokens = tokens.map(called);
        for slot in std::iter::once(called(text)).chain(lists).chain(tokens).flatten() {
            if !named.contains(&slot) {
                named.push(slot);
                if named.len() == MOST_NAMED {
                    break;
                }
            }
        }
        named
    }
}

/// Tools of one server that one name may mean. A server could have any number, by other separators between the letters.
const MOST_OF_SERVER: usize = 2;

/// Puts the first tool of every server before the second ones, and leaves further ones out. Tools without a server stay.
fn by_turns(called: Vec<Slot>, server: impl Fn(Slot) -> u32) -> Vec<Slot> {
    let mut seen: Map<u32, usize> = Map::default();
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for slot in called {
        let server = server(slot);
        let before = seen.get(&server).copied().unwrap_or(0);
        if before == 0 || server == 0 {
            first.push(slot);
        } else if before < MOST_OF_SERVER {
            second.push(slot);
        }
        seen.insert(server, before + 1);
    }
    first.append(&mut second);
    first
}

/// Tools that one request may name. Where more share a name, it says nothing about which of them is meant.
const MOST_NAMED: usize = 500;

/// The name of a number.
fn name_of(forms: &[Box<str>], number: u32) -> &str {
    let (slot, form) = (number as usize / FORMS, number as usize % FORMS);
    forms[slot].split(SEPARATOR).nth(form).unwrap_or("")
}

/// The distinct names of a tool, full ones first.
fn forms_of(tool: &Tool) -> String {
    let (server, own) = (tool.server().unwrap_or(""), own_name(&tool.key));
    // Clients that write servers into names put two underscores behind them.
    let tail = behind_underscores(own);
    let whole = format!("{server}{own}");
    let names: [&str; FORMS] = [&tool.model_name, &tool.key.name, &whole, own, tail];
    let mut forms = String::new();
    for (form, name) in names.iter().enumerate() {
        // Most tools are called alike in most forms.
        if names[..form].contains(name) {
            continue;
        }
        let name = normalized(name);
        if !name.is_empty() && !forms.split(SEPARATOR).any(|known| known == name) {
            if !forms.is_empty() {
                forms.push(SEPARATOR);
            }
            forms.push_str(&name);
        }
    }
    forms
}

/// Whether a text holds a word that is written as only names are.
pub(in crate::search::sift) fn has_identifier(text: &str) -> bool {
    text.split_whitespace().any(is_identifier)
}

/// Whether a word is written as only names are: with separators or humps inside.
fn is_identifier(token: &str) -> bool {
    let token = token.trim_matches(|c: char| !c.is_alphanumeric());
    let hump = |(a, b): (char, char)| a.is_lowercase() && b.is_uppercase();
    token.contains(['_', '-', '.', ':', '/']) || token.chars().zip(token.chars().skip(1)).any(hump)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, NamePolicy, RegisterOptions};

    #[test]
    fn tools_are_found_by_every_form_of_their_names() {
        let mut catalog = Catalog::new(10, []);
        let tools = r#"[{"name":"createIssue"},{"name":"mcp__git__create_issue","server":"git"},{"name":"issue"},
            {"name":"日本","server":"git"},{"name":"git_create-issue"}]"#;
        let options = RegisterOptions { names: NamePolicy::Any, ..RegisterOptions::default() };
        catalog.register(tools, &options).unwrap();
        let mut names = Names::default();
        catalog.tools().iter().for_each(|tool| names.push(Some(tool)));
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
            assert_eq!(names.called(name, Some), found, "{name}");
        }
        assert_eq!(names.called("createIssue", |slot| (slot != 0).then_some(slot)), [1]);
        assert!(!names.contain(1, "tissue") && names.contain(1, "eissu"));
    }

    #[test]
    fn a_name_that_a_request_repeats_is_looked_up_once() {
        let mut catalog = Catalog::new(1_000, []);
        for server in 0..600 {
            let options = RegisterOptions { server: Some(format!("s{server}")), ..RegisterOptions::default() };
            catalog.register(r#"[{"name":"web_search"}]"#, &options).unwrap();
        }
        let mut names = Names::default();
        catalog.tools().iter().for_each(|tool| names.push(Some(tool)));
        let looked_at = std::cell::Cell::new(0);
        let place = |slot| {
            looked_at.set(looked_at.get() + 1);
            Some(slot)
        };
        let text = "web_search, web-search; webSearch\n".repeat(100);
        let named = names.in_request(&text, place, |slot| slot);
        assert_eq!(named, (0..MOST_NAMED as u32).collect::<Vec<_>>());
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
