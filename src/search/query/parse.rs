//! The parser of the query language, for every dialect.

use crate::text::{behind, normalized};

use super::keywords::words;
use super::tree::{Grammar, Query, Term};

/// Demands of each kind that one query can make; further ones are words. What a demand matches is not bounded.
const DEMANDS: usize = 16;

impl<'q> Query<'q> {
    /// Reads a query in a dialect.
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
        form.unwrap_or_else(|| Query::Terms(terms(grammar, text)))
    }
}

/// The terms of a query, whatever other form it has.
pub(in crate::search) fn terms(grammar: Grammar, text: &str) -> Vec<Term<'_>> {
    if grammar == Grammar::Full {
        let mut reader = Reader::default();
        for (at, line) in text.lines().enumerate() {
            if at > 0 {
                reader.terms.push(Term::Break);
            }
            let mut before = "";
            for token in line.split_whitespace() {
                reader.token(token, before);
                before = token;
            }
        }
        return reader.terms;
    }
    words(text).filter_map(keyword).collect()
}

/// A term of the dialect of commands. One `+` makes a word required; a bare `+` is no word.
fn keyword(word: &str) -> Option<Term<'_>> {
    match word.strip_prefix('+') {
        Some("") => None,
        Some(required) => Some(Term::Must(required)),
        None => Some(Term::Word(word)),
    }
}

/// The entries of a list of names: trimmed, without blanks.
fn list<'q>(names: &'q str, separators: &[char]) -> Vec<&'q str> {
    names.split(separators).map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// The pattern of a query that is `/pattern/` as a whole.
fn pattern(query: &str) -> Option<&str> {
    let inner = query.strip_prefix('/')?;
    inner.strip_suffix('/').or_else(|| inner.strip_suffix("/i")).filter(|pattern| !pattern.is_empty())
}

/// Reads the tokens of the full dialect, with the demands so far.
#[derive(Default)]
struct Reader<'q> {
    terms: Vec<Term<'q>>,
    must: Vec<&'q str>,
    not: Vec<&'q str>,
    servers: Vec<&'q str>,
}

impl<'q> Reader<'q> {
    fn token(&mut self, token: &'q str, before: &str) {
        let term = match self.term(token) {
            Some(Term::Word(word)) if is(before, "how") && is(word, "many") => Some(Term::Word("count")),
            // *How much* asks for an amount. No tool is called so, and the word would find what holds it by chance.
            Some(Term::Word(word)) if is(before, "how") && is(word, "much") => None,
            term => term,
        };
        self.terms.extend(term);
    }

    /// The term of a token; none where it repeats a demand that says nothing else.
    fn term(&mut self, token: &'q str) -> Option<Term<'q>> {
        let is_word = |text: &&str| text.chars().next().is_some_and(char::is_alphabetic) && normalized(text).len() > 1;
        if let Some(word) = token.strip_prefix('-').filter(is_word) {
            return demand(&mut self.not, word, Term::Not(word), Term::Word(word));
        }
        if let Some(word) = token.strip_prefix('+').filter(is_word) {
            // What must occur also ranks, as often as it is written.
            return demand(&mut self.must, word, Term::Must(word), Term::Word(word)).or(Some(Term::Word(word)));
        }
        match behind("server:", token) {
            Some(name) if name.contains(char::is_alphanumeric) => {
                demand(&mut self.servers, name, Term::Server { name, written: token }, Term::Word(token))
            }
            _ => Some(Term::Word(token)),
        }
    }
}

/// A demand where there is room for one, and else a word; none for a demand that was made before.
fn demand<'q>(known: &mut Vec<&'q str>, text: &'q str, demand: Term<'q>, word: Term<'q>) -> Option<Term<'q>> {
    if known.contains(&text) {
        return None;
    }
    if known.len() >= DEMANDS {
        return Some(word);
    }
    known.push(text);
    Some(demand)
}

/// Whether a token is a word, whatever its case and the marks around it.
fn is(token: &str, word: &str) -> bool {
    token.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_dialect_reads_its_own_forms() {
        use Term::{Break, Must, Not, Server, Word};
        assert_eq!(Query::read(Grammar::Plain, " select:a "), Query::Text(" select:a "));
        assert_eq!(Query::read(Grammar::Commands, " select: a, ,b,a "), Query::Select(vec!["a", "b", "a"]));
        assert_eq!(Query::read(Grammar::Commands, "SELECT:a"), Query::Select(vec!["a"]));
        assert_eq!(Query::read(Grammar::Commands, "Select:a"), Query::Terms(vec![Word("Select:a")]));
        assert_eq!(
            Query::read(Grammar::Commands, "+File ++x + -edit /a/"),
            Query::Terms(vec![Must("File"), Must("+x"), Word("-edit"), Word("/a/")])
        );
        assert_eq!(Query::read(Grammar::Full, "Select:a\nb"), Query::Select(vec!["a", "b"]));
        assert_eq!(Query::read(Grammar::Full, " /a|b/i "), Query::Pattern("a|b"));
        let server = Server { name: "hub", written: "server:hub" };
        assert_eq!(
            Query::read(Grammar::Full, "send +mail -draft server:hub\n-5 + server: -"),
            Query::Terms(vec![
                Word("send"),
                Must("mail"),
                Not("draft"),
                server,
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
            let words = terms(Grammar::Full, text).into_iter().map(|term| match term {
                Term::Word(word) => word.to_owned(),
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
        let read = terms(Grammar::Full, &query);
        let is_demand = |term: &&Term<'_>| matches!(term, Term::Not(_));
        assert_eq!(read.iter().filter(is_demand).count(), DEMANDS, "repeated demands are left out");
        assert_eq!(read.iter().filter(|term| matches!(term, Term::Word(_))).count(), 40 - DEMANDS);
    }
}
