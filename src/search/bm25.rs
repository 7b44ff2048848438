//! Which tools do the rare words of the query point to? Okapi BM25 over name, description and parameter names, as one
//! text in ASCII words; where no word occurs at all, the query as part of a name.

use crate::case::lower;
use crate::catalog::Tool;
use crate::limits;
use crate::sort::sorted;

use super::hit::{Found, Hit, HitPart, How, SearchedField, Stage};

/// How soon repeating a word stops to help (Robertson and Zaragoza's usual value).
const K1: f64 = 1.5;
/// How much longer texts are held against a tool (the usual value).
const B: f64 = 0.75;

/// Tools by falling score, equals in catalog order.
pub(super) fn search(query: &str, tools: &[&Tool]) -> Found {
    let mut terms = tokens(query);
    terms.truncate(limits::QUERY_WORDS);
    if terms.is_empty() {
        return Found::default();
    }
    let ranked = rank(&terms, tools);
    if ranked.hits.is_empty() { by_substring(query, tools) } else { ranked }
}

fn rank(terms: &[String], tools: &[&Tool]) -> Found {
    let mut distinct = sorted(terms.iter().collect(), |a: &&String, b| a.cmp(b));
    distinct.dedup();
    let place = |token: &String| distinct.binary_search(&token).ok();
    let texts: Vec<Counts> = tools.iter().map(|tool| Counts::of(&tokens(&text(tool)), place)).collect();
    let average = texts.iter().map(|text| text.length).sum::<usize>() as f64 / texts.len().max(1) as f64;
    let mut holding = vec![0usize; distinct.len()];
    texts.iter().flat_map(|text| &text.counts).for_each(|(term, _)| holding[*term] += 1);
    let idf = |term: usize| {
        let holding = holding[term] as f64;
        (1.0 + (texts.len() as f64 - holding + 0.5) / (holding + 0.5)).ln()
    };
    let score = |(index, text): (usize, &Counts)| {
        let norm = K1 * (1.0 - B + B * text.length as f64 / average.max(1.0));
        let part = |term: &String| {
            let term_at = place(term)?;
            let frequency = text.count(term_at)? as f64;
            let contribution = idf(term_at) * frequency * (K1 + 1.0) / (frequency + norm);
            Some(HitPart::new(SearchedField::Text, term, term, How::Word, contribution))
        };
        let parts: Vec<HitPart> =
            if text.counts.is_empty() { Vec::new() } else { terms.iter().filter_map(part).collect() };
        let score = HitPart::sum(&parts);
        (score > 0.0).then_some(Hit { index, score, parts })
    };
    Found::at(Stage::Bm25, texts.iter().enumerate().filter_map(score).collect()).best_first()
}

/// How often each term of the query stands in a text, by the term's place; and how long the text is.
struct Counts {
    counts: Vec<(usize, usize)>,
    length: usize,
}

impl Counts {
    fn of(text: &[String], place: impl Fn(&String) -> Option<usize>) -> Self {
        let mut counts: Vec<(usize, usize)> = Vec::new();
        for term in text.iter().filter_map(place) {
            match counts.iter_mut().find(|(at, _)| *at == term) {
                Some((_, count)) => *count += 1,
                None => counts.push((term, 1)),
            }
        }
        Counts { counts, length: text.len() }
    }

    fn count(&self, term: usize) -> Option<usize> {
        self.counts.iter().find(|(at, _)| *at == term).map(|(_, count)| *count)
    }
}

/// Partial words such as `fil` occur nowhere as words, but in names.
fn by_substring(query: &str, tools: &[&Tool]) -> Found {
    let query = lower(query.trim());
    let fits = |(index, tool): (usize, &&Tool)| {
        let part = HitPart::new(SearchedField::Name, &query, &query, How::Inside, 0.0);
        let fits = lower(&tool.model_name).contains(&query);
        fits.then(|| Hit { index, score: 0.0, parts: vec![part] })
    };
    Found::at(Stage::Substring, tools.iter().enumerate().filter_map(fits).collect())
}

/// What is indexed of a tool. Separators of names that are no letters end words anyway.
fn text(tool: &Tool) -> String {
    let mut text = format!("{} {}", tool.model_name, tool.description);
    for name in tool.parameters.property_names() {
        text.push(' ');
        text.push_str(&name);
    }
    text
}

/// The runs of ASCII letters and digits, in lower case.
fn tokens(text: &str) -> Vec<String> {
    let runs = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|run| !run.is_empty());
    runs.map(str::to_ascii_lowercase).collect()
}
