//! Ranks tools by similarity to a query that no pattern matched. There are three steps, of which the best counts: the
//! whole query inside a name or description, its single words, and words with a typo.
//!
//! The work of a query is limited, whatever the number and the texts of tools: by the number of compared letters, of
//! which each tool gets the same share, and by the searched bytes of descriptions.

use crate::catalog::Tool;
use crate::map::Map;
use crate::search::hit::{Found, HitPart, How, SearchedField, Stage};
use crate::search::published::{FieldWeights, LowerCased, Ranking, Ties};
use crate::spelling::{EditDistance, Signature};
use crate::text::{name_parts, words};

/// The score if the whole query occurs in the name.
const WHOLE_IN_NAME: f64 = 1.0;
/// The score if the whole query occurs in the description.
const WHOLE_IN_DESCRIPTION: f64 = 0.8;
/// The score of a word in the name; the mean over the query's words counts.
const WORD_IN_NAME: f64 = 0.7;
/// The score of a word only in the description.
const WORD_IN_DESCRIPTION: f64 = 0.4;
/// The weight of similar words; the mean over the query's longer words counts.
const SIMILAR: f64 = 0.6;
/// The minimum similarity of words: two typos in five letters.
const LEAST_SIMILARITY: f64 = 0.6;
/// The minimum length of words that are compared: shorter ones are similar to nearly everything.
const SIMILAR_WORD_CHARS: usize = 3;
/// The minimum score of a hit.
const LEAST_SCORE: f64 = 0.2;
/// The maximum number of words read of a query; agents write 3 to 15.
const QUERY_WORDS: usize = 32;
/// The maximum length of compared words. Longer ones are not typos, and the time grows with the square of the length.
const WORD_CHARS: usize = 40;
/// The maximum number of words of a description that are compared letter by letter.
const COMPARED_WORDS: usize = 64;

/// The maximum number of pairs of letters compared for one query: 0.3 s in wasm. Each tool has the same share of them,
/// for words that no tool before it has. Unit tests use a smaller limit.
const LETTER_PAIRS: usize = if cfg!(test) { 5_000_000 } else { 50_000_000 };
/// The maximum bytes searched for one query, where each description counts once for each word: 0.3 s in wasm. 10,000
/// usual tools and a query of 5 words take half of it. Beyond it, only the beginnings of descriptions are searched.
/// Unit tests use a smaller limit.
const SEARCHED_BYTES: usize = if cfg!(test) { 10_000_000 } else { 100_000_000 };

/// Ranks tools by descending score, equal ones in catalog order.
#[inline(never)]
pub(crate) fn search(query: &str, ranking: &Ranking<'_>) -> Found {
    let Some(query) = Query::new(query, ranking) else { return Found::default() };
    let mut compared = Compared { pairs: LETTER_PAIRS / ranking.tools.len().max(1), ..Compared::default() };
    ranking.found(Stage::Fuzzy, Ties::InCatalogOrder, |tool| {
        let texts = LowerCased::of(tool);
        let whole = query.whole(&texts).into_iter().collect();
        let steps = [whole, query.single_words(&texts), query.similar_words(tool, &texts, &mut compared)];
        let best =
            steps.into_iter().reduce(|best, step| if HitPart::sum(&step) > HitPart::sum(&best) { step } else { best });
        best.filter(|matches| HitPart::sum(matches) >= LEAST_SCORE)
    })
}

struct Query {
    whole: String,
    words: Vec<String>,
    long_words: Vec<LongWord>,
    /// The bytes searched of each description, so that all together are at most [`SEARCHED_BYTES`].
    most_bytes: usize,
}

/// A word of a query that is long enough for similarity.
struct LongWord {
    text: String,
    letters: Vec<char>,
    signature: Signature,
}

/// The words of tools that were compared with the long words of a query.
#[derive(Default)]
struct Compared {
    /// By word: the indexes of the long words that it is similar to, each with the similarity.
    words: Map<String, Vec<(usize, f64)>>,
    /// The pairs of letters that may be compared for the new words of one tool.
    pairs: usize,
    distance: EditDistance,
}

impl Query {
    fn new(query: &str, ranking: &Ranking<'_>) -> Option<Self> {
        let whole = query.trim().to_lowercase();
        let words: Vec<String> = words(&whole).take(QUERY_WORDS).map(str::to_owned).collect();
        let long_words = words.iter().map(|word| LongWord {
            text: word.clone(),
            letters: word.chars().collect(),
            signature: Signature::of(word.chars()),
        });
        let long_words = long_words.filter(|word| word.letters.len() >= SIMILAR_WORD_CHARS).collect();
        let needles = words.len() + 1;
        let description_bytes: usize = ranking.tools.iter().map(|(_, tool)| tool.description.len()).sum();
        let most_bytes = match description_bytes.saturating_mul(needles) {
            ..=SEARCHED_BYTES => usize::MAX,
            _ => SEARCHED_BYTES / (ranking.tools.len() * needles),
        };
        (!whole.is_empty()).then_some(Query { whole, words, long_words, most_bytes })
    }

    fn whole(&self, texts: &LowerCased) -> Option<HitPart> {
        let (name, description, most_bytes) = (WHOLE_IN_NAME, WHOLE_IN_DESCRIPTION, self.most_bytes);
        let found = texts.find(&self.whole, FieldWeights { name, description, most_bytes })?;
        Some(HitPart { how: How::WholeQuery, ..found })
    }

    fn single_words(&self, texts: &LowerCased) -> Vec<HitPart> {
        let share = 1.0 / self.words.len().max(1) as f64;
        let (name, description, most_bytes) = (WORD_IN_NAME * share, WORD_IN_DESCRIPTION * share, self.most_bytes);
        self.words.iter().filter_map(|word| texts.find(word, FieldWeights { name, description, most_bytes })).collect()
    }

    /// Finds the most similar word of a tool for each long word; of equal ones, the first.
    fn similar_words(&self, tool: &Tool, texts: &LowerCased, compared: &mut Compared) -> Vec<HitPart> {
        let of_name = name_parts(&tool.model_name);
        let in_name = of_name.iter().map(|word| (word.as_str(), SearchedField::Name));
        let in_description = words(&texts.description).take(COMPARED_WORDS);
        let all = in_name.chain(in_description.map(|word| (word, SearchedField::Description)));
        let mut best: Vec<Option<(f64, &str, SearchedField)>> = vec![None; self.long_words.len()];
        let mut left = compared.pairs;
        for (word, field) in all.filter(|_| !self.long_words.is_empty()) {
            if !compared.words.contains_key(word) {
                let Some(similar) = self.similar_to(word, &mut left, &mut compared.distance) else { break };
                compared.words.insert(word.to_owned(), similar);
            }
            for (of, score) in &compared.words[word] {
                if best[*of].is_none_or(|(top, ..)| *score > top) {
                    best[*of] = Some((*score, word, field));
                }
            }
        }
        let matches = self.long_words.iter().zip(best).filter_map(|(word, best)| {
            let (score, matched, field) = best?;
            let contribution = SIMILAR / self.long_words.len() as f64 * score;
            Some(HitPart::new(field, &word.text, matched, How::Similar, contribution))
        });
        matches.collect()
    }

    /// Returns the long words that a word is similar to, with the similarity, or `None` if no pairs of letters are left
    /// for comparing.
    fn similar_to(&self, word: &str, left: &mut usize, distance: &mut EditDistance) -> Option<Vec<(usize, f64)>> {
        let signature = Signature::of(word.chars());
        let mut similar = Vec::new();
        for (at, long) in self.long_words.iter().enumerate() {
            *left = left.checked_sub(long.letter_pairs(signature))?;
            if is_within_reach(long.signature, signature) {
                let letters: Vec<char> = word.chars().collect();
                let score = distance.similarity(&long.letters, &letters);
                if score >= LEAST_SIMILARITY {
                    similar.push((at, score));
                }
            }
        }
        Some(similar)
    }
}

impl LongWord {
    /// Returns how many pairs of letters a comparison takes, or 1 if the signatures already rule it out.
    fn letter_pairs(&self, other: Signature) -> usize {
        if is_within_reach(self.signature, other) { self.signature.count * other.count } else { 1 }
    }
}

/// Returns true if words with these signatures can be similar enough.
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
    use crate::search::Explained;

    /// Returns a word of 40 letters, which is a random order of the same letters.
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
        let tools = catalog.tools().iter().map(|tool| &**tool).enumerate().collect();
        let (least_share, most, explained) = (0.0, usize::MAX, &Explained { first: 5, tool: None });
        let found = search(query, &Ranking { tools, least_share, most, explained });
        found.hits.iter().map(|hit| catalog.tools()[hit.index].model_name.to_string()).collect()
    }

    /// Compared letter by letter, these are 700 million pairs, and an honest tool comes last.
    #[test]
    fn crafted_words_cost_a_bounded_time_and_hide_no_other_tool() {
        let mut seed = 1;
        let mut words = |count: usize| (0..count).map(|_| shuffled(&mut seed)).collect::<Vec<_>>().join(" ");
        let mut tools: Vec<Value> =
            (0..200).map(|at| json!({ "name": format!("t{at}"), "description": words(64) })).collect();
        tools.push(json!({ "name": "get_weather", "description": "Tells how warm it is." }));
        assert!(found(tools.clone(), &format!("wether {}", words(1))).contains(&"get_weather".to_owned()));
        found(tools, &format!("wether {}", words(31)));
    }

    /// Searched for each word, these are 80 MB.
    #[test]
    fn long_descriptions_cost_a_bounded_time_and_hide_no_other_tool() {
        let description = "abb ba ".repeat(9_000);
        let mut tools: Vec<Value> =
            (0..40).map(|at| json!({ "name": format!("t{at}"), "description": description })).collect();
        tools.push(json!({ "name": "x1", "description": "Tells how warm babbab is." }));
        assert_eq!(found(tools, &"babbab ".repeat(40).trim().replace(' ', "-")), ["x1"]);
    }
}
