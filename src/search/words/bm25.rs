//! Ranks tools by Okapi BM25 over name, description and parameter names, as one text in ASCII words. If no word of the query
//! occurs in any tool, it finds the tools whose names contain the query.

use crate::limits;
use crate::search::hit::{Found, How, Match, SearchedField, Stage};
use crate::search::ids::Term;
use crate::search::words::documents::ascii_words;
use crate::search::words::ranking::{Ranking, Ties};

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
    let documents = &ranking.read(|columns| &mut columns.documents).documents;
    let (tools, postings) = (ranking.tools, &documents.postings);
    let average = tools.average_length(documents);
    let weighted = words.iter().filter_map(|word| {
        let term = postings.vocabulary.term(word)?;
        Some((*word, term, tools.idf_of(documents, term)))
    });
    let weighted: Vec<(&str, Term, f64)> = weighted.collect();
    let contribution = |slot, idf: f64, count: usize| {
        let norm = K1 * (1.0 - B + B * f64::from(documents.length(slot)) / average);
        let frequency = count as f64;
        idf * frequency * (K1 + 1.0) / (frequency + norm)
    };
    let mut scores = ranking.accumulator();
    for (_, term, idf) in &weighted {
        scores.begin();
        for same in postings.counted(*term) {
            scores.add(same[0], contribution(same[0], *idf, same.len()));
        }
    }
    ranking.found(Stage::Bm25, scores.take(0.0), Ties::InCatalogOrder, &|slot| {
        let matches = weighted.iter().filter_map(|(term, number, idf)| {
            let count = postings.count(*number, slot);
            let contribution = contribution(slot, *idf, count);
            (count > 0).then_some(Match {
                field: SearchedField::Text,
                term,
                matched: term,
                how: How::Word,
                contribution,
            })
        });
        matches.collect()
    })
}

/// The tools whose names contain the query: `fil` is no word of any tool, but a part of `file`.
fn by_substring(query: &str, ranking: &Ranking<'_>) -> Found {
    let query = query.trim().to_lowercase();
    let mut scores = ranking.accumulator();
    scores.begin();
    let texts = &ranking.read(|columns| &mut columns.lower_cased).lower_cased;
    texts.names.holding(&query, ranking.tools, usize::MAX, &mut |slot| scores.add(slot, 0.0));
    let (field, how) = (SearchedField::Name, How::Inside);
    let one = Match { field, term: &query, matched: &query, how, contribution: 0.0 };
    ranking.found(Stage::Substring, scores.take(0.0), Ties::InCatalogOrder, &|_| vec![one])
}
