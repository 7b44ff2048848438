//! The results of a search: hits, each with what matched and what each match added to its score.

use std::borrow::Cow;

use serde::Serialize;

use crate::catalog::Tool;

/// Which step of a ranker answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
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
    /// Words were understood: forms, synonyms, slips, and what fits as a whole.
    Sift,
    /// Nothing was found.
    #[default]
    None,
}

impl Stage {
    /// Every stage, each at the index that is its discriminant.
    pub const ALL: &[Stage] = &[
        Stage::Select,
        Stage::Pattern,
        Stage::Fuzzy,
        Stage::Parts,
        Stage::Overlap,
        Stage::Bm25,
        Stage::Substring,
        Stage::Sift,
        Stage::None,
    ];
}

/// Where a term matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SearchedField {
    /// The name that the model sees.
    Name,
    /// The server.
    Server,
    /// What the host says: hint, tags, category.
    Hint,
    /// A keyword of the enrichment.
    Keyword,
    /// A request of the enrichment.
    Query,
    /// The description.
    Description,
    /// Names and descriptions of parameters.
    Parameter,
    /// Values that a parameter may have.
    Value,
    /// All that is searched together.
    Text,
}

/// How a term matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
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
    /// A word of the field is a form of a word of the query.
    Stem,
    /// A word of the field means the same.
    Synonym,
    /// A word of the query is said for a word of the field, after the host's table of translations.
    Translation,
    /// A word of the field begins like a word of the query.
    Relative,
    /// A word of the field was probably meant by one that no tool has.
    Repair,
    /// Words of the query cover the name, or a sentence.
    Covered,
    /// The query names the server.
    Server,
    /// The tool fits a part of the query by itself.
    Intent,
    /// The host scored it.
    Host,
}

/// How far what was found can be trusted, beside what chance would find in the same catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Confidence {
    /// At least what chance finds: on eight labelled sets 88 % of such requests had a right tool among their first five.
    High,
    /// Less, but at least half of it, or 0.3 of it for a message of more than 32 words.
    Low,
    /// Nothing fits; the hits are what came nearest.
    None,
}

impl Confidence {
    /// Every value, each at the index that is its discriminant.
    pub const ALL: &[Confidence] = &[Confidence::High, Confidence::Low, Confidence::None];
}

/// What a search thinks of its own hits.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// How far they can be trusted.
    pub confidence: Confidence,
    /// What that rests on: the best score as a multiple of what chance would find. None where the query names tools.
    pub over_chance: Option<f64>,
    /// Words of the query that nothing in the catalog stands for.
    pub unknown: Vec<String>,
    /// The best hit of each of the closest servers, closest first, by its position in the catalog.
    pub closest: Vec<usize>,
    /// A tool of each server that would have taken more of the first places than it may where others fit too, by its position
    /// in the catalog.
    pub crowded: Vec<usize>,
    /// How many words of the query the best hit has, as they are or in another form, without stop words and numbers; none
    /// where the query names tools.
    pub shared_words: Option<usize>,
}

/// One reason for a hit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
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
}

/// The hits for which reasons are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The number of first hits.
    pub first: usize,
    /// And this tool, by its position in what is searched.
    pub tool: Option<usize>,
}

impl Explained {
    pub(super) fn wants(&self, at: usize, index: usize) -> bool {
        at < self.first || self.tool == Some(index)
    }
}

/// What a [`HitPart`] is made from. Most tools that match a little are never shown, and their reasons never written out.
#[derive(Clone)]
pub(super) struct Match<'a> {
    pub field: SearchedField,
    pub term: &'a str,
    pub matched: Cow<'a, str>,
    pub how: How,
    pub contribution: f64,
}

impl<'a> Match<'a> {
    /// A match of the very letters of a term.
    pub(super) fn new(field: SearchedField, term: &'a str, how: How, contribution: f64) -> Self {
        Match { field, term, matched: Cow::Borrowed(term), how, contribution }
    }

    /// What matches add up to. Nothing adds up to 0; the standard sum of nothing is -0.
    pub(super) fn sum(matches: &[Self]) -> f64 {
        matches.iter().fold(0.0, |sum, one| sum + one.contribution)
    }

    pub(super) fn part(&self) -> HitPart {
        HitPart::new(self.field, self.term, &self.matched, self.how, self.contribution)
    }
}

/// A tool that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its position in the catalog.
    pub index: usize,
    /// How well it fits, on the ranker's own scale.
    pub score: f64,
    /// How likely it is the tool that is meant, from 0 to 1, where the ranker can tell: by words alone, without what the host
    /// says. What is loaded unasked rests on it.
    pub likelihood: Option<f64>,
    /// Why.
    pub parts: Vec<HitPart>,
}

impl Hit {
    /// A tool that the query names.
    pub(super) fn of_name(index: usize, name: &str, tool: &Tool) -> Self {
        let part = HitPart::new(SearchedField::Name, name, &tool.model_name, How::WholeQuery, 1.0);
        Hit { index, score: 1.0, likelihood: Some(1.0), parts: vec![part] }
    }
}

impl Verdict {
    /// Of hits that the query names.
    pub(super) fn sure() -> Self {
        let (unknown, closest, crowded) = (Vec::new(), Vec::new(), Vec::new());
        Verdict { confidence: Confidence::High, over_chance: None, unknown, closest, crowded, shared_words: None }
    }
}

/// A part of a query that asks for several things.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// The part.
    pub text: String,
    /// The tool that fits it best, by [`Hit::index`], and how likely that is the tool that the part means; none where no
    /// tool fits it.
    pub leader: Option<(usize, f64)>,
    /// The tool that comes nearest to it, by [`Hit::index`], which may have only some words of the part; none where no tool
    /// has half of what a leader needs.
    pub nearest: Option<usize>,
}

/// What a search found, best first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The step that answered.
    pub stage: Stage,
    /// The tools, as many as were wanted.
    pub hits: Vec<Hit>,
    /// How many tools match.
    pub total: usize,
    /// What the ranker thinks of them, where it can tell.
    pub verdict: Option<Verdict>,
    /// Whether what the query demands rules out the tool that reasons are wanted for.
    pub rules_out: bool,
    /// The parts of a query that asks for several things.
    pub needs: Vec<Need>,
    /// The best tool of another server than the first hit's, where it fits too.
    pub beside: Option<usize>,
}

impl Found {
    /// Whether a hit fits a part of the query best, and at least so likely.
    pub(crate) fn leads(&self, hit: &Hit, least: f64) -> bool {
        let mut leaders = self.needs.iter().filter_map(|need| need.leader);
        leaders.any(|(index, likelihood)| index == hit.index && likelihood >= least)
    }

    /// Hits of a step, or none.
    pub(super) fn at(stage: Stage, hits: Vec<Hit>) -> Self {
        Found { stage: if hits.is_empty() { Stage::None } else { stage }, total: hits.len(), hits, ..Found::default() }
    }
}
