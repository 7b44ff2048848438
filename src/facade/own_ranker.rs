//! Asks a host's own ranker how well tools fit a query, outside of every lock.

use std::sync::Arc;

use crate::catalog::{SHARED, Tool};
use crate::discovery::searched_query;
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::json::number_text;
use crate::lock::{lock, read};
use crate::session::Scope;

use super::{Inner, SessionHandle, ToolSift};

impl ToolSift {
    /// Another handle to the same catalog and sessions, whose searches ask a ranker of the host's: of this handle, and of the
    /// sessions that are opened with it. For vectors, click counts, or a model that judges.
    ///
    /// The ranker gets the query and the tools that are searched, and returns names that the model sees
    /// ([`Tool::model_name`]), each with a score from 0 to 1; a tool that it leaves out has none. Scores are added to what
    /// the words of the query say, as [`SearchOptions::scores`](crate::SearchOptions) are, which go before them for the same
    /// tool. It needs the ranker [`Sift`](crate::Ranker::Sift). A query that names tools (`select:`) is not ranked.
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
    #[cfg(not(target_family = "wasm"))]
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

    /// What the host's ranker says of a query, if there is one, and the scores that the host gives beside it.
    pub(super) fn ranked(
        &self,
        query: &str,
        session: Option<(&str, u32)>,
        given: &[(String, f64)],
    ) -> Result<Vec<(String, f64)>> {
        let Some(ranker) = &self.ranker else { return Ok(given.to_vec()) };
        if query.trim_start().starts_with("select:") {
            return Ok(given.to_vec());
        }
        let tools = self.searched_tools(session)?;
        let failed = |why: String| Error::new(ErrorCode::RankerFailed, format!("the host's ranker {why}"));
        let mut scores = ranker(query, &tools).map_err(|e| failed(format!("failed: {e}")))?;
        if let Some((name, score)) = scores.iter().find(|(_, score)| !(0.0..=1.0).contains(score)) {
            let (name, score) = (excerpt(name), number_text(*score));
            return Err(failed(format!("scored {name} {score}; a score is 0 to 1")));
        }
        scores.retain(|(name, _)| given.iter().all(|(known, _)| known != name));
        scores.extend(given.iter().cloned());
        Ok(scores)
    }

    /// The tools that a session searches, or the host. No lock is held when they are returned.
    fn searched_tools(&self, session: Option<(&str, u32)>) -> Result<Vec<Arc<Tool>>> {
        let Inner { settings, tools, sessions, views, .. } = &*self.inner;
        let catalog = &read(tools).catalog;
        let (scope, opening) = match session {
            Some((id, opening)) => (lock(sessions).get_opening(id, opening)?.scope().clone(), opening),
            None => (Scope::All, SHARED),
        };
        let shared = lock(views).of(catalog, settings, (&scope, opening));
        Ok(shared.corpus.positions().iter().map(|at| catalog.tools()[*at as usize].clone()).collect())
    }
}

impl SessionHandle {
    /// The scores for a call: those of the turn, and what the host's ranker says where the call is a search.
    pub(super) fn ranked_call(
        &self,
        (name, arguments): (&str, &str),
        given: &[(String, f64)],
    ) -> Result<Vec<(String, f64)>> {
        let query = match self.sift.ranker {
            Some(_) => searched_query(&self.sift.inner.settings.discovery, name, arguments),
            None => None,
        };
        match query {
            Some(query) => self.sift.ranked(&query, Some((self.id(), self.opening)), given),
            None => Ok(given.to_vec()),
        }
    }
}
