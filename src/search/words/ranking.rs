//! What the rankers of words get, and how the scores that they accumulate become hits.

use std::sync::RwLockReadGuard;

use crate::catalog::{Catalog, Tool};
use crate::search::hit::{Explained, Found, Hit, Match, Stage};
use crate::search::slots::Slot;
use crate::search::top_k::top_k;
use crate::search::words::accumulator::{Accumulator, Scored};
use crate::search::words::column::Column;
use crate::search::words::text_statistics::TextStatistics;
use crate::search::words::{Columns, TextIndex};

/// Tools to rank.
pub(in crate::search) struct Ranking<'a> {
    pub texts: &'a TextIndex,
    pub catalog: &'a Catalog,
    /// The tools that are searched.
    pub tools: &'a TextStatistics,
    /// Hits count that score at least this share of the best.
    pub least_share: f64,
    /// Hits that are wanted.
    pub most: usize,
    pub explained: &'a Explained,
}

/// How tools of one score are ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Ties {
    InCatalogOrder,
    ByName,
}

impl<'a> Ranking<'a> {
    /// Sums that are 0.
    pub(in crate::search) fn accumulator(&self) -> Accumulator<'a> {
        Accumulator::new(&self.tools.places, &self.texts.scratch)
    }

    /// The slot of the tool at a place.
    pub(in crate::search) fn slot(&self, place: u32) -> Slot {
        self.tools.places.slots[place as usize]
    }

    /// The columns of the index, of which one is brought up to the catalog.
    pub(in crate::search) fn read(&self, column: fn(&mut Columns) -> &mut dyn Column) -> RwLockReadGuard<'a, Columns> {
        self.texts.read(self.catalog, column)
    }

    /// The tool in a slot, which is one of those that are searched.
    pub(in crate::search) fn tool(&self, slot: Slot) -> &'a Tool {
        &self.catalog.tools()[self.position(slot)]
    }

    /// The position in the catalog of the tool in a slot, which is one of those that are searched.
    pub(in crate::search) fn position(&self, slot: Slot) -> usize {
        self.texts.slots.position(slot).unwrap_or_default()
    }

    /// The best of some tools, by falling score. `reasons` says of a slot what matches there.
    pub(in crate::search) fn found<'m>(
        &self,
        stage: Stage,
        scored: Vec<Scored>,
        ties: Ties,
        reasons: &dyn Fn(Slot) -> Vec<Match<'m>>,
    ) -> Found {
        let best = scored.iter().fold(0.0, |best: f64, one| best.max(one.score));
        let (mut kept, mut scores) = (Vec::new(), Vec::new());
        for one in scored {
            if one.score >= best * self.least_share {
                kept.push(one);
                scores.push(one.score);
            }
        }
        let name = |at: usize| &self.tool(self.slot(kept[at].place)).model_name;
        let tie = |a: usize, b: usize| match ties {
            Ties::InCatalogOrder => kept[a].place.cmp(&kept[b].place),
            Ties::ByName => name(a).cmp(name(b)),
        };
        let mut hits = Vec::new();
        for of in top_k(&scores, self.most, &tie) {
            let Scored { score, place } = kept[of];
            let slot = self.slot(place);
            let index = self.position(slot);
            let mut parts = Vec::new();
            if self.explained.wants(hits.len(), index) {
                parts = reasons(slot).iter().map(Match::part).collect();
            }
            hits.push(Hit { index, score, likelihood: None, parts });
        }
        let stage = if kept.is_empty() { Stage::None } else { stage };
        Found { stage, hits, total: kept.len(), ..Found::default() }
    }
}
