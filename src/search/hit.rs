//! Defines the results of a search: hits, each with its matches and the score of each match.

use serde::Serialize;

use crate::catalog::Tool;
use crate::macros::choices;

choices! {
    /// The step of a ranker that found the hits.
    #[derive(Default, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Stage {
        /// The query named tools, or only servers.
        Select = "select",
        /// A regular expression matched.
        Pattern = "pattern",
        /// Similar words were found.
        Fuzzy = "fuzzy",
        /// Words matched parts of names, hints or descriptions.
        Parts = "parts",
        /// Words are whole words of names or descriptions.
        Overlap = "overlap",
        /// Words were weighted by their rarity.
        Bm25 = "bm25",
        /// No word matched, but names contain the query.
        Substring = "substring",
        /// Words were matched with their forms, synonyms and typos, and tools were rated as a whole.
        Sift = "sift",
        /// Nothing was found.
        #[default]
        None = "none",
    }

    /// The degree to which hits can be trusted, judged by the score that random words reach in the same catalog (the null
    /// score).
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Confidence {
        /// At least the null score. On eight labelled sets, 88 % of such requests had a right tool among their first five
        /// hits.
        High = "high",
        /// Less than that, but at least half of it, or 0.3 of it for a message of more than 32 words.
        Low = "low",
        /// Nothing fits; the hits are only the nearest tools.
        None = "none",
    }
}

/// The field in which a term matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SearchedField {
    /// The name that the model sees.
    Name,
    /// The server.
    Server,
    /// The host's additions: hint, tags, category.
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
    /// All searched texts together.
    Text,
}

/// The way in which a term matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum How {
    /// As a regular expression.
    Pattern,
    /// The whole query occurs in the field, or equals it.
    WholeQuery,
    /// A word of the query is a word of the field.
    Word,
    /// A word of the query is a part of a word of the field.
    Inside,
    /// A word of the field is similar to a word of the query.
    Similar,
    /// A word of the field is a form of a word of the query.
    Stem,
    /// A word of the field is a synonym.
    Synonym,
    /// The host's table of translations maps a word of the query to a word of the field.
    Translation,
    /// A word of the field has the same beginning as a word of the query.
    Relative,
    /// A word of the field is the correction of a word that no tool has.
    Repair,
    /// Words of the query cover the name, or a sentence.
    Covered,
    /// The query names the server.
    Server,
    /// The tool fits a part of the query alone.
    Intent,
    /// The host gave the tool a score.
    Host,
}

/// A ranker's judgement of its own hits. `S` stands for a server: the host gets its name, and inside the core it is one of
/// its tools, by the position in the catalog.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Verdict<S = usize> {
    /// The degree to which the hits can be trusted.
    pub confidence: Confidence,
    /// The best score as a multiple of the score expected by chance, on which `confidence` is based. `None` if the
    /// query names tools.
    pub over_chance: Option<f64>,
    /// Words of the query that match nothing in the catalog.
    pub unknown_words: Vec<String>,
    /// The servers of the best hits, closest first.
    pub closest_servers: Vec<S>,
    /// The servers whose tools would have taken more of the first places than one server may have if others fit too. A
    /// server whose texts are written to win every search is among them, but so is a large server that alone offers
    /// what was asked for.
    pub crowded: Vec<S>,
    /// The number of content words of the query that the best hit has, in any form, without stop words and numbers;
    /// `None` if the query names tools.
    #[serde(skip)]
    pub(crate) shared_words: Option<usize>,
}

/// One reason for a hit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct HitPart {
    /// The field of the match.
    pub field: SearchedField,
    /// The word or pattern of the query.
    pub term: String,
    /// The text of the tool that it matched.
    pub matched: String,
    /// The way in which it matched.
    pub how: How,
    /// The contribution to the score.
    pub contribution: f64,
}

impl HitPart {
    pub(super) fn new(field: SearchedField, term: &str, matched: &str, how: How, contribution: f64) -> Self {
        HitPart { field, term: term.to_owned(), matched: matched.to_owned(), how, contribution }
    }

    /// Returns the sum of the contributions. Without parts it is 0; the standard library's sum would be -0.
    pub(super) fn sum(parts: &[HitPart]) -> f64 {
        parts.iter().fold(0.0, |sum, part| sum + part.contribution)
    }
}

/// The hits for which reasons are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The number of first hits for which they are wanted.
    pub first: usize,
    /// A tool for which they are also wanted, by its position in the catalog.
    pub tool: Option<usize>,
}

impl Explained {
    pub(super) fn wants(&self, at: usize, index: usize) -> bool {
        at < self.first || self.tool == Some(index)
    }
}

/// A tool that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its position in the catalog.
    pub index: usize,
    /// Its score, on the ranker's own scale.
    pub score: f64,
    /// The probability that it is the wanted tool, from 0 to 1, if the ranker can tell. It depends on words alone,
    /// without the host's scores. It decides which tools are loaded automatically.
    pub likelihood: Option<f64>,
    /// The reasons.
    pub parts: Vec<HitPart>,
}

impl Hit {
    /// Makes the hit for a tool that the query names.
    pub(super) fn of_name(index: usize, name: &str, tool: &Tool) -> Self {
        let part = HitPart::new(SearchedField::Name, name, &tool.model_name, How::WholeQuery, 1.0);
        Hit { index, score: 1.0, likelihood: Some(1.0), parts: vec![part] }
    }
}

impl Verdict {
    /// Makes the verdict for hits that the query names.
    pub(super) fn sure() -> Self {
        Verdict {
            confidence: Confidence::High,
            over_chance: None,
            unknown_words: Vec::new(),
            closest_servers: Vec::new(),
            crowded: Vec::new(),
            shared_words: None,
        }
    }

    /// Returns the verdict with the names of the servers; a tool without a server has none.
    pub(crate) fn named<S>(self, name: impl Fn(usize) -> Option<S>) -> Verdict<S> {
        let names = |tools: Vec<usize>| tools.into_iter().filter_map(&name).collect();
        let Verdict { confidence, over_chance, unknown_words, closest_servers, crowded, shared_words } = self;
        let (closest_servers, crowded) = (names(closest_servers), names(crowded));
        Verdict { confidence, over_chance, unknown_words, closest_servers, crowded, shared_words }
    }
}

/// A part of a query that asks for several things.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// The text of the part.
    pub text: String,
    /// The tool that fits the part best, by [`Hit::index`], and the probability that the part means it; `None` if no
    /// tool fits.
    pub leader: Option<(usize, f64)>,
    /// The tool nearest to the part, by [`Hit::index`], which may have only some of its words; `None` if no tool has
    /// half the score that a leader needs.
    pub nearest: Option<usize>,
}

/// The result of a search, best hits first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The step that answered.
    pub stage: Stage,
    /// The hits, at most the wanted number.
    pub hits: Vec<Hit>,
    /// The number of tools that match.
    pub total: usize,
    /// The ranker's judgement, if it can tell.
    pub verdict: Option<Verdict>,
    /// True if the demands of the query rule out the tool in [`Explained::tool`].
    pub rules_out: bool,
    /// The parts of a query that asks for several things.
    pub needs: Vec<Need>,
    /// The best tool of another server than that of the first hit, if it fits too.
    pub beside: Option<usize>,
}

impl Found {
    /// Returns true if a hit is the leader of a part of the query, with at least this likelihood.
    pub(crate) fn leads(&self, hit: &Hit, least: f64) -> bool {
        let mut leaders = self.needs.iter().filter_map(|need| need.leader);
        leaders.any(|(index, likelihood)| index == hit.index && likelihood >= least)
    }

    /// Makes the result of a step, or an empty result if there are no hits.
    pub(super) fn at(stage: Stage, hits: Vec<Hit>) -> Self {
        Found { stage: if hits.is_empty() { Stage::None } else { stage }, total: hits.len(), hits, ..Found::default() }
    }
}
