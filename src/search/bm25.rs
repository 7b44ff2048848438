//! Ranks tools by Okapi BM25 over name, description and parameter names, as one text in ASCII words. If no word of the query
//! occurs in any tool, it finds the tools whose names contain the query.

use crate::case::lower;
use crate::catalog::Tool;
use crate::limits;

use super::Explained;
use super::hit::{Found, How, Match, SearchedField, Stage};
use super::interner::WordId;
use super::number::ln;
use super::passage::Needle;
use super::texts::Texts;
use super::word_counts::{WordCounts, tokens};

/// How soon repeating a word stops to help (Robertson and Zaragoza's usual value).
const K1: f64 = 1.5;
/// How much longer texts are held against a tool (the usual value).
const B: f64 = 0.75;

/// Tools by falling score, equals in catalog order.
pub(super) fn search(query: &str, tools: &[&Tool], texts: &Texts, explained: &Explained) -> Found {
    let mut terms = tokens(query);
    terms.truncate(limits::QUERY_WORDS);
    if terms.is_empty() {
        return Found::default();
    }
    let ranked = rank(&terms, tools, texts, explained);
    if ranked.hits.is_empty() { by_substring(query, tools, texts, explained) } else { ranked }
}

fn rank(terms: &[String], tools: &[&Tool], texts: &Texts, explained: &Explained) -> Found {
    let counts: Vec<&WordCounts> = tools.iter().filter_map(|tool| texts.counts(tool)).collect();
    let all = counts.len() as f64;
    let average = counts.iter().map(|text| text.length).sum::<usize>() as f64 / all.max(1.0);
    let interner = texts.interner();
    let weighted = terms.iter().filter_map(|term| {
        let word = interner.number(term)?;
        let holding = counts.iter().filter(|text| text.of_word(word).is_some()).count() as f64;
        Some((term.as_str(), word, ln(1.0 + (all - holding + 0.5) / (holding + 0.5))))
    });
    let weighted: Vec<(&str, WordId, f64)> = weighted.collect();
    let matching = |index: usize| {
        let text = texts.counts(tools[index])?;
        let norm = K1 * (1.0 - B + B * text.length as f64 / average.max(1.0));
        let matches = weighted.iter().filter_map(|(term, word, idf)| {
            let frequency = f64::from(text.of_word(*word)?);
            let contribution = idf * frequency * (K1 + 1.0) / (frequency + norm);
            Some(Match { field: SearchedField::Text, term, matched: term, how: How::Word, contribution })
        });
        let matches: Vec<Match<'_>> = matches.collect();
        (Match::sum(&matches) > 0.0).then_some(matches)
    };
    Found::among(Stage::Bm25, tools.len(), &matching).best_first().explained(explained, &matching)
}

/// The tools whose names contain the query: `fil` is no word of any tool, but a part of `file`.
fn by_substring(query: &str, tools: &[&Tool], texts: &Texts, explained: &Explained) -> Found {
    let query = Needle::new(lower(query.trim()));
    let (field, term, how) = (SearchedField::Name, query.text(), How::Inside);
    let one = Match { field, term, matched: term, how, contribution: 0.0 };
    let matching = |index: usize| texts.lower_cased(tools[index])?.name.holds(&query).then(|| vec![one]);
    Found::among(Stage::Substring, tools.len(), &matching).explained(explained, &matching)
}
