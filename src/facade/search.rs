//! Searches as the host, with the host's own ranker where there is one.

use std::sync::Arc;

use crate::catalog::{Catalog, Owner, Tool};
use crate::error::Result;
use crate::lock::{lock, read, write};
use crate::options::SearchOptions;
use crate::running::Running;
use crate::search::{Explained, Found, Query, Search, Stage};
use crate::session::Scope;

use super::ranker::{Scores, ask, by_position};
use super::views::Shared;
use super::{Explanation, Indexed, SearchResult, ToolSift, Tools, known};

/// Who searches: a session, by its id and owner, or else the host.
pub(super) type Searcher<'s> = Option<(&'s str, Owner)>;

impl ToolSift {
    /// From now on searches of all handles to this catalog, and of its sessions, ask a ranker of the host's too: for vectors,
    /// click counts, or a model that judges. There is one; another one takes its place.
    ///
    /// The ranker gets the query and the tools that are searched, and returns names that the model sees
    /// ([`Tool::model_name`]), each with a score from 0 to 1; a tool that it leaves out has none. Scores are added to what
    /// the words of the query say, as those of [`SearchRequest::scores`] are, which go before them for the same tool. How sure
    /// a search is, and with it what is loaded unasked, rests on the words alone. It needs the ranker
    /// [`Sift`](crate::Ranker::Sift). A query that names tools (`select:`) is not ranked.
    ///
    /// The ranker runs on the thread that searches, while nothing is locked: it may use the `ToolSift`, whose searches are
    /// ranked by words alone meanwhile. If it fails, the
    /// search fails with its message, and the error is the [source](std::error::Error::source) of ours; if it panics, the panic
    /// goes on to the host, and the `ToolSift` is as it was.
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
    /// assert_eq!(&*sift.search("do I need an umbrella").run()?.hits[0].name, "get_forecast");
    /// # Ok::<(), toolsift::Error>(())
    /// ```
    #[must_use]
    pub fn with_ranker(
        self,
        ranker: impl Fn(&str, &[Arc<Tool>]) -> std::result::Result<Vec<(String, f64)>, super::RankError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        *write(&self.inner.ranker) = Some(Arc::new(ranker));
        self
    }

    pub(super) fn has_ranker(&self) -> bool {
        read(&self.inner.ranker).is_some()
    }

    /// Begins a search as the host: [`run`](SearchRequest::run) finds what the model's search would find before any
    /// conversation. [`SessionHandle::search`](crate::SessionHandle::search) searches in one.
    pub fn search<'q>(&self, query: &'q str) -> SearchRequest<'q> {
        SearchRequest::new(self, query)
    }

    /// What the host's ranker says of a query, if there is one, and the scores that the host gives beside it. No lock is held
    /// while the ranker runs.
    pub(super) fn ranked(&self, query: &str, searcher: Searcher<'_>, given: &Scores) -> Result<Vec<(String, f64)>> {
        let Some(ranker) = read(&self.inner.ranker).clone() else { return Ok(given.to_vec()) };
        let names_tools = matches!(Query::read(self.inner.settings.discovery.search.grammar, query), Query::Select(_));
        match Running::start(&self.inner.ranker).filter(|_| !names_tools) {
            Some(_running) => ask(&ranker, query, &self.searched_tools(searcher)?, given),
            None => Ok(given.to_vec()),
        }
    }

    /// The tools that a session searches, or the host, in catalog order.
    fn searched_tools(&self, searcher: Searcher<'_>) -> Result<Vec<Arc<Tool>>> {
        let Tools { catalog, .. } = &*self.tools_now();
        let shared = self.shared(catalog, searcher)?;
        Ok(shared.corpus.positions().iter().map(|at| catalog.tools()[*at as usize].clone()).collect())
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

    /// What a session shares with others of its scope, or the host.
    pub(super) fn shared(&self, catalog: &Catalog, searcher: Searcher<'_>) -> Result<Arc<Shared>> {
        let (scope, owner) = match searcher {
            Some((id, owner)) => (lock(&self.inner.sessions).scope(id, owner)?, owner),
            None => (Scope::All, Owner::SHARED),
        };
        Ok(self.inner.views.of(catalog, &self.inner.settings, &scope, owner))
    }
}

/// A search that is put together: [`SearchRequest::run`] finds, [`SearchRequest::explain`] says why one tool is a hit or none.
///
/// ```
/// use toolsift::{RegisterOptions, Settings, ToolDefinition, ToolSift};
///
/// let sift = ToolSift::new(Settings::default());
/// let tools = [ToolDefinition::new("send_mail"), ToolDefinition::new("read_mail")];
/// sift.register(&tools, &RegisterOptions::default())?;
/// let found = sift.search("send a mail").limit(1).reasons(true).run()?;
/// assert_eq!(&*found.hits[0].name, "send_mail");
/// assert!(!found.hits[0].parts.is_empty());
/// assert_eq!(sift.search("send a mail").explain("send_mail")?.rank, Some(1));
/// # Ok::<(), toolsift::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a search runs when `run` or `explain` is called"]
pub struct SearchRequest<'q> {
    sift: ToolSift,
    query: &'q str,
    options: SearchOptions,
    /// The owner of the session, where the host has a handle of it.
    owner: Option<Owner>,
}

impl<'q> SearchRequest<'q> {
    pub(super) fn new(sift: &ToolSift, query: &'q str) -> Self {
        SearchRequest { sift: sift.clone(), query, options: SearchOptions::default(), owner: None }
    }

    pub(super) fn in_session(mut self, id: &str, owner: Owner) -> Self {
        self.options.session = Some(id.to_owned());
        self.owner = Some(owner);
        self
    }

    /// With at most so many hits.
    pub fn limit(mut self, hits: usize) -> Self {
        self.options.limit = Some(hits);
        self
    }

    /// With or without the reasons of hits, which take longer than the search.
    pub fn reasons(mut self, reasons: bool) -> Self {
        self.options.reasons = reasons;
        self
    }

    /// With how well tools fit in the host's opinion, from 0 to 1, by the names that the model sees.
    pub fn scores(mut self, scores: Vec<(String, f64)>) -> Self {
        self.options.scores = scores;
        self
    }

    /// With options as they are read for other languages, the id of a session among them.
    #[doc(hidden)]
    pub fn options(mut self, options: SearchOptions) -> Self {
        self.options = options;
        self
    }

    /// The tools that are found, best first.
    ///
    /// # Errors
    /// `pattern_invalid`, `no_scorable_terms`, `ranker_failed`, `session_closed`.
    pub fn run(&self) -> Result<SearchResult> {
        let (found, searched, indexed) = self.found()?;
        Ok(SearchResult::of(&indexed.tools.catalog, self.query, found, searched))
    }

    /// What is found, as many hits as are shown, and how many tools were searched.
    pub(super) fn found(&self) -> Result<(Found, usize, Indexed)> {
        let SearchRequest { sift, query, options: SearchOptions { limit, reasons, scores, .. }, .. } = self;
        let searcher = self.searcher()?;
        let scores = sift.ranked(query, searcher, scores)?;
        let indexed = sift.indexed();
        let search = &sift.inner.settings.discovery.search;
        let most = limit.unwrap_or(search.shown(Stage::Sift, None));
        let first = if *reasons { limit.unwrap_or(search.most_explained()) } else { 0 };
        let explained = Explained { first, tool: None };
        let (shared, mut found) = sift.find(&indexed, query, searcher, &scores, most, explained)?;
        found.hits.truncate(limit.unwrap_or(search.shown(found.stage, None)));
        Ok((found, shared.corpus.len(), indexed))
    }

    /// Why the search finds one tool, or does not.
    ///
    /// # Errors
    /// `tool_unknown`, and what [`SearchRequest::run`] says.
    pub fn explain(&self, name: &str) -> Result<Explanation> {
        let SearchRequest { sift, query, .. } = self;
        let searcher = self.searcher()?;
        let scores = sift.ranked(query, searcher, &self.options.scores)?;
        let indexed = sift.indexed();
        let catalog = &indexed.tools.catalog;
        let tool = known(catalog, searcher.map_or(Owner::SHARED, |(_, owner)| owner), name)?;
        let position = catalog.position(tool);
        let explained = Explained { first: 0, tool: position };
        let (shared, found) = sift.find(&indexed, query, searcher, &scores, usize::MAX, explained)?;
        let shown = sift.inner.settings.discovery.search.shown(found.stage, None);
        Ok(Explanation::of(tool, position, found, shown, &shared.corpus))
    }

    fn searcher(&self) -> Result<Searcher<'_>> {
        let Some(id) = self.options.session.as_deref() else { return Ok(None) };
        let owner = match self.owner {
            Some(owner) => owner,
            None => lock(&self.sift.inner.sessions).owner_of(id)?,
        };
        Ok(Some((id, owner)))
    }
}
