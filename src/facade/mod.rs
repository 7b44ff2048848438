//! Puts the stages together: one [`ToolSift`] per agent, one [`SessionHandle`] per conversation.

mod answers;
mod embedding;
mod handle;
mod history;
mod host_scores;
#[cfg(any(test, target_family = "wasm"))]
mod numbers;
mod own_ranker;
mod prebuilt;
mod typed;
mod views;

use std::fmt;
use std::sync::{Arc, Mutex, RwLock, RwLockReadGuard};

use crate::assembly::{CatalogSize, Cost, Format, Renders, ServerSize, Tally, TokenCounter};
use crate::catalog::{
    Catalog, NamePolicy, RegisterOptions, RegisterReport, SHARED, SyncReport, Tool, ToolKey, by_server,
};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::lock::{lock, read, write};
use crate::map::Set;
use crate::options::SearchOptions;
use crate::profile::{Profile, Settings, SettingsInfo};
use crate::search::{Explained, Found, Index, Search, Stage};
use crate::session::{Scope, SessionStore, Snapshot, ToolState};

pub use answers::{Explanation, FoundTool, SearchResult, ToolInfo, VerdictInfo};
pub use handle::SessionHandle;
pub use host_scores::RankError;

#[cfg(target_family = "wasm")]
pub(crate) use numbers::Numbered;

use answers::infos;
use host_scores::OwnRanker;
use views::{Shared, Views};

/// A catalog of tools, the sessions that use it, and the settings that both follow.
///
/// A clone is another handle to the same catalog and sessions. All methods take `&self`, so that threads can share one:
/// searches run beside each other, changes of the catalog wait for them, and the sessions' own operations follow each other.
/// A host's token counter must not use the `ToolSift` that it counts for.
#[derive(Clone)]
pub struct ToolSift {
    inner: Arc<Inner>,
    ranker: Option<OwnRanker>,
}

impl fmt::Debug for ToolSift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools = read(&self.inner.tools).catalog.tools_for(SHARED).len();
        let profile = self.inner.settings.profile.name;
        f.debug_struct("ToolSift").field("profile", &profile).field("tools", &tools).finish_non_exhaustive()
    }
}

/// Locks are taken in the order of the fields.
#[derive(Debug)]
struct Inner {
    settings: Settings,
    counter: TokenCounter,
    tools: RwLock<Tools>,
    sessions: Mutex<SessionStore>,
    views: Mutex<Views>,
    renders: Mutex<Renders>,
}

/// The catalog, and what searches read of it.
#[derive(Debug)]
struct Tools {
    catalog: Catalog,
    index: Index,
}

#[cfg(not(target_family = "wasm"))]
const _: () = {
    const fn can_be_shared<T: Send + Sync>() {}
    can_be_shared::<ToolSift>();
    can_be_shared::<SessionHandle>();
};

impl ToolSift {
    /// An empty catalog under some settings; tokens are counted as `ceil(characters / 4)`.
    pub fn new(settings: Settings) -> Self {
        Self::with_counter(settings, TokenCounter::Characters)
    }

    /// The same, with the host's own token counter.
    // In wasm the host's token counter is a function of JavaScript, which stays on its thread.
    #[cfg_attr(target_family = "wasm", allow(clippy::arc_with_non_send_sync))]
    pub fn with_counter(settings: Settings, counter: TokenCounter) -> Self {
        let reserved = settings.discovery.surface.iter().map(|tool| tool.definition.name.to_owned());
        let mut catalog =
            Catalog::new(settings.most_tools, reserved).with_bytes(settings.most_bytes, settings.most_server_bytes);
        let lists = &settings.eligibility.lists;
        catalog.claim(lists.pre_discovered.bare().chain(lists.always_available.bare()));
        let search = &settings.discovery.search;
        let index = Index::new(&settings.synonyms, search.without, search.needs());
        let sessions = SessionStore::new(settings.most_sessions, settings.profile.session_eviction);
        ToolSift {
            inner: Arc::new(Inner {
                settings,
                counter,
                tools: RwLock::new(Tools { catalog, index }),
                sessions: Mutex::new(sessions),
                views: Mutex::default(),
                renders: Mutex::default(),
            }),
            ranker: None,
        }
    }

    /// A number that changes whenever the catalog does.
    pub fn revision(&self) -> u64 {
        read(&self.inner.tools).catalog.revision()
    }

    /// The shared tools as they were registered, in that order.
    pub fn registered(&self) -> Vec<Arc<Tool>> {
        read(&self.inner.tools).catalog.tools_for(SHARED).into_iter().cloned().collect()
    }

    /// The shared tool that models know by this name, in any vendor's format.
    pub fn tool(&self, name: &str) -> Option<Arc<Tool>> {
        read(&self.inner.tools).catalog.by_name(name).cloned()
    }

    /// The shared tool of this identity.
    pub fn tool_of(&self, key: &ToolKey) -> Option<Arc<Tool>> {
        read(&self.inner.tools).catalog.by_key(key).cloned()
    }

    /// Whether an owner has a tool that was registered under a server and a name.
    #[cfg(target_family = "wasm")]
    pub(crate) fn has_tool(&self, owner: u32, server: &str, name: &str) -> bool {
        read(&self.inner.tools).catalog.has_tool(owner, server, name)
    }

    /// The settings that are in force.
    pub fn settings(&self) -> SettingsInfo {
        self.inner.settings.info()
    }

    /// Registers a JSON list of tool definitions, in the shape of any vendor, one by one: a broken tool is in the
    /// report and costs nothing but itself.
    ///
    /// # Errors
    /// `not_json` when the text is no list; `list_too_large`, `out_of_memory`.
    pub fn register_json(&self, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        self.register_for(SHARED, list, options)
    }

    /// Registers one definition.
    ///
    /// # Errors
    /// What is wrong with it; nothing has changed then.
    pub fn register_one_json(&self, definition: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        self.register_one_for(SHARED, definition, options)
    }

    /// Makes the tools of one server be exactly those of a JSON list.
    ///
    /// # Errors
    /// `not_json` when the text is no list; `list_too_large`, `out_of_memory`.
    pub fn sync_json(&self, server: &str, list: &str, options: &RegisterOptions) -> Result<SyncReport> {
        self.sync_for(SHARED, server, list, options)
    }

    /// Removes shared tools by server, by model-facing name, or those that fit both. Returns the names that went.
    pub fn unregister(&self, server: Option<&str>, names: Option<&[String]>) -> Vec<Arc<str>> {
        self.unregister_for(SHARED, server, names)
    }

    /// Keeps the name that a shared tool of a server has or would have, until it is registered again: no tool of another
    /// server gets it. For tools that the host holds back. At most 10,000 names are kept.
    pub fn keep_name(&self, server: &str, name: &str, policy: NamePolicy) {
        self.keep_name_for(SHARED, server, name, policy);
    }

    /// Lets go of a name that was kept for a tool.
    pub fn release_name(&self, server: &str, name: &str) {
        self.release_name_for(SHARED, server, name);
    }

    /// Whose tools a registration is about: [`SHARED`] for the opening 0, or an open session's, by its opening. This is no
    /// use of the session: a server's list may change while nobody talks to it.
    ///
    /// # Errors
    /// `session_closed`.
    pub(crate) fn owner(&self, id: &str, opening: u32) -> Result<u32> {
        if opening != SHARED {
            lock(&self.inner.sessions).check_opening(id, opening)?;
        }
        Ok(opening)
    }

    /// Registers tools of an [`owner`](ToolSift::owner).
    pub(crate) fn register_for(&self, owner: u32, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        self.disown_closed();
        write(&self.inner.tools).catalog.register_for(owner, list, options)
    }

    /// Registers one tool of an owner.
    pub(crate) fn register_one_for(
        &self,
        owner: u32,
        definition: &str,
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        self.disown_closed();
        write(&self.inner.tools).catalog.register_one_for(owner, definition, options)
    }

    /// Makes the tools of one server of an owner be exactly those of a JSON list.
    pub(crate) fn sync_for(
        &self,
        owner: u32,
        server: &str,
        list: &str,
        options: &RegisterOptions,
    ) -> Result<SyncReport> {
        self.disown_closed();
        let mut tools = write(&self.inner.tools);
        let report = tools.catalog.sync_for(owner, server, list, options);
        lock(&self.inner.renders).follow(&tools.catalog);
        report
    }

    /// Keeps a name for a tool of an owner.
    pub(crate) fn keep_name_for(&self, owner: u32, server: &str, name: &str, policy: NamePolicy) {
        write(&self.inner.tools).catalog.keep_name(owner, server, name, policy);
    }

    /// Lets go of such a name.
    pub(crate) fn release_name_for(&self, owner: u32, server: &str, name: &str) {
        write(&self.inner.tools).catalog.release_name(owner, server, name);
    }

    /// Removes tools of an owner.
    pub(crate) fn unregister_for(&self, owner: u32, server: Option<&str>, names: Option<&[String]>) -> Vec<Arc<str>> {
        let mut tools = write(&self.inner.tools);
        let names = tools.catalog.unregister_for(owner, server, names);
        lock(&self.inner.renders).follow(&tools.catalog);
        names
    }

    /// Removes the own tools of sessions that were closed or evicted, and what was kept for them. Nobody sees them any more;
    /// they take room.
    fn disown_closed(&self) {
        let closed = lock(&self.inner.sessions).take_closed();
        if closed.is_empty() {
            return;
        }
        let mut tools = write(&self.inner.tools);
        let mut views = lock(&self.inner.views);
        for closed in closed {
            tools.catalog.disown(closed.1);
            views.forget(&closed);
        }
        lock(&self.inner.renders).follow(&tools.catalog);
    }

    /// Returns the open session of an id, or opens one: with this scope, or without a bound where none is given.
    ///
    /// # Errors
    /// `session_id_invalid`; `option_invalid` when it is open with another scope than the one that is given.
    pub fn session(&self, id: &str, scope: Option<&Scope>) -> Result<SessionHandle> {
        let known = match scope {
            None => lock(&self.inner.sessions).get_mut(id).ok().map(|session| session.opening()),
            Some(_) => None,
        };
        let opening = match known {
            Some(opening) => opening,
            None => self.open(id, scope.cloned().unwrap_or_default())?,
        };
        Ok(SessionHandle::new(self, id, opening))
    }

    fn open(&self, id: &str, scope: Scope) -> Result<u32> {
        let (opening, new) = {
            let mut sessions = lock(&self.inner.sessions);
            let new = (!sessions.has_scope(&scope)).then(|| scope.clone());
            (sessions.open(id, scope)?.opening(), new)
        };
        if let Some(scope) = new.filter(|scope| scope.bare_names().next().is_some()) {
            write(&self.inner.tools).catalog.claim(scope.bare_names());
        }
        self.disown_closed();
        Ok(opening)
    }

    /// The session of an id that is open since [`SessionHandle::opening`]; one that was closed or evicted, and opened again,
    /// is another one. This never opens a session. For bindings, which hold no [`SessionHandle`].
    ///
    /// # Errors
    /// `session_closed`.
    #[doc(hidden)]
    pub fn open_session(&self, id: &str, opening: u32) -> Result<SessionHandle> {
        lock(&self.inner.sessions).get_opening(id, opening)?;
        Ok(SessionHandle::new(self, id, opening))
    }

    /// Closes the session of an id that is open since an opening, and says whether there was one.
    #[doc(hidden)]
    pub fn close_opening(&self, id: &str, opening: u32) -> bool {
        lock(&self.inner.sessions).check_opening(id, opening).is_ok() && self.close(id)
    }

    /// Closes a session, and says whether there was one.
    pub fn close(&self, id: &str) -> bool {
        let is_closed = lock(&self.inner.sessions).close(id);
        self.disown_closed();
        is_closed
    }

    /// Opens the session of a snapshot, given as JSON text, with its reveals, added to what a session of that id has here, or instead of it.
    /// Returns the identities of those that are not to be seen here: tools that the catalog has not, which are there
    /// again when it has them; and tools that the session may not see or has no room for, which it forgets.
    ///
    /// # Errors
    /// `snapshot_invalid`, and what [`ToolSift::session`] says. On an error no session has changed.
    pub fn restore_json(&self, json: &str, scope: Option<&Scope>, replace: bool) -> Result<(String, Vec<ToolKey>)> {
        let snapshot = Snapshot::read(json)?;
        let profile = &snapshot.profile;
        if Profile::named(profile).is_none() {
            let message = format!("unknown profile {}", excerpt(profile));
            return Err(Error::new(ErrorCode::SnapshotInvalid, message));
        }
        self.session(&snapshot.id, scope)?;
        let Inner { settings, tools, sessions, .. } = &*self.inner;
        let catalog = &read(tools).catalog;
        let mut sessions = lock(sessions);
        let session = sessions.get_mut(&snapshot.id)?;
        let mut missing = Vec::new();
        let mut absent = Set::default();
        let mut seen = Vec::new();
        for revealed in snapshot.revealed {
            let tool = catalog.by_key_for(session.opening(), &revealed.key);
            let state = tool.map(|tool| settings.eligibility.state(tool, Some(session)));
            if matches!(state, None | Some(ToolState::Hidden)) {
                missing.push(revealed.key.clone());
                absent.insert(revealed.key.clone());
            }
            if state != Some(ToolState::Hidden) {
                seen.push(revealed);
            }
        }
        session.resume(snapshot.turn, seen, replace);
        let bounds = &settings.discovery.bounds;
        let evicted = session.evict(catalog, bounds.tools, bounds.tokens);
        missing.extend(evicted.into_iter().filter(|key| !absent.contains(key)));
        Ok((snapshot.id, missing))
    }

    /// Searches as the host: what the model's search would find before any conversation, or in a session. Hits come
    /// without reasons, which take longer than the search: [`ToolSift::search_with`] gives them.
    ///
    /// # Errors
    /// `pattern_invalid`; `session_closed` when no session of that id is open.
    pub fn search(&self, query: &str, limit: Option<usize>, session: Option<&str>) -> Result<SearchResult> {
        self.search_with(
            query,
            &SearchOptions { limit, session: session.map(str::to_owned), ..SearchOptions::default() },
        )
    }

    /// The same, with reasons where they are wanted.
    ///
    /// # Errors
    /// As above.
    pub fn search_with(&self, query: &str, options: &SearchOptions) -> Result<SearchResult> {
        let scores = self.ranked(query, self.opened(options.session.as_deref())?, &options.scores)?;
        let tools = self.searchable();
        let (found, searched) = self.shown(&tools, query, options, &scores)?;
        Ok(SearchResult::of(&tools.catalog, query, found, searched))
    }

    /// What a search finds, as many hits as are shown, and how many tools were searched.
    fn shown(
        &self,
        tools: &Tools,
        query: &str,
        options: &SearchOptions,
        scores: &[(String, f64)],
    ) -> Result<(Found, usize)> {
        let SearchOptions { limit, reasons, ref session, .. } = *options;
        let search = &self.inner.settings.discovery.search;
        let most = limit.unwrap_or(search.shown(Stage::Sift, None));
        let first = if reasons { limit.unwrap_or(search.most_explained()) } else { 0 };
        let explained = Explained { first, tool: None };
        let (shared, mut found) = self.find(tools, (query, scores), (most, explained), session.as_deref())?;
        found.hits.truncate(limit.unwrap_or(search.shown(found.stage, None)));
        Ok((found, shared.corpus.len()))
    }

    /// Why a search finds one tool, or does not.
    ///
    /// # Errors
    /// `tool_unknown`, and what [`ToolSift::search`] says.
    pub fn explain(&self, query: &str, name: &str, session: Option<&str>) -> Result<Explanation> {
        let session = session.map(str::to_owned);
        self.explain_with(query, name, &SearchOptions { session, ..SearchOptions::default() })
    }

    /// The same, with scores of the host's.
    ///
    /// # Errors
    /// As above.
    pub fn explain_with(&self, query: &str, name: &str, options: &SearchOptions) -> Result<Explanation> {
        let SearchOptions { session, scores, .. } = options;
        let session = session.as_deref();
        let opened = self.opened(session)?;
        let opening = opened.map_or(SHARED, |(_, opening)| opening);
        let scores = &*self.ranked(query, opened, scores)?;
        let tools = self.searchable();
        let tool = known(&tools.catalog, opening, name)?;
        let position = tools.catalog.position(tool);
        let explained = Explained { first: 0, tool: position };
        let (shared, found) = self.find(&tools, (query, scores), (usize::MAX, explained), session)?;
        let shown = self.inner.settings.discovery.search.shown(found.stage, None).min(found.hits.len());
        let place = found.hits.iter().position(|hit| Some(hit.index) == position);
        let hit = place.and_then(|at| found.hits.get(at).cloned());
        let is_searched = position.is_some_and(|position| shared.corpus.place_of(position).is_some());
        let within = place.filter(|at| *at < shown);
        let reason = match (is_searched, place, found.stage) {
            (false, ..) => "It is not searched: it is sent from the start, or outside of what may be seen.".to_owned(),
            (true, Some(at), _) if at < shown => format!("It is hit {} of {shown}.", at + 1),
            (true, Some(at), _) => format!("It matches in place {}, but only {shown} are shown.", at + 1),
            (true, None, Stage::Pattern) => {
                "The query matches other tools as a pattern, and neither its name nor its description.".to_owned()
            }
            (true, None, _) if found.rules_out => "The query rules it out: by +, - or server:.".to_owned(),
            (true, None, _) => "The query does not match it well enough to count.".to_owned(),
        };
        Ok(Explanation {
            name: tool.model_name.clone(),
            found: within.is_some(),
            rank: within.map(|at| at + 1),
            score: hit.as_ref().map_or(0.0, |hit| hit.score),
            parts: hit.map(|hit| hit.parts).unwrap_or_default(),
            reason,
        })
    }

    /// The shared tools, as they stand before any conversation.
    ///
    /// # Errors
    /// `counter_failed`.
    pub fn tools(&self) -> Result<Vec<ToolInfo>> {
        let catalog = &read(&self.inner.tools).catalog;
        let mut renders = lock(&self.inner.renders);
        renders.follow(catalog);
        let tools = catalog.tools_for(SHARED);
        let eligibility = &self.inner.settings.eligibility;
        let states: Vec<ToolState> = tools.iter().map(|tool| eligibility.state(tool, None)).collect();
        infos(&tools, &states, &mut renders, &self.inner.counter)
    }

    /// What all shared tools cost in a format, and where it comes from.
    ///
    /// # Errors
    /// `counter_failed`.
    pub fn size(&self, format: Format) -> Result<CatalogSize> {
        let catalog = &read(&self.inner.tools).catalog;
        let mut renders = lock(&self.inner.renders);
        renders.follow(catalog);
        let mut all = Tally::default();
        let mut servers = Vec::new();
        for (server, tools) in by_server(catalog.tools_for(SHARED).into_iter().map(|tool| &**tool)) {
            let mut sum = Tally::default();
            for tool in tools {
                sum.add(renders.tally(tool, format, &self.inner.counter)?);
            }
            all.add(sum);
            let Cost { tools, bytes, tokens } = sum.cost();
            servers.push(ServerSize { server: server.map(str::to_owned), tools, bytes, tokens });
        }
        let Cost { tools, bytes, tokens } = all.cost();
        Ok(CatalogSize { tools, bytes, tokens, servers })
    }

    /// An open session by its id, with its opening.
    fn opened<'s>(&self, session: Option<&'s str>) -> Result<Option<(&'s str, u32)>> {
        let opening = |id| lock(&self.inner.sessions).get_mut(id).map(|session| session.opening());
        session.map(|id| Ok((id, opening(id)?))).transpose()
    }

    /// The tools, with what a search reads brought up to the catalog.
    fn searchable(&self) -> RwLockReadGuard<'_, Tools> {
        loop {
            let tools = read(&self.inner.tools);
            if tools.index.follows(&tools.catalog) {
                return tools;
            }
            drop(tools);
            let Tools { catalog, index } = &mut *write(&self.inner.tools);
            index.follow(catalog);
        }
    }

    fn find(
        &self,
        tools: &Tools,
        (query, scores): (&str, &[(String, f64)]),
        (most, explained): (usize, Explained),
        session: Option<&str>,
    ) -> Result<(Arc<Shared>, Found)> {
        let Tools { catalog, index } = tools;
        let (scope, opening) = match session {
            Some(id) => {
                let mut sessions = lock(&self.inner.sessions);
                let session = sessions.get_mut(id)?;
                (session.scope().clone(), session.opening())
            }
            None => (Scope::All, SHARED),
        };
        let shared = lock(&self.inner.views).of(catalog, &self.inner.settings, (&scope, opening));
        let settings = &self.inner.settings.discovery.search;
        let scores = &*host_scores::placed(scores, catalog, settings, opening)?;
        let (corpus, whole) = (&shared.corpus, &shared.corpus);
        let found = Search { settings, index, catalog, corpus, whole, opening, scores, most, explained }.find(query)?;
        Ok((shared, found))
    }
}

/// The tool that the model of an owner knows by a name.
fn known<'c>(catalog: &'c Catalog, owner: u32, name: &str) -> Result<&'c Arc<Tool>> {
    let unknown = || Error::new(ErrorCode::ToolUnknown, format!("there is no tool named {}", excerpt(name)));
    catalog.by_name_for(owner, name).ok_or_else(unknown)
}
