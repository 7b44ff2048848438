//! Ranks tools by Okapi BM25 over name, description and parameter names, as one text in ASCII words. If no word of the query
//! occurs in any tool, it finds the tools whose names contain the query.

use crate::limits;
use crate::map::Map;
use crate::search::hit::{Found, How, Match, SearchedField, Stage};
use crate::search::ids::{Slot, Term};
use crate::search::index::words::ascii_words;
use crate::search::published::{Needle, Ranking, Ties};
use crate::search::view::idf;

/// How soon repeating a word stops to help (Robertson and Zaragoza's usual value).
const K1: f64 = 1.5;
/// How much longer texts are held against a tool (the usual value).
const B: f64 = 0.75;

/// Tools by falling score, equals in catalog order.
pub(crate) fn search(query: &str, ranking: &Ranking<'_>) -> Found {
    let text = query.to_ascii_lowercase();
    let words: Vec<&str> = ascii_words(&text).take(limits::QUERY_WORDS).collect();
    if words.is_empty() {
        return Found::default();
    }
    let ranked = rank(&words, ranking);
    if ranked.total == 0 { by_substring(query, ranking) } else { ranked }
}

fn rank(words: &[&str], ranking: &Ranking<'_>) -> Found {
    let (vocabulary, documents) = (&ranking.index.vocabulary, &ranking.index.words);
    let mut is_searched = vec![false; documents.lengths.len()];
    let mut length = 0;
    for tool in ranking.tools() {
        is_searched[tool.slot] = true;
        length += documents.lengths[tool.slot] as usize;
    }
    let tools = ranking.positions.len();
    let average = (length as f64 / (tools as f64).max(1.0)).max(1.0);
    let mut is_hit = vec![false; is_searched.len()];
    let mut idfs: Map<Term, f64> = Map::default();
    let mut weighted: Vec<(&str, &[Slot], f64)> = Vec::new();
    for word in words {
        let Some(term) = vocabulary.term(word) else { continue };
        let slots = documents.with_term(term);
        let idf = *idfs.entry(term).or_insert_with(|| {
            let each = slots.chunk_by(|a, b| a == b).map(|same| same[0]).filter(|slot| is_searched[*slot]);
            idf(each.map(|slot| is_hit[slot] = true).count() as u32, tools)
        });
        weighted.push((word, slots, idf));
    }
    ranking.found(Stage::Bm25, Ties::InCatalogOrder, |tool| {
        if !is_hit[tool.slot] {
            return None;
        }
        let norm = K1 * (1.0 - B + B * f64::from(documents.lengths[tool.slot]) / average);
        let matches = weighted.iter().filter_map(|(word, slots, idf)| {
            let same = &slots[slots.partition_point(|slot| *slot < tool.slot)..];
            let frequency = same.partition_point(|slot| *slot == tool.slot) as f64;
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
