//! Which tools do the rare words of the query point to? Okapi BM25 over name, description and parameter names, as one
//! text in ASCII words; where no word occurs at all, the query as part of a name.

use crate::case::lower;
use crate::catalog::Tool;
use crate::limits;
use crate::sort::sorted;

use super::hit::{Found, Hit, HitPart, How, SearchedField, Stage};
use super::passage::Needle;
use super::texts::Texts;
use super::vocabulary::{Vocabulary, WordId};

/// How soon repeating a word stops to help (Robertson and Zaragoza's usual value).
const K1: f64 = 1.5;
/// How much longer texts are held against a tool (the usual value).
const B: f64 = 0.75;

/// Tools by falling score, equals in catalog order.
pub(super) fn search(query: &str, tools: &[&Tool], texts: &Texts) -> Found {
    let mut terms = tokens(query);
    terms.truncate(limits::QUERY_WORDS);
    if terms.is_empty() {
        return Found::default();
    }
    let ranked = rank(&terms, tools, texts);
    if ranked.hits.is_empty() { by_substring(query, tools, texts) } else { ranked }
}

fn rank(terms: &[String], tools: &[&Tool], texts: &Texts) -> Found {
    let texts_of: Vec<(usize, &Counts)> =
        tools.iter().enumerate().filter_map(|(index, tool)| Some((index, texts.counts(tool)?))).collect();
    let count = texts_of.len() as f64;
    let average = texts_of.iter().map(|(_, text)| text.length).sum::<usize>() as f64 / count.max(1.0);
    let vocabulary = texts.vocabulary();
    let weighted = |term: &String| {
        let word = vocabulary.number(term)?;
        let holding = texts_of.iter().filter(|(_, text)| text.of_word(word).is_some()).count() as f64;
        Some((term.clone(), word, (1.0 + (count - holding + 0.5) / (holding + 0.5)).ln()))
    };
    let weighted: Vec<(String, WordId, f64)> = terms.iter().filter_map(weighted).collect();
    let score = |(index, text): (usize, &Counts)| {
        let norm = K1 * (1.0 - B + B * text.length as f64 / average.max(1.0));
        let part = |(term, word, idf): &(String, WordId, f64)| {
            let frequency = text.of_word(*word)? as f64;
            let contribution = idf * frequency * (K1 + 1.0) / (frequency + norm);
            Some(HitPart::new(SearchedField::Text, term, term, How::Word, contribution))
        };
        let parts: Vec<HitPart> = weighted.iter().filter_map(part).collect();
        let score = HitPart::sum(&parts);
        (score > 0.0).then_some(Hit { index, score, parts })
    };
    Found::at(Stage::Bm25, texts_of.iter().copied().filter_map(score).collect()).best_first()
}

/// How often each word stands in a text, and how long the text is.
#[derive(Debug)]
pub(super) struct Counts {
    /// By rising number of the word.
    counts: Vec<(WordId, u32)>,
    length: usize,
}

impl Counts {
    pub(super) fn of(tool: &Tool, vocabulary: &mut Vocabulary) -> Self {
        let words: Vec<WordId> = tokens(&text(tool)).iter().map(|token| vocabulary.intern(token)).collect();
        let length = words.len();
        let mut counts: Vec<(WordId, u32)> = Vec::new();
        for word in sorted(words, WordId::cmp) {
            match counts.last_mut() {
                Some((last, count)) if *last == word => *count += 1,
                _ => counts.push((word, 1)),
            }
        }
        Counts { counts, length }
    }

    fn of_word(&self, word: WordId) -> Option<u32> {
        let at = self.counts.binary_search_by_key(&word, |(word, _)| *word).ok()?;
        Some(self.counts[at].1)
    }
}

/// Partial words such as `fil` occur nowhere as words, but in names.
fn by_substring(query: &str, tools: &[&Tool], texts: &Texts) -> Found {
    let query = Needle::new(lower(query.trim()));
    let fits = |(index, tool): (usize, &&Tool)| {
        let part = HitPart::new(SearchedField::Name, query.text(), query.text(), How::Inside, 0.0);
        let fits = texts.plain(tool)?.name.holds(&query);
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
