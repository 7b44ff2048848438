//! Resolves a name that a model wrote to the tools that it may mean, in any form: with its server in front, after dots,
//! slashes or underscores, in camelCase, without its beginning, or with its words in another order.
//!
//! Every word of the written name must belong to the tool's name or to its server's name. So a name with a server in
//! front never means a tool of another server. Names and words are looked up in hash maps: the time grows with the
//! number of tools that share them, not with the catalog.

use std::cell::Cell;

use crate::catalog::{Catalog, Owner, Tool, own_name};
use crate::map::{Map, Set};
use crate::text::{behind_underscores, name_parts, normalized};

use super::corpus::Corpus;
use super::hit::{Found, Hit, Stage, Verdict};
use super::ids::Doc;
use super::index::Index;
use super::index::names::{own_words, singular_words, sorted_words};

/// Names of more words are looked up only as a whole.
const WORDS: usize = 24;
/// Words that vendors, protocols and models add to names.
const AROUND: [&str; 8] = ["mcp", "functions", "function", "tools", "tool", "api", "default", "server"];

/// The maximum number of tools that are compared with the names of one query or call. It limits the time for a list of
/// names in a thousand forms, each of thousands of tools. Exact names are found all the same. Tools that the session
/// does not see do not count.
const COMPARED: usize = 50_000;

/// The maximum number of places in a name at which its server may end.
const FRONTS: usize = 4;

/// Looks names up for one query or call.
pub struct NameIndex<'a> {
    index: &'a Index,
    catalog: &'a Catalog,
    /// The session for which names are looked up, since they may mean tools of its own.
    owner: Owner,
    /// The number of tools that may still be compared.
    left: Cell<usize>,
}

impl<'a> NameIndex<'a> {
    /// Starts the look-up for one query or call.
    pub fn new(index: &'a Index, catalog: &'a Catalog, owner: Owner) -> Self {
        NameIndex { index, catalog, owner, left: Cell::new(COMPARED) }
    }

    /// Returns the position in the catalog of the tool with exactly this name, if it is `seen`.
    fn exact(&self, name: &str, seen: &dyn Fn(usize, &Tool) -> bool) -> Option<usize> {
        let tool = self.catalog.by_name_for(self.owner, name).filter(|tool| *tool.model_name == *name)?;
        self.catalog.position(tool).filter(|position| seen(*position, tool))
    }

    /// Returns the positions in the catalog of the tools that a name may mean, ascending: only one if one fits best.
    /// Only tools that are `seen` are considered.
    pub fn resolve(&self, name: &str, seen: &dyn Fn(usize, &Tool) -> bool) -> Vec<usize> {
        if let Some(position) = self.exact(name, seen) {
            return vec![position];
        }
        let claims = self.claims(name, seen);
        Resolver { of: self, seen: &|position, tool| seen(position, tool) && may_mean(tool, &claims) }.resolve(name)
    }

    /// Returns the normalized names of the only servers whose tools a name may mean: the server for which the name is
    /// kept, or those whose names are in front of it. Empty if tools of all servers may be meant.
    pub fn claims(&self, name: &str, seen: &dyn Fn(usize, &Tool) -> bool) -> Vec<String> {
        if let Some(server) = self.catalog.kept_for(self.owner, name) {
            return vec![normalized(server)];
        }
        let resolver = Resolver { of: self, seen };
        let is_claim = |front: &String| resolver.is_server(front) || self.catalog.keeps_names_of(self.owner, front);
        fronts(name).into_iter().filter(is_claim).collect()
    }
}

/// Returns true if a name with these claims may mean a tool. Tools without a server are always allowed.
pub fn may_mean(tool: &Tool, claims: &[String]) -> bool {
    claims.is_empty() || tool.server().is_none_or(|server| claims.contains(&normalized(server)))
}

/// Returns the normalized texts that may be a server in front of a name, with and without words that clients add.
fn fronts(name: &str) -> Vec<String> {
    let separators = name.match_indices(['.', '/', ':']).chain(name.match_indices("__"));
    let fronts = separators.take(FRONTS).flat_map(|(at, _)| {
        let front = &name[..at];
        [normalized(front), without_around(&name_parts(front)).concat()]
    });
    fronts.filter(|front| !front.is_empty()).collect()
}

struct Resolver<'a> {
    of: &'a NameIndex<'a>,
    seen: &'a dyn Fn(usize, &Tool) -> bool,
}

/// The degrees to which words fit the name of a server, the best first.
#[derive(Clone, Copy, Debug)]
enum ServerFit {
    /// They are exactly its name.
    Exact,
    /// They are its name except for words that clients add.
    Near,
}

/// The degrees to which a name fits a tool, the best first.
#[derive(Clone, Copy, Debug)]
enum Fit {
    /// It is the tool's whole name.
    Whole,
    /// It is the server's name and the tool's.
    WithServer,
    /// It is the tool's name without its server or prefix.
    Own,
}

impl Resolver<'_> {
    fn resolve(&self, name: &str) -> Vec<usize> {
        let words = name_parts(name);
        if words.len() > WORDS {
            return self.named(&normalized(name));
        }
        let says_server = says_server(name);
        self.variants(&words).find_map(|words| some(self.of_words(words, says_server))).unwrap_or_default()
    }

    /// Returns the words unchanged, then without added words at the beginning, then also without those at the end.
    fn variants<'w>(&self, words: &'w [String]) -> impl Iterator<Item = &'w [String]> + use<'w> {
        let is_around = |word: &&String| AROUND.contains(&word.as_str());
        let before = words.iter().take_while(is_around).count();
        let after = words.iter().rev().take_while(is_around).count();
        // An added word may be the name of a server.
        let before = if self.is_server(&words[..before].concat()) { 0 } else { before };
        let without = words.get(before..words.len().saturating_sub(after)).filter(|words| !words.is_empty());
        [Some(words), words.get(before..), without].into_iter().flatten()
    }

    fn of_words(&self, words: &[String], says_server: bool) -> Vec<usize> {
        let whole = words.concat();
        let singular = singular_words(words);
        // Most names with a server in front are found with one look-up.
        some(if says_server { self.of_server_and_name(&whole) } else { self.named(&whole) })
            .or_else(|| some(self.behind_server(words, |own| self.called(&own.concat()))))
            .or_else(|| if says_server { some(self.named(&whole)) } else { None })
            .or_else(|| some(self.ending_in(&singular)))
            .or_else(|| some(self.with_words(&singular)))
            .or_else(|| some(self.behind_server(words, |own| self.with_words(&singular_words(own)))))
            .unwrap_or_default()
    }

    /// Returns the tools whose server and name together give this normalized name.
    fn of_server_and_name(&self, name: &str) -> Vec<usize> {
        let fit = |position: usize| {
            let tool = &self.of.catalog.tools()[position];
            // `flow.check` is the tool `check` of `flow`, even if `flow` also has a tool `flow_check`.
            let is_other = normalized(&format!("{}{}", tool.server().unwrap_or(""), tool.key.name)) != name;
            (with_server(tool) == name).then_some((u8::from(is_other), position))
        };
        best(self.called(name).into_iter().filter_map(fit).collect())
    }

    /// Returns the tools with this normalized name that it fits best.
    fn named(&self, name: &str) -> Vec<usize> {
        let fit = |position: usize| {
            let tool = &self.of.catalog.tools()[position];
            if [&*tool.model_name, &*tool.key.name].iter().any(|text| normalized(text) == name) {
                Fit::Whole
            } else if with_server(tool) == name {
                Fit::WithServer
            } else {
                Fit::Own
            }
        };
        let mut found: Vec<(u8, usize)> =
            self.called(name).into_iter().map(|position| (fit(position) as u8, position)).collect();
        // `docs-search` is the tool `search` of `docs`, not a `docs_search` of another server.
        let server_at = |position: usize| self.of.catalog.tools()[position].server();
        let has_server = |(fit, _): &&(u8, usize)| *fit == Fit::WithServer as u8;
        let servers: Vec<_> = found.iter().filter(has_server).map(|(_, at)| server_at(*at)).collect();
        found.retain(|(_, at)| servers.is_empty() || servers.contains(&server_at(*at)));
        best(found)
    }

    /// Returns the tools with this name in any form, with or without server and prefix.
    fn called(&self, name: &str) -> Vec<usize> {
        self.seen_of(self.of.index.names.with_name(name).map(|(doc, _)| doc))
    }

    /// Returns the tools whose names have exactly these words, in any order.
    fn with_words(&self, words: &[String]) -> Vec<usize> {
        if words.len() < 2 {
            return Vec::new();
        }
        let mut found = self.seen_of(self.of.index.names.with_words(words));
        let wanted = sorted_words(words);
        found.retain(|position| sorted_words(&own_words(&self.of.catalog.tools()[*position])) == wanted);
        found
    }

    /// Returns the tools whose names end in these words. A single word is not enough.
    fn ending_in(&self, words: &[String]) -> Vec<usize> {
        let Some(last) = words.last().filter(|_| words.len() > 1) else { return Vec::new() };
        let mut found = self.seen_of(self.of.index.names.ending_in(last));
        found.retain(|position| own_words(&self.of.catalog.tools()[*position]).ends_with(words));
        found
    }

    /// Returns the tools that `of` finds for the last words, if the first words name their server.
    fn behind_server(&self, words: &[String], of: impl Fn(&[String]) -> Vec<usize>) -> Vec<usize> {
        let mut found = Vec::new();
        for at in 1..words.len() {
            let (server, own) = words.split_at(at);
            let name = own.concat();
            let fit = |position: usize| {
                let tool = &self.of.catalog.tools()[position];
                // `n8n_validate` and `validate` may both be tools of `n8n`.
                let is_other = u8::from(normalized(&tool.key.name) != name);
                Some((2 * server_fit(server, tool)? as u8 + is_other, position))
            };
            let mut fitting: Vec<(u8, usize)> = of(own).into_iter().filter_map(fit).collect();
            // If a server has exactly this name, a server with a similar name is not meant.
            let is_exact = |(fit, _): &(u8, usize)| fit / 2 == ServerFit::Exact as u8;
            if !fitting.iter().all(is_exact) && self.is_server(&server.concat()) {
                fitting.retain(is_exact);
            }
            found.extend(fitting);
        }
        best(found)
    }

    /// Returns true if a seen tool has a server with this normalized name.
    fn is_server(&self, name: &str) -> bool {
        let has_name = |doc: &Doc| {
            let tool = self.of.index.versions.position(*doc).map(|position| &self.of.catalog.tools()[position]);
            tool.and_then(|tool| tool.server()).is_some_and(|server| normalized(server) == name)
        };
        self.of.index.names.of_server(name).any(|doc| has_name(&doc) && self.position(doc).is_some())
    }

    /// Returns the positions of the seen tools in some documents, ascending, each once.
    fn seen_of(&self, docs: impl Iterator<Item = Doc>) -> Vec<usize> {
        let may_look = |_: &usize| {
            let left = self.of.left.get();
            self.of.left.set(left.saturating_sub(1));
            left > 0
        };
        let seen = docs.filter_map(|doc| self.position(doc));
        in_order(seen.take_while(may_look).collect())
    }

    /// Returns the position of a document's tool, if it is seen.
    fn position(&self, doc: Doc) -> Option<usize> {
        let position = self.of.index.versions.position(doc)?;
        let tool = &self.of.catalog.tools()[position];
        // A session's own tools may replace shared ones.
        let is_there = self.of.catalog.by_key_for(self.of.owner, &tool.key).is_some_and(|there| there.id == tool.id);
        (is_there && (self.seen)(position, tool)).then_some(position)
    }
}

/// Returns the normalized name of a tool after its server's.
fn with_server(tool: &Tool) -> String {
    normalized(&format!("{}{}", tool.server().unwrap_or(""), own_name(&tool.key)))
}

/// Returns how well words name a tool's server, which may also be part of the tool's name; `None` if they do not.
fn server_fit(words: &[String], tool: &Tool) -> Option<ServerFit> {
    let own = own_name(&tool.key);
    let in_name = &own[..own.len() - behind_underscores(own).len()];
    let servers = [tool.server().unwrap_or(""), in_name];
    let whole = words.concat();
    if servers.iter().any(|server| !server.is_empty() && normalized(server) == whole) {
        return Some(ServerFit::Exact);
    }
    let words = without_around(words);
    // `plugin_github_github` and `claude_ai_Linear` are names that clients give to servers.
    let is_of_client = words.first().is_some_and(|first| matches!(first.as_str(), "plugin" | "claude"));
    let from = if is_of_client { words.len() } else { words.len().min(1) };
    let is_near = |server: &&str| {
        let server = without_around(&name_parts(server)).concat();
        !server.is_empty() && (0..from).any(|at| words[at..].concat() == server)
    };
    servers.iter().any(is_near).then_some(ServerFit::Near)
}

/// Returns the words of a server's name without words that only say that it is a server.
fn without_around(words: &[String]) -> Vec<String> {
    words.iter().filter(|word| !AROUND.contains(&word.as_str())).cloned().collect()
}

/// Returns the positions, or `None` if there are none.
fn some(found: Vec<usize>) -> Option<Vec<usize>> {
    (!found.is_empty()).then_some(found)
}

/// Returns the positions with the best fit, ascending, each once.
fn best(mut found: Vec<(u8, usize)>) -> Vec<usize> {
    let Some(best) = found.iter().map(|(fit, _)| *fit).min() else { return Vec::new() };
    found.retain(|(fit, _)| *fit == best);
    in_order(found.into_iter().map(|(_, position)| position).collect())
}

/// Returns positions in ascending order, each once.
fn in_order(mut positions: Vec<usize>) -> Vec<usize> {
    positions.sort_unstable();
    positions.dedup();
    positions
}

/// Returns true if a name is written with its server in front: with a dot, a slash, a colon or two underscores inside.
pub(super) fn says_server(name: &str) -> bool {
    let name = name.trim_matches(|c: char| !c.is_alphanumeric());
    name.contains(['.', '/', ':']) || name.contains("__")
}

/// Returns the tools with exactly these names, each once, in the order of the names.
#[inline(never)]
pub(super) fn exact(index: &NameIndex<'_>, names: &[&str], corpus: &Corpus) -> Found {
    let mut seen = Set::default();
    let is_searched = |position: usize, _: &Tool| corpus.place_of(position).is_some();
    let known = names.iter().filter_map(|name| Some((*name, index.exact(name, &is_searched)?)));
    let first = known.filter(|(_, position)| seen.insert(*position));
    Found::at(Stage::Select, first.map(|(name, at)| Hit::of_name(at, name, &index.catalog.tools()[at])).collect())
}

/// Returns the tools with these names in any form; the verdict lists unknown names. Only the first `most` hits are
/// made.
#[inline(never)]
pub(super) fn any_form(index: &NameIndex<'_>, names: &[&str], corpus: &Corpus, most: usize) -> Found {
    let (mut hits, mut unknown): (Vec<Hit>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut seen, mut known): (Set<usize>, Map<String, bool>) = Default::default();
    let is_searched = |position: usize, _: &Tool| corpus.place_of(position).is_some();
    for name in names {
        let plain = normalized(name);
        let meant = match (index.exact(name, &is_searched), known.get(&plain)) {
            (Some(position), _) => vec![position],
            // A name may be written thousands of times, and mean thousands of tools: all its spellings are looked up
            // only once.
            (None, Some(true)) => continue,
            (None, Some(false)) => Vec::new(),
            (None, None) => {
                let meant = index.resolve(name, &is_searched);
                known.insert(plain, !meant.is_empty());
                meant
            }
        };
        if meant.is_empty() {
            unknown.push((*name).to_owned());
        }
        for position in meant.into_iter().filter(|position| seen.insert(*position)) {
            if hits.len() < most {
                hits.push(Hit::of_name(position, name, &index.catalog.tools()[position]));
            }
        }
    }
    let found = Found { total: seen.len(), ..Found::at(Stage::Select, hits) };
    Found { verdict: Some(Verdict { unknown_words: unknown, ..Verdict::sure() }), ..found }
}
