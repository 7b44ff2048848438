//! Ranks tools by Okapi BM25 over name, description and parameter names, as one text in ASCII words. If no word of the query
//! occurs in any tool, it finds the tools whose names contain the query.

use crate::limits;
use crate::map::Map;
use crate::search::hit::{Found, How, Match, SearchedField, Stage};
use crate::search::ids::{Slot, Term};
use crate::search::index::words::ascii_words;
use crate::search::number::idf;
use crate::search::words::{Needle, Ranking, Ties};

/// How soon repeating a word stops to help (Robertson and Zaragoza's usual value).
const K1: f64 = 1.5;
/// How much longer texts are held against a tool (the usual value).
const B: f64 = 0.75;

/// Tools by falling score, equals in catalog order.
pub(in crate::search) fn search(query: &str, ranking: &Ranking<'_>) -> Found {
    let text = query.to_ascii_lowercase();
    let words: Vec<&str> = ascii_words(&text).take(limits::QUERY_WORDS).collect();
    if words.is_empty() {
        return Found::default();
    }
    let ranked = rank(&words, ranking);
    if ranked.total == 0 { by_substring(query, ranking) } else { ranked }
}

fn rank(words: &[&str], ranking: &Ranking<'_>) -> Found {
    let (vocabulary, documents) = (&ranking.index.vocabulary, &ranking.index.words.documents);
    let words: Vec<(&str, Term)> = words.iter().filter_map(|word| Some((*word, vocabulary.term(word)?))).collect();
    let mut is_asked = vec![false; vocabulary.len()];
    words.iter().for_each(|(_, term)| is_asked[*term] = true);
    let asked_of =
        |slot: Slot| -> Vec<Term> { documents.row(slot).iter().copied().filter(|term| is_asked[*term]).collect() };
    let mut length = 0;
    let mut frequencies: Map<Term, u32> = Map::default();
    for tool in ranking.tools() {
        length += documents.row(tool.slot).len();
        let mut terms: Vec<u32> = asked_of(tool.slot).iter().map(|term| term.0).collect();
        terms.sort_unstable();
        terms.dedup();
        terms.into_iter().for_each(|term| *frequencies.entry(Term(term)).or_default() += 1);
    }
    let tools = ranking.positions.len();
    let average = (length as f64 / (tools as f64).max(1.0)).max(1.0);
    let words: Vec<(&str, Term, f64)> = words
        .into_iter()
        .map(|(word, term)| (word, term, idf(frequencies.get(&term).copied().unwrap_or(0), tools)))
        .collect();
    ranking.found(Stage::Bm25, Ties::InCatalogOrder, |tool| {
        let asked = asked_of(tool.slot);
        if asked.is_empty() {
            return None;
        }
        let norm = K1 * (1.0 - B + B * documents.row(tool.slot).len() as f64 / average);
        let matches = words.iter().filter_map(|(word, term, idf)| {
            let frequency = asked.iter().filter(|other| *other == term).count() as f64;
            let contribution = idf * frequency * (K1 + 1.0) / (frequency + norm);
            (frequency > 0.0).then(|| Match::new(SearchedField::Text, word, How::Word, contribution))
        });
        Some(matches.collect())
    })
}

/// The tools whose names contain the query: `fil` is no word of any tool, but a part of `file`.
fn by_substring(query: &str, ranking: &Ranking<'_>) -> Found {
    let query = Needle::new(query.trim().to_lowercase());
    ranking.found(Stage::Substring, Ties::InCatalogOrder, |tool| {
        let texts = ranking.lower_cased(tool);
        let is_hit = texts.may_contain(&query) && texts.name().contains(&query.text);
        is_hit.then(|| vec![Match::new(SearchedField::Name, &query.text, How::Inside, 0.0)])
    })
}
