//! Searches as the host, with the host's own ranker where there is one.

use std::sync::Arc;

use crate::catalog::{Catalog, Owner, Tool};
use crate::error::Result;
use crate::lock::lock;
use crate::options::SearchOptions;
use crate::search::{Explained, Found, Query, Search, Stage};
use crate::session::Scope;

use super::ranker::{Scores, ask, by_position};
use super::views::Shared;
use super::{Explanation, Indexed, SearchResult, ToolSift, Tools, known};

/// Who searches: a session, by its id and owner, or else the host.
pub(super) type Searcher<'s> = Option<(&'s str, Owner)>;

impl ToolSift {
    /// Another handle to the same catalog and sessions, whose searches ask a ranker of the host's: of this handle, and of the
    /// sessions that are opened with it. For vectors, click counts, or a model that judges.
    ///
    /// The ranker gets the query and the tools that are searched, and returns names that the model sees
    /// ([`Tool::model_name`]), each with a score from 0 to 1; a tool that it leaves out has none. Scores are added to what
    /// the words of the query say, as [`SearchOptions::scores`](crate::SearchOptions) are, which go before them for the same
    /// tool. How sure a search is, and with it what is loaded unasked, rests on the words alone. It needs the ranker
    /// [`Sift`](crate::Ranker::Sift). A query that names tools (`select:`) is not ranked.
    ///
    /// The ranker runs on the thread that searches, while nothing is locked: it may use the `ToolSift`. If it fails, the
    /// search fails with its message; if it panics, the panic goes on to the host, and the `ToolSift` is as it was.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolsift::{RegisterOptions, Settings, ToolSift};
    ///
    /// let sift = ToolSift::new(Settings::default()).with_ranker(|query, tools| {
    ///     let fits = |name: &str| query.contains("umbrella") && name.contains("forecast");
    ///     Ok(tools.iter().filter(|tool| fits(tool.model_name())).map(|tool| (tool.model_name().to_owned(), 0.9)).collect())
    /// });
    /// let tools = json!([{ "name": "get_forecast", "description": "Tomorrow's weather." }, { "name": "send_mail" }]);
    /// sift.register(&tools, &RegisterOptions::default())?;
    /// assert_eq!(&*sift.search("do I need an umbrella", None, None)?.hits[0].name, "get_forecast");
    /// # Ok::<(), toolsift::Error>(())
    /// ```
    #[must_use]
    pub fn with_ranker(
        mut self,
        ranker: impl Fn(&str, &[Arc<Tool>]) -> std::result::Result<Vec<(String, f64)>, super::RankError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.ranker = Some(Arc::new(ranker));
        self
    }

    /// Searches as the host: what the model's search would find before any conversation, or in a session. Hits come
    /// without reasons, which take longer than the search: [`ToolSift::search_with`] gives them.
    ///
    /// # Errors
    /// `pattern_invalid`; `session_closed` when no session of that id is open.
    pub fn search(&self, query: &str, limit: Option<usize>, session: Option<&str>) -> Result<SearchResult> {
        let session = session.map(str::to_owned);
        self.search_with(query, &SearchOptions { limit, session, ..SearchOptions::default() })
    }

    /// Searches as [`ToolSift::search`] does, with reasons where they are wanted.
    ///
    /// # Errors
    /// As above.
    pub fn search_with(&self, query: &str, options: &SearchOptions) -> Result<SearchResult> {
        let searcher = self.searcher(options.session.as_deref())?;
        let scores = self.ranked(query, searcher, &options.scores)?;
        let indexed = self.indexed();
        let (found, searched) = self.shown(&indexed, query, searcher, options, &scores)?;
        Ok(SearchResult::of(&indexed.tools.catalog, query, found, searched))
    }

    /// Why a search finds one tool, or does not.
    ///
    /// # Errors
    /// `tool_unknown`, and what [`ToolSift::search`] says.
    pub fn explain(&self, query: &str, name: &str, session: Option<&str>) -> Result<Explanation> {
        let session = session.map(str::to_owned);
        self.explain_with(query, name, &SearchOptions { session, ..SearchOptions::default() })
    }

    /// Explains as [`ToolSift::explain`] does, with scores of the host's.
    ///
    /// # Errors
    /// As above.
    pub fn explain_with(&self, query: &str, name: &str, options: &SearchOptions) -> Result<Explanation> {
        let searcher = self.searcher(options.session.as_deref())?;
        let scores = self.ranked(query, searcher, &options.scores)?;
        let indexed = self.indexed();
        let catalog = &indexed.tools.catalog;
        let tool = known(catalog, searcher.map_or(Owner::SHARED, |(_, owner)| owner), name)?;
        let position = catalog.position(tool);
        let explained = Explained { first: 0, tool: position };
        let (shared, found) = self.find(&indexed, query, searcher, &scores, usize::MAX, explained)?;
        let shown = self.inner.settings.discovery.search.shown(found.stage, None);
        Ok(Explanation::of(tool, position, found, shown, &shared.corpus))
    }

    /// What the host's ranker says of a query, if there is one, and the scores that the host gives beside it. No lock is held
    /// while the ranker runs.
    pub(super) fn ranked(&self, query: &str, searcher: Searcher<'_>, given: &Scores) -> Result<Vec<(String, f64)>> {
        let names_tools = matches!(Query::read(self.inner.settings.discovery.search.grammar, query), Query::Select(_));
        match &self.ranker {
            Some(ranker) if !names_tools => ask(ranker, query, &self.searched_tools(searcher)?, given),
            _ => Ok(given.to_vec()),
        }
    }

    /// The tools that a session searches, or the host, in catalog order.
    pub(super) fn searched_tools(&self, searcher: Searcher<'_>) -> Result<Vec<Arc<Tool>>> {
        let Tools { catalog, .. } = &*self.tools_now();
        let shared = self.shared(catalog, searcher)?;
        Ok(shared.corpus.positions().iter().map(|at| catalog.tools()[*at as usize].clone()).collect())
    }

    /// What a search finds, as many hits as are shown, and how many tools were searched.
    pub(super) fn shown(
        &self,
        indexed: &Indexed,
        query: &str,
        searcher: Searcher<'_>,
        options: &SearchOptions,
        scores: &Scores,
    ) -> Result<(Found, usize)> {
        let SearchOptions { limit, reasons, .. } = *options;
        let search = &self.inner.settings.discovery.search;
        let most = limit.unwrap_or(search.shown(Stage::Sift, None));
        let first = if reasons { limit.unwrap_or(search.most_explained()) } else { 0 };
        let explained = Explained { first, tool: None };
        let (shared, mut found) = self.find(indexed, query, searcher, scores, most, explained)?;
        found.hits.truncate(limit.unwrap_or(search.shown(found.stage, None)));
        Ok((found, shared.corpus.len()))
    }

    fn find(
        &self,
        indexed: &Indexed,
        query: &str,
        searcher: Searcher<'_>,
        scores: &Scores,
        most: usize,
        explained: Explained,
    ) -> Result<(Arc<Shared>, Found)> {
        let (catalog, index) = (&indexed.tools.catalog, &*indexed.index);
        let shared = self.shared(catalog, searcher)?;
        let settings = &self.inner.settings.discovery.search;
        let owner = searcher.map_or(Owner::SHARED, |(_, owner)| owner);
        let scores = &*by_position(scores, catalog, settings, owner)?;
        let (corpus, whole) = (&shared.corpus, &shared.corpus);
        let found = Search { settings, index, catalog, corpus, whole, owner, scores, most, explained }.find(query)?;
        Ok((shared, found))
    }

    /// An open session by its id.
    pub(super) fn searcher<'s>(&self, session: Option<&'s str>) -> Result<Searcher<'s>> {
        let Some(id) = session else { return Ok(None) };
        Ok(Some((id, lock(&self.inner.sessions).owner_of(id)?)))
    }

    /// What a session shares with others of its scope, or the host.
    pub(super) fn shared(&self, catalog: &Catalog, searcher: Searcher<'_>) -> Result<Arc<Shared>> {
        let (scope, owner) = match searcher {
            Some((id, owner)) => (lock(&self.inner.sessions).scope(id, owner)?, owner),
            None => (Scope::All, Owner::SHARED),
        };
        Ok(self.inner.views.of(catalog, &self.inner.settings, &scope, owner))
    }
}
