//! Selects the tools to load for the user's own message, before the model is asked. Many messages need no tool, but a
//! tool loaded for one of them stays for the whole conversation. So the message must share words with the tool.

use std::cell::LazyCell;
use std::sync::Arc;

use crate::catalog::{Catalog, Tool};
use crate::discovery::surface::Budget;
use crate::search::{Confidence, Found, Hit, Query};

use super::intent::Intent;
use super::load_policy::{LEADS, may_load};

/// A hit is loaded if its score is at least this share of the best score. Among shares from 0.5 to 0.9, this one saves
/// the most on four of eight labelled sets, where each avoided search counts as about 800 tokens.
const NEARLY_AS_GOOD: f64 = 0.8;
/// At high confidence, the best tool must share at least this many content words with the message. Small talk seldom
/// shares one.
const WORDS: usize = 1;
/// At low confidence, the best tool must share at least this many. Requests that no tool serves often share one word
/// with some tool.
const WORDS_IN_DOUBT: usize = 2;
/// At low confidence, the sum of the hits' likelihoods must be at least this. A long message that no tool serves
/// matches many tools equally well.
const LIKELY: f64 = 0.25;
/// If the best tool has an enrichment, it must share this many times as many words: some of its hundreds of words occur
/// in any message. With this factor, 3 of 100 messages of small talk load a tool of a catalog with enrichments; without
/// it, 16 do. No plain request that loaded its tool ahead is lost by it.
const WITH_ENRICHMENT: usize = 2;

/// Returns the best hits whose scores are close to the first one.
pub(super) fn ahead<'c>(query: &Query<'_>, found: &Found, catalog: &'c Catalog, budget: Budget) -> Vec<&'c Arc<Tool>> {
    if !is_meant(found, catalog) {
        return Vec::new();
    }
    let intent = LazyCell::new(|| Intent::of(query));
    let tool = |hit: &Hit| &catalog.tools()[hit.index];
    let may_load = |tool: &Tool| may_load(query, found, &intent, tool);
    let best = found.hits.first();
    // If the best tool may not be loaded, a hit of a similar score is loaded instead only if the intent allows it.
    let refused = best.map(tool).filter(|tool| !may_load(tool));
    let may_replace = |hit: &Hit| refused.is_none_or(|refused| intent.may_replace(refused, tool(hit)));
    let is_good = |hit: &Hit| best.is_some_and(|best| hit.score >= NEARLY_AS_GOOD * best.score) && may_replace(hit);
    let tools = found.hits.iter().filter(|hit| is_good(hit) || found.leads(hit, LEADS)).map(tool);
    let allowed = tools.filter(|tool| may_load(tool));
    let mut left = budget;
    let mut chosen = Vec::new();
    for tool in allowed.take(budget.tools) {
        if let Some(tokens) = left.tokens.checked_sub(tool.tokens()) {
            left.tokens = tokens;
            chosen.push(tool);
        }
    }
    chosen
}

/// Returns true if a message probably asks for its best tool. A message that names a tool always does.
fn is_meant(found: &Found, catalog: &Catalog) -> bool {
    let Some(verdict) = &found.verdict else { return true };
    let likelihood: f64 = found.hits.iter().filter_map(|hit| hit.likelihood).sum();
    let wanted = match verdict.confidence {
        Confidence::High => WORDS,
        Confidence::Low if likelihood >= LIKELY => WORDS_IN_DOUBT,
        _ => return false,
    };
    let Some((shared, best)) = verdict.shared_words.zip(found.hits.first()) else { return true };
    let has_enrichment = !catalog.tools()[best.index].queries().is_empty();
    shared >= if has_enrichment { WITH_ENRICHMENT * wanted } else { wanted }
}
