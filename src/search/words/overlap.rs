//! Ranks tools by the words that they share with the query. A word in the name counts three times as much as one in the
//! description, and a query that equals a tool's name counts most.

use crate::search::hit::{Found, How, Match, SearchedField, Stage};
use crate::search::query::words;
use crate::search::words::lower_cased::Weights;
use crate::search::words::ranking::{Ranking, Ties};

/// A word stands in the name, or in the description only.
const WEIGHTS: Weights = Weights { name: 3.0, description: 1.0, most_bytes: usize::MAX };
/// The whole query is the name; on top of what its words count.
const IS_NAME: f64 = 100.0;

/// Tools by falling score, equals in catalog order. A query without words fits every tool: the model wants to look
/// around.
pub(in crate::search) fn search(query: &str, ranking: &Ranking<'_>) -> Found {
    let terms: Vec<String> = words(query).map(trimmed).filter(|term| !term.is_empty()).collect();
    let whole = trimmed(query.trim());
    let texts = &ranking.read(|columns| &mut columns.lower_cased).lower_cased;
    let is_name = |slot| !terms.is_empty() && texts.names.text(slot) == whole;
    let mut scores = ranking.accumulator();
    for term in &terms {
        texts.add(term, WEIGHTS, ranking.tools, &mut scores);
    }
    scores.begin();
    if terms.is_empty() {
        for slot in &ranking.tools.places.slots {
            scores.add(*slot, 0.0);
        }
    }
    texts.names.holding(&whole, ranking.tools, usize::MAX, &mut |slot| {
        if is_name(slot) {
            scores.add(slot, IS_NAME);
        }
    });
    ranking.found(Stage::Overlap, scores.take(0.0), Ties::InCatalogOrder, &|slot| {
        let mut matches: Vec<Match<'_>> = terms.iter().filter_map(|term| texts.find(slot, term, WEIGHTS)).collect();
        if is_name(slot) {
            let (field, how) = (SearchedField::Name, How::WholeQuery);
            matches.push(Match { field, term: &whole, matched: &whole, how, contribution: IS_NAME });
        }
        matches
    })
}

/// A word in lower case, without punctuation at its ends.
fn trimmed(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}
