//! Which tools share words with the query? A word in the name counts three times one in the description, and a query
//! that is a tool's name counts above all.

use crate::case::lower;
use crate::catalog::Tool;

use super::hit::{Found, Hit, HitPart, How, SearchedField, Stage};
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
pub(super) fn search(query: &str, tools: &[&Tool], texts: &Texts) -> Found {
    let terms: Vec<Needle> = words(query).map(plain).filter(|term| !term.is_empty()).map(Needle::new).collect();
    let whole = plain(query.trim());
    let score = |(index, tool): (usize, &&Tool)| {
        let plain = texts.plain(tool)?;
        let mut parts: Vec<HitPart> = terms
            .iter()
            .filter_map(|term| {
                let (field, weight) = if plain.name.holds(term) {
                    (SearchedField::Name, IN_NAME)
                } else if plain.description.holds(term) {
                    (SearchedField::Description, IN_DESCRIPTION)
                } else {
                    return None;
                };
                Some(HitPart::new(field, term.text(), term.text(), How::Inside, weight))
            })
            .collect();
        if !terms.is_empty() && whole == plain.name.text() {
            parts.push(HitPart::new(SearchedField::Name, &whole, &whole, How::WholeQuery, IS_NAME));
        }
        let score = HitPart::sum(&parts);
        (score > 0.0 || terms.is_empty()).then_some(Hit { index, score, parts })
    };
    Found::at(Stage::Overlap, tools.iter().enumerate().filter_map(score).collect()).best_first()
}

/// A word in lower case without what is no letter or digit at its ends.
fn plain(word: &str) -> String {
    lower(word.trim_matches(|c: char| !c.is_alphanumeric()))
}
