//! Which tools fit?
//!
//! A query is read by a [`Grammar`]; a [`Ranker`] takes it and tools in catalog order, and answers with hits that
//! explain themselves; [`SearchSettings`] say how many of them count. Each ranker is a file.

mod automaton;
mod bm25;
mod dialect;
mod fuzzy;
mod hit;
mod language;
mod overlap;
mod parts;
mod passage;
mod pattern;
mod query;
mod sift;
mod texts;
mod vocabulary;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::text::beginning;

pub use hit::{Confidence, Found, Hit, HitPart, How, SearchedField, Stage, Verdict};
pub use query::{Grammar, Keywords, selected};
pub use sift::{Explained, Index, Ingredient, Without};
pub use texts::Texts;

use language::Request;
use passage::Needle;

/// How tools are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranker {
    /// A regular expression over names and descriptions, every match in catalog order; where nothing matches, the
    /// fuzzy stage.
    Pattern,
    /// Words in the parts of names, weighted against hints and descriptions.
    Parts,
    /// Words in names and descriptions, the name before the rest.
    Overlap,
    /// BM25 over names, descriptions and parameter names.
    Bm25,
    /// Fields, forms, synonyms, slips, and what fits as a whole.
    Sift,
}

impl Ranker {
    /// Every value with its text form.
    pub const ALL: &[(&str, Ranker)] = &[
        ("pattern", Ranker::Pattern),
        ("parts", Ranker::Parts),
        ("overlap", Ranker::Overlap),
        ("bm25", Ranker::Bm25),
        ("sift", Ranker::Sift),
    ];
}

/// Which tools are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Universe {
    /// Those that are held back, revealed or not.
    Deferred,
    /// The same, and those that every session starts with.
    Deferrable,
    /// All that the session may see.
    All,
}

impl Universe {
    /// Every value with its text form.
    pub const ALL: &[(&str, Universe)] =
        &[("deferred", Universe::Deferred), ("deferrable", Universe::Deferrable), ("all", Universe::All)];
}

/// Which hits are worth showing beside the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutoff {
    /// All.
    None,
    /// Those with at least half of its score.
    HalfOfBest,
}

impl Cutoff {
    /// Every value with its text form.
    pub const ALL: &[(&str, Cutoff)] = &[("none", Cutoff::None), ("half-of-best", Cutoff::HalfOfBest)];
}

/// How a search is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// How the query is read.
    pub grammar: Grammar,
    /// How tools are found.
    pub ranker: Ranker,
    /// Which tools are searched.
    pub universe: Universe,
    /// Which hits are left out.
    pub cutoff: Cutoff,
    /// Hits where nobody asks for a number; none for the ranker's own bound.
    pub hits: Option<usize>,
    /// Hits at the most.
    pub most_hits: usize,
    /// What the sift ranker does without.
    pub without: Without,
}

/// Reasons that a host is given where nobody says how many hits it wants, so that a search of everything stays cheap. Only
/// the sift ranker's take long.
const EXPLAINED: usize = 50;

impl SearchSettings {
    /// Of how many hits a host learns the reasons that does not say how many it wants.
    pub fn most_explained(&self) -> usize {
        let most = if self.needs_index() { EXPLAINED } else { usize::MAX };
        self.shown(Stage::Sift, None).min(most)
    }

    /// Whether a search looks into the [`Index`].
    pub fn needs_index(&self) -> bool {
        self.ranker == Ranker::Sift
    }

    /// How many hits of a step are shown where so many were asked for.
    pub fn shown(&self, stage: Stage, asked: Option<usize>) -> usize {
        let own = if stage == Stage::Fuzzy { fuzzy::MOST_HITS } else { usize::MAX };
        asked.or(self.hits).unwrap_or(own).min(self.most_hits)
    }
}

/// A search over some tools, which are given in catalog order; hits refer to them by position.
pub struct Search<'a> {
    /// How it is made.
    pub settings: &'a SearchSettings,
    /// The words of the catalog, brought up to it where [`SearchSettings::needs_index`].
    pub index: &'a Index,
    /// The texts of the catalog, brought up to it.
    pub texts: &'a Texts,
    /// What is searched.
    pub tools: &'a [&'a Tool],
    /// Of which hits the reasons are wanted.
    pub explained: Explained,
}

impl Search<'_> {
    /// All hits that count, best first: how many of them are shown is for [`SearchSettings::shown`] to say.
    ///
    /// # Errors
    /// `pattern_invalid` where the ranker reads the query as a pattern and cannot; `no_scorable_terms` where the
    /// grammar leaves no word of it.
    pub fn find(&self, query: &str) -> Result<Found> {
        let mut found = match self.settings.grammar {
            Grammar::Plain => self.rank(query, &Keywords::plain(query), self.tools)?,
            Grammar::Commands => match selected(query) {
                Some(names) => by_name(&names, self.tools),
                None => self.by_keywords(query)?,
            },
            Grammar::Full => self.by_language(query)?,
        };
        if let (Cutoff::HalfOfBest, Some(best)) = (self.settings.cutoff, found.hits.first().map(|hit| hit.score)) {
            found.hits.retain(|hit| hit.score >= best / 2.0);
        }
        Ok(found)
    }

    fn rank(&self, query: &str, keywords: &Keywords, tools: &[&Tool]) -> Result<Found> {
        let (texts, explained) = (self.texts, &self.explained);
        Ok(match self.settings.ranker {
            Ranker::Pattern => match pattern::search(query, tools)? {
                found if found.hits.is_empty() => fuzzy::search(query, tools, texts, explained),
                found => found,
            },
            Ranker::Parts => parts::search(keywords, tools, texts, explained),
            Ranker::Overlap => overlap::search(query, tools, texts, explained),
            Ranker::Bm25 => bm25::search(query, tools, texts, explained),
            Ranker::Sift => sift::search(self.index, query, tools, self.settings.without, explained),
        })
    }

    /// Ranks some of the tools, by their positions.
    fn among(&self, positions: &[usize], query: &str, keywords: &Keywords) -> Result<Found> {
        let tools: Vec<&Tool> = positions.iter().map(|at| self.tools[*at]).collect();
        let wanted = self.explained.tool.and_then(|tool| positions.iter().position(|at| *at == tool));
        let explained = Explained { tool: wanted, ..self.explained };
        let mut found = Search { explained, ..*self }.rank(query, keywords, &tools)?;
        for hit in &mut found.hits {
            hit.index = positions[hit.index];
        }
        Ok(found)
    }

    /// The tools that hold every required word, ranked by all words.
    fn by_keywords(&self, query: &str) -> Result<Found> {
        let keywords = Keywords::read(query);
        if keywords.is_empty() {
            let message = "the query holds no word: write some, or select:<name>";
            return Err(Error::new(ErrorCode::NoScorableTerms, message));
        }
        let required: Vec<Needle> = keywords.required.iter().cloned().map(Needle::new).collect();
        let holds = |tool: &Tool| self.texts.words(tool).is_some_and(|words| words.hold(&required));
        let is_holding = |at: &usize| required.is_empty() || holds(self.tools[*at]);
        let holding: Vec<usize> = (0..self.tools.len()).filter(is_holding).collect();
        let words: Vec<&str> = keywords.all().map(String::as_str).collect();
        self.among(&holding, &words.join(" "), &keywords)
    }

    /// A query in the full language. Where what it demands leaves nothing, its words are searched everywhere.
    fn by_language(&self, query: &str) -> Result<Found> {
        let query = beginning(query, limits::QUERY_BYTES);
        let by_name = language::selected(query).map(|names| self.by_any_name(&names));
        let by_pattern = language::pattern(query).and_then(|pattern| pattern::search(pattern, self.tools).ok());
        if let Some(found) = by_name.into_iter().chain(by_pattern).find(|found| !found.hits.is_empty()) {
            return Ok(Found { verdict: found.verdict.or(Some(Verdict::sure())), ..found });
        }
        let request = Request::read(query, self.tools);
        let all: Vec<usize> = (0..self.tools.len()).collect();
        let admitted: Vec<usize> = all.iter().copied().filter(|at| request.admits(self.tools[*at])).collect();
        let words = &request.words;
        if request.is_of_servers_only() && !admitted.is_empty() {
            let hits = admitted.into_iter().map(|index| Hit { index, score: 1.0, parts: Vec::new() });
            return Ok(Found { verdict: Some(Verdict::sure()), ..Found::at(Stage::Select, hits.collect()) });
        }
        let among = if admitted.is_empty() { &all } else { &admitted };
        let mut found = self.among(among, words, &Keywords::plain(words))?;
        if let Some(verdict) = found.verdict.as_mut().filter(|_| admitted.is_empty()) {
            verdict.confidence = Confidence::None;
        }
        Ok(found)
    }

    /// The tools of these names in any spelling, with or without their servers; names that are none are unknown.
    fn by_any_name(&self, names: &[&str]) -> Found {
        let (mut hits, mut unknown): (Vec<Hit>, Vec<String>) = (Vec::new(), Vec::new());
        for name in names {
            let exact = by_name(&[name], self.tools).hits;
            let named = if exact.is_empty() { self.called(name) } else { exact };
            if named.is_empty() {
                unknown.push((*name).to_owned());
            }
            for hit in named {
                if hits.iter().all(|other| other.index != hit.index) {
                    hits.push(hit);
                }
            }
        }
        Found { verdict: Some(Verdict { unknown, ..Verdict::sure() }), ..Found::at(Stage::Select, hits) }
    }

    /// The tools that a name may mean.
    fn called(&self, name: &str) -> Vec<Hit> {
        let tools = self.tools.iter().enumerate().filter(|(_, tool)| sift::is_called(tool, name));
        tools.map(|(index, tool)| Hit::of_name(index, name, tool)).collect()
    }
}

/// The tools of these names, each once, in the order of the names.
fn by_name(names: &[&str], tools: &[&Tool]) -> Found {
    let mut hits: Vec<Hit> = Vec::new();
    for name in names {
        let index = tools.iter().position(|tool| &*tool.model_name == *name);
        if let Some(index) = index.filter(|index| hits.iter().all(|hit| hit.index != *index)) {
            hits.push(Hit::of_name(index, name, tools[index]));
        }
    }
    Found::at(Stage::Select, hits)
}
