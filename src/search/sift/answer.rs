//! What is said of what was ranked? Hits with scores and reasons, and what the ranker thinks of them.

use std::rc::Rc;

use crate::catalog::Tool;
use crate::search::hit::{Confidence, Explained, Found, Hit, HitPart, Stage, Verdict};

use super::candidates::Candidates;
use super::explain;
use super::index::Index;
use super::rank::Ranked;
use super::request::Sought;
use super::weights::Weights;

/// Servers that an answer names where nothing fits.
const CLOSEST_SERVERS: usize = 3;
/// Words of a query that an answer names as unknown.
const UNKNOWN_WORDS: usize = 20;

/// A request and what was ranked for it, best first.
pub(super) struct Answer<'a> {
    pub index: &'a Index,
    pub tools: &'a [&'a Tool],
    pub text: &'a str,
    pub candidates: &'a Candidates,
    pub sought: &'a [Sought],
    pub weights: &'a Weights,
    pub ranked: &'a [Ranked],
}

impl Answer<'_> {
    /// The documents that the request names, then the others.
    pub(super) fn found(
        &self,
        named: &[usize],
        leaders: &[usize],
        (confidence, over_chance): (Confidence, Option<f64>),
        explained: &Explained,
    ) -> Found {
        let positions = self.positions();
        let hit = |document: usize, score: f64| Hit { index: positions[document], score, parts: Vec::new() };
        let others = self.ranked.iter().filter(|ranked| !named.contains(&ranked.document));
        let first = named.iter().map(|document| (hit(*document, 1.0), None));
        let rest = others.map(|ranked| (hit(ranked.document, shown(ranked.score())), Some(ranked)));
        let hits = first.chain(rest).enumerate().map(|(at, (mut hit, ranked))| {
            if explained.wants(at, hit.index) {
                hit.parts = self.parts(&hit, ranked);
            }
            hit
        });
        let found = Found::at(Stage::Sift, hits.collect());
        let verdict = Verdict { confidence, over_chance, unknown: self.unknown(), servers: self.closest() };
        let leaders = leaders.iter().map(|document| positions[*document]).collect();
        Found { verdict: Some(verdict), leaders, ..found }
    }

    /// The place of each document among the tools that are searched.
    fn positions(&self) -> Vec<usize> {
        let mut positions = vec![usize::MAX; self.index.documents.len()];
        for (position, tool) in self.tools.iter().enumerate() {
            self.index.place(tool).into_iter().for_each(|place| positions[place] = position);
        }
        positions
    }

    /// Why a hit is one: it was ranked, or else the request names it.
    fn parts(&self, hit: &Hit, ranked: Option<&Ranked>) -> Vec<HitPart> {
        let tool = self.tools[hit.index];
        let Some(ranked) = ranked else { return Hit::of_name(hit.index, self.text, tool).parts };
        let scale = hit.score / ranked.score();
        explain::parts((self.index, self.candidates), tool, self.sought, ranked, self.weights, scale)
    }

    /// The words that nothing in the catalog stands for. Numbers are no words, but what is filled in.
    fn unknown(&self) -> Vec<String> {
        let is_number = |word: &Sought| word.word.contains(|c: char| c.is_ascii_digit());
        let unknown = self.sought.iter().filter(|word| word.is_unknown() && !is_number(word));
        unknown.take(UNKNOWN_WORDS).map(|word| word.word.clone()).collect()
    }

    /// The servers of the first hits, each once.
    fn closest(&self) -> Vec<Rc<str>> {
        let mut servers: Vec<Rc<str>> = Vec::new();
        let server = |hit: &Ranked| self.index.server_name(self.index.documents[hit.document].server);
        for server in self.ranked.iter().filter_map(server) {
            if servers.len() < CLOSEST_SERVERS && !servers.contains(server) {
                servers.push(server.clone());
            }
        }
        servers
    }
}

/// A score without bound as one below 1: half of what a query can give alone is a half.
fn shown(score: f64) -> f64 {
    score / (score + 0.5)
}
