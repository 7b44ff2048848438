//! Ranks tools by the words that they share with the query. A word in the name counts three times as much as one in the
//! description, and a query that equals a tool's name counts most.

use crate::case::lower;
use crate::catalog::Tool;

use super::Explained;
use super::hit::{Found, How, Match, SearchedField, Stage};
use super::passage::Needle;
use super::query::words;
use super::texts::Texts;

/// A word stands in the name.
const IN_NAME: f64 = 3.0;
/// A word stands in the description only.
const IN_DESCRIPTION: f64 = 1.0;
/// The whole query is the name; on top of what its words count.
const IS_NAME: f64 = 100.0;

/// Tools by falling score, equals in catalog order. A query without words fits every tool: the model wants to look
/// around.
pub(super) fn search(query: &str, tools: &[&Tool], texts: &Texts, explained: &Explained) -> Found {
    let terms: Vec<Needle> = words(query).map(trimmed).filter(|term| !term.is_empty()).map(Needle::new).collect();
    let whole = trimmed(query.trim());
    let matching = |index: usize| {
        let text = texts.lower_cased(tools[index])?;
        let stand = terms.iter().filter_map(|needle| text.find(needle, IN_NAME, IN_DESCRIPTION, usize::MAX));
        let mut matches: Vec<Match<'_>> = stand.collect();
        if !terms.is_empty() && whole == text.name.text() {
            let (field, how) = (SearchedField::Name, How::WholeQuery);
            matches.push(Match { field, term: &whole, matched: &whole, how, contribution: IS_NAME });
        }
        (Match::sum(&matches) > 0.0 || terms.is_empty()).then_some(matches)
    };
    Found::among(Stage::Overlap, tools.len(), &matching).best_first().explained(explained, &matching)
}

/// A word in lower case, without punctuation at its ends.
fn trimmed(word: &str) -> String {
    lower(word.trim_matches(|c: char| !c.is_alphanumeric()))
}
