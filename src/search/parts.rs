//! Which tools have words in the parts of their names? Weighted: a whole part counts most, then a part that holds the
//! word, then the hint, then the description.

use crate::catalog::Tool;
use crate::sort::sorted;

use super::hit::{Found, Hit, HitPart, How, SearchedField, Stage};
use super::passage::Needle;
use super::query::{Keywords, Words, is_of_server};
use super::texts::Texts;

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
pub(super) fn search(keywords: &Keywords, tools: &[&Tool], texts: &Texts) -> Found {
    let terms: Vec<Needle> = keywords.all().cloned().map(Needle::new).collect();
    let required = &terms[..keywords.required.len()];
    let score = |(index, tool): (usize, &&Tool)| {
        let words = texts.words(tool)?;
        let parts: Vec<HitPart> = terms.iter().flat_map(|term| parts_of(term, tool, words)).collect();
        let score = HitPart::sum(&parts);
        (score > 0.0 && words.hold(required)).then_some(Hit { index, score, parts })
    };
    let hits: Vec<Hit> = tools.iter().enumerate().filter_map(score).collect();
    let by_name = sorted(hits, |a, b| tools[a.index].model_name.cmp(&tools[b.index].model_name));
    Found::at(Stage::Parts, by_name).best_first()
}

fn parts_of(needle: &Needle, tool: &Tool, words: &Words) -> Vec<HitPart> {
    let weights = if is_of_server(tool) { OF_SERVER } else { OWN };
    let term = needle.text();
    let mut found = Vec::new();
    if let Some(part) = words.part(needle) {
        let is_whole = words.parts.iter().any(|part| part == term);
        let (matched, how, weight) =
            if is_whole { (term, How::Word, weights.whole) } else { (&**part, How::Inside, weights.inside) };
        found.push(HitPart::new(SearchedField::Name, term, matched, how, weight));
    }
    if words.hint.holds(needle) {
        found.push(HitPart::new(SearchedField::Hint, term, term, How::Inside, IN_HINT));
    }
    if words.description.holds(needle) {
        found.push(HitPart::new(SearchedField::Description, term, term, How::Inside, IN_DESCRIPTION));
    }
    found
}
