//! Runs a search with our own ranker. It compares every word of the query, its forms, its synonyms and its likely corrections with
//! the fields of each tool: name, server, description and parameters. Then it rates how well each tool fits as a whole. Tools
//! whose exact name the query has come first.

use crate::catalog::{Catalog, Owner};
use crate::search::hit::{Confidence, Explained, Found};
use crate::search::ids::Doc;
use crate::search::index::Index;

use super::analysis::sentences::clauses;
use super::answer::{
    self, Answer,
    needs::{self, Leader},
};
use super::calibration;
use super::calibration::Likelihood;
use super::corpus::Corpus;
use super::query::named::{has_identifier, in_request};
use super::query::terms::Interpreter;
use super::ranker_options::{Ingredient, Weights};
use super::ranking::Candidate;
use super::ranking::scratch::{Scratch, with_scratch};
use super::ranking::{self, Scorer};
use super::settings::{Cutoff, SearchSettings};

/// The minimum number of tools after the first stage: the second stage may change their order.
const KEPT: usize = 64;
/// The minimum for a request of several clauses, each of which may raise a tool.
const KEPT_OF_CLAUSES: usize = 128;

/// A search over some tools of a catalog. Hits refer to tools by their positions in the catalog.
pub struct Search<'a> {
    /// The settings.
    pub settings: &'a SearchSettings,
    /// The index, up to date with the catalog.
    pub index: &'a Index,
    /// The tools of the catalog.
    pub catalog: &'a Catalog,
    /// The tools that are searched.
    pub corpus: &'a Corpus,
    /// The tools over which words are counted: the searched tools, and those that the host's list of visible tools
    /// leaves out.
    pub whole: &'a Corpus,
    /// The session that searches, since names may mean tools of its own.
    pub owner: Owner,
    /// The host's own scores of tools, by position in the catalog, from 0 to 1. Only the sift ranker adds them.
    pub scores: &'a [(u32, f64)],
    /// The number of hits that are wanted.
    pub most: usize,
    /// The hits for which reasons are wanted.
    pub explained: Explained,
}

impl Search<'_> {
    /// Ranks tools with our own ranker by how well they fit a text, best first, equal ones in catalog order. `only` says
    /// by document which tools may be hits; `None` means all.
    pub(super) fn sift(&self, text: &str, only: Option<&[bool]>) -> Found {
        with_scratch(|scratch| self.sift_with(text, only, scratch))
    }

    fn sift_with(&self, text: &str, only: Option<&[bool]>, scratch: &mut Scratch) -> Found {
        let (index, tools, without) = (self.index, self.catalog.tools(), self.settings.without);
        // The number of hits after a cutoff is known only if all hits are found.
        let most = if self.settings.cutoff == Cutoff::None { self.most } else { usize::MAX };
        let weights = Weights::of(without);
        let view = self.whole.view(index, without);
        let scorer = Scorer::new(index, view, &weights).among(only);
        let clauses = clauses(text);
        let interpreter = Interpreter::of(text, index, view, &weights, &self.whole.words);
        let query = interpreter.read(text);
        let terms = &query.terms;

        let mut candidates = std::mem::take(&mut scratch.candidates);
        let kept = match clauses.len() {
            // The host's scores may raise any tool.
            _ if !self.scores.is_empty() => usize::MAX,
            0 | 1 => KEPT,
            _ => KEPT_OF_CLAUSES,
        };
        let wanted = most.max(kept);
        let matched = scorer.score(&query, wanted, scratch, &mut candidates);
        ranking::sentences::raise(&scorer, tools, terms, &mut candidates);
        let found_needs = needs::raise(&scorer, &interpreter, text, &clauses, terms.len(), scratch, &mut candidates);
        let leaders: Vec<Leader> =
            found_needs.iter().filter_map(|(_, leader)| leader.filter(|leader| leader.leads)).collect();
        let total = matched.tools + ranking::host_scores::add(self.scores, &scorer, &mut candidates);

        let named = self.named(&scorer, text, &clauses);
        let (ranked, crowded) = self.ranked(&scorer, &candidates, &leaders, &named, most);
        // A word that is written like a name means the tool of that name.
        let beside = if !named.is_empty() && has_identifier(text) { None } else { answer::crowding::beside(&ranked) };
        // Host scores reorder hits; confidence uses lexical scores only.
        let lexical = candidates.iter().max_by(|a, b| a.by_words().total_cmp(&b.by_words()));
        let first = if self.scores.is_empty() { ranked.first() } else { lexical };
        let best = first.map_or(0.0, Candidate::by_words);
        // Calibrate on the whole scope, ignoring `+word` and `server:` filters.
        let over_chance = named.is_empty().then(|| {
            let scorer = Scorer::new(index, view.for_null_scores(), &weights);
            let is_unenriched =
                view.are_some_unenriched(index) && first.is_some_and(|first| !index.columns.is_worded(first.doc));
            calibration::over_chance(&scorer, scratch, best, is_unenriched, terms)
        });
        let confidence = over_chance.map_or(Confidence::High, |over| calibration::confidence(over, terms.len()));
        let null_score = over_chance.filter(|over| *over > 0.0).map_or(0.0, |over| best / over);
        let likelihood = Likelihood::over(&candidates, matched.others, null_score);
        let answer = Answer {
            scorer: &scorer,
            tools,
            text,
            terms,
            total,
            ranked: &ranked,
            crowded: &crowded,
            likelihood,
            confidence,
            over_chance,
            most,
            explained: &self.explained,
        };
        let found = answer.found(&named, &found_needs, beside);
        scratch.candidates = candidates;
        found
    }

    /// Returns the tools that a request names.
    fn named(&self, scorer: &Scorer<'_>, text: &str, clauses: &[&str]) -> Vec<Doc> {
        if !self.settings.without.keeps(Ingredient::Identity) {
            return Vec::new();
        }
        let position = |doc| {
            let position = self.index.versions.position(doc)?;
            (self.whole.place_of(position).is_some() && scorer.admits(doc)).then_some(position)
        };
        in_request(&self.index.names, text, clauses, position, |doc| scorer.server(doc))
    }

    /// Returns the named tools, then the best others: each clause has its leader among the first, and no server takes
    /// all places. The second list has a tool of each server that had to give up a place.
    fn ranked(
        &self,
        scorer: &Scorer<'_>,
        candidates: &[Candidate],
        leaders: &[Leader],
        named: &[Doc],
        most: usize,
    ) -> (Vec<Candidate>, Vec<Doc>) {
        // Named tools among them are removed below.
        let mut ranked = scorer.best_of(candidates, most.max(KEPT_OF_CLAUSES).saturating_add(named.len()));
        // With host scores, the order is not by words alone, but leaders are found by words.
        if self.scores.is_empty() {
            ranked = needs::place_leaders(leaders, ranked);
        }
        let scored = |doc: Doc| {
            let scored = candidates.iter().find(|candidate| candidate.doc == doc).copied();
            scored.unwrap_or(Candidate { doc, server: scorer.server(doc), ..Candidate::default() })
        };
        ranked.retain(|candidate| !named.contains(&candidate.doc));
        ranked.splice(0..0, named.iter().map(|doc| scored(*doc)));
        let crowded = answer::crowding::share_places(&mut ranked, named.len());
        (ranked, crowded)
    }
}
