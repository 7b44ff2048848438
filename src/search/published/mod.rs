//! Rankers that copy the search of published systems (see `profile`). Like those systems, each of them reads the searched tools one after the other,
//! and returns the matches in each.

pub(super) mod bm25;
pub(super) mod fuzzy;
pub(super) mod overlap;
pub(super) mod parts;
pub(super) mod pattern;

use crate::catalog::Tool;
use crate::search::hit::{Explained, Found, Hit, HitPart, How, SearchedField, Stage};
use crate::search::top_k::top_k;
use crate::text::beginning;

/// The input of a published ranker.
pub(crate) struct Ranking<'a> {
    /// The tools that are searched, each with its position in the catalog, in ascending order.
    pub tools: Vec<(usize, &'a Tool)>,
    /// The minimum score of a hit, as a share of the best one.
    pub least_share: f64,
    /// The number of hits that are wanted.
    pub most: usize,
    pub explained: &'a Explained,
}

/// The order of tools with equal scores.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ties {
    InCatalogOrder,
    ByName,
}

impl<'a> Ranking<'a> {
    /// Returns the best tools by the sum of their matches. `matches` returns the matches in a tool, or `None` if the
    /// tool is not a hit.
    fn found(&self, stage: Stage, ties: Ties, mut matches: impl FnMut(&'a Tool) -> Option<Vec<HitPart>>) -> Found {
        let matched = self.tools.iter().filter_map(|(at, tool)| Some((*at, *tool, matches(tool)?)));
        let mut hits: Vec<(usize, &Tool, Vec<HitPart>)> = matched.collect();
        let best = hits.iter().fold(0.0, |best: f64, (.., parts)| best.max(HitPart::sum(parts)));
        hits.retain(|(.., parts)| HitPart::sum(parts) >= self.least_share * best);
        let scores: Vec<f64> = hits.iter().map(|(.., parts)| HitPart::sum(parts)).collect();
        let tie = |a: usize, b: usize| match ties {
            Ties::InCatalogOrder => a.cmp(&b),
            Ties::ByName => hits[a].1.model_name.cmp(&hits[b].1.model_name),
        };
        let best = top_k(&scores, self.most, &tie).into_iter().enumerate().map(|(at, place)| {
            let (index, _, parts) = &hits[place];
            let parts = if self.explained.wants(at, *index) { parts.clone() } else { Vec::new() };
            Hit { index: *index, score: scores[place], likelihood: None, parts }
        });
        let stage = if hits.is_empty() { Stage::None } else { stage };
        Found { stage, hits: best.collect(), total: hits.len(), ..Found::default() }
    }
}

/// The score of a text that occurs in the name, and of one that occurs only in the description.
#[derive(Clone, Copy)]
struct FieldWeights {
    name: f64,
    description: f64,
    /// The bytes of the description that are searched.
    most_bytes: usize,
}

/// The name and the description of a tool in Unicode lower case.
struct LowerCased {
    name: String,
    description: String,
}

impl LowerCased {
    fn of(tool: &Tool) -> Self {
        LowerCased { name: tool.model_name.to_lowercase(), description: tool.description.to_lowercase() }
    }

    /// Finds a text in the fields, and returns the match with its score.
    fn find(&self, text: &str, weights: FieldWeights) -> Option<HitPart> {
        let (field, contribution) = if self.name.contains(text) {
            (SearchedField::Name, weights.name)
        } else if beginning(&self.description, weights.most_bytes).contains(text) {
            (SearchedField::Description, weights.description)
        } else {
            return None;
        };
        Some(HitPart::new(field, text, text, How::Inside, contribution))
    }
}
