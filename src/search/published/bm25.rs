//! Ranks tools by Okapi BM25 over name, description and parameter names, as one text in ASCII words. If no word of the query
//! occurs in any tool, it finds the tools whose names contain the query.

use crate::catalog::Tool;
use crate::limits;
use crate::map::Map;
use crate::search::hit::{Found, HitPart, How, SearchedField, Stage};
use crate::search::published::{Ranking, Ties};
use crate::search::view::idf;

/// The saturation of term frequency (Robertson and Zaragoza's usual value).
const K1: f64 = 1.5;
/// The strength of length normalisation (the usual value).
const B: f64 = 0.75;

/// Ranks tools by descending score, equal ones in catalog order.
#[inline(never)]
pub(crate) fn search(query: &str, ranking: &Ranking<'_>) -> Found {
    let text = query.to_ascii_lowercase();
    let words: Vec<&str> = ascii_words(&text).take(limits::QUERY_WORDS).collect();
    if words.is_empty() {
        return Found::default();
    }
    let ranked = rank(&words, ranking);
    if ranked.total == 0 { by_substring(query, ranking) } else { ranked }
}

/// The counts of a tool for BM25.
struct Document {
    /// The number of its words.
    length: usize,
    /// The frequency of each distinct word of the query.
    frequencies: Vec<u32>,
}

impl Document {
    fn of(tool: &Tool, numbers: &Map<&str, usize>) -> Self {
        let mut text = format!("{} {}", tool.model_name, tool.description);
        tool.parameters.property_names().iter().for_each(|name| text.extend([" ", name]));
        text.make_ascii_lowercase();
        let mut document = Document { length: 0, frequencies: vec![0; numbers.len()] };
        for word in ascii_words(&text) {
            document.length += 1;
            if let Some(number) = numbers.get(word) {
                document.frequencies[*number] += 1;
            }
        }
        document
    }
}

fn rank(words: &[&str], ranking: &Ranking<'_>) -> Found {
    let mut numbers: Map<&str, usize> = Map::default();
    for word in words {
        let next = numbers.len();
        numbers.entry(word).or_insert(next);
    }
    let documents: Vec<Document> = ranking.tools.iter().map(|(_, tool)| Document::of(tool, &numbers)).collect();
    let tools = documents.len();
    let length: usize = documents.iter().map(|document| document.length).sum();
    let average = (length as f64 / (tools as f64).max(1.0)).max(1.0);
    let has = |number: usize| documents.iter().filter(|document| document.frequencies[number] > 0).count();
    let idfs: Vec<f64> = (0..numbers.len()).map(|number| idf(has(number) as u32, tools)).collect();
    let mut in_order = documents.iter();
    ranking.found(Stage::Bm25, Ties::InCatalogOrder, |_| {
        let Document { length, frequencies } = in_order.next()?;
        let norm = K1 * (1.0 - B + B * *length as f64 / average);
        let matches = words.iter().filter_map(|word| {
            let number = numbers[word];
            let frequency = f64::from(frequencies[number]);
            let contribution = idfs[number] * frequency * (K1 + 1.0) / (frequency + norm);
            (frequency > 0.0).then(|| HitPart::new(SearchedField::Text, word, word, How::Word, contribution))
        });
        let matches: Vec<HitPart> = matches.collect();
        (!matches.is_empty()).then_some(matches)
    })
}

/// Finds the tools whose names contain the query: `fil` is not a word of any tool, but a part of `file`.
fn by_substring(query: &str, ranking: &Ranking<'_>) -> Found {
    let query = query.trim().to_lowercase();
    ranking.found(Stage::Substring, Ties::InCatalogOrder, |tool| {
        let is_hit = tool.model_name.to_lowercase().contains(&query);
        is_hit.then(|| vec![HitPart::new(SearchedField::Name, &query, &query, How::Inside, 0.0)])
    })
}

/// Returns the runs of ASCII letters and digits, which are the words of this ranker.
fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|run| !run.is_empty())
}
