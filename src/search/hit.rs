//! What was found, and why? Hits carry what matched and what each match added.

use serde::Serialize;

use crate::sort::sorted;

/// Which step of a ranker answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The query named tools.
    Select,
    /// A regular expression matched.
    Pattern,
    /// Something similar was found.
    Fuzzy,
    /// Words matched parts of names, hints or descriptions.
    Parts,
    /// Words stand in names or descriptions.
    Overlap,
    /// Words were weighted by how rare they are.
    Bm25,
    /// The query stands in names, after no word of it matched.
    Substring,
    /// Nothing was found.
    #[default]
    None,
}

/// Where a term matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchedField {
    /// The name that the model sees.
    Name,
    /// The host's hint.
    Hint,
    /// The description.
    Description,
    /// Name, description and parameter names together.
    Text,
}

/// How a term matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// As a regular expression.
    Pattern,
    /// The whole query stands in the field, or is it.
    WholeQuery,
    /// A word of the query is a word of the field.
    Word,
    /// A word of the query stands inside the field.
    Inside,
    /// A word of the field is similar to a word of the query.
    Similar,
}

/// One reason for a hit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HitPart {
    /// Where it matched.
    pub field: SearchedField,
    /// The word or pattern of the query.
    pub term: String,
    /// The text of the tool that it matched.
    pub matched: String,
    /// How it matched.
    pub how: How,
    /// What it added to the score.
    pub contribution: f64,
}

impl HitPart {
    pub(super) fn new(field: SearchedField, term: &str, matched: &str, how: How, contribution: f64) -> Self {
        HitPart { field, term: term.to_owned(), matched: matched.to_owned(), how, contribution }
    }

    /// What parts add up to. Nothing adds up to 0; the standard sum of nothing is -0.
    pub(super) fn sum(parts: &[HitPart]) -> f64 {
        parts.iter().fold(0.0, |sum, part| sum + part.contribution)
    }
}

/// A tool that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its position in the list that was searched.
    pub index: usize,
    /// How well it fits, on the ranker's own scale.
    pub score: f64,
    /// Why.
    pub parts: Vec<HitPart>,
}

/// What a search found, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The step that answered.
    pub stage: Stage,
    /// The tools.
    pub hits: Vec<Hit>,
}

impl Found {
    /// Hits of a step, or none.
    pub(super) fn at(stage: Stage, hits: Vec<Hit>) -> Self {
        Found { stage: if hits.is_empty() { Stage::None } else { stage }, hits }
    }

    /// By falling score; equals stay in the order in which they are.
    pub(super) fn best_first(mut self) -> Self {
        self.hits = sorted(self.hits, |a, b| b.score.total_cmp(&a.score));
        self
    }
}
