//! Ranks tools by the words of a query in the parts of their names. A whole part counts most, then a part that contains
//! the word, then the hint, then the description.

use crate::search::hit::{Found, How, Match, SearchedField, Stage};
use crate::search::ids::{Place, Slot};
use crate::search::query::Keywords;
use crate::search::words::name_parts::{NameParts, is_of_server};
use crate::search::words::ranking::{Ranking, Ties};

/// Weights of a word in the name: it is a part, or inside one.
struct NameWeights {
    whole: f64,
    inside: f64,
}

/// For the host's own tools.
const OWN: NameWeights = NameWeights { whole: 10.0, inside: 5.0 };
/// For tools of servers, whose names are all that sets them apart from one another.
const OF_SERVER: NameWeights = NameWeights { whole: 12.0, inside: 6.0 };
/// A word in the hint.
const IN_HINT: f64 = 4.0;
/// A word in the description.
const IN_DESCRIPTION: f64 = 2.0;

/// Tools by falling score, equals by name. A repeated word counts again.
pub(in crate::search) fn search(keywords: &Keywords, ranking: &Ranking<'_>) -> Found {
    let texts = &ranking.read(|columns| &mut columns.name_parts).name_parts;
    let mut scores = ranking.accumulator();
    for term in keywords.all() {
        for (column, value) in
            [(&texts.names, None), (&texts.hints, Some(IN_HINT)), (&texts.descriptions, Some(IN_DESCRIPTION))]
        {
            scores.begin();
            column.holding(term, ranking.tools, usize::MAX, &mut |slot| {
                if ranking.tools.places.has(slot) {
                    scores.add(slot, value.unwrap_or_else(|| in_name(slot, texts.part(slot, term).1, ranking)));
                }
            });
        }
    }
    ranking.found(Stage::Parts, scores.take(0.0), Ties::ByName, &|slot| {
        let mut matches = Vec::new();
        for term in keywords.all() {
            push_matches(term, slot, texts, ranking, &mut matches);
        }
        matches
    })
}

/// The positions of the tools in which every required word stands somewhere, in rising order.
pub(in crate::search) fn holding(required: &[String], ranking: &Ranking<'_>) -> Vec<u32> {
    let texts = &ranking.read(|columns| &mut columns.name_parts).name_parts;
    let mut scores = ranking.accumulator();
    for word in required {
        scores.begin();
        for column in [&texts.names, &texts.hints, &texts.descriptions] {
            column.holding(word, ranking.tools, usize::MAX, &mut |slot| scores.add(slot, 1.0));
        }
    }
    let mut positions = Vec::new();
    for (place, slot) in ranking.tools.places.slots.iter().enumerate() {
        if scores.score(Place::new(place)) == required.len() as f64 {
            positions.push(ranking.position(*slot) as u32);
        }
    }
    positions
}

/// What a word adds that stands in the name in a slot, by whether it is a whole part of it.
fn in_name(slot: Slot, is_whole: bool, ranking: &Ranking<'_>) -> f64 {
    let weights = if is_of_server(ranking.tool(slot)) { OF_SERVER } else { OWN };
    if is_whole { weights.whole } else { weights.inside }
}

/// Adds where a word stands in a tool.
fn push_matches<'a>(
    term: &'a str,
    slot: Slot,
    texts: &'a NameParts,
    ranking: &Ranking<'_>,
    matches: &mut Vec<Match<'a>>,
) {
    let (part, is_whole) = texts.part(slot, term);
    if let Some(part) = part {
        let (matched, how) = if is_whole { (term, How::Word) } else { (part, How::Inside) };
        let contribution = in_name(slot, is_whole, ranking);
        matches.push(Match { field: SearchedField::Name, term, matched, how, contribution });
    }
    for (column, field, contribution) in [
        (&texts.hints, SearchedField::Hint, IN_HINT),
        (&texts.descriptions, SearchedField::Description, IN_DESCRIPTION),
    ] {
        if column.text(slot).contains(term) {
            matches.push(Match { field, term, matched: term, how: How::Inside, contribution });
        }
    }
}
