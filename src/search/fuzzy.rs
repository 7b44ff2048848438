//! What is similar to a query that no pattern matched? Three steps, the best of them counts: the whole query inside a
//! name or description, its single words, and words that differ by a slip of the keyboard.

use crate::case::lower;
use crate::catalog::Tool;
use crate::text::{EditDistance, name_parts, words};

use super::hit::{Found, Hit, HitPart, How, SearchedField, Stage};

/// The whole query stands in the name.
const WHOLE_IN_NAME: f64 = 1.0;
/// The whole query stands in the description.
const WHOLE_IN_DESCRIPTION: f64 = 0.8;
/// A word stands in the name; the mean over the query's words counts.
const WORD_IN_NAME: f64 = 0.7;
/// A word stands in the description only.
const WORD_IN_DESCRIPTION: f64 = 0.4;
/// Weight of similar words; the mean over the query's longer words counts.
const SIMILAR: f64 = 0.6;
/// Words less similar than this do not count: two slips in five letters.
const LEAST_SIMILARITY: f64 = 0.6;
/// Words shorter than this are similar to nearly everything.
const SIMILAR_WORD_CHARS: usize = 3;
/// Tools that score less are not shown.
const LEAST_SCORE: f64 = 0.2;
/// Tools shown where nobody says how many.
pub(super) const MOST_HITS: usize = 5;
/// Words of a query that are looked at; agents write 3 to 15.
const QUERY_WORDS: usize = 32;
/// Words of a description that are compared letter by letter; it bounds the cost of one tool.
const DESCRIPTION_WORDS: usize = 64;
/// Longer words are no words that somebody mistyped, and comparing costs the square of the length.
const WORD_CHARS: usize = 40;

/// Tools by falling score, equals in catalog order.
pub(super) fn search(query: &str, tools: &[&Tool]) -> Found {
    let Some(query) = Query::new(query) else { return Found::default() };
    let mut distance = EditDistance::default();
    let hits = tools.iter().enumerate().filter_map(|(index, tool)| {
        let (score, parts) = query.score(tool, &mut distance);
        (score >= LEAST_SCORE).then_some(Hit { index, score, parts })
    });
    Found::at(Stage::Fuzzy, hits.collect()).best_first()
}

struct Query {
    whole: String,
    words: Vec<String>,
    /// Those of the words that are long enough to be similar to something, as letters.
    long_words: Vec<Vec<char>>,
}

struct Field {
    field: SearchedField,
    text: String,
    words: Vec<String>,
}

impl Query {
    fn new(query: &str) -> Option<Self> {
        let whole = lower(query.trim());
        let words: Vec<String> = words(&whole).take(QUERY_WORDS).map(str::to_owned).collect();
        let long_words: Vec<Vec<char>> = words
            .iter()
            .map(|word| word.chars().collect::<Vec<char>>())
            .filter(|word| word.len() >= SIMILAR_WORD_CHARS)
            .collect();
        (!whole.is_empty()).then_some(Query { whole, words, long_words })
    }

    /// The best of the three steps, and what it found.
    fn score(&self, tool: &Tool, distance: &mut EditDistance) -> (f64, Vec<HitPart>) {
        let description = lower(&tool.description);
        let fields = [
            Field { field: SearchedField::Name, text: lower(&tool.model_name), words: name_parts(&tool.model_name) },
            Field {
                field: SearchedField::Description,
                words: words(&description).take(DESCRIPTION_WORDS).map(str::to_owned).collect(),
                text: description,
            },
        ];
        let steps = [self.whole_query(&fields), self.single_words(&fields), self.similar_words(&fields, distance)];
        steps
            .into_iter()
            .map(|parts| (HitPart::sum(&parts), parts))
            .reduce(|best, step| if step.0 > best.0 { step } else { best })
            .unwrap_or_default()
    }

    fn whole_query(&self, fields: &[Field; 2]) -> Vec<HitPart> {
        let weights = [WHOLE_IN_NAME, WHOLE_IN_DESCRIPTION];
        let found = fields.iter().zip(weights).find(|(field, _)| field.text.contains(&self.whole));
        found
            .map(|(field, weight)| part(field, &self.whole, &self.whole, How::WholeQuery, weight))
            .into_iter()
            .collect()
    }

    fn single_words(&self, fields: &[Field; 2]) -> Vec<HitPart> {
        let weights = [WORD_IN_NAME, WORD_IN_DESCRIPTION];
        let share = 1.0 / self.words.len().max(1) as f64;
        let find = |word: &String| {
            let (field, weight) = fields.iter().zip(weights).find(|(field, _)| field.text.contains(word))?;
            Some(part(field, word, word, How::Inside, weight * share))
        };
        self.words.iter().filter_map(find).collect()
    }

    fn similar_words(&self, fields: &[Field; 2], distance: &mut EditDistance) -> Vec<HitPart> {
        let share = SIMILAR / self.long_words.len().max(1) as f64;
        let mut letters: Vec<char> = Vec::new();
        let find = |word: &Vec<char>| {
            let mut best: Option<(f64, &Field, &String)> = None;
            for field in fields {
                for candidate in &field.words {
                    if !is_within_reach(word.len(), candidate.chars().count()) {
                        continue;
                    }
                    letters.clear();
                    letters.extend(candidate.chars());
                    let score = distance.similarity(word, &letters);
                    if score >= LEAST_SIMILARITY && best.is_none_or(|(top, ..)| score > top) {
                        best = Some((score, field, candidate));
                    }
                }
            }
            let (score, field, candidate) = best?;
            Some(part(field, &word.iter().collect::<String>(), candidate, How::Similar, share * score))
        };
        self.long_words.iter().filter_map(find).collect()
    }
}

/// Whether two words of these lengths can be similar enough at all.
fn is_within_reach(a: usize, b: usize) -> bool {
    let (shorter, longer) = (a.min(b), a.max(b));
    longer <= WORD_CHARS && shorter as f64 >= LEAST_SIMILARITY * longer as f64
}

fn part(field: &Field, term: &str, matched: &str, how: How, contribution: f64) -> HitPart {
    HitPart::new(field.field, term, matched, how, contribution)
}
