//! Handles requests that ask for several things, so that each clause of a request finds tools.

use crate::map::Map;
use crate::search::answer::crowding::PAGE;
use crate::search::calibration::Likelihood;
use crate::search::ids::Doc;
use crate::search::query::terms::{Interpreter, QueryTerm};
use crate::search::ranking::Candidate;
use crate::search::ranking::Scorer;
use crate::search::ranking::scratch::Scratch;

/// The maximum number of clauses that are searched separately.
const MOST_CLAUSES: usize = 12;
/// The number of tools that are kept for a clause.
const CLAUSE_HITS: usize = 64;
/// A text of more words is a story, whose sentences need not all find tools, unless it is written in lines.
const LIST_WORDS: usize = 16;
/// The minimum score of a tool for a clause to get a place for it.
const LEADS_FROM: f64 = 0.5;
/// With at least this likelihood, half of [`LEADS_FROM`] is enough: no other tool has the words of the clause.
const LIKELY: f64 = 0.8;

/// The tool that fits a clause best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leader {
    pub doc: Doc,
    /// The probability that the clause means this tool.
    pub likelihood: f64,
    /// True if it fits well enough to get a place.
    pub leads: bool,
}

/// Raises tools that fit a clause of a request of this number of words. Returns the clauses, each
/// with its best tool if that tool has at least half of the score that it needs to get a place.
pub(crate) fn raise<'a>(
    scorer: &Scorer<'_>,
    interpreter: &Interpreter<'_>,
    text: &'a str,
    clauses: &[&'a str],
    words: usize,
    scratch: &mut Scratch,
    candidates: &mut [Candidate],
) -> Vec<(&'a str, Option<Leader>)> {
    let mut needs = Vec::new();
    if scorer.weights.intents == 0.0 || !(2..=MOST_CLAUSES).contains(&clauses.len()) {
        return needs;
    }
    let mut best_of: Map<Doc, f64> = Map::default();
    let mut fits: Vec<Candidate> = Vec::new();
    let place = |candidate: &Candidate| scorer.position(candidate.doc);
    for clause in clauses {
        let query = interpreter.read(clause);
        let terms = &query.terms;
        let share = terms.len() as f64 / words.max(1) as f64;
        let matched = scorer.score(&query, CLAUSE_HITS, scratch, &mut fits);
        for candidate in &fits {
            let best = best_of.entry(candidate.doc).or_default();
            *best = best.max(candidate.score() * share);
        }
        if words > LIST_WORDS && !text.contains('\n') {
            continue;
        }
        // Of equal tools, the first in the catalog.
        let ahead = fits.iter().reduce(|best, candidate| {
            let order = candidate.score().total_cmp(&best.score()).then_with(|| place(best).cmp(&place(candidate)));
            if order.is_gt() { candidate } else { best }
        });
        // A word that no tool has does not lower the best tool's chance, but a clause with few known words does.
        let known = known_share(terms).max(LEADS_FROM);
        let likelihood = Likelihood::over(&fits, matched.others, 0.0);
        let leader = |best: &Candidate| {
            let likelihood = likelihood.of(best.score());
            let leads = likelihood >= LIKELY || best.score() >= LEADS_FROM * known;
            (best.score() >= LEADS_FROM / 2.0 * known).then_some(Leader { doc: best.doc, likelihood, leads })
        };
        if !terms.is_empty() {
            needs.push((*clause, ahead.and_then(leader)));
        }
    }
    for candidate in candidates {
        candidate.intent = scorer.weights.intents * best_of.get(&candidate.doc).copied().unwrap_or(0.0);
    }
    needs
}

/// Returns the share of a request, by weight, whose words the catalog knows.
fn known_share(terms: &[QueryTerm]) -> f64 {
    let weight = |term: &QueryTerm| if term.expanded.is_unknown() { 0.0 } else { term.weight };
    let (known, all) = terms.iter().fold((0.0, 0.0), |(known, all), term| (known + weight(term), all + term.weight));
    if all > 0.0 { known / all } else { 0.0 }
}

/// Moves every leader to one of the first places. The last tools there that lead no clause give up their places; the
/// first hit keeps its place.
#[inline(never)]
pub(crate) fn place_leaders(leaders: &[Leader], ranked: Vec<Candidate>) -> Vec<Candidate> {
    let places = PAGE.max(leaders.len());
    if leaders.is_empty() || ranked.len() <= places {
        return ranked;
    }
    let leads = |candidate: &Candidate| leaders.iter().any(|leader| leader.doc == candidate.doc);
    let late = ranked[places..].iter().filter(|candidate| leads(candidate)).count();
    let give_way: Vec<usize> = (1..places).rev().filter(|at| !leads(&ranked[*at])).take(late).collect();
    let (mut first, mut moved, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for (at, candidate) in ranked.into_iter().enumerate() {
        if give_way.contains(&at) {
            moved.push(candidate);
        } else if at < places || (leads(&candidate) && first.len() < places) {
            first.push(candidate);
        } else {
            rest.push(candidate);
        }
    }
    first.into_iter().chain(moved).chain(rest).collect()
}
