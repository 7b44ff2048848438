//! The rankers of the published systems. Each of them looks at the tools that are searched one after the other and says
//! what matches in each; the index tells at once which tools contain no word of the query.

pub(super) mod bm25;
pub(super) mod fuzzy;
pub(super) mod overlap;
pub(super) mod parts;
pub(super) mod pattern;

use std::cell::OnceCell;

use crate::catalog::{Catalog, Tool};
use crate::search::hit::{Explained, Found, Hit, How, Match, SearchedField, Stage};
use crate::search::ids::Slot;
use crate::search::index::Index;
use crate::search::index::words::OfTexts;
use crate::search::top_k::top_k;
use crate::text::beginning;

/// Tools to rank.
pub(crate) struct Ranking<'a> {
    pub index: &'a Index,
    pub catalog: &'a Catalog,
    /// The positions in the catalog of the tools that are searched, rising.
    pub positions: &'a [u32],
    /// Hits count that score at least this share of the best.
    pub least_share: f64,
    /// Hits that are wanted.
    pub most: usize,
    pub explained: &'a Explained,
}

/// One of the tools that are searched.
#[derive(Clone, Copy)]
pub(crate) struct Searched<'a> {
    pub position: u32,
    pub slot: Slot,
    pub tool: &'a Tool,
}

/// How tools of one score are ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ties {
    InCatalogOrder,
    ByName,
}

impl<'a> Ranking<'a> {
    /// The tools, in catalog order.
    fn tools(&self) -> impl Iterator<Item = Searched<'a>> {
        let (tools, slots) = (self.catalog.tools(), &self.index.slots);
        self.positions.iter().map(|position| {
            let at = *position as usize;
            Searched { position: *position, slot: slots.at(at), tool: &tools[at] }
        })
    }

    /// The best of the tools, by what their matches add up to. `matches` says what matches in a tool; none where the tool is
    /// no hit.
    fn found<'m>(&self, stage: Stage, ties: Ties, matches: impl Fn(Searched<'a>) -> Option<Vec<Match<'m>>>) -> Found {
        let (mut tools, mut scores) = (Vec::new(), Vec::new());
        for tool in self.tools() {
            if let Some(matches) = matches(tool) {
                tools.push(tool);
                scores.push(Match::sum(&matches));
            }
        }
        let least = self.least_share * scores.iter().fold(0.0, |best: f64, score| best.max(*score));
        if self.least_share > 0.0 {
            let mut kept = scores.iter().map(|score| *score >= least);
            tools.retain(|_| kept.next().unwrap_or_default());
            scores.retain(|score| *score >= least);
        }
        let tie = |a: usize, b: usize| match ties {
            Ties::InCatalogOrder => a.cmp(&b),
            Ties::ByName => tools[a].tool.model_name.cmp(&tools[b].tool.model_name),
        };
        let mut hits = Vec::new();
        for at in top_k(&scores, self.most, &tie) {
            let mut hit =
                Hit { index: tools[at].position as usize, score: scores[at], likelihood: None, parts: vec![] };
            if self.explained.wants(hits.len(), hit.index) {
                hit.parts = matches(tools[at]).iter().flatten().map(Match::part).collect();
            }
            hits.push(hit);
        }
        let stage = if tools.is_empty() { Stage::None } else { stage };
        Found { stage, hits, total: tools.len(), ..Found::default() }
    }

    /// The texts of a tool in the lower case of Unicode.
    fn lower_cased(&self, of: Searched<'a>) -> LowerCased<'a> {
        LowerCased {
            tool: of.tool,
            trigrams: &self.index.words.trigrams[of.slot],
            name: OnceCell::new(),
            description: OnceCell::new(),
        }
    }
}

/// A text that is looked for inside the texts of tools.
struct Needle {
    text: String,
    trigrams: OfTexts,
}

impl Needle {
    fn new(text: String) -> Self {
        Needle { trigrams: OfTexts::of([&*text]), text }
    }
}

/// The name and the description of a tool in lower case, each written when it is first needed.
struct LowerCased<'a> {
    tool: &'a Tool,
    trigrams: &'a OfTexts,
    name: OnceCell<String>,
    description: OnceCell<String>,
}

/// What a text adds to a score that occurs in the name, and what it adds in the description only.
#[derive(Clone, Copy)]
struct FieldWeights {
    name: f64,
    description: f64,
    /// Bytes of the description that are searched.
    most_bytes: usize,
}

impl LowerCased<'_> {
    fn name(&self) -> &str {
        self.name.get_or_init(|| self.tool.model_name.to_lowercase())
    }

    /// Whether a text may occur. False only where it does not.
    fn may_contain(&self, needle: &Needle) -> bool {
        self.trigrams.may_contain(&needle.trigrams)
    }

    /// Where a text occurs, and what that adds.
    fn find<'q>(&self, needle: &'q Needle, weights: FieldWeights) -> Option<Match<'q>> {
        if !self.may_contain(needle) {
            return None;
        }
        let description = || self.description.get_or_init(|| self.tool.description.to_lowercase());
        let (field, contribution) = if self.name().contains(&needle.text) {
            (SearchedField::Name, weights.name)
        } else if beginning(description(), weights.most_bytes).contains(&needle.text) {
            (SearchedField::Description, weights.description)
        } else {
            return None;
        };
        Some(Match::new(field, &needle.text, How::Inside, contribution))
    }
}
