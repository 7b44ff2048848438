//! Selects the hits of a page that a search loads: as few as probably include the wanted tool, within a budget, and
//! only tools that the query allows. If too many tools fit equally well, none is loaded, and the answer lists them.

use std::cell::LazyCell;
use std::sync::Arc;

use crate::catalog::{Effect, Tool};
use crate::discovery::surface::Budget;
use crate::search::{Confidence, Found, Hit, Query, Stage};

use super::intent::Intent;

/// Hits are loaded until the wanted tool is among them with this probability. A tool loaded in vain costs its
/// definition, and changes the tool list, so that the prompt cache is lost.
const WANTED: f64 = 0.95;
/// If the hits that may be loaded cannot reach that probability, they are loaded if they reach this one.
const SUFFICIENT: f64 = 0.7;
/// A hit of a lower likelihood is not loaded to reach these probabilities.
const LEAST_LIKELIHOOD: f64 = 0.02;
/// The best tool for a part of a query leads that part, and is loaded for it, if its likelihood is at least this.
pub(super) const LEADS: f64 = 0.5;
/// A tool of another server than the first tool's is loaded only if it leads a part of the query, or if its likelihood
/// is at least this share of the first one's. Two thirds of the first one's score reach that.
const BY_ITSELF: f64 = 0.1;
/// A refused tool of at least this share of the best one's likelihood may be the wanted tool.
const RIVALS: f64 = 0.5;
/// If hits have no likelihood, those with at least this share of the best score are loaded.
const AS_GOOD: f64 = 0.6;

/// A tool with its hit.
type Candidate<'c, 'f> = (&'c Arc<Tool>, &'f Hit);

/// A page of hits.
pub(super) struct Page<'c, 'f> {
    /// The hits whose tools are deferred.
    pub held: Vec<Candidate<'c, 'f>>,
    /// The probability that one of the page's other hits is wanted. The model has these tools already.
    pub known: f64,
    /// The sum of the likelihoods on earlier pages. By asking again the model has rejected these hits.
    pub passed: f64,
}

/// Returns the tools of a page to load.
pub(super) fn to_load<'c>(query: &Query<'_>, found: &Found, page: &Page<'c, '_>, budget: Budget) -> Vec<&'c Arc<Tool>> {
    let intent = LazyCell::new(|| Intent::of(query));
    let best = found.hits.first();
    match found.verdict.as_ref().map(|verdict| verdict.confidence) {
        Some(Confidence::None) => return Vec::new(),
        // The best hit is loaded if the query has its whole name, and with it the alternative of another server.
        Some(Confidence::Low) => {
            let named = page
                .held
                .first()
                .filter(|(tool, hit)| Some(hit.index) == best.map(|best| best.index) && intent.spells(tool));
            let beside = |hit: &Hit, tool: &Tool| Some(hit.index) == found.beside && intent.may_load(tool);
            let held = page.held.iter().enumerate().filter(|(at, (tool, hit))| *at == 0 || beside(hit, tool));
            return held.filter(|_| named.is_some()).map(|(_, (tool, _))| *tool).take(budget.tools).collect();
        }
        _ => {}
    }
    // A small server that the query asks for by name is loaded, without tools that destroy; a larger one is only
    // listed.
    if found.stage == Stage::Select && matches!(query, Query::Words(_)) {
        let tokens: usize = page.held.iter().map(|(tool, _)| tool.tokens()).sum();
        let is_small = found.total <= budget.tools && tokens <= budget.tokens;
        let tools = page.held.iter().map(|(tool, _)| *tool);
        return tools.filter(|tool| is_small && tool.effect != Effect::Destroy).collect();
    }
    let is_best = |hit: &Hit| best.is_some_and(|best| best.index == hit.index);
    let may_load = |tool: &Tool| may_load(query, found, &intent, tool);
    let leads = |hit: &Hit| found.leads(hit, LEADS);
    // The tools that lead a part of the query come first, then as many others as necessary. Refused tools do not
    // count. There is one exception: the best tool changes something, the query does not rule the refused tool out, and
    // the refused tool is at least half as likely as the best one.
    let (allowed, refused): (Vec<_>, Vec<_>) = page.held.iter().copied().partition(|(tool, _)| may_load(tool));
    let (mut chosen, mut others): (Vec<_>, Vec<_>) = allowed.into_iter().partition(|(_, hit)| leads(hit));
    let add = |sum: f64, (_, hit): &Candidate<'_, '_>| sum + hit.likelihood.unwrap_or(0.0);
    if best.is_some_and(|best| best.likelihood.is_some()) {
        let first = page.held.first().filter(|(tool, hit)| is_best(hit) && !is_harmless(tool));
        let least = first.and_then(|(_, hit)| hit.likelihood).map_or(f64::INFINITY, |best| RIVALS * best);
        let is_rival = |hit: &Hit| hit.likelihood.is_some_and(|likelihood| likelihood >= least);
        let ruled_out = refused.iter().filter(|(tool, hit)| intent.rules_out(tool) || !is_rival(hit));
        let meant = (1.0 - ruled_out.fold(page.passed, add)).max(0.0);
        let known = page.known + chosen.iter().fold(0.0, add);
        others = likely(&others, known, meant, budget.tools.saturating_sub(chosen.len()));
    } else {
        others.retain(|(_, hit)| best.is_some_and(|best| hit.score >= AS_GOOD * best.score));
    }
    chosen.extend(others);
    // Many servers have tools for common tasks. Such tools are not loaded together just because every server has one.
    if let Some((first, most)) = chosen.first().map(|(tool, hit)| (*tool, hit.likelihood)) {
        let fits = |hit: &Hit| hit.likelihood.zip(most).is_none_or(|(this, most)| this >= BY_ITSELF * most);
        chosen.retain(|(tool, hit)| tool.key.server == first.key.server || leads(hit) || fits(hit));
    }
    // If the best tool may not be loaded, no other tool is loaded in its place.
    if let Some((tool, _)) = page.held.first().filter(|(tool, hit)| is_best(hit) && !may_load(tool)) {
        chosen.retain(|(other, hit)| leads(hit) || intent.may_replace(tool, other));
    }
    // A server must not get its tools loaded at the cost of another server that fits too: the best tool of that server
    // is also loaded.
    let is_alternative = |hit: &Hit| Some(hit.index) == found.beside;
    let alternative = page.held.iter().find(|(tool, hit)| !chosen.is_empty() && is_alternative(hit) && may_load(tool));
    chosen.retain(|(_, hit)| !is_alternative(hit));
    let tools = budget.tools.saturating_sub(usize::from(alternative.is_some())).max(1).min(budget.tools);
    let mut loaded = within(Budget { tools, ..budget }, is_best, &chosen);
    let fits = |tool: &Tool| loaded.len() < budget.tools && tool.tokens() <= budget.tokens;
    loaded.extend(alternative.map(|(tool, _)| *tool).filter(|tool| fits(tool)));
    loaded
}

/// Returns the tools of a page that clearly fit, but are not loaded because of their effect: the best one, and those
/// that lead a part of the query.
pub(super) fn withheld<'c>(query: &Query<'_>, found: &Found, page: &Page<'c, '_>) -> Vec<&'c Arc<Tool>> {
    if found.verdict.as_ref().is_none_or(|verdict| verdict.confidence != Confidence::High) {
        return Vec::new();
    }
    let intent = LazyCell::new(|| Intent::of(query));
    let is_best = |hit: &Hit| found.hits.first().is_some_and(|best| best.index == hit.index);
    let fits = page.held.iter().filter(|(_, hit)| is_best(hit) || found.leads(hit, LEADS));
    fits.map(|(tool, _)| *tool).filter(|tool| !may_load(query, found, &intent, tool)).collect()
}

/// Returns true if no effect of the tool other than reading is known.
fn is_harmless(tool: &Tool) -> bool {
    matches!(tool.effect, Effect::Unknown | Effect::Read)
}

/// Returns true if a search may load a tool. Tools that only read may always be loaded, and so may tools that the query
/// lists by name.
pub(super) fn may_load(
    query: &Query<'_>,
    found: &Found,
    intent: &LazyCell<Intent, impl FnOnce() -> Intent>,
    tool: &Tool,
) -> bool {
    is_harmless(tool) || (found.stage == Stage::Select && matches!(query, Query::Select(_))) || intent.may_load(tool)
}

/// Returns the tools that the query names, and as many further hits as necessary until the wanted tool is probably
/// among them; no further hits if they do not suffice for that. `covered` is the probability that the model has the
/// wanted tool already, and `meant` the probability that is not ruled out.
fn likely<'c, 'f>(
    candidates: &[Candidate<'c, 'f>],
    mut covered: f64,
    meant: f64,
    most: usize,
) -> Vec<Candidate<'c, 'f>> {
    let (mut named, mut likely) = (Vec::new(), Vec::new());
    for (tool, hit) in candidates {
        let likelihood = hit.likelihood.unwrap_or(0.0);
        if likelihood >= 1.0 {
            named.push((*tool, *hit));
        } else if covered < WANTED * meant && likelihood >= LEAST_LIKELIHOOD && likely.len() < most {
            likely.push((*tool, *hit));
        } else {
            continue;
        }
        covered += likelihood;
    }
    if covered >= SUFFICIENT * meant {
        named.extend(likely);
    }
    named
}

/// Returns the tools that fit into the budget; a tool that is too large for the rest of the budget is left out. The
/// best hit is loaded whatever it takes.
fn within<'c>(
    mut budget: Budget,
    is_best: impl Fn(&Hit) -> bool,
    candidates: &[Candidate<'c, '_>],
) -> Vec<&'c Arc<Tool>> {
    let mut loaded = Vec::new();
    for (tool, hit) in candidates {
        let tokens = tool.tokens();
        if budget.tools > 0 && (tokens <= budget.tokens || (loaded.is_empty() && is_best(hit))) {
            loaded.push(*tool);
            budget = Budget { tools: budget.tools - 1, tokens: budget.tokens.saturating_sub(tokens) };
        }
    }
    loaded
}
