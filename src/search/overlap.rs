//! Which tools share words with the query? A word in the name counts three times one in the description, and a query
//! that is a tool's name counts above all.

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

/// Tools by falling score, equals in catalog order. A query without words is a wish to look around: every tool fits.
pub(super) fn search(query: &str, tools: &[&Tool], texts: &Texts, explained: &Explained) -> Found {
    let terms: Vec<Needle> = words(query).map(plain).filter(|term| !term.is_empty()).map(Needle::new).collect();
    let whole = plain(query.trim());
    let matching = |index: usize| {
        let plain = texts.plain(tools[index])?;
        let stand = terms.iter().filter_map(|needle| plain.find(needle, IN_NAME, IN_DESCRIPTION, usize::MAX));
        let mut matches: Vec<Match<'_>> = stand.collect();
        if !terms.is_empty() && whole == plain.name.text() {
            let (field, how) = (SearchedField::Name, How::WholeQuery);
            matches.push(Match { field, term: &whole, matched: &whole, how, contribution: IS_NAME });
        }
        (Match::sum(&matches) > 0.0 || terms.is_empty()).then_some(matches)
    };
    Found::among(Stage::Overlap, tools.len(), &matching).best_first().explained(explained, &matching)
}

/// A word in lower case without what is no letter or digit at its ends.
fn plain(word: &str) -> String {
    lower(word.trim_matches(|c: char| !c.is_alphanumeric()))
}
