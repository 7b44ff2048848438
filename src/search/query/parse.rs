//! Parses the query language, in every dialect.

use std::mem::discriminant;

use crate::text::{behind, normalized};

use super::{Grammar, Query, Token, words};

/// The maximum number of demands of each kind in one query; further ones are words. The number of matches is not
/// limited.
const DEMANDS: usize = 16;

impl<'q> Query<'q> {
    /// Parses a query in a dialect.
    pub fn read(grammar: Grammar, text: &'q str) -> Self {
        let trimmed = text.trim();
        let form = match grammar {
            Grammar::Plain => return Query::Text(text),
            Grammar::Commands => {
                let names = trimmed.strip_prefix("select:").or_else(|| trimmed.strip_prefix("SELECT:"));
                names.map(|names| Query::Select(list(names, &[','])))
            }
            Grammar::Full => {
                let names = behind("select:", trimmed).map(|names| Query::Select(list(names, &[',', '\n'])));
                names.or_else(|| pattern(trimmed).map(Query::Pattern))
            }
        };
        form.unwrap_or_else(|| Query::Words(tokens(grammar, text)))
    }
}

/// Returns the tokens of a query, even if it has another form.
pub(crate) fn tokens(grammar: Grammar, text: &str) -> Vec<Token<'_>> {
    if grammar != Grammar::Full {
        return words(text).filter_map(keyword).collect();
    }
    let mut tokens = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if at > 0 {
            tokens.push(Token::Break);
        }
        let mut before = "";
        for text in line.split_whitespace() {
            let token = match token(text, &tokens) {
                Some(Token::Word(word)) if is(before, "how") && is(word, "many") => Some(Token::Word("count")),
                // *How much* asks for an amount. No tool is called so, and the word would match other tools by chance.
                Some(Token::Word(word)) if is(before, "how") && is(word, "much") => None,
                token => token,
            };
            tokens.extend(token);
            before = text;
        }
    }
    tokens
}

/// Reads a token of the dialect `commands`. One `+` makes a word required; a bare `+` is ignored.
fn keyword(word: &str) -> Option<Token<'_>> {
    match word.strip_prefix('+') {
        Some("") => None,
        Some(required) => Some(Token::Must(required)),
        None => Some(Token::Word(word)),
    }
}

/// Returns the entries of a list of names, trimmed and without blank ones.
fn list<'q>(names: &'q str, separators: &[char]) -> Vec<&'q str> {
    names.split(separators).map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// Returns the pattern if the whole query is `/pattern/`.
fn pattern(query: &str) -> Option<&str> {
    let inner = query.strip_prefix('/')?;
    inner.strip_suffix('/').or_else(|| inner.strip_suffix("/i")).filter(|pattern| !pattern.is_empty())
}

/// Reads a token of the dialect `full`, a text without blanks, after other tokens; `None` if it only repeats a demand.
fn token<'q>(text: &'q str, before: &[Token<'q>]) -> Option<Token<'q>> {
    // A demand is a word if there are as many of its kind as allowed.
    let demand = |demand: Token<'q>, word: &'q str| {
        let is_of_kind = |other: &&Token<'_>| discriminant(*other) == discriminant(&demand);
        let is_allowed = before.iter().filter(is_of_kind).count() < DEMANDS;
        (!before.contains(&demand)).then_some(if is_allowed { demand } else { Token::Word(word) })
    };
    let server = |text: &'q str| behind("server:", text).filter(|name| name.contains(char::is_alphanumeric));
    let is_word = |text: &&str| text.chars().next().is_some_and(char::is_alphabetic) && normalized(text).len() > 1;
    if let Some(name) = text.strip_prefix('-').and_then(server) {
        return demand(Token::NotServer(name), text);
    }
    if let Some(word) = text.strip_prefix('-').filter(is_word) {
        return demand(Token::Not(word), word);
    }
    if let Some(word) = text.strip_prefix('+').filter(is_word) {
        // A word that must occur also ranks, as often as it is written.
        return demand(Token::Must(word), word).or(Some(Token::Word(word)));
    }
    match server(text) {
        Some(name) => demand(Token::Server(name), text),
        None => Some(Token::Word(text)),
    }
}

/// Returns true if a text is this word, ignoring case and punctuation around it.
fn is(text: &str, word: &str) -> bool {
    text.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dialect_reads_its_own_forms() {
        use Token::{Break, Must, Not, NotServer, Server, Word};
        assert_eq!(Query::read(Grammar::Plain, " select:a "), Query::Text(" select:a "));
        assert_eq!(Query::read(Grammar::Commands, " select: a, ,b,a "), Query::Select(vec!["a", "b", "a"]));
        assert_eq!(Query::read(Grammar::Commands, "SELECT:a"), Query::Select(vec!["a"]));
        assert_eq!(Query::read(Grammar::Commands, "Select:a"), Query::Words(vec![Word("Select:a")]));
        assert_eq!(
            Query::read(Grammar::Commands, "+File ++x + -edit /a/"),
            Query::Words(vec![Must("File"), Must("+x"), Word("-edit"), Word("/a/")])
        );
        assert_eq!(Query::read(Grammar::Full, "Select:a\nb"), Query::Select(vec!["a", "b"]));
        assert_eq!(Query::read(Grammar::Full, " /a|b/i "), Query::Pattern("a|b"));
        assert_eq!(
            Query::read(Grammar::Full, "send +mail -draft server:hub -server:lab\n-5 + server: -"),
            Query::Words(vec![
                Word("send"),
                Must("mail"),
                Not("draft"),
                Server("hub"),
                NotServer("lab"),
                Break,
                Word("-5"),
                Word("+"),
                Word("server:"),
                Word("-")
            ])
        );
    }

    #[test]
    fn how_many_asks_to_count() {
        let read = |text: &str| {
            let words = tokens(Grammar::Full, text).into_iter().map(|term| match term {
                Token::Word(word) => word.to_owned(),
                other => format!("{other:?}"),
            });
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(read("How many orders?"), "How count orders?");
        assert_eq!(read("how much does it cost"), "how does it cost");
        assert_eq!(read("insert many orders"), "insert many orders");
        assert_eq!(read("how +many"), r#"how Must("many")"#);
    }

    #[test]
    fn demands_are_bounded_and_the_rest_is_words() {
        let query: String = (0..40).map(|at| format!("-word{at} -word0 ")).collect();
        let read = tokens(Grammar::Full, &query);
        let is_demand = |term: &&Token<'_>| matches!(term, Token::Not(_));
        assert_eq!(read.iter().filter(is_demand).count(), DEMANDS, "repeated demands are left out");
        assert_eq!(read.iter().filter(|term| matches!(term, Token::Word(_))).count(), 40 - DEMANDS);
    }
}
