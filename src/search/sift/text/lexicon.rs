//! Words that mean the same, and stop words: two tables of our own, and the synonyms that the host adds.

use crate::map::{Map, Set};
use crate::search::sift::score::weights::{Ingredient, Without};
use crate::search::sift::text::stem::stem;
use crate::search::sift::text::tokenizer::{Cut, each_word};

const STOP_WORDS: &str = include_str!("tables/stop-words.txt");
const SYNONYMS: &str = include_str!("tables/synonyms.txt");

/// What kind of words a group holds; they count differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search::sift) enum Kind {
    Verb,
    Noun,
    /// What people say for what tools call otherwise.
    Said,
}

/// Stop words and groups of synonyms, all as stems.
#[derive(Debug)]
pub(in crate::search) struct Lexicon {
    stop_words: Set<String>,
    stems: bool,
    groups: Vec<(Kind, Vec<String>)>,
    by_word: Map<String, Vec<usize>>,
}

/// The lines of a table that are no comments, as words.
fn lines(table: &str) -> impl Iterator<Item = std::str::SplitWhitespace<'_>> {
    table.lines().filter(|line| !line.starts_with('#')).map(str::split_whitespace)
}

impl Lexicon {
    /// The tables, and groups that the host adds, which count as nouns.
    pub(in crate::search) fn new(added: &[Vec<String>], without: Without) -> Self {
        let stop_words: &str = if without.keeps(Ingredient::StopWords) { STOP_WORDS } else { "" };
        let mut lexicon = Lexicon {
            stop_words: lines(stop_words).flatten().map(str::to_owned).collect(),
            stems: without.keeps(Ingredient::Stems),
            groups: Vec::new(),
            by_word: Map::default(),
        };
        for mut line in lines(SYNONYMS) {
            match line.next() {
                Some("said") => lexicon.add_said(line),
                Some("verb") => lexicon.add(Kind::Verb, line.map(|word| lexicon.stem(word)).collect()),
                Some(_) => lexicon.add(Kind::Noun, line.map(|word| lexicon.stem(word)).collect()),
                None => {}
            }
        }
        for group in added {
            let mut words = Vec::new();
            let mut take = |word: &str, cut| {
                if cut != Cut::Part {
                    words.push(lexicon.stem(word));
                }
            };
            group.iter().for_each(|text| each_word(text, &mut take));
            lexicon.add(Kind::Noun, words);
        }
        lexicon
    }

    /// What a word is looked up as.
    pub(in crate::search) fn stem(&self, word: &str) -> String {
        if self.stems { stem(word) } else { word.to_owned() }
    }

    fn add(&mut self, kind: Kind, mut words: Vec<String>) {
        let mut seen = Set::default();
        words.retain(|word| seen.insert(word.clone()));
        for word in &words {
            self.by_word.entry(word.clone()).or_default().push(self.groups.len());
        }
        self.groups.push((kind, words));
    }

    /// Words that stand for those behind the sign, but not for one another.
    fn add_said<'w>(&mut self, mut line: impl Iterator<Item = &'w str>) {
        let said: Vec<String> = line.by_ref().take_while(|word| *word != ">").map(|word| self.stem(word)).collect();
        for word in said {
            self.by_word.entry(word).or_default().push(self.groups.len());
        }
        let words = line.map(|word| self.stem(word)).collect();
        self.groups.push((Kind::Said, words));
    }

    /// Whether a word, as it stands, means nothing.
    pub(in crate::search) fn is_stop_word(&self, word: &str) -> bool {
        self.stop_words.contains(word)
    }

    /// The stems that mean the same as a stem.
    pub(in crate::search::sift) fn synonyms<'l>(&'l self, stem: &'l str) -> impl Iterator<Item = (Kind, &'l str)> {
        let groups = self.by_word.get(stem).into_iter().flatten().map(|at| &self.groups[*at]);
        groups.flat_map(move |(kind, words)| {
            words.iter().filter(move |word| *word != stem).map(|word| (*kind, word.as_str()))
        })
    }
}
