//! Ranks tools by the words of a query in the parts of their names. A whole part counts most, then a part that contains
//! the word, then the hint, then the description.

use crate::catalog::Tool;
use crate::sort::sorted;

use super::Explained;
use super::hit::{Found, How, Match, SearchedField, Stage};
use super::passage::Needle;
use super::query::Keywords;
use super::texts::Texts;
use super::words::{Words, is_of_server};

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

/// Tools that hold every required word, by falling score, equals by name. A repeated word counts again.
pub(super) fn search(keywords: &Keywords, tools: &[&Tool], texts: &Texts, explained: &Explained) -> Found {
    let terms: Vec<Needle> = keywords.all().cloned().map(Needle::new).collect();
    let required = &terms[..keywords.required.len()];
    let matching = |index: usize| {
        let words = texts.words(tools[index])?;
        let weights = if is_of_server(tools[index]) { OF_SERVER } else { OWN };
        let matches: Vec<Match<'_>> = terms.iter().flat_map(|term| matches(term, &weights, words)).collect();
        (Match::sum(&matches) > 0.0 && words.hold(required)).then_some(matches)
    };
    let found = Found::among(Stage::Parts, tools.len(), &matching);
    let by_name = sorted(found.hits, |a, b| tools[a.index].model_name.cmp(&tools[b.index].model_name));
    Found::at(Stage::Parts, by_name).best_first().explained(explained, &matching)
}

/// Where a word stands in a tool.
fn matches<'a>(needle: &'a Needle, weights: &NameWeights, words: &'a Words) -> impl Iterator<Item = Match<'a>> {
    let term = needle.text();
    let in_name = words.part(needle).map(|part| {
        let is_whole = words.parts.iter().any(|part| part == term);
        let (matched, how, contribution) =
            if is_whole { (term, How::Word, weights.whole) } else { (&**part, How::Inside, weights.inside) };
        Match { field: SearchedField::Name, term, matched, how, contribution }
    });
    let inside = |field, contribution| Match { field, term, matched: term, how: How::Inside, contribution };
    let in_hint = words.hint.holds(needle).then(|| inside(SearchedField::Hint, IN_HINT));
    let in_description = words.description.holds(needle).then(|| inside(SearchedField::Description, IN_DESCRIPTION));
    in_name.into_iter().chain(in_hint).chain(in_description)
}
