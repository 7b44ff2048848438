//! Puts the stages together: one [`ToolSift`] per agent, one [`SessionHandle`] per conversation.

mod answers;
mod embedding;
mod handle;
mod history;
mod host_scores;
mod prebuilt;
mod views;

use std::sync::Arc;

use crate::assembly::{CatalogSize, Cost, Format, Renders, ServerSize, Tally, TokenCounter};
use crate::catalog::{
    Catalog, NamePolicy, RegisterOptions, RegisterReport, SHARED, SyncReport, Tool, ToolKey, by_server,
};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::map::Set;
use crate::options::SearchOptions;
use crate::profile::{Profile, Settings, SettingsInfo};
use crate::search::{Explained, Found, Index, Search, Stage, TextIndex};
use crate::session::{Scope, SessionStore, Snapshot, ToolState};

pub use answers::{Explanation, FoundTool, SearchResult, ToolInfo, VerdictInfo};
pub use handle::SessionHandle;

use answers::infos;
use views::{Shared, Views};

/// A catalog of tools, the sessions that use it, and the settings that both follow.
#[derive(Debug)]
pub struct ToolSift {
    settings: Settings,
    catalog: Catalog,
    sessions: SessionStore,
    counter: TokenCounter,
    renders: Renders,
    index: Index,
    texts: TextIndex,
    views: Views,
}

impl ToolSift {
    /// An empty catalog under some settings; tokens are counted as `ceil(characters / 4)`.
    pub fn new(settings: Settings) -> Self {
        Self::with_counter(settings, TokenCounter::Characters)
    }

    /// The same, with the host's own token counter.
    pub fn with_counter(settings: Settings, counter: TokenCounter) -> Self {
        let reserved = settings.discovery.surface.iter().map(|tool| tool.definition.name.to_owned());
        let mut catalog =
            Catalog::new(settings.most_tools, reserved).with_bytes(settings.most_bytes, settings.most_server_bytes);
        let lists = &settings.eligibility.lists;
        catalog.claim(lists.pre_discovered.bare().chain(lists.always_available.bare()));
        ToolSift {
            catalog,
            sessions: SessionStore::new(settings.most_sessions, settings.profile.session_eviction),
            index: Index::new(&settings.synonyms, settings.discovery.search.without),
            settings,
            counter,
            renders: Renders::default(),
            texts: TextIndex::default(),
            views: Views::default(),
        }
    }

    /// The tools.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The settings that are in force.
    pub fn settings(&self) -> SettingsInfo {
        self.settings.info()
    }

    /// Registers a JSON list of tool definitions, in the shape of any vendor, one by one: a broken tool is in the
    /// report and costs nothing but itself.
    ///
    /// # Errors
    /// `not_json` when the text is no list; `list_too_large`, `out_of_memory`.
    pub fn register(&mut self, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        self.register_for(SHARED, list, options)
    }

    /// Registers one definition.
    ///
    /// # Errors
    /// What is wrong with it; nothing has changed then.
    pub fn register_one(&mut self, definition: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        self.register_one_for(SHARED, definition, options)
    }

    /// Makes the tools of one server be exactly those of a JSON list.
    ///
    /// # Errors
    /// `not_json` when the text is no list; `list_too_large`, `out_of_memory`.
    pub fn sync(&mut self, server: &str, list: &str, options: &RegisterOptions) -> Result<SyncReport> {
        self.sync_for(SHARED, server, list, options)
    }

    /// Removes shared tools by server, by model-facing name, or those that fit both. Returns the names that went.
    pub fn unregister(&mut self, server: Option<&str>, names: Option<&[String]>) -> Vec<Arc<str>> {
        self.unregister_for(SHARED, server, names)
    }

    /// Keeps the name that a shared tool of a server has or would have, until it is registered again: no tool of another
    /// server gets it. For tools that the host holds back. At most 10,000 names are kept.
    pub fn keep_name(&mut self, server: &str, name: &str, policy: NamePolicy) {
        self.keep_name_for(SHARED, server, name, policy);
    }

    /// Lets go of a name that was kept for a tool.
    pub fn release_name(&mut self, server: &str, name: &str) {
        self.release_name_for(SHARED, server, name);
    }

    /// Whose tools a registration is about: [`SHARED`] for the opening 0, or an open session's, by its opening. This is no
    /// use of the session: a server's list may change while nobody talks to it.
    ///
    /// # Errors
    /// `session_closed`.
    pub(crate) fn owner(&self, id: &str, opening: u32) -> Result<u32> {
        if opening != SHARED {
            self.sessions.check_opening(id, opening)?;
        }
        Ok(opening)
    }

    /// Registers tools of an [`owner`](ToolSift::owner).
    pub(crate) fn register_for(&mut self, owner: u32, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        self.disown_closed();
        self.catalog.register_for(owner, list, options)
    }

    /// Registers one tool of an owner.
    pub(crate) fn register_one_for(
        &mut self,
        owner: u32,
        definition: &str,
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        self.disown_closed();
        self.catalog.register_one_for(owner, definition, options)
    }

    /// Makes the tools of one server of an owner be exactly those of a JSON list.
    pub(crate) fn sync_for(
        &mut self,
        owner: u32,
        server: &str,
        list: &str,
        options: &RegisterOptions,
    ) -> Result<SyncReport> {
        self.disown_closed();
        self.catalog.sync_for(owner, server, list, options)
    }

    /// Keeps a name for a tool of an owner.
    pub(crate) fn keep_name_for(&mut self, owner: u32, server: &str, name: &str, policy: NamePolicy) {
        self.catalog.keep_name(owner, server, name, policy);
    }

    /// Lets go of such a name.
    pub(crate) fn release_name_for(&mut self, owner: u32, server: &str, name: &str) {
        self.catalog.release_name(owner, server, name);
    }

    /// Removes tools of an owner.
    pub(crate) fn unregister_for(
        &mut self,
        owner: u32,
        server: Option<&str>,
        names: Option<&[String]>,
    ) -> Vec<Arc<str>> {
        self.catalog.unregister_for(owner, server, names)
    }

    /// Removes the own tools of sessions that were closed or evicted, and what was kept for them. Nobody sees them any more;
    /// they take room.
    fn disown_closed(&mut self) {
        for closed in self.sessions.take_closed() {
            self.catalog.disown(closed.1);
            self.views.forget(&closed);
        }
    }

    /// Returns the open session of an id, or opens one: with this scope, or without a bound where none is given.
    ///
    /// # Errors
    /// `session_id_invalid`; `option_invalid` when it is open with another scope than the one that is given.
    pub fn session(&mut self, id: &str, scope: Option<&Scope>) -> Result<SessionHandle<'_>> {
        let opening = match (scope, self.sessions.get_mut(id)) {
            (None, Ok(session)) => session.opening(),
            _ => self.open(id, scope.cloned().unwrap_or_default())?,
        };
        Ok(SessionHandle { sift: self, id: id.to_owned(), opening })
    }

    fn open(&mut self, id: &str, scope: Scope) -> Result<u32> {
        let is_new = !self.sessions.has_scope(&scope);
        let session = self.sessions.open(id, scope)?;
        if is_new {
            self.catalog.claim(session.scope().bare_names());
        }
        let opening = session.opening();
        self.disown_closed();
        Ok(opening)
    }

    /// The session of an id that is open since [`SessionHandle::opening`]; one that was closed or evicted, and opened again,
    /// is another one. This never opens a session.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn open_session(&mut self, id: &str, opening: u32) -> Result<SessionHandle<'_>> {
        self.sessions.get_opening(id, opening)?;
        Ok(SessionHandle { sift: self, id: id.to_owned(), opening })
    }

    /// Closes the session of an id that is open since an opening, and says whether there was one.
    pub fn close_opening(&mut self, id: &str, opening: u32) -> bool {
        self.sessions.get(id).is_some_and(|session| session.opening() == opening) && self.close(id)
    }

    /// Closes a session, and says whether there was one.
    pub fn close(&mut self, id: &str) -> bool {
        let is_closed = self.sessions.close(id);
        self.disown_closed();
        is_closed
    }

    /// Opens the session of a snapshot with its reveals, added to what a session of that id has here, or instead of it.
    /// Returns the identities of those that are not to be seen here: tools that the catalog has not, which are there
    /// again when it has them; and tools that the session may not see or has no room for, which it forgets.
    ///
    /// # Errors
    /// `snapshot_invalid`, and what [`ToolSift::session`] says. On an error no session has changed.
    pub fn restore(&mut self, json: &str, scope: Option<&Scope>, replace: bool) -> Result<(String, Vec<ToolKey>)> {
        let snapshot = Snapshot::read(json)?;
        let profile = &snapshot.profile;
        if Profile::named(profile).is_none() {
            let message = format!("unknown profile {}", excerpt(profile));
            return Err(Error::new(ErrorCode::SnapshotInvalid, message));
        }
        self.session(&snapshot.id, scope)?;
        let ToolSift { settings, catalog, sessions, .. } = &mut *self;
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
    pub fn search(&mut self, query: &str, limit: Option<usize>, session: Option<&str>) -> Result<SearchResult> {
        self.search_with(
            query,
            &SearchOptions { limit, session: session.map(str::to_owned), ..SearchOptions::default() },
        )
    }

    /// The same, with reasons where they are wanted.
    ///
    /// # Errors
    /// As above.
    pub fn search_with(&mut self, query: &str, options: &SearchOptions) -> Result<SearchResult> {
        let SearchOptions { limit, reasons, ref scores, .. } = *options;
        let search = &self.settings.discovery.search;
        let most = limit.unwrap_or(search.shown(Stage::Sift, None));
        let first = if reasons { limit.unwrap_or(search.most_explained()) } else { 0 };
        let explained = Explained { first, tool: None };
        let (shared, found) = self.find((query, scores), (most, explained), options.session.as_deref())?;
        let shown = limit.unwrap_or(self.settings.discovery.search.shown(found.stage, None));
        let hits = found.hits.into_iter().take(shown).map(|hit| {
            let tool = &self.catalog.tools()[hit.index];
            FoundTool {
                name: tool.model_name.clone(),
                server: tool.key.server.clone(),
                description: tool.description.to_string(),
                score: hit.score,
                likelihood: hit.likelihood,
                parts: hit.parts,
            }
        });
        let hits = hits.collect();
        let verdict = found.verdict.map(VerdictInfo::from);
        Ok(SearchResult { query: query.to_owned(), stage: found.stage, hits, searched: shared.corpus.len(), verdict })
    }

    /// Why a search finds one tool, or does not.
    ///
    /// # Errors
    /// `tool_unknown`, and what [`ToolSift::search`] says.
    pub fn explain(&mut self, query: &str, name: &str, session: Option<&str>) -> Result<Explanation> {
        let session = session.map(str::to_owned);
        self.explain_with(query, name, &SearchOptions { session, ..SearchOptions::default() })
    }

    /// The same, with scores of the host's.
    ///
    /// # Errors
    /// As above.
    pub fn explain_with(&mut self, query: &str, name: &str, options: &SearchOptions) -> Result<Explanation> {
        let SearchOptions { session, scores, .. } = options;
        let session = session.as_deref();
        let opening = match session {
            Some(id) => self.sessions.get_mut(id)?.opening(),
            None => SHARED,
        };
        let tool = self.known(opening, name)?;
        let position = self.catalog.position(&tool);
        let explained = Explained { first: 0, tool: position };
        let (shared, found) = self.find((query, scores), (usize::MAX, explained), session)?;
        let shown = self.settings.discovery.search.shown(found.stage, None).min(found.hits.len());
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
    pub fn tools(&mut self) -> Result<Vec<ToolInfo>> {
        self.renders.follow(&self.catalog);
        let tools = self.catalog.tools_for(SHARED);
        let states: Vec<ToolState> = tools.iter().map(|tool| self.settings.eligibility.state(tool, None)).collect();
        infos(&tools, &states, &mut self.renders, &self.counter)
    }

    /// What all shared tools cost in a format, and where it comes from.
    ///
    /// # Errors
    /// `counter_failed`.
    pub fn size(&mut self, format: Format) -> Result<CatalogSize> {
        self.renders.follow(&self.catalog);
        let mut all = Tally::default();
        let mut servers = Vec::new();
        for (server, tools) in by_server(self.catalog.tools_for(SHARED).into_iter().map(|tool| &**tool)) {
            let mut sum = Tally::default();
            for tool in tools {
                sum.add(self.renders.of(tool, format, &self.counter)?.tally);
            }
            all.add(sum);
            let Cost { tools, bytes, tokens } = sum.cost();
            servers.push(ServerSize { server: server.map(str::to_owned), tools, bytes, tokens });
        }
        let Cost { tools, bytes, tokens } = all.cost();
        Ok(CatalogSize { tools, bytes, tokens, servers })
    }

    fn known(&self, opening: u32, name: &str) -> Result<Arc<Tool>> {
        self.catalog
            .by_name_for(opening, name)
            .cloned()
            .ok_or_else(|| Error::new(ErrorCode::ToolUnknown, format!("there is no tool named {}", excerpt(name))))
    }

    fn find(
        &mut self,
        (query, scores): (&str, &[(String, f64)]),
        (most, explained): (usize, Explained),
        session: Option<&str>,
    ) -> Result<(Arc<Shared>, Found)> {
        let ToolSift { settings, catalog, sessions, index, texts, views, .. } = self;
        let (scope, opening) = match session {
            Some(id) => {
                let session = sessions.get_mut(id)?;
                (session.scope(), session.opening())
            }
            None => (&Scope::All, SHARED),
        };
        let shared = views.of(catalog, settings, (scope, opening));
        let scores = &*host_scores::placed(scores, catalog, &settings.discovery.search, opening)?;
        let (settings, corpus) = (&settings.discovery.search, &shared.corpus);
        if settings.needs_index() {
            index.follow(catalog);
        }
        if settings.needs_texts() {
            texts.follow(catalog);
        }
        let found = Search { settings, index, texts, catalog, corpus, opening, scores, most, explained }.find(query)?;
        Ok((shared, found))
    }
}
