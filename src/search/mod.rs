//! Which tools fit?
//!
//! A ranker takes a query and tools in catalog order and answers with hits that explain themselves. Each ranker is a
//! file: [`pattern`] matches regular expressions in linear time, [`fuzzy`] answers where a pattern found nothing.

mod dialect;
mod fuzzy;
mod hit;
mod pattern;

use crate::catalog::Tool;
use crate::error::Result;

pub use hit::{Found, Hit, HitPart, How, SearchedField, Stage};

/// How tools are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranker {
    /// A regular expression over names and descriptions, every match in catalog order; where nothing matches, the
    /// fuzzy stage.
    PatternThenFuzzy,
}

/// What a ranker is given besides the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSettings {
    /// How tools are found.
    pub ranker: Ranker,
    /// At most so many hits; none for the ranker's own bound.
    pub limit: Option<usize>,
}

impl SearchSettings {
    /// What the settings are, for people.
    pub const fn describe(&self) -> &'static str {
        match self.ranker {
            Ranker::PatternThenFuzzy => "regular expression, then fuzzy",
        }
    }

    /// How many hits a step of the ranker shows at the most.
    pub fn most_hits(&self, stage: Stage) -> usize {
        self.limit.unwrap_or(match stage {
            Stage::Pattern | Stage::None => usize::MAX,
            Stage::Fuzzy => fuzzy::MOST_HITS,
        })
    }
}

/// Searches tools that are given in catalog order; hits refer to them by position.
///
/// # Errors
/// `pattern_invalid` where the ranker reads the query as a pattern and cannot.
pub fn search(query: &str, tools: &[&Tool], settings: &SearchSettings) -> Result<Found> {
    match settings.ranker {
        Ranker::PatternThenFuzzy => {
            let mut found = pattern::search(query, tools)?;
            if found.hits.is_empty() {
                found = fuzzy::search(query, tools, settings.most_hits(Stage::Fuzzy));
            }
            found.hits.truncate(settings.most_hits(found.stage));
            Ok(found)
        }
    }
}
