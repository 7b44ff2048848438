//! Ranks tools by the words that they share with the query. A word in the name counts three times as much as one in the
//! description, and a query that equals a tool's name counts most.

use crate::search::hit::{Found, HitPart, How, SearchedField, Stage};
use crate::search::published::{FieldWeights, LowerCased, Ranking, Ties};
use crate::search::query::words;

const WEIGHTS: FieldWeights = FieldWeights { name: 3.0, description: 1.0, most_bytes: usize::MAX };
/// The score if the whole query is the name, added to that of its words.
const IS_NAME: f64 = 100.0;

/// Ranks tools by descending score, equal ones in catalog order. A query without words matches every tool, for a model
/// that wants to look around.
#[inline(never)]
pub(crate) fn search(query: &str, ranking: &Ranking<'_>) -> Found {
    let terms: Vec<String> = words(query).map(trimmed).filter(|term| !term.is_empty()).collect();
    let whole = trimmed(query.trim());
    ranking.found(Stage::Overlap, Ties::InCatalogOrder, |tool| {
        let texts = LowerCased::of(tool);
        let mut matches: Vec<HitPart> = terms.iter().filter_map(|term| texts.find(term, WEIGHTS)).collect();
        if !terms.is_empty() && texts.name == whole {
            matches.push(HitPart::new(SearchedField::Name, &whole, &whole, How::WholeQuery, IS_NAME));
        }
        (terms.is_empty() || !matches.is_empty()).then_some(matches)
    })
}

/// Returns a word in lower case, without punctuation at its ends.
fn trimmed(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}
