//! The results of a search that the model made, and what they reveal: the same for every shape of answer.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::discovery::context::Context;
use crate::discovery::surface::Reveal;
use crate::error::{Error, ErrorCode, Result};
use crate::search::{Explained, Found, Hit, Search, Stage};
use crate::session::{Session, ToolState};

/// Tools that a search loads where no setting bounds it, so that the query `.*` does not load the whole catalog. One of the
/// published systems has the same bound.
const REVEALED_BY_SEARCH: usize = 5;

/// How many tools a query is searched among, and at most `most` of those that it finds.
pub(super) fn found_for(context: &Context<'_>, query: &str, most: usize) -> Result<(usize, Found)> {
    let (corpus, whole) = (context.corpus, context.whole);
    let explained = Explained { first: 0, tool: None };
    let (settings, index, catalog) = (&context.settings.search, context.index, context.catalog);
    let (owner, scores) = (context.owner, context.scores);
    let found = Search { settings, index, catalog, corpus, whole, owner, scores, most, explained }.find(query)?;
    Ok((corpus.len(), found))
}

/// The results of a search: the tools that are shown, best first, and how many were searched.
pub(super) struct Results<'c> {
    pub tools: Vec<(&'c Arc<Tool>, Hit)>,
    pub searched: usize,
}

impl<'c> Results<'c> {
    /// Searches for a query that the model wrote, for as many hits as it asked for.
    pub(super) fn of(context: &Context<'c>, query: &str, asked: Option<usize>) -> Result<Self> {
        let settings = &context.settings.search;
        let loads = context.settings.reveal == Reveal::OnSearch && settings.hits.is_none() && asked.is_none();
        let asked = if loads { Some(REVEALED_BY_SEARCH) } else { asked };
        let (searched, found) = found_for(context, query, settings.shown(Stage::Sift, asked))?;
        let shown = settings.shown(found.stage, asked);
        let mut tools = Vec::new();
        for hit in found.hits.into_iter().take(shown) {
            tools.push((&context.catalog.tools()[hit.index], hit));
        }
        Ok(Results { tools, searched })
    }

    /// Reveals the results, where a search does that.
    pub(super) fn reveal(&self, context: &Context<'_>, session: &mut Session) -> Vec<Arc<str>> {
        let tools: Vec<&Arc<Tool>> = self.tools.iter().map(|(tool, _)| *tool).collect();
        reveal(context, session, &tools)
    }
}

/// Reveals tools, where a search does that, as far as the session has room. Returns those that were not revealed before.
pub(super) fn reveal(context: &Context<'_>, session: &mut Session, tools: &[&Arc<Tool>]) -> Vec<Arc<str>> {
    if context.settings.reveal != Reveal::OnSearch {
        return Vec::new();
    }
    let mut names = Vec::new();
    for tool in tools {
        let is_new = context.state(tool, session) == ToolState::Deferred;
        if is_new && session.reveal(tool, &context.settings.bounds, context.catalog).is_ok() {
            names.push(tool.model_name.clone());
        }
    }
    names
}

/// Counts a search against the searches that the session may make in a minute.
pub(super) fn admit(context: &Context<'_>, session: &mut Session) -> Result<()> {
    let most = context.settings.searches_per_minute;
    let (Some(now), true) = (context.turn.now, most > 0) else { return Ok(()) };
    if session.may_search(now, most) {
        return Ok(());
    }
    let message = format!("{} has searched {most} times within a minute, its limit; wait a little", session.id());
    Err(Error::new(ErrorCode::RateLimited, message))
}
