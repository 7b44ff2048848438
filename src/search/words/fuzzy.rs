//! Ranks tools by similarity to a query that no pattern matched. Three steps, the best of them counts: the whole query
//! inside a name or description, its single words, and words that differ by a slip of the keyboard.
//!
//! The work of a query is bounded however many tools there are and whatever they say: by letters that are compared, of
//! which each tool gets the same share, and by bytes of descriptions that are searched.

use crate::search::hit::{Found, How, Match, SearchedField, Stage};
use crate::search::ids::Slot;
use crate::search::ids::Term;
use crate::search::words::Columns;
use crate::search::words::fuzzy_words::FuzzyWords;
use crate::search::words::lower_cased::{LowerCased, Weights};
use crate::search::words::ranking::{Ranking, Ties};
use crate::search::words::text_statistics::TextStatistics;
use crate::spelling::{EditDistance, Signature};
use crate::text::words;

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
pub(in crate::search) const MOST_HITS: usize = 5;
/// Words of a query that are looked at; agents write 3 to 15.
const QUERY_WORDS: usize = 32;
/// Longer words are no words that somebody mistyped, and comparing costs the square of the length.
const WORD_CHARS: usize = 40;

/// Pairs of letters that are compared for one query: 0.3 s in wasm. 10,000 usual tools and a query of 32 words take a
/// tenth.
const LETTER_PAIRS: usize = 50_000_000;
/// Bytes of descriptions that are searched for one query, which is each description for each word: 0.3 s in wasm. 10,000
/// usual tools and a query of 5 words take half of it. Where there is more, the beginnings of descriptions count.
const SEARCHED_BYTES: usize = 100_000_000;

/// Tools by falling score, equals in catalog order.
pub(in crate::search) fn search(query: &str, ranking: &Ranking<'_>) -> Found {
    let Some(query) = Query::new(query, ranking.tools) else { return Found::default() };
    drop(ranking.read(|columns| &mut columns.lower_cased));
    let Columns { lower_cased: texts, fuzzy_words, .. } = &*ranking.read(|columns| &mut columns.fuzzy_words);
    let alike = query.alike(fuzzy_words, ranking.tools);
    let mut scores = ranking.accumulator();
    texts.add(&query.whole, query.whole_weights(), ranking.tools, &mut scores);
    let whole = scores.take(0.0);
    for word in &query.words {
        texts.add(word, query.word_weights(), ranking.tools, &mut scores);
    }
    let single = scores.take(0.0);
    for alike in &alike {
        scores.begin();
        for (term, score) in alike {
            let contribution = query.similar_share() * score;
            for slot in fuzzy_words.postings.of(*term) {
                scores.add(*slot, contribution);
            }
        }
    }
    let similar = scores.take(0.0);
    // In one round the best of the three counts.
    scores.begin();
    for step in [whole, single, similar] {
        for one in step {
            scores.add(ranking.slot(one.place), one.score);
        }
    }
    let scored = scores.take(LEAST_SCORE);
    ranking.found(Stage::Fuzzy, scored, Ties::InCatalogOrder, &|slot| query.best_step(slot, texts, fuzzy_words, &alike))
}

/// The terms that are similar to one long word of a query, and how similar they are.
type Alike = Vec<(Term, f64)>;

struct Query {
    whole: String,
    words: Vec<String>,
    long_words: Vec<LongWord>,
    /// How many bytes of each description are searched, so that all of them are at most [`SEARCHED_BYTES`].
    most_bytes: usize,
}

/// A word of a query that is long enough to be similar to something.
struct LongWord {
    text: String,
    letters: Vec<char>,
    signature: Signature,
}

impl Query {
    fn new(query: &str, tools: &TextStatistics) -> Option<Self> {
        let whole = query.trim().to_lowercase();
        let words: Vec<String> = words(&whole).take(QUERY_WORDS).map(str::to_owned).collect();
        let long_words = words.iter().map(|word| LongWord {
            text: word.clone(),
            letters: word.chars().collect(),
            signature: Signature::of(word.chars()),
        });
        let long_words = long_words.filter(|word| word.letters.len() >= SIMILAR_WORD_CHARS).collect();
        let needles = words.len() + 1;
        let all = tools.description_bytes.saturating_mul(needles);
        let most_bytes =
            if all <= SEARCHED_BYTES { usize::MAX } else { SEARCHED_BYTES / (tools.places.len() * needles) };
        (!whole.is_empty()).then_some(Query { whole, words, long_words, most_bytes })
    }

    fn whole_weights(&self) -> Weights {
        Weights { name: WHOLE_IN_NAME, description: WHOLE_IN_DESCRIPTION, most_bytes: self.most_bytes }
    }

    fn word_weights(&self) -> Weights {
        let share = 1.0 / self.words.len().max(1) as f64;
        Weights { name: WORD_IN_NAME * share, description: WORD_IN_DESCRIPTION * share, most_bytes: self.most_bytes }
    }

    /// What an equal word would add in the third step.
    fn similar_share(&self) -> f64 {
        SIMILAR / self.long_words.len().max(1) as f64
    }

    /// What the best of the three steps found in a tool.
    fn best_step<'a>(
        &'a self,
        slot: Slot,
        texts: &LowerCased,
        fuzzy_words: &'a FuzzyWords,
        alike: &[Alike],
    ) -> Vec<Match<'a>> {
        let whole = texts.find(slot, &self.whole, self.whole_weights());
        let whole = whole.map(|found| Match { how: How::WholeQuery, ..found }).into_iter().collect();
        let single = self.words.iter().filter_map(|word| texts.find(slot, word, self.word_weights())).collect();
        [whole, single, self.similar_words(slot, fuzzy_words, alike)]
            .into_iter()
            .reduce(|best, step| if Match::sum(&step) > Match::sum(&best) { step } else { best })
            .unwrap_or_default()
    }

    /// The most similar word of a tool for each long word; of equals the first.
    fn similar_words<'a>(&'a self, slot: Slot, fuzzy_words: &'a FuzzyWords, alike: &[Alike]) -> Vec<Match<'a>> {
        let matches = self.long_words.iter().zip(alike).filter_map(|(word, alike)| {
            let mut best: Option<(f64, usize, Term)> = None;
            for (at, term) in fuzzy_words.row(slot).iter().enumerate() {
                let similar = alike.iter().find(|(other, _)| other == term);
                if let Some((_, score)) = similar.filter(|(_, score)| best.is_none_or(|(top, ..)| *score > top)) {
                    best = Some((*score, at, *term));
                }
            }
            let (score, at, matched) = best?;
            let is_of_name = at < fuzzy_words.of_name(slot);
            Some(Match {
                field: if is_of_name { SearchedField::Name } else { SearchedField::Description },
                term: &word.text,
                matched: fuzzy_words.postings.vocabulary.text(matched),
                how: How::Similar,
                contribution: self.similar_share() * score,
            })
        });
        matches.collect()
    }

    /// The terms that are similar to each of the long words. Each term is compared once; nearly none are similar.
    fn alike(&self, fuzzy_words: &FuzzyWords, tools: &TextStatistics) -> Vec<Alike> {
        let mut alike = vec![Alike::new(); self.long_words.len()];
        let (mut left, mut distance) = (LETTER_PAIRS, EditDistance::default());
        let postings = &fuzzy_words.postings;
        'terms: for term in tools.in_turn(fuzzy_words) {
            for (word, alike) in self.long_words.iter().zip(&mut alike) {
                let (is_near, pairs) = word.pairs(postings.signatures()[*term]);
                left = left.saturating_sub(pairs);
                if left == 0 {
                    break 'terms;
                }
                if is_near {
                    let score = distance
                        .similarity(&word.letters, &postings.vocabulary.text(*term).chars().collect::<Vec<char>>());
                    if score >= LEAST_SIMILARITY {
                        alike.push((*term, score));
                    }
                }
            }
        }
        alike
    }
}

impl LongWord {
    /// Whether a word of a signature can be similar enough at all, and how many pairs of letters telling takes.
    fn pairs(&self, other: Signature) -> (bool, usize) {
        let is_near = is_within_reach(self.signature, other);
        // Comparing two signatures costs about as much as comparing one pair of letters.
        (is_near, if is_near { self.signature.count * other.count } else { 1 })
    }
}

/// Whether two words of these signatures can be similar enough at all.
fn is_within_reach(a: Signature, b: Signature) -> bool {
    let (shorter, longer) = (a.count.min(b.count), a.count.max(b.count));
    let is_of_length = longer <= WORD_CHARS && shorter as f64 >= LEAST_SIMILARITY * longer as f64;
    is_of_length && 1.0 - a.least_distance(b) as f64 / longer as f64 >= LEAST_SIMILARITY
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::catalog::{Catalog, RegisterOptions};
    use crate::search::{Corpus, Explained, TextIndex};

    /// A word of 40 letters which is another order of all words of this kind.
    fn shuffled(seed: &mut u32) -> String {
        let mut letters: Vec<char> = "abcdefghijklmnopqrstuvwxyzabcdefghijklmn".chars().collect();
        for at in (1..letters.len()).rev() {
            *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            letters.swap(at, (*seed >> 16) as usize % (at + 1));
        }
        letters.into_iter().collect()
    }

    fn found(tools: Vec<Value>, query: &str) -> Vec<String> {
        let mut catalog = Catalog::new(10_000, []);
        let list = Value::from(tools).to_string();
        assert_eq!(catalog.register(&list, &RegisterOptions::default()).unwrap().rejected, []);
        let mut texts = TextIndex::default();
        texts.follow(&catalog);
        let corpus = Corpus::new((0..catalog.tools().len() as u32).collect());
        let tools = corpus.texts(&texts.slots, &catalog);
        let explained = &Explained { first: 5, tool: None };
        let (texts, catalog, least_share, most) = (&texts, &catalog, 0.0, usize::MAX);
        let found = search(query, &Ranking { texts, catalog, tools, least_share, most, explained });
        found.hits.iter().map(|hit| catalog.tools()[hit.index].model_name.to_string()).collect()
    }

    /// Compared letter by letter, these are 7 billion pairs, and a tool that means well comes last.
    #[test]
    fn crafted_words_cost_a_bounded_time_and_hide_no_other_tool() {
        let mut seed = 1;
        let mut words = |count: usize| (0..count).map(|_| shuffled(&mut seed)).collect::<Vec<_>>().join(" ");
        let mut tools: Vec<Value> =
            (0..2_000).map(|at| json!({ "name": format!("t{at}"), "description": words(64) })).collect();
        tools.push(json!({ "name": "get_weather", "description": "Tells how warm it is." }));
        let query = format!("wether {}", words(31));
        assert!(found(tools.clone(), "wether").contains(&"get_weather".to_owned()));
        found(tools, &query);
    }

    /// Searched for each word, these are 800 MB.
    #[test]
    fn long_descriptions_cost_a_bounded_time_and_hide_no_other_tool() {
        let description = "abb ba ".repeat(9_000);
        let mut tools: Vec<Value> =
            (0..400).map(|at| json!({ "name": format!("t{at}"), "description": description })).collect();
        tools.push(json!({ "name": "x1", "description": "Tells how warm babbab is." }));
        assert_eq!(found(tools, &"babbab ".repeat(40).trim().replace(' ', "-")), ["x1"]);
    }
}
