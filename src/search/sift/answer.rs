//! Turns scored candidates into hits with reasons, and says what the ranker thinks of them.

use std::rc::Rc;

use crate::catalog::Tool;
use crate::search::hit::{Confidence, Explained, Found, Hit, HitPart, Stage, Verdict};
use crate::search::slots::Slot;

use super::explain;
use super::query_terms::QueryTerm;
use super::score::{Candidate, Scorer};

/// Servers that an answer names where nothing fits.
const CLOSEST_SERVERS: usize = 3;
/// Words of a query that an answer names as unknown.
const UNKNOWN_WORDS: usize = 20;

/// A request and what was scored for it.
pub(super) struct Answer<'a> {
    pub scorer: &'a Scorer<'a>,
    pub tools: &'a [Rc<Tool>],
    pub text: &'a str,
    pub terms: &'a [QueryTerm],
    /// Every tool that holds a word, in no particular order.
    pub candidates: &'a [Candidate],
    /// The best of them, best first, as many as are shown.
    pub ranked: &'a [Candidate],
}

impl Answer<'_> {
    /// The tools that the request names, then the others; at most `most`.
    pub(super) fn found(
        &self,
        named: &[Slot],
        leaders: &[Slot],
        (confidence, over_chance): (Confidence, Option<f64>),
        (most, explained): (usize, &Explained),
    ) -> Found {
        let others = self.ranked.iter().filter(|candidate| !named.contains(&candidate.slot));
        let first = named.iter().map(|slot| (*slot, 1.0, None));
        let rest = others.map(|candidate| (candidate.slot, shown(candidate.score()), Some(candidate)));
        let hits = first.chain(rest).take(most).enumerate().filter_map(|(at, (slot, score, candidate))| {
            let mut hit = Hit { index: self.position(slot)?, score, parts: Vec::new() };
            if explained.wants(at, hit.index) {
                hit.parts = self.parts(&hit, candidate);
            }
            Some(hit)
        });
        let found = Found::at(Stage::Sift, hits.collect());
        let is_named = |candidate: &&Candidate| named.contains(&candidate.slot);
        let scored = self.candidates.iter().filter(|candidate| candidate.words > 0.0);
        let both = if named.is_empty() { 0 } else { scored.clone().filter(is_named).count() };
        let verdict = Verdict { confidence, over_chance, unknown: self.unknown(), servers: self.closest() };
        Found {
            verdict: Some(verdict),
            leaders: leaders.iter().filter_map(|slot| self.position(*slot)).collect(),
            total: named.len() + scored.count() - both,
            ..found
        }
    }

    fn position(&self, slot: Slot) -> Option<usize> {
        self.scorer.index.slots.position(slot)
    }

    /// Why a hit is one: it was scored, or else the request names it.
    fn parts(&self, hit: &Hit, candidate: Option<&Candidate>) -> Vec<HitPart> {
        let tool = &self.tools[hit.index];
        let Some(candidate) = candidate else { return Hit::of_name(hit.index, self.text, tool).parts };
        explain::parts(self.scorer, tool, self.terms, candidate, hit.score / candidate.score())
    }

    /// The words that nothing in the catalog stands for. Numbers are no words, but what is filled in.
    fn unknown(&self) -> Vec<String> {
        let is_number = |term: &QueryTerm| term.meaning.word.contains(|c: char| c.is_ascii_digit());
        let unknown = self.terms.iter().filter(|term| term.meaning.is_unknown() && !is_number(term));
        unknown.take(UNKNOWN_WORDS).map(|term| term.meaning.word.clone()).collect()
    }

    /// The servers of the best hits, each once.
    fn closest(&self) -> Vec<Rc<str>> {
        let index = self.scorer.index;
        let server = |candidate: &Candidate| index.columns.servers[candidate.slot as usize];
        let mut closest: Vec<u32> = Vec::new();
        let mut add = |candidate: &Candidate| {
            let server = server(candidate);
            if server > 0 && closest.len() < CLOSEST_SERVERS && !closest.contains(&server) {
                closest.push(server);
            }
            closest.len() == CLOSEST_SERVERS
        };
        if !self.ranked.iter().any(&mut add) {
            // The servers of what is not shown, by their best hits.
            let shown: Vec<u32> = self.ranked.iter().map(server).collect();
            let hidden = |candidate: &&Candidate| candidate.words > 0.0 && !shown.contains(&server(candidate));
            let mut best: Vec<&Candidate> = Vec::new();
            for candidate in self.candidates.iter().filter(hidden) {
                best.push(candidate);
                if best.len() > CLOSEST_SERVERS {
                    self.keep_best(&mut best);
                }
            }
            self.keep_best(&mut best);
            best.into_iter().any(add);
        }
        closest.into_iter().filter_map(|server| index.servers.name(server).cloned()).collect()
    }

    /// Keeps the best candidate of each server, and of these the best few.
    fn keep_best(&self, best: &mut Vec<&Candidate>) {
        let server = |candidate: &Candidate| self.scorer.index.columns.servers[candidate.slot as usize];
        let place = |candidate: &Candidate| self.scorer.statistics.place(candidate.slot);
        best.sort_by(|a, b| b.score().total_cmp(&a.score()).then_with(|| place(a).cmp(&place(b))));
        let mut seen: Vec<u32> = Vec::new();
        best.retain(|candidate| {
            let is_new = server(candidate) > 0 && !seen.contains(&server(candidate));
            seen.push(server(candidate));
            is_new
        });
        best.truncate(CLOSEST_SERVERS);
    }
}

/// A score without bound as one below 1: half of what a query can give alone is a half.
fn shown(score: f64) -> f64 {
    score / (score + 0.5)
}
