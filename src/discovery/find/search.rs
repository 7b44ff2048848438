//! Searches for a call, within the rate that the settings allow, and reveals what a search found. This is the same for every
//! answer.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::discovery::context::{Context, Visible};
use crate::discovery::surface::Reveal;
use crate::error::{Error, ErrorCode, Result};
use crate::search::{Corpus, Explained, Found, Search, Stage};
use crate::session::ToolState;

/// Tools that a search loads where no setting bounds it, so that the query `.*` does not load the whole catalog. One of the
/// published systems has the same bound.
const REVEALED_BY_SEARCH: usize = 5;

/// A tool that is shown.
pub(super) struct Shown<'c> {
    pub tool: &'c Arc<Tool>,
    pub score: f64,
}

/// Checks that there are tools, and that the host says which of them are visible, where it means to.
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

/// Counts a search against the searches that the session may make in a minute.
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

/// At most `most` of the tools that a query of the model finds.
pub(super) fn find(context: &Context<'_>, query: &str, most: usize) -> Result<Found> {
    find_among(context, query, most, context.scores, [context.corpus, context.whole])
}

/// At most `most` of the tools of a corpus that a query finds, where words are counted over the second corpus, which has these
/// tools and maybe others, and the host says how well some tools fit the query.
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

/// The tools that are shown for a query, best first: as many as are wanted, or as the settings say.
pub(super) fn shown<'c>(context: &Context<'c>, query: &str, wanted: Option<usize>) -> Result<Vec<Shown<'c>>> {
    let settings = &context.settings.search;
    let loads = context.settings.reveal == Reveal::OnSearch && settings.hits.is_none() && wanted.is_none();
    let wanted = if loads { Some(REVEALED_BY_SEARCH) } else { wanted };
    let found = find(context, query, settings.shown(Stage::Sift, wanted))?;
    let most = settings.shown(found.stage, wanted);
    let hits = found.hits.into_iter().take(most);
    Ok(hits.map(|hit| Shown { tool: &context.catalog.tools()[hit.index], score: hit.score }).collect())
}

/// Reveals tools, where a search does that, as far as the bounds of the session allow. Returns those that were not revealed
/// before.
pub(super) fn reveal<'c>(context: &mut Context<'_>, tools: impl Iterator<Item = &'c Arc<Tool>>) -> Vec<Arc<str>> {
    let mut names = Vec::new();
    for tool in tools.filter(|_| context.settings.reveal == Reveal::OnSearch) {
        if context.state(tool) == ToolState::Deferred && context.reveal(tool).is_ok() {
            names.push(tool.model_name.clone());
        }
    }
    names
}
