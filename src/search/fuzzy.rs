//! Ranks tools by similarity to a query that no pattern matched. Three steps, the best of them counts: the whole query
//! inside a name or description, its single words, and words that differ by a slip of the keyboard.
//!
//! The work of a query is bounded however many tools there are and whatever they say: by letters that are compared, of
//! which each tool gets the same share, and by bytes of descriptions that are searched.

use crate::case::lower;
use crate::catalog::Tool;
use crate::spelling::Signature;
use crate::text::{EditDistance, words};

use super::Explained;
use super::fuzzy_words::FuzzyWords;
use super::hit::{Found, How, Match, SearchedField, Stage};
use super::interner::{Word, WordId};
use super::lower_cased::LowerCased;
use super::passage::Needle;
use super::texts::Texts;

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
/// Longer words are no words that somebody mistyped, and comparing costs the square of the length.
const WORD_CHARS: usize = 40;

/// Pairs of letters that are compared for one query: 0.3 s in wasm. 10,000 usual tools and a query of 32 words take a
/// tenth.
const LETTER_PAIRS: usize = 50_000_000;
/// Bytes of descriptions that are searched for one query, which is each description for each word: 0.3 s in wasm. 10,000
/// usual tools and a query of 5 words take half of it. Where there is more, the beginnings of descriptions count.
const SEARCHED_BYTES: usize = 100_000_000;

/// Tools by falling score, equals in catalog order.
pub(super) fn search(query: &str, tools: &[&Tool], texts: &Texts, explained: &Explained) -> Found {
    let Some(query) = Query::new(query) else { return Found::default() };
    let fuzzy_words: Vec<Option<&FuzzyWords>> = tools.iter().map(|tool| texts.fuzzy_words(tool)).collect();
    let interner = texts.interner();
    let alike = Alike::to(&query, &fuzzy_words, interner.words(), LETTER_PAIRS);
    let most_bytes = query.most_bytes(tools, SEARCHED_BYTES);
    let matching = |index: usize| {
        let matches = query.best_step((texts.lower_cased(tools[index])?, most_bytes), fuzzy_words[index]?, &alike);
        (Match::sum(&matches) >= LEAST_SCORE).then_some(matches)
    };
    Found::among(Stage::Fuzzy, tools.len(), &matching).best_first().explained(explained, &matching)
}

/// The texts of a tool, of whose description so many bytes are searched.
type Beginning<'t> = (&'t LowerCased, usize);

struct Query {
    whole: Needle,
    words: Vec<Needle>,
    /// Those of the words that are long enough to be similar to something.
    long_words: Vec<String>,
}

impl Query {
    fn new(query: &str) -> Option<Self> {
        let whole = lower(query.trim());
        let words: Vec<&str> = words(&whole).take(QUERY_WORDS).collect();
        let is_long = |word: &&&str| word.chars().count() >= SIMILAR_WORD_CHARS;
        let long_words = words.iter().filter(is_long).map(|word| (*word).to_owned()).collect();
        let words = words.iter().map(|word| Needle::new((*word).to_owned())).collect();
        (!whole.is_empty()).then(|| Query { whole: Needle::new(whole), words, long_words })
    }

    /// How many bytes of each description are searched, so that all of them are at most so many.
    fn most_bytes(&self, tools: &[&Tool], searched: usize) -> usize {
        let needles = self.words.len() + 1;
        let all = tools.iter().fold(0usize, |sum, tool| sum.saturating_add(tool.description.len() * needles));
        if all <= searched { usize::MAX } else { searched / (tools.len() * needles) }
    }

    /// What the best of the three steps found.
    fn best_step<'a>(&'a self, text: Beginning<'_>, fuzzy_words: &FuzzyWords, alike: &Alike<'a>) -> Vec<Match<'a>> {
        let steps = [self.whole_query(text), self.single_words(text), self.similar_words(fuzzy_words, alike)];
        steps
            .into_iter()
            .reduce(|best, step| if Match::sum(&step) > Match::sum(&best) { step } else { best })
            .unwrap_or_default()
    }

    fn whole_query(&self, (text, most_bytes): Beginning<'_>) -> Vec<Match<'_>> {
        let found = text.find(&self.whole, WHOLE_IN_NAME, WHOLE_IN_DESCRIPTION, most_bytes);
        found.map(|found| Match { how: How::WholeQuery, ..found }).into_iter().collect()
    }

    fn single_words(&self, (text, most_bytes): Beginning<'_>) -> Vec<Match<'_>> {
        let share = 1.0 / self.words.len().max(1) as f64;
        let stands = |word| text.find(word, WORD_IN_NAME * share, WORD_IN_DESCRIPTION * share, most_bytes);
        self.words.iter().filter_map(stands).collect()
    }

    fn similar_words<'a>(&'a self, fuzzy_words: &FuzzyWords, alike: &Alike<'a>) -> Vec<Match<'a>> {
        let mut best: Vec<Option<(f64, &'a str, SearchedField)>> = Vec::new();
        for (at, word) in fuzzy_words.all.iter().enumerate() {
            let field = if at < fuzzy_words.of_name { SearchedField::Name } else { SearchedField::Description };
            for (of, score, text) in alike.words(*word) {
                best.resize(self.long_words.len(), None);
                if best[*of].is_none_or(|(top, ..)| *score > top) {
                    best[*of] = Some((*score, text, field));
                }
            }
        }
        let share = SIMILAR / self.long_words.len().max(1) as f64;
        let matches = self.long_words.iter().zip(best).filter_map(|(term, best)| {
            let (score, matched, field) = best?;
            Some(Match { field, term, matched, how: How::Similar, contribution: share * score })
        });
        matches.collect()
    }
}

/// Marks a word that was not compared.
const UNSEEN: u32 = u32::MAX;

/// The words of the tools that are similar to words of the query. Each word is compared once; nearly none are similar.
struct Alike<'v> {
    /// By word of the catalog: its position in `words`; 0 if it is similar to none, or [`UNSEEN`].
    places: Vec<u32>,
    /// The query's long words by position, how similar they are, and the word.
    words: Vec<Vec<(usize, f64, &'v str)>>,
}

impl<'v> Alike<'v> {
    /// Compares the first word of every tool, then the second of every tool, and so on. If the letters that may be compared
    /// run out, the same number of words was compared for every tool.
    fn to(query: &Query, tools: &[Option<&FuzzyWords>], vocabulary: &'v [Word], letter_pairs: usize) -> Self {
        let longs: Vec<(Signature, Vec<char>)> =
            query.long_words.iter().map(|word| (Signature::of(word.chars()), word.chars().collect())).collect();
        let mut alike = Alike { places: vec![UNSEEN; vocabulary.len()], words: vec![Vec::new()] };
        let mut comparison = Comparison { longs: &longs, left: letter_pairs, distance: EditDistance::default() };
        let most_words = tools.iter().flatten().map(|tool| tool.all.len()).max().unwrap_or(0);
        for at in 0..most_words {
            for id in tools.iter().flatten().filter_map(|tool| tool.all.get(at)) {
                let place = &mut alike.places[*id as usize];
                if *place != UNSEEN || comparison.left == 0 {
                    continue;
                }
                let similar = comparison.similar(&vocabulary[*id as usize]);
                *place = if similar.is_empty() { 0 } else { alike.words.len() as u32 };
                if *place > 0 {
                    alike.words.push(similar);
                }
            }
        }
        alike
    }

    fn words(&self, word: WordId) -> &[(usize, f64, &'v str)] {
        match self.places[word as usize] {
            UNSEEN => &[],
            place => &self.words[place as usize],
        }
    }
}

/// A query's long words, and how many pairs of letters may still be compared.
struct Comparison<'q> {
    longs: &'q [(Signature, Vec<char>)],
    left: usize,
    distance: EditDistance,
}

impl Comparison<'_> {
    /// The long words that a word is similar to, by position, how similar they are, and the word.
    fn similar<'v>(&mut self, word: &'v Word) -> Vec<(usize, f64, &'v str)> {
        let mut similar = Vec::new();
        for (of, (signature, long)) in self.longs.iter().enumerate() {
            // Comparing two signatures costs about as much as comparing one pair of letters.
            let is_near = is_within_reach(*signature, word.signature);
            let pairs = if is_near { signature.count * word.signature.count } else { 1 };
            self.left = self.left.saturating_sub(pairs);
            if self.left == 0 {
                break;
            }
            if is_near {
                let score = self.distance.similarity(long, &word.text.chars().collect::<Vec<char>>());
                if score >= LEAST_SIMILARITY {
                    similar.push((of, score, &*word.text));
                }
            }
        }
        similar
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
        let mut texts = Texts::default();
        texts.follow(&catalog);
        let tools: Vec<&Tool> = catalog.tools().iter().map(|tool| &**tool).collect();
        let found = search(query, &tools, &texts, &Explained { first: 5, tool: None });
        found.hits.iter().map(|hit| tools[hit.index].model_name.to_string()).collect()
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
