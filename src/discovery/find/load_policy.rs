//! Selects the hits of a page that a search loads: only where the ranker is sure, only hits that fit about as well as
//! the best, within a budget, and only tools that the query may load unasked.

use std::cell::LazyCell;
use std::rc::Rc;

use crate::catalog::{Catalog, Effect, Tool};
use crate::discovery::surface::Budget;
use crate::search::{Confidence, Found, Query, Stage};

use super::intent::Intent;

/// Hits beside the first are loaded if they fit at least so well beside it, by words.
const AS_GOOD: f64 = 0.6;

/// The tools to load of those on a page that are held back, which come with their scores.
pub(super) fn to_load<'c>(
    query: &Query<'_>,
    found: &Found,
    catalog: &Catalog,
    held: &[(&'c Rc<Tool>, f64)],
    budget: Budget,
) -> Vec<&'c Rc<Tool>> {
    // A reveal makes the conversation new for the prompt cache, so that doubtful hits are only listed.
    if found.verdict.as_ref().is_some_and(|verdict| verdict.confidence != Confidence::High) {
        return Vec::new();
    }
    let are_named = found.stage == Stage::Select && matches!(query, Query::Select(_));
    // Most hits read, and may be loaded whatever the query asks for.
    let intent = LazyCell::new(|| Intent::of(query));
    let best = found.hits.first().map_or(0.0, |hit| hit.by_words);
    // The best tool for a part of the query is loaded for that part, however well other tools fit the other parts.
    let leads = |tool: &Rc<Tool>| found.leaders.iter().any(|at| catalog.tools()[*at].key == tool.key);
    let (mut candidates, mut others) = (Vec::with_capacity(held.len()), Vec::new());
    for (tool, score) in held {
        if !(are_named || is_harmless(tool) || intent.may_load(tool)) {
            continue;
        }
        if leads(tool) {
            candidates.push((*tool, 1.0));
        } else {
            others.push((*tool, score / best));
        }
    }
    candidates.extend_from_slice(&others);
    within(budget, &candidates)
}

/// Whether a tool may be loaded whatever the query asks for.
fn is_harmless(tool: &Tool) -> bool {
    matches!(tool.effect, Effect::Unknown | Effect::Read)
}

/// The tools that fit about as well as the best, as far as the budget goes; a tool that is too large for the rest of the
/// budget is left out. The best is loaded whatever it takes.
fn within<'h>(budget: Budget, held: &[(&'h Rc<Tool>, f64)]) -> Vec<&'h Rc<Tool>> {
    let mut left = budget;
    let mut loaded = Vec::new();
    for &(tool, share) in held.iter().filter(|(_, share)| *share >= AS_GOOD) {
        let tokens = tool.tokens();
        let is_best = loaded.is_empty() && share >= 1.0;
        if left.tools > 0 && (is_best || tokens <= left.tokens) {
            loaded.push(tool);
            left = Budget { tools: left.tools - 1, tokens: left.tokens.saturating_sub(tokens) };
        }
    }
    loaded
}
