//! The demands of a query: words that a tool must have, words that it must not have, and the servers to which it must
//! belong.

use crate::catalog::Tool;
use crate::map::Set;
use crate::text::normalized;

use super::Token;

/// What a query demands of tools, and the words that rank them.
#[derive(Debug, Default)]
pub(crate) struct Demands<'t> {
    /// The words that rank, with those that must occur, in lines.
    pub words: String,
    /// The words that a tool must have, or that must occur in its name.
    pub must: Vec<String>,
    /// The words that a tool must not have.
    pub not: Vec<String>,
    /// The servers of which one must be the tool's; none where any may be.
    servers: Option<Set<&'t str>>,
    /// These servers as they were written.
    named: Vec<&'t str>,
    /// The servers of which none may be the tool's.
    not_servers: Set<&'t str>,
}

impl<'t> Demands<'t> {
    /// The demands of the tokens of a query. `server:name` means servers of these tools.
    pub(crate) fn of<T: Iterator<Item = &'t Tool>>(query: &str, tokens: &[Token<'t>], tools: impl Fn() -> T) -> Self {
        let mut demands = Demands::default();
        let mut servers = Servers { tools, known: None };
        for token in tokens {
            match token {
                Token::Word(word) => demands.word(word),
                Token::Must(word) => {
                    demands.must.push((*word).to_owned());
                    demands.word(word);
                }
                Token::Not(word) => demands.not.push((*word).to_owned()),
                Token::Server(name) => match servers.meant_by(name) {
                    meant if meant.is_empty() => demands.word(name),
                    meant => {
                        demands.servers.get_or_insert_default().extend(meant);
                        demands.named.push(name);
                    }
                },
                Token::NotServer(name) => demands.not_servers.extend(servers.meant_by(name)),
                Token::Break => demands.words.push('\n'),
            }
        }
        if !demands.has_words() && demands.are_none() {
            // Nothing is left to search for but the text itself.
            demands.words = query.to_owned();
        }
        demands
    }

    fn word(&mut self, word: &str) {
        self.words.push_str(if self.words.is_empty() || self.words.ends_with('\n') { "" } else { " " });
        self.words.push_str(word);
    }

    /// The words that rank among the servers that are demanded, whose names rank too, as all does that must occur.
    pub(crate) fn words_with_servers(&self) -> String {
        self.words.clone() + &self.servers_behind()
    }

    /// The servers that are demanded, as they stand behind the words.
    pub(crate) fn servers_behind(&self) -> String {
        self.named.iter().flat_map(|server| [" ", *server]).collect()
    }

    /// Whether any word ranks.
    pub(crate) fn has_words(&self) -> bool {
        self.words.contains(char::is_alphanumeric)
    }

    /// Whether any tool meets the demands, since there are none.
    pub(crate) fn are_none(&self) -> bool {
        self.must.is_empty() && self.not.is_empty() && self.servers.is_none() && self.not_servers.is_empty()
    }

    /// Whether a server is demanded.
    pub(crate) fn name_servers(&self) -> bool {
        self.servers.is_some()
    }

    /// Whether a tool is of a server that is demanded, and of none that is left out.
    pub(crate) fn admit_server(&self, tool: &Tool) -> bool {
        let is_of = |servers: &Set<&str>| tool.server().is_some_and(|server| servers.contains(server));
        self.servers.as_ref().is_none_or(is_of) && !is_of(&self.not_servers)
    }
}

/// The servers of some tools, read when the first is asked for.
struct Servers<'t, F> {
    tools: F,
    /// Each server with the small letters and digits of its name.
    known: Option<Vec<(&'t str, String)>>,
}

impl<'t, T: Iterator<Item = &'t Tool>, F: Fn() -> T> Servers<'t, F> {
    /// The servers that a name means: those of the name, or else all that begin with it, or else all that hold it.
    fn meant_by(&mut self, name: &str) -> Vec<&'t str> {
        let name = normalized(name);
        let tools = &self.tools;
        let known = self.known.get_or_insert_with(|| {
            let mut seen = Set::default();
            let servers = tools().filter_map(Tool::server);
            servers.filter(|server| seen.insert(*server)).map(|server| (server, normalized(server))).collect()
        });
        let ways: [fn(&str, &str) -> bool; 3] = [
            |server, name| server == name,
            |server, name| server.starts_with(name),
            |server, name| server.contains(name),
        ];
        let fitting = |fits: &fn(&str, &str) -> bool| -> Vec<&'t str> {
            known.iter().filter(|(_, plain)| fits(plain, &name)).map(|(server, _)| *server).collect()
        };
        ways.iter().map(fitting).find(|servers| !servers.is_empty()).unwrap_or_default()
    }
}
