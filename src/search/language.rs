//! What else does a query say beside its words? One language: `select:name,name`, `/pattern/`, `+must`, `-not` and
//! `server:name` among words. Whatever cannot be read as one of them is words.

use crate::catalog::Tool;
use crate::map::Set;
use crate::text::{behind, plain};

/// A query taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    /// The words, with those behind `+`.
    pub words: String,
    /// What a tool must have.
    must: Vec<String>,
    /// What a tool must not have.
    not: Vec<String>,
    /// The servers of which it must be.
    servers: Vec<String>,
}

/// The names behind `select:`, in any case, if the query is of that form.
pub(super) fn selected(query: &str) -> Option<Vec<&str>> {
    let names = behind("select:", query.trim())?;
    Some(names.split([',', '\n']).map(str::trim).filter(|name| !name.is_empty()).collect())
}

/// The pattern of a query that is `/pattern/` as a whole.
pub(super) fn pattern(query: &str) -> Option<&str> {
    let inner = query.trim().strip_prefix('/')?;
    inner.strip_suffix('/').or_else(|| inner.strip_suffix("/i")).filter(|pattern| !pattern.is_empty())
}

/// Demands of each kind that a query can make; further ones are words.
const DEMANDS: usize = 16;

impl Request {
    /// Reads a query whose servers are those of some tools.
    pub(super) fn read<'t, T: Iterator<Item = &'t Tool>>(query: &str, tools: impl Fn() -> T) -> Self {
        let mut request = Request::default();
        let names = || {
            let mut seen = Set::default();
            tools().filter_map(Tool::server).filter(|server| seen.insert(*server)).map(plain).collect()
        };
        let mut servers = Servers { read: &names, names: None, asked: 0 };
        for (at, line) in query.lines().enumerate() {
            // Lines are parts of a query; what is between words is not.
            request.words.push_str(if at > 0 { "\n" } else { "" });
            for token in line.split_whitespace() {
                request.token(token, &mut servers);
            }
        }
        if !request.words.contains(char::is_alphanumeric) && request.servers.is_empty() {
            return Request { words: query.to_owned(), ..Request::default() };
        }
        request
    }

    fn token(&mut self, token: &str, known: &mut Servers<'_>) {
        let is_word = |text: &&str| text.chars().next().is_some_and(char::is_alphabetic) && plain(text).len() > 1;
        if let Some(word) = token.strip_prefix('-').filter(is_word) {
            if !demand(&mut self.not, word) {
                self.word(word);
            }
        } else if let Some(word) = token.strip_prefix('+').filter(is_word) {
            demand(&mut self.must, word);
            self.word(word);
        } else if let Some(servers) = known.of(token) {
            servers.iter().for_each(|server| _ = demand(&mut self.servers, server));
        } else {
            self.word(token);
        }
    }

    fn word(&mut self, word: &str) {
        self.words.push_str(if self.words.is_empty() || self.words.ends_with('\n') { "" } else { " " });
        self.words.push_str(word);
    }

    /// Whether it asks for servers and nothing else.
    pub(super) fn is_of_servers_only(&self) -> bool {
        !self.servers.is_empty() && !self.words.contains(char::is_alphanumeric)
    }

    /// Whether it demands anything beside its words.
    pub(super) fn demands(&self) -> bool {
        !(self.must.is_empty() && self.not.is_empty() && self.servers.is_empty())
    }

    /// What a tool must have.
    pub(super) fn must(&self) -> &[String] {
        &self.must
    }

    /// What a tool must not have.
    pub(super) fn not(&self) -> &[String] {
        &self.not
    }

    /// Whether a server is one that it asks for.
    pub(super) fn is_of_servers(&self, server: Option<&str>) -> bool {
        let is_of = |server: &str| self.servers.iter().any(|wanted| *wanted == plain(server));
        self.servers.is_empty() || server.is_some_and(is_of)
    }
}

/// Adds a demand where there is room, and says whether it is there.
fn demand(demands: &mut Vec<String>, new: &str) -> bool {
    let is_there = demands.iter().any(|known| known == new);
    if !is_there && demands.len() < DEMANDS {
        demands.push(new.to_owned());
        return true;
    }
    is_there
}

/// The servers of some tools, read when the first is asked for.
struct Servers<'t> {
    read: &'t dyn Fn() -> Vec<String>,
    names: Option<Vec<String>>,
    asked: usize,
}

impl Servers<'_> {
    /// The servers that `server:name` means: those of the name, or else those that begin with it, or else those that
    /// hold it; none where it means none, or too many were asked for.
    fn of(&mut self, token: &str) -> Option<Vec<String>> {
        let name = plain(behind("server:", token)?);
        self.asked += 1;
        if name.is_empty() || self.asked > DEMANDS {
            return None;
        }
        let names = self.names.get_or_insert_with(self.read);
        let ways: [fn(&str, &str) -> bool; 3] = [
            |server, name| server == name,
            |server, name| server.starts_with(name),
            |server, name| server.contains(name),
        ];
        let fitting = ways.map(|fits| names.iter().filter(|server| fits(server, &name)).cloned().collect());
        fitting.into_iter().find(|servers: &Vec<String>| !servers.is_empty())
    }
}
