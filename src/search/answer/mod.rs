//! Turns scored candidates into hits with reasons, and makes the ranker's verdict.

pub(crate) mod crowding;
pub(crate) mod explain;
pub(crate) mod needs;

use std::sync::Arc;

use crate::catalog::Tool;
use crate::search::answer::needs::Leader;
use crate::search::calibration::Likelihood;
use crate::search::hit::{Confidence, Explained, Found, Hit, HitPart, Need, Stage, Verdict};
use crate::search::ids::{Doc, ServerId, Term};
use crate::search::query::terms::QueryTerm;
use crate::search::ranking::Candidate;
use crate::search::ranking::Scorer;

/// The maximum number of closest servers in an answer.
const CLOSEST_SERVERS: usize = 3;
/// The maximum number of unknown words in an answer.
const UNKNOWN_WORDS: usize = 20;

/// A request and its scores.
pub(crate) struct Answer<'a> {
    pub scorer: &'a Scorer<'a>,
    pub tools: &'a [Arc<Tool>],
    pub text: &'a str,
    pub terms: &'a [QueryTerm],
    /// The number of tools that have a word of the request.
    pub total: usize,
    /// The tools that the request names, then the best others, at least as many as are shown.
    pub ranked: &'a [Candidate],
    /// A tool of each server that had to give up a place.
    pub crowded: &'a [Doc],
    pub likelihood: Likelihood,
    /// The confidence and its basis: see [`Verdict`].
    pub confidence: Confidence,
    pub over_chance: Option<f64>,
    /// The number of hits that are shown, and the hits for which reasons are wanted.
    pub most: usize,
    pub explained: &'a Explained,
}

impl Answer<'_> {
    /// Returns the hits and the verdict.
    pub(crate) fn found(&self, named: &[Doc], needs: &[(&str, Option<Leader>)], beside: Option<Doc>) -> Found {
        let hits = self.ranked.iter().take(self.most).enumerate().map(|(at, candidate)| {
            let (doc, index) = (candidate.doc, self.position(candidate.doc));
            let candidate = Some(candidate).filter(|_| !named.contains(&doc));
            let score = candidate.map_or(1.0, |candidate| shown(candidate.score()));
            let likelihood = candidate.map_or(1.0, |candidate| match named.is_empty() {
                true => self.likelihood.of(candidate.by_words()),
                // The query names other tools.
                false => 0.0,
            });
            let mut hit = Hit { index, score, likelihood: Some(likelihood), parts: Vec::new() };
            if self.explained.wants(at, hit.index) {
                hit.parts = self.parts(&hit, candidate);
            }
            hit
        });
        let found = Found::at(Stage::Sift, hits.collect());
        let holds = |doc: &Doc, term: &QueryTerm| term.expanded.terms.iter().any(|(term, ..)| self.has(*doc, *term));
        let both = named.iter().filter(|doc| self.terms.iter().any(|term| holds(doc, term))).count();
        let crowded = self.crowded.iter().map(|doc| self.position(*doc)).collect();
        let shared_words = self.shared_words().filter(|_| named.is_empty());
        let verdict = Verdict {
            confidence: self.confidence,
            over_chance: self.over_chance,
            unknown_words: self.unknown(),
            closest_servers: self.closest(),
            crowded,
            shared_words,
        };
        Found {
            verdict: Some(verdict),
            beside: beside.map(|doc| self.position(doc)),
            needs: needs.iter().map(|(text, leader)| self.need(text, *leader)).collect(),
            total: named.len() + self.total - both,
            ..found
        }
    }

    /// Returns the number of content words of the request that the best hit has.
    fn shared_words(&self) -> Option<usize> {
        let best = self.ranked.first()?.doc;
        let lexicon = &self.scorer.index.lexicon;
        let is_content = |word: &str| !word.bytes().all(|byte| byte.is_ascii_digit()) && !lexicon.is_stop_word(word);
        let is_shared = |term: &&QueryTerm| {
            is_content(&term.expanded.word) && term.expanded.itself().is_some_and(|term| self.has(best, term))
        };
        Some(self.terms.iter().filter(is_shared).count())
    }

    fn need(&self, text: &str, leader: Option<Leader>) -> Need {
        let nearest = leader.map(|leader| self.position(leader.doc));
        let leader = leader.filter(|leader| leader.leads).and_then(|leader| Some((nearest?, leader.likelihood)));
        Need { text: text.to_owned(), leader, nearest }
    }

    fn position(&self, doc: Doc) -> usize {
        self.scorer.position(doc)
    }

    /// Returns true if a tool has a term.
    fn has(&self, doc: Doc, term: Term) -> bool {
        !self.scorer.index.columns.occurrences_of(doc, term).is_empty()
    }

    /// Returns the reasons of a hit: its scores, or that the request names it.
    fn parts(&self, hit: &Hit, candidate: Option<&Candidate>) -> Vec<HitPart> {
        let tool = &self.tools[hit.index];
        let Some(candidate) = candidate else { return Hit::of_name(hit.index, self.text, tool).parts };
        explain::parts(self.scorer, tool, self.terms, candidate, hit.score / candidate.score())
    }

    /// Returns the words that match nothing in the catalog. Numbers are left out, since they are values of arguments.
    fn unknown(&self) -> Vec<String> {
        let is_number = |term: &QueryTerm| term.expanded.word.contains(|c: char| c.is_ascii_digit());
        let unknown = self.terms.iter().filter(|term| term.expanded.is_unknown() && !is_number(term));
        unknown.take(UNKNOWN_WORDS).map(|term| term.expanded.word.clone()).collect()
    }

    /// Returns the positions of the best hit of each of the closest servers.
    fn closest(&self) -> Vec<usize> {
        let mut closest: Vec<&Candidate> = Vec::new();
        for candidate in self.ranked {
            let is_known = closest.iter().any(|one| one.server == candidate.server);
            if closest.len() < CLOSEST_SERVERS && candidate.server != ServerId::NONE && !is_known {
                closest.push(candidate);
            }
        }
        closest.into_iter().map(|candidate| self.position(candidate.doc)).collect()
    }
}

/// Maps an unlimited score to one below 1: a score of 0.5 becomes a half.
fn shown(score: f64) -> f64 {
    score / (score + 0.5)
}
