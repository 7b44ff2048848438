//! The words of a query in the form in which the ranker of name parts takes them: required ones and others, in ASCII
//! lower case.

use crate::limits;

use super::tree::Term;

/// The words of a query, in ASCII lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::search) struct Keywords {
    /// Words that must occur in the name, the description or the hint.
    pub required: Vec<String>,
    /// Words that rank.
    pub optional: Vec<String>,
}

impl Keywords {
    /// The words of terms.
    pub(in crate::search) fn of(terms: &[Term<'_>]) -> Self {
        let mut keywords = Keywords::default();
        for term in terms {
            match term {
                Term::Must(word) => keywords.required.push(word.to_ascii_lowercase()),
                Term::Word(word) => keywords.optional.push(word.to_ascii_lowercase()),
                Term::Not(_) | Term::Server { .. } | Term::Break => {}
            }
        }
        keywords
    }

    /// The words of a text that is read as it stands.
    pub(in crate::search) fn plain(text: &str) -> Self {
        Keywords { required: Vec::new(), optional: words(text).map(str::to_ascii_lowercase).collect() }
    }

    /// Whether there is no word at all.
    pub(in crate::search) fn is_empty(&self) -> bool {
        self.required.is_empty() && self.optional.is_empty()
    }

    /// The required words, then the others.
    pub(in crate::search) fn all(&self) -> impl Iterator<Item = &String> {
        self.required.iter().chain(&self.optional)
    }
}

/// The words of a text, as many as rankers look at.
pub(in crate::search) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().take(limits::QUERY_WORDS)
}
