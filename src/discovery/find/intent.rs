//! Determines the intent of a query: to read, to write or to destroy, and the tools that it names. Tools that write or
//! destroy are loaded only for a query that asks for it.

use crate::catalog::{Effect, RequestedEffects, Tool, is_verb, without_server};
use crate::limits;
use crate::search::{Query, Token};
use crate::text::{name_parts, short_sentence, singular, words};

/// Words that tell nothing about a tool, even in its name.
const WEAK: &[&str] = &[
    "a", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "data", "do", "does", "each", "every", "few",
    "first", "for", "from", "have", "has", "how", "i", "in", "is", "it", "item", "last", "many", "me", "more", "most",
    "much", "my", "new", "next", "not", "of", "on", "one", "or", "other", "our", "several", "some", "that", "the",
    "thing", "this", "to", "tool", "up", "us", "was", "we", "what", "when", "where", "which", "who", "why", "will",
    "with", "you",
];
/// The intent of a query.
#[derive(Debug, Default)]
pub(super) struct Intent {
    /// Its words in lower case and singular, without weak words.
    words: Vec<String>,
    /// All its words in lower case, in order.
    said: Vec<String>,
    requested: RequestedEffects,
    /// The number of words read. Words beyond the limit of rankers are ignored.
    read: usize,
}

impl Intent {
    pub(super) fn of(query: &Query<'_>) -> Self {
        let mut intent = Intent::default();
        match query {
            Query::Text(text) | Query::Pattern(text) => {
                intent.clauses(text.split([',', ';', '.', '\n', '?', '!', '|']))
            }
            Query::Select(names) => intent.clauses(names.iter().copied()),
            Query::Words(tokens) => {
                let mut clause = Vec::new();
                for token in tokens {
                    match token {
                        Token::Word(word) | Token::Must(word) => {
                            clause.extend(parts(word));
                            if word.ends_with([',', ';', '.', '?', '!']) {
                                intent.clause(&std::mem::take(&mut clause));
                            }
                        }
                        Token::Break => intent.clause(&std::mem::take(&mut clause)),
                        Token::Not(_) | Token::Server(_) | Token::NotServer(_) => {}
                    }
                }
                intent.clause(&clause);
            }
        }
        intent
    }

    fn clauses<'t>(&mut self, clauses: impl Iterator<Item = &'t str>) {
        clauses.for_each(|clause| self.clause(&parts(clause).collect::<Vec<_>>()));
    }

    /// Reads the words between two punctuation marks.
    fn clause(&mut self, clause: &[String]) {
        let left = limits::QUERY_WORDS.saturating_sub(self.read);
        self.read += clause.len();
        let mut before: Option<&str> = None;
        for word in clause.iter().take(left) {
            self.requested.add(word, before.replace(word));
            self.said.push(word.clone());
            if !WEAK.contains(&&**word) {
                self.words.push(singular(word));
            }
        }
    }

    /// Returns true if a search may load a tool. A tool that the query names, or asks for by the verb of its own name,
    /// may always be loaded. If its name says that it destroys, the query needs a verb that destroys; if only its
    /// annotations say so, a verb that writes or destroys. If it writes, the query needs a verb that writes, or a
    /// content word of its name or first sentence if the query does not ask to read.
    pub(super) fn may_load(&self, tool: &Tool) -> bool {
        let is_destroying = || Effect::of_name(&tool.key.name) == Effect::Destroy;
        let RequestedEffects { writes, destroys, .. } = self.requested;
        // The slowest checks come last.
        match tool.effect {
            Effect::Unknown | Effect::Read => true,
            Effect::Destroy if destroys || (writes && !is_destroying()) => true,
            Effect::Write if writes || self.is_about(tool) => true,
            Effect::Write | Effect::Destroy => self.names(tool) || self.asks_for(tool),
        }
    }

    /// Returns true if the query asks for another effect than the tool has. A query without a known verb rules out no
    /// tool.
    pub(super) fn rules_out(&self, tool: &Tool) -> bool {
        self.requested.contradicts(tool.effect)
    }

    /// Returns true if a tool may be loaded instead of a better one that may not be loaded: a tool that reads instead
    /// of one that writes, for a query that asks to read.
    pub(super) fn may_replace(&self, better: &Tool, tool: &Tool) -> bool {
        better.effect == Effect::Write && self.rules_out(better) && tool.effect == Effect::Read
    }

    /// Returns true if the query has the verb of a tool's own name, in any form.
    fn asks_for(&self, tool: &Tool) -> bool {
        tool.verbs().stand_in(&self.said, self.requested.reads)
    }

    /// Returns true if the query has every part of a tool's name except weak words, and the name has a part that is not
    /// weak.
    fn names(&self, tool: &Tool) -> bool {
        self.has_name_of(tool, 1)
    }

    /// Returns true if the query has every part of a tool's name except weak words, and the name has at least two that
    /// are not weak.
    pub(super) fn spells(&self, tool: &Tool) -> bool {
        self.has_name_of(tool, 2)
    }

    fn has_name_of(&self, tool: &Tool, least: usize) -> bool {
        let parts = name_parts(without_server(&tool.key.name));
        let mut strong = parts.iter().filter(|part| !WEAK.contains(&&***part));
        strong.clone().count() >= least && strong.all(|part| self.words.contains(&singular(part)))
    }

    fn is_about(&self, tool: &Tool) -> bool {
        let sentence = short_sentence(&tool.description);
        !self.requested.reads && [without_server(&tool.key.name), &sentence].into_iter().any(|text| self.mentions(text))
    }

    /// Returns true if the query has a word of a text that is not a verb.
    fn mentions(&self, text: &str) -> bool {
        parts(text).any(|word| !is_verb(&word) && self.words.contains(&singular(&word)))
    }
}

/// Returns the words of a text in lower case; names are split into their parts.
fn parts(text: &str) -> impl Iterator<Item = String> {
    words(text).flat_map(name_parts)
}
