//! Which tools fit?
//!
//! A query is read by a [`Grammar`]; a [`Ranker`] takes it and tools in catalog order, and answers with hits that
//! explain themselves; [`SearchSettings`] say how many of them count. Each ranker is a file.

mod automaton;
mod bm25;
mod dialect;
mod fuzzy;
mod hit;
mod overlap;
mod parts;
mod pattern;
mod query;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};

pub use hit::{Found, Hit, HitPart, How, SearchedField, Stage};
pub use query::{Grammar, Keywords, selected};

use query::Words;

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
}

impl Ranker {
    /// Every value with its text form.
    pub const ALL: &[(&str, Ranker)] =
        &[("pattern", Ranker::Pattern), ("parts", Ranker::Parts), ("overlap", Ranker::Overlap), ("bm25", Ranker::Bm25)];
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
}

impl SearchSettings {
    /// How many hits of a step are shown where so many were asked for.
    pub fn shown(&self, stage: Stage, asked: Option<usize>) -> usize {
        let own = if stage == Stage::Fuzzy { fuzzy::MOST_HITS } else { usize::MAX };
        asked.or(self.hits).unwrap_or(own).min(self.most_hits)
    }
}

/// Searches tools that are given in catalog order; hits refer to them by position. All hits that count are returned,
/// best first: how many of them are shown is for [`SearchSettings::shown`] to say.
///
/// # Errors
/// `pattern_invalid` where the ranker reads the query as a pattern and cannot; `no_scorable_terms` where the grammar
/// leaves no word of it.
pub fn search(query: &str, tools: &[&Tool], settings: &SearchSettings) -> Result<Found> {
    let mut found = match settings.grammar {
        Grammar::Plain => rank(query, &Keywords::plain(query), tools, settings.ranker)?,
        Grammar::Commands => match selected(query) {
            Some(names) => by_name(&names, tools),
            None => by_keywords(query, tools, settings.ranker)?,
        },
    };
    if let (Cutoff::HalfOfBest, Some(best)) = (settings.cutoff, found.hits.first().map(|hit| hit.score)) {
        found.hits.retain(|hit| hit.score >= best / 2.0);
    }
    Ok(found)
}

fn rank(query: &str, keywords: &Keywords, tools: &[&Tool], ranker: Ranker) -> Result<Found> {
    Ok(match ranker {
        Ranker::Pattern => match pattern::search(query, tools)? {
            found if found.hits.is_empty() => fuzzy::search(query, tools),
            found => found,
        },
        Ranker::Parts => parts::search(keywords, tools),
        Ranker::Overlap => overlap::search(query, tools),
        Ranker::Bm25 => bm25::search(query, tools),
    })
}

/// The tools of these names, each once, in the order of the names.
fn by_name(names: &[&str], tools: &[&Tool]) -> Found {
    let mut hits: Vec<Hit> = Vec::new();
    for name in names {
        let index = tools.iter().position(|tool| &*tool.model_name == *name);
        if let Some(index) = index.filter(|index| hits.iter().all(|hit| hit.index != *index)) {
            let part = HitPart::new(SearchedField::Name, name, name, How::WholeQuery, 1.0);
            hits.push(Hit { index, score: 1.0, parts: vec![part] });
        }
    }
    Found::at(Stage::Select, hits)
}

/// The tools that hold every required word, ranked by all words.
fn by_keywords(query: &str, tools: &[&Tool], ranker: Ranker) -> Result<Found> {
    let keywords = Keywords::read(query);
    if keywords.is_empty() {
        let message = "the query holds no word: write some, or select:<name>";
        return Err(Error::new(ErrorCode::NoScorableTerms, message));
    }
    let holding: Vec<usize> = (0..tools.len()).filter(|at| Words::of(tools[*at]).hold(&keywords.required)).collect();
    let candidates: Vec<&Tool> = holding.iter().map(|at| tools[*at]).collect();
    let words: Vec<&str> = keywords.all().map(String::as_str).collect();
    let mut found = rank(&words.join(" "), &keywords, &candidates, ranker)?;
    for hit in &mut found.hits {
        hit.index = holding[hit.index];
    }
    Ok(found)
}
