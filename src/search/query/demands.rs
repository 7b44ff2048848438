//! Defines the demands of a query: words that a tool must have, words that it must not have, and the servers to which
//! it must or must not belong.

use crate::search::ids::ServerId;
use crate::text::normalized;

use super::Token;

/// The demands of a query, and the words that rank.
#[derive(Debug, Default)]
pub(crate) struct Demands<'t> {
    /// The words that rank, including those that must occur, in lines.
    pub words: String,
    /// The words that a tool must have, or that must occur in its name.
    pub must: Vec<String>,
    /// The words that a tool must not have.
    pub not: Vec<String>,
    /// The servers to one of which the tool must belong; `None` if it may belong to any.
    pub servers: Option<Vec<ServerId>>,
    /// The names of `servers` as they were written.
    named: Vec<&'t str>,
    /// The servers to which the tool must not belong.
    pub not_servers: Vec<ServerId>,
}

impl<'t> Demands<'t> {
    /// Reads the demands from the tokens of a query. `servers` returns the servers that it may mean, with their
    /// normalized names.
    pub(crate) fn of<'s>(query: &str, tokens: &[Token<'t>], servers: &dyn Fn() -> Vec<(ServerId, &'s str)>) -> Self {
        let mut demands = Demands::default();
        for token in tokens {
            match token {
                Token::Word(word) => demands.word(word),
                Token::Must(word) => {
                    demands.must.push((*word).to_owned());
                    demands.word(word);
                }
                Token::Not(word) => demands.not.push((*word).to_owned()),
                Token::Server(name) => match meant_by(name, servers()) {
                    meant if meant.is_empty() => demands.word(name),
                    meant => {
                        demands.servers.get_or_insert_default().extend(meant);
                        demands.named.push(name);
                    }
                },
                Token::NotServer(name) => demands.not_servers.extend(meant_by(name, servers())),
                Token::Break => demands.words.push('\n'),
            }
        }
        if !demands.has_words() && demands.are_none() {
            // Nothing is left to search for except the text itself.
            demands.words = query.to_owned();
        }
        demands
    }

    fn word(&mut self, word: &str) {
        self.words.push_str(if self.words.is_empty() || self.words.ends_with('\n') { "" } else { " " });
        self.words.push_str(word);
    }

    /// Returns the words that rank, followed by the names of demanded servers: these rank too, like all words that must
    /// occur.
    pub(crate) fn words_with_servers(&self) -> String {
        self.words.clone() + &self.servers_behind()
    }

    /// Returns the names of the demanded servers as [`Demands::words_with_servers`] adds them.
    pub(crate) fn servers_behind(&self) -> String {
        self.named.iter().flat_map(|server| [" ", *server]).collect()
    }

    /// Returns true if any word ranks.
    pub(crate) fn has_words(&self) -> bool {
        self.words.contains(char::is_alphanumeric)
    }

    /// Returns true if there are no demands.
    pub(crate) fn are_none(&self) -> bool {
        self.must.is_empty() && self.not.is_empty() && self.servers.is_none() && self.not_servers.is_empty()
    }

    /// Returns true if a server is demanded.
    pub(crate) fn name_servers(&self) -> bool {
        self.servers.is_some()
    }
}

/// Returns the servers that a name means: those with this name, or else all that begin with it, or else all that
/// contain it.
fn meant_by(name: &str, servers: Vec<(ServerId, &str)>) -> Vec<ServerId> {
    let name = normalized(name);
    let ways: [fn(&str, &str) -> bool; 3] =
        [|server, name| server == name, |server, name| server.starts_with(name), |server, name| server.contains(name)];
    let fitting = |fits: &fn(&str, &str) -> bool| -> Vec<ServerId> {
        servers.iter().filter(|(_, plain)| fits(plain, &name)).map(|(server, _)| *server).collect()
    };
    ways.iter().map(fitting).find(|servers| !servers.is_empty()).unwrap_or_default()
}
