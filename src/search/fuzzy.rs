//! What is similar to a query that no pattern matched? Three steps, the best of them counts: the whole query inside a
//! name or description, its single words, and words that differ by a slip of the keyboard.

use crate::case::lower;
use crate::catalog::Tool;
use crate::text::{EditDistance, name_parts, words};

use super::Explained;
use super::hit::{Found, How, Match, SearchedField, Stage};
use super::passage::Needle;
use super::texts::{Plain, Texts};
use super::vocabulary::{Letters, Vocabulary, Word, WordId};

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
pub(super) fn search(query: &str, tools: &[&Tool], texts: &Texts, explained: &Explained) -> Found {
    let Some(query) = Query::new(query) else { return Found::default() };
    let compared: Vec<Option<&Compared>> = tools.iter().map(|tool| texts.compared(tool)).collect();
    let vocabulary = texts.vocabulary();
    let alike = Alike::to(&query, vocabulary.words());
    let matching = |index: usize| {
        let matches = query.best_step(texts.plain(tools[index])?, compared[index]?, &alike);
        (Match::sum(&matches) >= LEAST_SCORE).then_some(matches)
    };
    Found::among(Stage::Fuzzy, tools.len(), &matching).best_first().explained(explained, &matching)
}

/// The words of a tool that are compared letter by letter.
#[derive(Debug)]
pub(super) struct Compared {
    /// Those of the name, then those of the description.
    words: Vec<WordId>,
    /// How many are of the name.
    of_name: usize,
}

impl Compared {
    pub(super) fn of(tool: &Tool, plain: &Plain, vocabulary: &mut Vocabulary) -> Self {
        let mut compared: Vec<WordId> =
            name_parts(&tool.model_name).iter().map(|part| vocabulary.intern(part)).collect();
        let of_name = compared.len();
        let description = words(plain.description.text()).take(DESCRIPTION_WORDS);
        compared.extend(description.map(|word| vocabulary.intern(word)));
        Compared { words: compared, of_name }
    }
}

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

    /// What the best of the three steps found.
    fn best_step<'a>(&'a self, plain: &Plain, compared: &Compared, alike: &Alike<'a>) -> Vec<Match<'a>> {
        let steps = [self.whole_query(plain), self.single_words(plain), self.similar_words(compared, alike)];
        steps
            .into_iter()
            .reduce(|best, step| if Match::sum(&step) > Match::sum(&best) { step } else { best })
            .unwrap_or_default()
    }

    fn whole_query(&self, plain: &Plain) -> Vec<Match<'_>> {
        let found = plain.find(&self.whole, WHOLE_IN_NAME, WHOLE_IN_DESCRIPTION);
        found.map(|found| Match { how: How::WholeQuery, ..found }).into_iter().collect()
    }

    fn single_words(&self, plain: &Plain) -> Vec<Match<'_>> {
        let share = 1.0 / self.words.len().max(1) as f64;
        let stands = |word| plain.find(word, WORD_IN_NAME * share, WORD_IN_DESCRIPTION * share);
        self.words.iter().filter_map(stands).collect()
    }

    fn similar_words<'a>(&'a self, compared: &Compared, alike: &Alike<'a>) -> Vec<Match<'a>> {
        let mut best: Vec<Option<(f64, &'a str, SearchedField)>> = Vec::new();
        for (at, word) in compared.words.iter().enumerate() {
            let field = if at < compared.of_name { SearchedField::Name } else { SearchedField::Description };
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

/// Which words of the catalog are similar to which of a query: nearly none, so that comparing each once is all it takes.
struct Alike<'v> {
    /// For every word of the catalog where it stands in `words`; 0 for those that are similar to none.
    places: Vec<u32>,
    /// The query's long words by position, how similar they are, and the word.
    words: Vec<Vec<(usize, f64, &'v str)>>,
}

impl<'v> Alike<'v> {
    fn to(query: &Query, vocabulary: &'v [Word]) -> Self {
        let longs: Vec<(Letters, Vec<char>)> =
            query.long_words.iter().map(|word| (Letters::of(word.chars()), word.chars().collect())).collect();
        let mut alike = Alike { places: vec![0; vocabulary.len()], words: vec![Vec::new()] };
        let mut distance = EditDistance::default();
        for (word, place) in vocabulary.iter().zip(&mut alike.places) {
            let mut similar = Vec::new();
            for (of, (letters, long)) in longs.iter().enumerate() {
                if !is_within_reach(*letters, word.letters) {
                    continue;
                }
                let score = distance.similarity(long, &word.text.chars().collect::<Vec<char>>());
                if score >= LEAST_SIMILARITY {
                    similar.push((of, score, &*word.text));
                }
            }
            if !similar.is_empty() {
                *place = alike.words.len() as u32;
                alike.words.push(similar);
            }
        }
        alike
    }

    fn words(&self, word: WordId) -> &[(usize, f64, &'v str)] {
        &self.words[self.places[word as usize] as usize]
    }
}

/// Whether two words of these letters can be similar enough at all.
fn is_within_reach(a: Letters, b: Letters) -> bool {
    let (shorter, longer) = (a.count.min(b.count), a.count.max(b.count));
    let is_of_length = longer <= WORD_CHARS && shorter as f64 >= LEAST_SIMILARITY * longer as f64;
    is_of_length && 1.0 - a.least_distance(b) as f64 / longer as f64 >= LEAST_SIMILARITY
}
