//! The answer in plain words: what was loaded, a line for every other hit, and how sure the ranker is. The same search again
//! shows the next page, until the catalog changes.

use std::sync::Arc;

use crate::catalog::{NO_SERVER, Tool, safe_alias};
use crate::discovery::context::Context;
use crate::discovery::outcome::Facts;
use crate::discovery::surface::{Action, DiscoverySettings, Reveal};
use crate::error::Result;
use crate::markers::{ITEM, LOADED, LOADED_BEFORE};
use crate::search::{Confidence, Found, Hit, Query, Stage, Verdict, pattern_fault};
use crate::session::ToolState;
use crate::text::{joined, one_line, short_list};

use super::load_policy::{Page, to_load};
use super::search::{find, reveal};

pub(super) fn call(context: &mut Context<'_>, query: &str, wanted: Option<usize>) -> Result<Facts> {
    let (settings, catalog) = (context.settings, context.catalog);
    let key = context.search_key(query);
    let earlier = context.session.shown(&key);
    let found = find(context, query, earlier.saturating_add(settings.search.shown(Stage::Sift, wanted)))?;
    let from = earlier.min(found.hits.len());
    let to = found.hits.len().min(from.saturating_add(settings.search.shown(found.stage, wanted)));
    context.session.show(&key, to);

    let likelihood = |hit: &Hit| hit.likelihood.unwrap_or(0.0);
    let mut page = Page { held: Vec::new(), known: 0.0, passed: found.hits[..from].iter().map(likelihood).sum() };
    let mut known: Vec<&Arc<Tool>> = Vec::new();
    for hit in &found.hits[from..to] {
        let tool = &catalog.tools()[hit.index];
        if context.state(tool) == ToolState::Deferred {
            page.held.push((tool, hit));
        } else {
            // A tool that this answer calls loaded must not be evicted for one that it loads now.
            context.session.touch(&tool.key);
            known.push(tool);
            page.known += likelihood(hit);
        }
    }
    let read = Query::read(settings.search.grammar, query);
    let revealed = reveal(context, to_load(&read, &found, catalog, &page, settings.budget).into_iter());
    let held = page.held.iter().map(|(tool, _)| *tool);
    let (new, rest): (Vec<_>, Vec<_>) = held.partition(|tool| revealed.contains(&tool.model_name));

    let mut text = notes(context, &read, &found, from);
    text.push_str(&verdict(context, &found, from));
    let not_loaded = format!("Not loaded{}:", way(settings));
    for (heading, tools) in [(LOADED, new), (LOADED_BEFORE, known), (&not_loaded, rest)] {
        if !tools.is_empty() {
            let lines: String = tools.iter().map(|tool| line(context, tool)).collect();
            text.push_str(&format!("{heading}\n{lines}\n"));
        }
    }
    let more = found.total - to;
    if more > 0 {
        text.push_str(&format!("{more} more match less well; the same search again goes on with them."));
    }
    Ok(Facts::answer(text.trim().to_owned(), revealed))
}

/// What comes before the verdict: why a pattern was searched as words, and that the best hit, which an earlier page showed, is
/// loaded.
fn notes(context: &Context<'_>, query: &Query<'_>, found: &Found, from: usize) -> String {
    let mut text = String::new();
    if let (Query::Pattern(pattern), true) = (query, found.stage != Stage::Pattern) {
        let fault = pattern_fault(pattern);
        let why = fault.as_ref().map_or("no tool matches", |fault| fault.message());
        text.push_str(&format!("Searched as words: {why}.\n"));
    }
    let best = found.hits.first().filter(|_| from > 0).map(|hit| &context.catalog.tools()[hit.index]);
    if let Some(best) = best.filter(|tool| context.state(tool) != ToolState::Deferred) {
        text.push_str(&format!("{} is loaded already.\n", best.model_name));
    }
    text
}

/// How sure the ranker is of the hits from a place on.
fn verdict(context: &Context<'_>, found: &Found, from: usize) -> String {
    let Some(Verdict { confidence, unknown, closest, .. }) = &found.verdict else { return String::new() };
    if from > 0 && from >= found.hits.len() {
        return "These were all that match. Try other words.".to_owned();
    }
    let mut sentences = Vec::new();
    match confidence {
        _ if found.hits.is_empty() => sentences.push("No tool matches.".to_owned()),
        Confidence::High => {}
        Confidence::Low => sentences.push("It is not certain that any of these fits.".to_owned()),
        Confidence::None => sentences.push("No tool clearly fits; these came nearest.".to_owned()),
    }
    // In a request in words, unknown words are often the values to call the tool with; in a list of names they are mistakes.
    if !unknown.is_empty() && (*confidence != Confidence::High || found.stage == Stage::Select) {
        sentences.push(format!("No tool knows: {}.", short_list(&joined(unknown, ", "))));
    }
    if *confidence == Confidence::None && !closest.is_empty() {
        let servers = closest.iter().filter_map(|tool| context.catalog.tools()[*tool].server());
        let servers = joined(&servers.collect::<Vec<_>>(), ", ");
        sentences.push(format!("Closest servers: {}.", short_list(&servers)));
    }
    if sentences.is_empty() { String::new() } else { joined(&sentences, " ") + "\n\n" }
}

/// How the model loads the tools that were only listed.
fn way(settings: &DiscoverySettings) -> String {
    match (settings.name_of(Action::Add), settings.reveal) {
        (Some(add), _) => format!("; load what you need with {add}"),
        (None, Reveal::OnSearch) => "; search for the name to load one".to_owned(),
        (None, _) => String::new(),
    }
}

/// A tool on a line: its name, its parameters (optional ones with a question mark), and what it does. Where another server
/// has a tool of that name too, the line ends in the server.
fn line(context: &Context<'_>, tool: &Tool) -> String {
    let server = tool.server().unwrap_or(NO_SERVER);
    let server = if is_ambiguous(context, tool) { format!(" (server: {})", one_line(server)) } else { String::new() };
    [ITEM, &tool.model_name, tool.outline(), &server, "\n"].concat()
}

/// Whether a name leaves open which server's tool it is: it has no server in front, and the session may see another server's
/// tool that was registered under the same name.
fn is_ambiguous(context: &Context<'_>, tool: &Tool) -> bool {
    context.catalog.has_namesake(context.session.owner(), tool, |other| context.sees(other))
        && !tool.server().is_some_and(|server| tool.model_name.starts_with(&safe_alias(server)))
}
