//! The ranker of our own: a fielded lexical ranker that holds every word against names, servers, descriptions and
//! parameters, with forms, synonyms and slips of it; then what fits as a whole; exact names before everything.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::search::hit::{Confidence, Explained, Found};
use crate::search::ids::Slot;
use crate::search::index::Index;
use crate::search::top_k::top_k;

use super::analysis::clauses::clauses;
use super::answer::{
    self, Answer,
    needs::{self, Leader},
};
use super::calibration;
use super::calibration::likelihood::Likelihood;
use super::query::named::{has_identifier, in_request};
use super::query::terms::Interpreter;
use super::query::verbs::asked;
use super::ranker_options::{Ingredient, Weights, Without};
use super::ranking::candidate::Candidate;
use super::ranking::scratch::Scratch;
use super::ranking::{self, Scorer};
use super::view::Statistics;

/// Tools that are ranked at least.
const LEAST: usize = 64;

/// What is searched, and how.
pub(super) struct Request<'a> {
    pub index: &'a Index,
    /// The tools of the catalog.
    pub tools: &'a [Arc<Tool>],
    /// The tools that would be searched if the query demanded nothing.
    pub statistics: &'a Statistics,
    /// By place: whether a tool may be a hit, where the query or the turn demands something of it.
    pub only: Option<&'a [bool]>,
    pub without: Without,
    /// What the host says of some tools, by their positions in the catalog: from 0 to 1.
    pub scores: &'a [(u32, f64)],
    /// Hits that are wanted.
    pub most: usize,
    pub explained: &'a Explained,
}

impl Request<'_> {
    /// Tools by how well they fit a text, best first, equals in catalog order.
    pub(super) fn find(&self, text: &str) -> Found {
        self.find_with(text, &mut self.index.scratch.take())
    }

    fn find_with(&self, text: &str, scratch: &mut Scratch) -> Found {
        let Request { index, statistics, without, .. } = *self;
        let weights = Weights::of(without);
        let scorer = Scorer::new(index, statistics, &weights).among(self.only);
        let clauses = clauses(text);
        let interpreter = Interpreter::of(text, index, statistics, &weights);
        let terms = interpreter.read(text);

        let mut candidates = std::mem::take(&mut scratch.candidates);
        // A clause, or the host, may raise any tool.
        let wanted = if clauses.len() > 1 || !self.scores.is_empty() { usize::MAX } else { self.most.max(LEAST) };
        let total = scorer.score((&terms, asked(text)), wanted, scratch, &mut candidates);
        ranking::exact::prefer(&terms, (self.tools, &index.slots), weights.exact, &mut candidates);
        ranking::sentences::raise(&scorer, self.tools, &terms, &mut candidates);
        let whole = needs::Whole { text, clauses: &clauses, words: terms.len() };
        let found_needs = needs::raise(&scorer, &interpreter, whole, scratch, &mut candidates);
        let leaders: Vec<Leader> =
            found_needs.iter().filter_map(|(_, leader)| leader.filter(|leader| leader.leads)).collect();
        let total = total + ranking::host_scores::add(self.scores, &scorer, &mut candidates);

        let named = self.named(&scorer, text, &clauses);
        let (ranked, crowded) = self.ranked(&candidates, &leaders, &named);
        // What is written as a name means the tool of that name.
        let beside = if !named.is_empty() && has_identifier(text) { None } else { answer::crowding::beside(&ranked) };
        // What the host says changes the order; how sure that is, words say.
        let best = ranked.first().map_or(0.0, Candidate::by_words);
        // What a query demands does not change what chance would find.
        let over_chance = named.is_empty().then(|| {
            let scorer = Scorer::new(index, statistics.for_chance(), &weights);
            calibration::confidence::over_chance(
                &scorer,
                scratch,
                (best, ranked.first().map(|first| first.slot)),
                &terms,
            )
        });
        let confidence =
            over_chance.map_or(Confidence::High, |over| calibration::confidence::confidence(over, terms.len()));
        let chance = over_chance.filter(|over| *over > 0.0).map_or(0.0, |over| best / over);
        let likelihood = Likelihood::over(&candidates, chance);
        let answer = Answer {
            scorer: &scorer,
            tools: self.tools,
            text,
            terms: &terms,
            candidates: &candidates,
            total,
            ranked: &ranked,
            crowded: &crowded,
            likelihood,
        };
        let found = answer.found(&named, &found_needs, beside, (confidence, over_chance), (self.most, self.explained));
        scratch.candidates = candidates;
        found
    }

    /// The tools that a request names.
    fn named(&self, scorer: &Scorer<'_>, text: &str, clauses: &[&str]) -> Vec<Slot> {
        if !self.without.keeps(Ingredient::Identity) {
            return Vec::new();
        }
        let place = |slot| self.statistics.place(slot).filter(|_| scorer.admits(slot));
        in_request(&self.index.names, (text, clauses), place, |slot| self.index.columns.servers[slot])
    }

    /// The tools that are named, then as many of the best others as are wanted: each clause has its leader among the first,
    /// and no server takes all places. Also a tool of each server that had to leave one.
    fn ranked(&self, candidates: &[Candidate], leaders: &[Leader], named: &[Slot]) -> (Vec<Candidate>, Vec<Slot>) {
        // So many that those which are named or moved up may be missing from among the others.
        let wanted = self.most.max(needs::places(leaders)).saturating_add(leaders.len() + named.len());
        let mut ranked = self.best(candidates, wanted);
        if ranked.len() == wanted && !leaders.is_empty() {
            let left_out = |candidate: &&Candidate| {
                leaders.iter().any(|leader| leader.slot == candidate.slot)
                    && ranked.iter().all(|other| other.slot != candidate.slot)
            };
            let late: Vec<Candidate> = candidates.iter().filter(left_out).copied().collect();
            ranked.extend(self.best(&late, late.len()));
        }
        // With what the host says, the order is no longer one by words, which leaders are found by.
        if self.scores.is_empty() {
            ranked = needs::place_leaders(leaders, ranked);
        }
        let scored = |slot: Slot| {
            let scored = candidates.iter().find(|candidate| candidate.slot == slot).copied();
            let server_number = self.index.columns.servers[slot];
            scored.unwrap_or(Candidate { slot, server_number, ..Candidate::default() })
        };
        ranked.retain(|candidate| !named.contains(&candidate.slot));
        ranked.splice(0..0, named.iter().map(|slot| scored(*slot)));
        let crowded = answer::crowding::share_places(&mut ranked, named.len(), |known, server| {
            let is_other = |one: &&Candidate| {
                one.server_number != server && known.iter().all(|candidate| candidate.slot != one.slot)
            };
            let others: Vec<Candidate> = candidates.iter().filter(is_other).copied().collect();
            self.best(&others, 1).pop()
        });
        (ranked, crowded)
    }

    /// The best candidates, best first, equals in catalog order.
    fn best(&self, candidates: &[Candidate], most: usize) -> Vec<Candidate> {
        let place = |at: usize| self.statistics.place(candidates[at].slot);
        let scores: Vec<f64> = candidates.iter().map(Candidate::score).collect();
        top_k(&scores, most, &|a, b| place(a).cmp(&place(b))).into_iter().map(|at| candidates[at]).collect()
    }
}
