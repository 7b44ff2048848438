//! Defines the handle of one conversation: it assembles requests, loads and conceals tools; `calls.rs` answers calls.

use std::sync::Arc;

use crate::assembly::{self, Assembly, Format, HeldBack, Inputs};
use crate::catalog::{Catalog, Owner, RegisterOptions, RegisterReport, SyncReport, Tool, ToolKey, unmatched};
use crate::discovery::reads_skills;
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::lock::lock;
use crate::map::Set;
use crate::options::check_which;
use crate::profile::Settings;
use crate::session::{Scope, Session, Snapshot, ToolState};

use super::answers::infos;
use super::views::Shared;
use super::{Inner, SearchRequest, ToolInfo, ToolSift, ToolSource, Tools, known};

/// One conversation with a [`ToolSift`].
#[derive(Clone, Debug)]
pub struct SessionHandle {
    pub(super) sift: ToolSift,
    pub(super) id: Arc<str>,
    pub(super) owner: Owner,
}

impl SessionHandle {
    pub(super) fn new(sift: &ToolSift, id: &str, owner: Owner) -> Self {
        SessionHandle { sift: sift.clone(), id: id.into(), owner }
    }

    /// Returns the session's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the session's number. A session that was closed or evicted, and is opened again, has a new number.
    #[doc(hidden)]
    pub fn number(&self) -> u32 {
        self.owner.number()
    }

    /// Runs a function with the open session and the current catalog. Only other uses of the same session wait.
    pub(super) fn locked<T>(&self, run: impl FnOnce(&Tools, &mut Session) -> T) -> Result<T> {
        let Inner { sessions, counter, .. } = &*self.sift.inner;
        counter.check_is_over()?;
        let session = lock(sessions).session(&self.id, self.owner)?;
        let mut session = lock(&session);
        // While another thread used the session, it may have been closed or given another scope.
        let scope = lock(sessions).take_scope(&self.id, self.owner)?;
        let tools = self.sift.tools_now();
        if let Some(scope) = scope {
            session.rescope(scope, &tools.catalog);
        }
        let had_revealed = session.has_ever_revealed;
        let done = run(&tools, &mut session);
        if session.has_ever_revealed != had_revealed {
            lock(sessions).note_reveal(&self.id, self.owner);
        }
        Ok(done)
    }

    /// Runs a function with the inputs of an assembly.
    pub(super) fn with_inputs<T>(&self, run: impl FnOnce(&Inputs<'_>, &mut Session) -> Result<T>) -> Result<T> {
        self.locked(|tools, session| {
            let shared = self.shared(&tools.catalog, session);
            run(&self.inputs(&tools.catalog, &shared, session), session)
        })?
    }

    /// Returns the data that the session shares with other sessions of its scope.
    pub(super) fn shared(&self, catalog: &Catalog, session: &Session) -> Arc<Shared> {
        let Inner { settings, views, .. } = &*self.sift.inner;
        views.of(catalog, settings, session.scope(), self.owner)
    }

    pub(super) fn inputs<'i>(&'i self, catalog: &'i Catalog, shared: &'i Shared, session: &Session) -> Inputs<'i> {
        let Inner { settings, counter, renders, .. } = &*self.sift.inner;
        let Shared { view, totals, .. } = shared;
        let has_reveals = session.has_reveals(catalog);
        let reads_skills = reads_skills(catalog, view, self.owner);
        Inputs { catalog, view, totals, settings: &settings.assembly, counter, renders, has_reveals, reads_skills }
    }

    /// Returns true if the session's scope is narrower than everything.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn is_scoped(&self) -> Result<bool> {
        self.locked(|_, session| *session.scope() != Scope::All)
    }

    /// Opens a child of the session, for a subagent. The child has the tools of this session, including its own ones,
    /// but loads tools separately. It may see what both its scope and this session's scope admit, even after either
    /// changes. It is closed with this session.
    ///
    /// # Errors
    /// `session_id_invalid`; `option_invalid` if a session with this id is open; `session_closed`.
    pub fn child(&self, id: &str, scope: Option<&Scope>) -> Result<SessionHandle> {
        let scope = scope.cloned().unwrap_or_default();
        self.sift.tools_now().catalog.check_names(self.owner, scope.bare_names())?;
        let mut sessions = lock(&self.sift.inner.sessions);
        sessions.check_owner(&self.id, self.owner)?;
        sessions.open_child(&self.id, id, scope)?;
        drop(sessions);
        Ok(SessionHandle::new(&self.sift, id, self.owner))
    }

    /// Registers tools of the session's own, as [`ToolSift::register`] registers shared ones. No other session sees,
    /// searches or calls them, whatever their names are; they are removed when the session is closed or evicted. A
    /// server of the session's own replaces the shared server of the same name in this session. A shared tool that is
    /// registered later is hidden from the session while a tool of its own has the name.
    ///
    /// This does not count as use of the session: a server's list may change while the conversation pauses.
    ///
    /// # Errors
    /// The errors of [`ToolSift::register`]; `session_closed` if the session was closed.
    pub fn register(
        &self,
        definitions: &(impl ToolSource + ?Sized),
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        let list = definitions.json()?;
        self.change(list.len(), |catalog| catalog.register_for(self.owner, &list, options))?
    }

    /// Registers one tool of the session's own.
    ///
    /// # Errors
    /// The errors of [`ToolSift::register_one`]; `session_closed` if the session was closed.
    pub fn register_one(
        &self,
        definition: &(impl ToolSource + ?Sized),
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        let tool = definition.json()?;
        self.change(tool.len(), |catalog| catalog.register_one_for(self.owner, &tool, options))?
    }

    /// Replaces the tools of one server of the session's own by a new list, as [`ToolSift::sync`] does.
    ///
    /// # Errors
    /// The errors of [`ToolSift::sync`]; `session_closed` if the session was closed.
    pub fn sync(
        &self,
        server: &str,
        definitions: &(impl ToolSource + ?Sized),
        options: &RegisterOptions,
    ) -> Result<SyncReport> {
        let list = definitions.json()?;
        self.change(list.len(), |catalog| catalog.sync_for(self.owner, server, &list, options))?
    }

    /// Removes tools of the session's own by server, by model-facing name, or by both conditions together. Returns the
    /// names of the removed tools.
    ///
    /// # Errors
    /// `option_invalid` if neither is given; `session_closed`.
    pub fn unregister(&self, server: Option<&str>, names: Option<&[String]>) -> Result<Vec<Arc<str>>> {
        check_which(server, names)?;
        self.change(0, |catalog| catalog.unregister_for(self.owner, server, names))
    }

    /// Changes the tools of the handle's owner by definitions of this number of bytes.
    fn change<T>(&self, bytes: usize, change: impl FnOnce(&mut Catalog) -> T) -> Result<T> {
        // The handle of the host has no id.
        if !self.id.is_empty() {
            self.check_open()?;
        }
        self.sift.release_closed();
        self.sift.write(bytes, |catalog| {
            if self.owner != Owner::SHARED {
                lock(&self.sift.inner.sessions).note_own(self.owner)?;
            }
            Ok(change(catalog))
        })
    }

    /// Closes the session. Returns true if it was open.
    pub fn close(&self) -> bool {
        self.is_open() && self.sift.close(&self.id)
    }

    /// Returns true if the session is open. This does not count as use of the session.
    pub fn is_open(&self) -> bool {
        self.check_open().is_ok()
    }

    /// Checks that the session is open. This does not count as use of the session.
    ///
    /// # Errors
    /// `session_closed`.
    #[doc(hidden)]
    pub fn check_open(&self) -> Result<()> {
        lock(&self.sift.inner.sessions).check_owner(&self.id, self.owner)
    }

    /// Begins a search of the tools that the session sees: see [`ToolSift::search`].
    pub fn search<'q>(&self, query: &'q str) -> SearchRequest<'q> {
        SearchRequest::new(&self.sift, query).in_session(&self.id, self.owner)
    }

    /// Returns the entries of the host's lists (`preDiscovered`, `alwaysAvailable`) and of the session's scope that
    /// match no single tool of the catalog. They are typos, tools of servers that have not connected yet, or bare names
    /// that several servers have: for these, `server:tool` says which one is meant.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn unmatched(&self) -> Result<Vec<Arc<str>>> {
        let settings = &self.sift.inner.settings;
        let lists = &settings.eligibility.lists;
        self.locked(|Tools { catalog, .. }, session| {
            let mut all = vec![&lists.pre_discovered, &lists.always_available];
            all.extend(session.scope().names());
            let mut names = unmatched(&all, catalog, self.owner);
            names.retain(|name| !settings.profile.always_available.contains(&&**name));
            names
        })
    }

    /// Returns true if the session may see a tool that is not in the catalog.
    ///
    /// # Errors
    /// `session_closed`.
    #[doc(hidden)]
    pub fn admits(&self, key: &ToolKey) -> Result<bool> {
        self.locked(|_, session| session.scope().admits_absent(key))
    }

    /// Changes the scope of the session, and conceals the tools outside it. Returns the model-facing names of the
    /// concealed tools that are in the catalog.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn rescope(&self, scope: &Scope) -> Result<Vec<Arc<str>>> {
        self.locked(|Tools { catalog, .. }, session| {
            catalog.check_names(self.owner, scope.bare_names())?;
            let mut sessions = lock(&self.sift.inner.sessions);
            sessions.rescope(&self.id, scope.clone())?;
            let scope = sessions.take_scope(&self.id, self.owner)?;
            drop(sessions);
            let concealed = scope.map(|scope| session.rescope(scope, catalog)).unwrap_or_default();
            Ok(catalog.names_for(self.owner, &concealed))
        })?
    }

    /// Assembles the tools and prompt text for the next model request.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`; the session is then unchanged.
    pub fn assemble(&self, format: Format) -> Result<Assembly> {
        self.assembled(format, true)
    }

    /// Assembles the next request as [`SessionHandle::assemble`] does. A request that is not sent does not count as a
    /// turn.
    #[doc(hidden)]
    pub fn assembled(&self, format: Format, is_sent: bool) -> Result<Assembly> {
        self.with_inputs(|inputs, session| {
            let gate = inputs.gate()?;
            let assembly = assembly::assemble(inputs, session, format, is_sent)?;
            if is_sent {
                session.sends_all = !gate.automatic;
            }
            Ok(assembly)
        })
    }

    /// Loads tools by their model-facing names, for the host. Returns those that were not loaded before. For a skill,
    /// the prompt then has its beginning.
    ///
    /// # Errors
    /// `tool_unknown`, `tool_out_of_scope`, `revealed_full`; then no tool was loaded.
    pub fn reveal<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Arc<str>>> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let Settings { eligibility, discovery, .. } = &self.sift.inner.settings;
        self.locked(|Tools { catalog, .. }, session| {
            let mut deferred: Vec<&Tool> = Vec::new();
            for tool in self.known(catalog, &names)? {
                match eligibility.state(tool, Some(session)) {
                    ToolState::Hidden => {
                        let message = format!("{} is outside what this session may see", excerpt(&tool.model_name));
                        return Err(Error::new(ErrorCode::ToolOutOfScope, message));
                    }
                    // A loaded tool may be evicted for another tool of the list, and is then loaded again.
                    ToolState::Deferred | ToolState::Revealed => deferred.push(tool),
                    ToolState::Eager | ToolState::Pinned => {}
                }
            }
            let revealed = session.reveal_all(&deferred, &discovery.bounds, catalog)?;
            let revealed = revealed.into_iter().map(|at| deferred[at]);
            revealed.clone().filter(|tool| tool.key.is_skill).for_each(|skill| session.note_ahead(&skill.key));
            Ok(revealed.map(|tool| tool.model_name.clone()).collect())
        })?
    }

    /// Defers loaded tools again, by model-facing name. Returns those that were loaded.
    ///
    /// # Errors
    /// `tool_unknown`; then nothing has changed.
    pub fn conceal<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Arc<str>>> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        self.locked(|Tools { catalog, .. }, session| {
            let tools = self.known(catalog, &names)?;
            let keys = tools.iter().map(|tool| tool.key.clone()).collect();
            let mut concealed: Set<ToolKey> = session.conceal(&keys).into_iter().collect();
            let concealed = tools.iter().filter(|tool| concealed.remove(&tool.key));
            Ok(concealed.map(|tool| tool.model_name.clone()).collect())
        })?
    }

    /// Returns the tools with these names for the session's model.
    fn known<'c>(&self, catalog: &'c Catalog, names: &[&str]) -> Result<Vec<&'c Arc<Tool>>> {
        names.iter().map(|name| known(catalog, self.owner, name)).collect()
    }

    /// Defers the least recently used tools again, until at most `tools` tools of `tokens` tokens ([`Tool::tokens`])
    /// remain loaded. Returns the model-facing names of the evicted tools that are in the catalog.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn evict(&self, tools: usize, tokens: usize) -> Result<Vec<Arc<str>>> {
        self.locked(|Tools { catalog, .. }, session| {
            catalog.names_for(self.owner, &session.evict(catalog, tools, tokens))
        })
    }

    /// Returns the loaded tools that are in the catalog by model-facing name, in the order of loading.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn revealed(&self) -> Result<Vec<Arc<str>>> {
        self.locked(|Tools { catalog, .. }, session| self.revealed_in(catalog, session))
    }

    pub(super) fn revealed_in(&self, catalog: &Catalog, session: &Session) -> Vec<Arc<str>> {
        let eligibility = &self.sift.inner.settings.eligibility;
        let tools = session.revealed().filter(|key| !key.is_skill);
        let tools = tools.filter_map(|key| catalog.by_key_for(self.owner, &key));
        let seen = tools.filter(|tool| eligibility.state(tool, Some(session)) == ToolState::Revealed);
        seen.map(|tool| tool.model_name.clone()).collect()
    }

    /// Returns the tools and their states in this session. If no tool is deferred now, deferrable tools are eager.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    pub fn tools(&self) -> Result<Vec<ToolInfo>> {
        self.infos_of(None)
    }

    /// Returns those of [`SessionHandle::tools`] with the given names, one per line, in this order. A name is the one
    /// that the model sees, in any vendor's format, or the one under which the host registered a tool without a server.
    /// The others cost no time.
    #[doc(hidden)]
    pub fn tools_named(&self, names: &str) -> Result<Vec<ToolInfo>> {
        self.infos_of(Some(names))
    }

    fn infos_of(&self, names: Option<&str>) -> Result<Vec<ToolInfo>> {
        let Inner { settings, counter, renders, .. } = &*self.sift.inner;
        self.with_inputs(|inputs, session| {
            let (catalog, gate) = (inputs.catalog, inputs.gate()?);
            let state = |tool: &&Arc<Tool>| match settings.eligibility.state(tool, Some(session)) {
                ToolState::Deferred if !gate.holds(tool.deferral) => ToolState::Eager,
                state => state,
            };
            let called = |name: &str| {
                let hosts = catalog.by_key_for(self.owner, &ToolKey { name: name.into(), ..ToolKey::default() });
                let renamed = hosts.filter(|tool| *tool.model_name != *name);
                [catalog.by_name_for(self.owner, name), renamed].into_iter().flatten()
            };
            let tools = match names {
                Some(names) => names.lines().flat_map(called).collect(),
                None => catalog.tools_for(self.owner),
            };
            let states: Vec<ToolState> = tools.iter().map(state).collect();
            infos(&tools, &states, renders, counter)
        })
    }

    /// Returns the deferred tools in the order of the catalog, including loaded ones, for vendors that get every
    /// definition and defer tools themselves.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    pub fn held_back(&self, format: Format) -> Result<Vec<HeldBack>> {
        self.with_inputs(|inputs, _| assembly::held_back(inputs, format))
    }

    /// Takes a snapshot of the session.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn snapshot(&self) -> Result<Snapshot> {
        self.locked(|_, session| Snapshot::of(session, self.sift.inner.settings.profile.name))
    }

    /// Updates the session from its record, which is the text that a store keeps for it; an empty text is no record.
    /// Tools that other processes concealed are concealed; tools that were loaded here and not saved yet stay.
    /// `has_scope` is true if the host opened the session with a scope, and `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// `store_garbled`; `scope_required` if the record is of a session with a scope, and this one was opened without:
    /// then it is closed, unless it was opened with a record before; `session_closed`.
    pub fn open_record(&self, text: &str, has_scope: bool, now: u64) -> Result<()> {
        let settings = &self.sift.inner.settings;
        let (eligibility, bounds) = (&settings.eligibility, &settings.discovery.bounds);
        let (opened, is_new) = self.locked(|Tools { catalog, .. }, session| {
            let opened = session.open_record(text, has_scope, now, eligibility, bounds, catalog);
            (opened, !session.has_record())
        })?;
        if is_new && opened.as_ref().is_err_and(|error| error.code() == ErrorCode::ScopeRequired) {
            self.close();
        }
        opened
    }

    /// Returns the record to store for the session in place of `text`, the current one; `None` if `text` need not be
    /// replaced. Read the record, call this, and write the result; if another process has written in between, repeat.
    /// `now` and `ttl` are in milliseconds; the record expires after `ttl`, or never if `ttl` is 0.
    ///
    /// # Errors
    /// `store_garbled`; `revealed_full` if the session has loaded more than a record may hold; `session_closed`.
    pub fn save_record(&self, text: &str, now: u64, ttl: u64) -> Result<Option<String>> {
        self.locked(|_, session| session.save_record(text, now, ttl))?
    }
}
