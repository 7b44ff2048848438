//! Keeps synonyms and stop words: two tables of our own, and the synonyms that the host adds.

use std::sync::OnceLock;

use crate::map::{Map, Set};
use crate::search::analysis::stem::stem;
use crate::search::analysis::tokenizer::{Cut, each_word};
use crate::search::analysis::translations::Translations;
use crate::search::ranker_options::{Ingredient, Without};

const STOP_WORDS: &str = include_str!("tables/stop-words.txt");
const SYNONYMS: &str = include_str!("tables/synonyms.txt");

/// The kind of a group of words; each kind has its own weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Verb,
    Noun,
    /// Everyday words for words of tools.
    Colloquial,
}

/// Stop words and groups of synonyms. The groups have stems.
#[derive(Clone, Debug)]
pub(crate) struct Lexicon {
    stop_words: Option<&'static Set<&'static str>>,
    stems: bool,
    table: &'static Groups,
    added: Groups,
    pub translations: Translations,
}

/// Groups of words that mean the same.
#[derive(Clone, Debug, Default)]
struct Groups {
    groups: Vec<(Kind, Vec<String>)>,
    by_word: Map<String, Vec<usize>>,
}

/// Returns the lines of a table without comments, as words.
pub(super) fn lines(table: &str) -> impl Iterator<Item = std::str::SplitWhitespace<'_>> {
    table.lines().filter(|line| !line.starts_with('#')).map(str::split_whitespace)
}

/// Returns the table of stop words, read once per process.
fn stop_words() -> &'static Set<&'static str> {
    static WORDS: OnceLock<Set<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| lines(STOP_WORDS).flatten().collect())
}

impl Lexicon {
    /// Combines the tables with groups that the host adds, which count as nouns.
    pub(crate) fn new(added: &[Vec<String>], without: Without) -> Self {
        let stems = without.keeps(Ingredient::Stems);
        let mut lexicon = Lexicon {
            stop_words: without.keeps(Ingredient::StopWords).then(stop_words),
            stems,
            table: Groups::of_table(stems),
            added: Groups::default(),
            translations: Translations::default(),
        };
        for group in added {
            let mut words = Vec::new();
            let mut take = |word: &str, cut| {
                if cut != Cut::Part {
                    words.push(lexicon.stem(word));
                }
            };
            group.iter().for_each(|text| each_word(text, &mut take));
            lexicon.added.add(Kind::Noun, words);
        }
        lexicon
    }

    /// Returns the form by which a word is looked up.
    pub(crate) fn stem(&self, word: &str) -> String {
        stem_if(self.stems, word)
    }

    /// Returns true if an unstemmed word is a stop word.
    pub(crate) fn is_stop_word(&self, word: &str) -> bool {
        self.stop_words.is_some_and(|words| words.contains(word))
    }

    /// Returns the synonyms of a stem.
    pub(crate) fn synonyms<'l>(&'l self, stem: &'l str) -> impl Iterator<Item = (Kind, &'l str)> {
        self.table.synonyms(stem).chain(self.added.synonyms(stem))
    }
}

fn stem_if(stems: bool, word: &str) -> String {
    if stems { stem(word) } else { word.to_owned() }
}

impl Groups {
    /// Returns the table of synonyms, stemmed or not, each read once per process.
    fn of_table(stems: bool) -> &'static Groups {
        static PLAIN: OnceLock<Groups> = OnceLock::new();
        static STEMMED: OnceLock<Groups> = OnceLock::new();
        let table = if stems { &STEMMED } else { &PLAIN };
        table.get_or_init(|| {
            let mut groups = Groups::default();
            let stem = |word| stem_if(stems, word);
            for mut line in lines(SYNONYMS) {
                match line.next() {
                    Some("said") => groups.add_said(line.map(stem)),
                    Some("verb") => groups.add(Kind::Verb, line.map(stem).collect()),
                    Some(_) => groups.add(Kind::Noun, line.map(stem).collect()),
                    None => {}
                }
            }
            groups
        })
    }

    fn add(&mut self, kind: Kind, mut words: Vec<String>) {
        let mut seen = Set::default();
        words.retain(|word| seen.insert(word.clone()));
        for word in &words {
            self.by_word.entry(word.clone()).or_default().push(self.groups.len());
        }
        self.groups.push((kind, words));
    }

    /// Adds words before the sign `>` as synonyms of those after it, but not of one another.
    fn add_said(&mut self, mut line: impl Iterator<Item = String>) {
        for word in line.by_ref().take_while(|word| word != ">") {
            self.by_word.entry(word).or_default().push(self.groups.len());
        }
        self.groups.push((Kind::Colloquial, line.collect()));
    }

    fn synonyms<'l>(&'l self, stem: &'l str) -> impl Iterator<Item = (Kind, &'l str)> {
        let groups = self.by_word.get(stem).into_iter().flatten().map(|at| &self.groups[*at]);
        groups.flat_map(move |(kind, words)| {
            words.iter().filter(move |word| *word != stem).map(|word| (*kind, word.as_str()))
        })
    }
}
