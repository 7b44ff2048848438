//! The demands of a query: words that a tool must have, words that it must not have, and the servers to which it must
//! belong.

use crate::search::ids::ServerId;
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
    pub servers: Option<Vec<ServerId>>,
    /// These servers as they were written.
    named: Vec<&'t str>,
    /// The servers of which none may be the tool's.
    pub not_servers: Vec<ServerId>,
}

impl<'t> Demands<'t> {
    /// The demands of the tokens of a query. `servers` are those that it may mean, each with the small letters and digits of its
    /// name.
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
}

/// The servers that a name means: those of the name, or else all that begin with it, or else all that hold it.
fn meant_by(name: &str, servers: Vec<(ServerId, &str)>) -> Vec<ServerId> {
    let name = normalized(name);
    let ways: [fn(&str, &str) -> bool; 3] =
        [|server, name| server == name, |server, name| server.starts_with(name), |server, name| server.contains(name)];
    let fitting = |fits: &fn(&str, &str) -> bool| -> Vec<ServerId> {
        servers.iter().filter(|(_, plain)| fits(plain, &name)).map(|(server, _)| *server).collect()
    };
    ways.iter().map(fitting).find(|servers| !servers.is_empty()).unwrap_or_default()
}
