//! What else does a query say beside its words? One language: `select:name,name`, `/pattern/`, `+must`, `-not` and
//! `server:name` among words. Whatever cannot be read as one of them is words.

use crate::case::lower_letters;
use crate::catalog::Tool;

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
    const COMMAND: &str = "select:";
    let query = query.trim();
    let names = query.get(COMMAND.len()..).filter(|_| query[..COMMAND.len()].eq_ignore_ascii_case(COMMAND))?;
    Some(names.split([',', '\n']).map(str::trim).filter(|name| !name.is_empty()).collect())
}

/// The pattern of a query that is `/pattern/` as a whole.
pub(super) fn pattern(query: &str) -> Option<&str> {
    let inner = query.trim().strip_prefix('/')?;
    inner.strip_suffix('/').or_else(|| inner.strip_suffix("/i")).filter(|pattern| !pattern.is_empty())
}

impl Request {
    /// Reads a query whose servers are those of some tools.
    pub(super) fn read(query: &str, tools: &[&Tool]) -> Self {
        let mut request = Request::default();
        for (at, line) in query.lines().enumerate() {
            // Lines are parts of a query; what is between words is not.
            request.words.push_str(if at > 0 { "\n" } else { "" });
            for token in line.split_whitespace() {
                request.token(token, tools);
            }
        }
        if !request.words.contains(char::is_alphanumeric) && request.servers.is_empty() {
            return Request { words: query.to_owned(), ..Request::default() };
        }
        request
    }

    fn token(&mut self, token: &str, tools: &[&Tool]) {
        let is_word = |text: &&str| text.chars().next().is_some_and(char::is_alphabetic) && plain(text).len() > 1;
        if let Some(word) = token.strip_prefix('-').filter(is_word) {
            self.not.push(plain(word));
        } else if let Some(word) = token.strip_prefix('+').filter(is_word) {
            self.must.push(plain(word));
            self.word(word);
        } else if let Some(server) = server_of(token).filter(|server| tools.iter().any(|t| is_of(t, server))) {
            self.servers.push(server);
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

    /// Whether a tool is what it asks for, whatever the words say.
    pub(super) fn admits(&self, tool: &Tool) -> bool {
        let words = if self.must.is_empty() && self.not.is_empty() { Vec::new() } else { words_of(tool) };
        // What must be there may be a part of a word, such as a name in one piece; what must not be is a whole one.
        self.must.iter().all(|must| words.iter().any(|word| word.contains(&**must)))
            && !self.not.iter().any(|not| words.contains(not))
            && (self.servers.is_empty() || self.servers.iter().any(|server| is_of(tool, server)))
    }
}

/// The server behind `server:`.
fn server_of(token: &str) -> Option<String> {
    const FILTER: &str = "server:";
    let name = token.get(FILTER.len()..).filter(|_| token[..FILTER.len()].eq_ignore_ascii_case(FILTER))?;
    Some(plain(name)).filter(|name| !name.is_empty())
}

fn is_of(tool: &Tool, server: &str) -> bool {
    tool.server().is_some_and(|name| plain(name).contains(server))
}

/// Small letters and digits.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(lower_letters).collect()
}

/// The words of a tool's name, server, description and hints, and its name in one piece.
fn words_of(tool: &Tool) -> Vec<String> {
    let texts = [Some(&*tool.model_name), tool.server(), Some(&tool.description), tool.search_hint.as_deref()];
    let texts = texts.into_iter().flatten().chain(tool.tags.iter().map(String::as_str));
    let parts = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric())).map(plain);
    parts.filter(|word| !word.is_empty()).chain([plain(&tool.model_name)]).collect()
}
