//! What was found, and why? Hits carry what matched and what each match added.

use serde::Serialize;

/// Which step of a ranker answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// A regular expression matched.
    Pattern,
    /// Something similar was found.
    Fuzzy,
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
    /// The description.
    Description,
}

/// How a term matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// As a regular expression.
    Pattern,
    /// The whole query stands in the field.
    WholeQuery,
    /// A word of the query stands in the field.
    Word,
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

/// A tool that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its position in the list that was searched.
    pub index: usize,
    /// 0 to 1.
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
