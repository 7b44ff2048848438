//! Searches for a call, within the allowed rate of searches, and loads the hits. This is the same for every answer.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::discovery::context::{Context, Visible};
use crate::discovery::surface::Reveal;
use crate::error::{Error, ErrorCode, Result};
use crate::search::{Corpus, Explained, Found, Search, Stage};
use crate::session::ToolState;

/// The number of tools that a search loads if no setting limits it, so that the query `.*` does not load the whole
/// catalog. One of the published systems has the same limit.
const REVEALED_BY_SEARCH: usize = 5;

/// A tool that is shown, with its score.
pub(super) struct Shown<'c> {
    pub tool: &'c Arc<Tool>,
    pub score: f64,
}

/// Checks that there are tools, and that the host has not lost its list of visible tools.
///
/// # Errors
/// `no_registry`, `no_visible_tools`.
pub(super) fn check_turn(context: &Context<'_>) -> Result<()> {
    if context.catalog.positions_for(context.session.owner()).is_empty() {
        return Err(Error::new(ErrorCode::NoRegistry, "no tools are registered, so there is nothing to search"));
    }
    if context.turn.visible == Visible::Missing {
        return Err(Error::new(ErrorCode::NoVisibleTools, "this turn has no list of visible tools"));
    }
    Ok(())
}

/// Counts a search against the session's limit of searches per minute.
///
/// # Errors
/// `rate_limited`.
pub(super) fn admit(context: &mut Context<'_>) -> Result<()> {
    let most = context.settings.searches_per_minute;
    let (Some(now), true) = (context.turn.now, most > 0) else { return Ok(()) };
    if context.session.searches.admit(now, most) {
        return Ok(());
    }
    let id = context.session.id();
    let message = format!("{id} has searched {most} times within a minute, its limit; wait a little");
    Err(Error::new(ErrorCode::RateLimited, message))
}

/// Finds at most `most` tools for a query of the model.
pub(super) fn find(context: &Context<'_>, query: &str, most: usize) -> Result<Found> {
    find_among(context, query, most, context.scores, [context.corpus, context.whole])
}

/// Finds at most `most` tools of `corpus` for a query. Words are counted over `whole`, which has these tools and maybe
/// others. `scores` are the host's own scores by position.
pub(super) fn find_among(
    context: &Context<'_>,
    query: &str,
    most: usize,
    scores: &[(u32, f64)],
    [corpus, whole]: [&Corpus; 2],
) -> Result<Found> {
    let &Context { index, catalog, .. } = context;
    let (settings, owner) = (&context.settings.search, context.session.owner());
    let explained = Explained { first: 0, tool: None };
    Search { settings, index, catalog, corpus, whole, owner, scores, most, explained }.find(query)
}

/// Returns the tools that are shown for a query, best first: the wanted number, or the number in the settings.
pub(super) fn shown<'c>(context: &Context<'c>, query: &str, wanted: Option<usize>) -> Result<Vec<Shown<'c>>> {
    let settings = &context.settings.search;
    let loads = context.settings.reveal == Reveal::OnSearch && settings.hits.is_none() && wanted.is_none();
    let wanted = if loads { Some(REVEALED_BY_SEARCH) } else { wanted };
    let found = find(context, query, settings.shown(Stage::Sift, wanted))?;
    let most = settings.shown(found.stage, wanted);
    let hits = found.hits.into_iter().take(most);
    Ok(hits.map(|hit| Shown { tool: &context.catalog.tools()[hit.index], score: hit.score }).collect())
}

/// Loads tools, if searches load tools, as far as the limits of the session allow. Returns the names of those that were
/// not loaded before.
pub(super) fn reveal<'c>(context: &mut Context<'_>, tools: impl Iterator<Item = &'c Arc<Tool>>) -> Vec<Arc<str>> {
    let mut names = Vec::new();
    for tool in tools.filter(|_| context.settings.reveal == Reveal::OnSearch) {
        if context.state(tool) == ToolState::Deferred && context.reveal(tool).is_ok() {
            names.push(tool.model_name.clone());
        }
    }
    names
}
