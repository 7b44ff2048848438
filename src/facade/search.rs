//! Searches for the host, with the host's own ranker if there is one.

use std::error::Error as StdError;
use std::sync::Arc;

use crate::catalog::{Catalog, Owner, Tool};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::json::number_text;
use crate::lock::{lock, read, write};
use crate::options::SearchOptions;
use crate::running::Running;
use crate::search::{Explained, Found, Query, Ranker, Search, SearchSettings, Stage};
use crate::session::Scope;

use super::views::Shared;
use super::{Explanation, Indexed, SearchResult, ToolSift, Tools, known};

/// The error of a host's ranker.
pub type RankError = Box<dyn StdError + Send + Sync>;
/// Names that the model sees, each with a score from 0 to 1.
pub(super) type Scores = [(String, f64)];
/// The host's ranker, shared by all handles.
pub(super) type HostRanker =
    Arc<dyn Fn(&str, &[Arc<Tool>]) -> std::result::Result<Vec<(String, f64)>, RankError> + Send + Sync>;
/// The searcher: a session by its id and owner, or `None` for the host.
pub(super) type Searcher<'s> = Option<(&'s str, Owner)>;

impl ToolSift {
    /// Adds a ranker of the host to all later searches of all handles to this catalog and of its sessions: for vectors,
    /// click counts, or a model that judges. There is only one such ranker; a new one replaces it.
    ///
    /// The ranker gets the query and the tools that are searched. It returns names that the model sees
    /// ([`Tool::model_name`]), each with a score from 0 to 1; a tool that it leaves out has no score. The scores are
    /// added to the scores from the words of the query, as those of [`SearchRequest::scores`] are, which take
    /// precedence for the same tool. The confidence of a search, and so which tools are loaded automatically, depends
    /// on the words alone. It needs the ranker [`Sift`](crate::Ranker::Sift). A query that names tools (`select:`) is
    /// not ranked.
    ///
    /// The ranker runs on the thread that searches, and no lock is held: it may use the `ToolSift`, whose searches use
    /// only words in that time. If it fails, the search fails with its message, and its error is the
    /// [source](std::error::Error::source) of ours. If it panics, the panic goes on to the host, and the `ToolSift` is
    /// unchanged.
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
        ranker: impl Fn(&str, &[Arc<Tool>]) -> std::result::Result<Vec<(String, f64)>, RankError> + Send + Sync + 'static,
    ) -> Self {
        *write(&self.inner.ranker) = Some(Arc::new(ranker));
        self
    }

    pub(super) fn has_ranker(&self) -> bool {
        read(&self.inner.ranker).is_some()
    }

    /// Begins a search for the host: [`run`](SearchRequest::run) finds what the model's search would find before any
    /// conversation. [`SessionHandle::search`](crate::SessionHandle::search) searches in a session.
    pub fn search<'q>(&self, query: &'q str) -> SearchRequest<'q> {
        SearchRequest::new(self, query)
    }

    /// Returns the scores of the host's ranker for a query, if there is one, and the given scores. No lock is held
    /// while the ranker runs.
    pub(super) fn ranked(&self, query: &str, searcher: Searcher<'_>, given: &Scores) -> Result<Vec<(String, f64)>> {
        let Some(ranker) = read(&self.inner.ranker).clone() else { return Ok(given.to_vec()) };
        let names_tools = matches!(Query::read(self.inner.settings.discovery.search.grammar, query), Query::Select(_));
        match Running::start(&self.inner.ranker).filter(|_| !names_tools) {
            Some(_running) => ask(&ranker, query, &self.searched_tools(searcher)?, given),
            None => Ok(given.to_vec()),
        }
    }

    /// Returns the tools that a session or the host searches, in catalog order.
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

    /// Returns the data that a session or the host shares with others of its scope.
    pub(super) fn shared(&self, catalog: &Catalog, searcher: Searcher<'_>) -> Result<Arc<Shared>> {
        let (scope, owner) = match searcher {
            Some((id, owner)) => (lock(&self.inner.sessions).scope(id, owner)?, owner),
            None => (Scope::All, Owner::SHARED),
        };
        Ok(self.inner.views.of(catalog, &self.inner.settings, &scope, owner))
    }
}

/// Returns the scores of the host's ranker for a query, and the `given` scores, which take precedence.
fn ask(ranker: &HostRanker, query: &str, tools: &[Arc<Tool>], given: &Scores) -> Result<Vec<(String, f64)>> {
    let failed = |why: String| Error::new(ErrorCode::RankerFailed, format!("the host's ranker {why}"));
    let mut scores = ranker(query, tools).map_err(|e| failed(format!("failed: {e}")).with_source(e))?;
    if let Some((name, score)) = scores.iter().find(|(_, score)| !(0.0..=1.0).contains(score)) {
        let (name, score) = (excerpt(name), number_text(*score));
        return Err(failed(format!("scored {name} {score}; a score is 0 to 1")));
    }
    scores.retain(|(name, _)| given.iter().all(|(known, _)| known != name));
    scores.extend(given.iter().cloned());
    Ok(scores)
}

/// Converts the host's scores to scores by position in the catalog. Names that the owner's model does not know are
/// ignored.
///
/// # Errors
/// `option_conflict` if the ranker of the settings cannot use scores.
pub(super) fn by_position(
    scores: &Scores,
    catalog: &Catalog,
    settings: &SearchSettings,
    owner: Owner,
) -> Result<Vec<(u32, f64)>> {
    if !scores.is_empty() && settings.ranker != Ranker::Sift {
        return Err(Error::new(
            ErrorCode::OptionConflict,
            "options.scores needs the ranker sift: no other ranker adds scores of the host's to its own",
        ));
    }
    let position = |name: &str| catalog.by_name_for(owner, name).and_then(|tool| catalog.position(tool));
    Ok(scores.iter().filter_map(|(name, score)| Some((position(name)? as u32, *score))).collect())
}

/// A search that is being built: [`SearchRequest::run`] runs it, [`SearchRequest::explain`] says why one tool is or is
/// not a hit.
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
    /// The owner of the session, if the host has a handle of the session.
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

    /// Sets the maximum number of hits.
    pub fn limit(mut self, hits: usize) -> Self {
        self.options.limit = Some(hits);
        self
    }

    /// Sets whether hits have reasons. Computing them takes longer than the search.
    pub fn reasons(mut self, reasons: bool) -> Self {
        self.options.reasons = reasons;
        self
    }

    /// Sets the host's own scores of tools, from 0 to 1, by the names that the model sees.
    pub fn scores(mut self, scores: Vec<(String, f64)>) -> Self {
        self.options.scores = scores;
        self
    }

    /// Sets all options as read for other languages, including the id of a session.
    #[doc(hidden)]
    pub fn options(mut self, options: SearchOptions) -> Self {
        self.options = options;
        self
    }

    /// Returns the tools found, best first.
    ///
    /// # Errors
    /// `pattern_invalid`, `no_scorable_terms`, `ranker_failed`, `session_closed`.
    pub fn run(&self) -> Result<SearchResult> {
        let (found, searched, indexed) = self.found()?;
        Ok(SearchResult::of(&indexed.tools.catalog, self.query, found, searched))
    }

    /// Returns the hits that are shown, the number of searched tools, and the catalog with its index.
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

    /// Explains why the search finds one tool, or does not.
    ///
    /// # Errors
    /// `tool_unknown`, and the errors of [`SearchRequest::run`].
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
