//! Does what one conversation needs: assembles requests, answers calls, reveals and conceals.

use std::sync::Arc;

use crate::assembly::{self, Assembly, Counts, Format, Gate, HeldBack, Inputs};
use crate::catalog::{Catalog, Owner, RegisterOptions, RegisterReport, SyncReport, Tool, ToolKey, unmatched};
use crate::discovery::{self, Budget, Context, Outcome, Replay, Turn, searched_query};
use crate::error::{Error, ErrorCode, Result};
use crate::json::Value;
use crate::lock::{lock, read};
use crate::map::Set;
use crate::options::check_which;
use crate::session::{Scope, Session, Snapshot, ToolState};

use super::answers::infos;
use super::ranker::by_position;
use super::views::Shared;
use super::{Inner, ToolInfo, ToolSift, Tools, known};

/// One conversation with a [`ToolSift`].
#[derive(Clone, Debug)]
pub struct SessionHandle {
    pub(super) sift: ToolSift,
    id: Arc<str>,
    owner: Owner,
}

impl SessionHandle {
    pub(super) fn new(sift: &ToolSift, id: &str, owner: Owner) -> Self {
        SessionHandle { sift: sift.clone(), id: id.into(), owner }
    }

    /// The session's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The session's number. A session that was closed or evicted, and is opened again, has another one.
    #[doc(hidden)]
    pub fn number(&self) -> u32 {
        self.owner.number()
    }

    /// Does something with the catalog and the open session.
    pub(super) fn locked<T>(&self, run: impl FnOnce(&Catalog, &mut Session) -> T) -> Result<T> {
        let tools = read(&self.sift.inner.tools);
        let mut sessions = lock(&self.sift.inner.sessions);
        Ok(run(&tools.catalog, sessions.get_owner(&self.id, self.owner)?))
    }

    /// Does something with what a request is made of. It may run several times ([`TokenCounter::counting`](crate::TokenCounter::counting)).
    fn with_inputs<T>(&self, mut run: impl FnMut(&mut Inputs<'_>, &mut Session) -> Result<T>) -> Result<T> {
        let Inner { settings, counter, views, renders, .. } = &*self.sift.inner;
        counter.counting(|counts| {
            self.locked(|catalog, session| {
                let Shared { view, totals, .. } = &*lock(views).of(catalog, settings, (session.scope(), self.owner));
                let has_reveals = session.has_reveals(catalog);
                let (settings, renders) = (&settings.assembly, &mut *lock(renders));
                run(&mut Inputs { catalog, view, totals, settings, counts, renders, has_reveals }, session)
            })?
        })
    }

    /// Whether the session may see less than everything.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn is_scoped(&self) -> Result<bool> {
        self.locked(|_, session| *session.scope() != Scope::All)
    }

    /// Opens a child of the session, for a subagent: it has the tools of this session, also its own ones, reveals on its
    /// own, and may see what both its scope and this session's admit, also after either changes. It is closed with this
    /// session.
    ///
    /// # Errors
    /// `session_id_invalid`; `option_invalid` when a session of that id is open; `session_closed`.
    pub fn child(&self, id: &str, scope: Option<&Scope>) -> Result<SessionHandle> {
        let scope = scope.cloned().unwrap_or_default();
        read(&self.sift.inner.tools).catalog.check_names(self.owner, scope.bare_names())?;
        let mut sessions = lock(&self.sift.inner.sessions);
        sessions.check_owner(&self.id, self.owner)?;
        sessions.open_child(&self.id, id, scope)?;
        drop(sessions);
        Ok(SessionHandle::new(&self.sift, id, self.owner))
    }

    /// Registers tools of the session's own from a JSON list: see [`SessionHandle::register`].
    ///
    /// # Errors
    /// What [`ToolSift::register`] says; `session_closed`.
    pub fn register_json(&self, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        self.change_own(|catalog, owner| catalog.register_for(owner, list, options))?
    }

    /// Registers one tool of the session's own from JSON text.
    ///
    /// # Errors
    /// What [`ToolSift::register_one`] says; `session_closed`.
    pub fn register_one_json(&self, definition: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        self.change_own(|catalog, owner| catalog.register_one_for(owner, definition, options))?
    }

    /// Makes the tools of one server of the session's own be exactly those of a JSON list.
    ///
    /// # Errors
    /// What [`ToolSift::sync`] says; `session_closed`.
    pub fn sync_json(&self, server: &str, list: &str, options: &RegisterOptions) -> Result<SyncReport> {
        self.change_own(|catalog, owner| catalog.sync_for(owner, server, list, options))?
    }

    /// Removes tools of the session's own by server, by model-facing name, or those that fit both. Returns the names that
    /// went.
    ///
    /// # Errors
    /// `option_invalid` when neither is given; `session_closed`.
    pub fn unregister(&self, server: Option<&str>, names: Option<&[String]>) -> Result<Vec<Arc<str>>> {
        check_which(server, names)?;
        self.change_own(|catalog, owner| catalog.unregister_for(owner, server, names))
    }

    /// Changes what the session has of its own. This is no use of the session: a server's list may change while nobody talks
    /// to it.
    fn change_own<T>(&self, change: impl FnOnce(&mut Catalog, Owner) -> T) -> Result<T> {
        lock(&self.sift.inner.sessions).check_owner(&self.id, self.owner)?;
        Ok(self.sift.change(|catalog| change(catalog, self.owner)))
    }

    /// The entries of the host's lists (`preDiscovered`, `alwaysAvailable`) and of the session's scope that name no tool of
    /// the catalog: typos, or tools of servers that have not connected yet. So are bare names that several servers have:
    /// `server:tool` says which one is meant.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn unmatched(&self) -> Result<Vec<Arc<str>>> {
        let settings = &self.sift.inner.settings;
        let lists = &settings.eligibility.lists;
        self.locked(|catalog, session| {
            let mut all = vec![&lists.pre_discovered, &lists.always_available];
            all.extend(session.scope().names());
            let mut names = unmatched(&all, catalog, self.owner);
            names.retain(|name| !settings.profile.always_available.contains(&&**name));
            names
        })
    }

    /// Whether the session may see a tool that is not in the catalog.
    ///
    /// # Errors
    /// `session_closed`.
    #[doc(hidden)]
    pub fn admits(&self, key: &ToolKey) -> Result<bool> {
        self.locked(|_, session| session.scope().admits_absent(key))
    }

    /// Changes what the session may see, and conceals what falls out of it. Returns the model-facing names of what was
    /// concealed, as far as the catalog has them.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn rescope(&self, scope: &Scope) -> Result<Vec<Arc<str>>> {
        self.sift.change(|catalog| {
            let mut sessions = lock(&self.sift.inner.sessions);
            sessions.check_owner(&self.id, self.owner)?;
            catalog.check_names(self.owner, scope.bare_names())?;
            let concealed = sessions.rescope(&self.id, scope.clone(), catalog)?;
            Ok(catalog.names_for(self.owner, &concealed))
        })
    }

    /// Tools and prompt text for the next model request.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`; the session is as it was.
    pub fn assemble(&self, format: Format) -> Result<Assembly> {
        self.assembled(format, true)
    }

    /// The next request as [`SessionHandle::assemble`] has it; one that is not sent counts as no turn.
    #[doc(hidden)]
    pub fn assembled(&self, format: Format, is_sent: bool) -> Result<Assembly> {
        self.with_inputs(|inputs, session| {
            let gate = inputs.gate()?;
            let assembly = assembly::assemble(inputs, session, format, is_sent)?;
            if is_sent {
                session.note_all(!gate.automatic);
            }
            Ok(assembly)
        })
    }

    /// Decides what a call of the model comes to. `arguments` is JSON text as the model wrote it; what is wrong with it is
    /// an outcome, for the model to read.
    ///
    /// # Errors
    /// What [`SessionHandle::call`] says.
    pub fn call_json(&self, name: &str, arguments: &str) -> Result<Outcome> {
        self.call_json_in(&Turn::default(), name, arguments)
    }

    /// Answers a call as [`SessionHandle::call_json`] does, with what the host says of the turn in which it is made.
    ///
    /// # Errors
    /// What [`SessionHandle::call`] says.
    pub fn call_json_in(&self, turn: &Turn, name: &str, arguments: &str) -> Result<Outcome> {
        let settings = &self.sift.inner.settings;
        let query = self.sift.ranker.as_ref().and_then(|_| searched_query(&settings.discovery, name, arguments));
        let scores = match query {
            Some(query) => self.sift.ranked(&query, Some((&self.id, self.owner)), &turn.scores)?,
            None => turn.scores.clone(),
        };
        // A call of a tool that the session sees looks nothing up.
        let looks_up = settings.discovery.is_discovery_tool(name)
            || !self.sees(&read(&self.sift.inner.tools).catalog, turn, name)?;
        self.with_context(turn, &scores, looks_up, |context| Ok(discovery::call(context, name, arguments)))
    }

    /// The real tool that a call through another tool comes to; none where it comes to no tool. Looking is no call: it loads
    /// nothing, and what is refused counts as no failure.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    #[doc(hidden)]
    pub fn forwarded(&self, name: &str, arguments: &str) -> Result<Option<Outcome>> {
        self.with_context(&Turn::default(), &[], true, |context| Ok(discovery::forwarded(&context, name, arguments)))
    }

    /// Why no call can reach a tool by a name; none where one can.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    #[doc(hidden)]
    pub fn why_not(&self, name: &str) -> Result<Option<String>> {
        self.with_context(&Turn::default(), &[], true, |context| Ok(discovery::why_not(&context, name)))
    }

    /// Loads what a request of the user's clearly finds, before the model is asked. Returns the names of the tools that were
    /// not loaded before: none while every tool is sent.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    pub fn prefetch(&self, request: &str, budget: Budget) -> Result<Vec<Arc<str>>> {
        self.with_context(&Turn::default(), &[], true, |context| Ok(discovery::prefetch(context, request, budget)))
    }

    /// Does something with what a call is decided by.
    fn with_context<T>(
        &self,
        turn: &Turn,
        scores: &[(String, f64)],
        looks_up: bool,
        run: impl FnOnce(Context<'_>) -> Result<T>,
    ) -> Result<T> {
        let Inner { settings, sessions, views, .. } = &*self.sift.inner;
        let gate = self.gate()?;
        let tools = if looks_up { self.sift.searchable() } else { read(&self.sift.inner.tools) };
        let Tools { catalog, index } = &*tools;
        let mut sessions = lock(sessions);
        let session = sessions.get_owner(&self.id, self.owner)?;
        let Shared { view, corpus, .. } = &*lock(views).of(catalog, settings, (session.scope(), self.owner));
        let visible = turn.visible.names();
        let in_this_turn = visible.as_ref().map(|names| corpus.of_names(catalog, names));
        run(Context {
            catalog,
            session,
            eligibility: &settings.eligibility,
            settings: &settings.discovery,
            index,
            gate,
            corpus: in_this_turn.as_ref().unwrap_or(corpus),
            whole: corpus,
            view,
            turn,
            scores: &by_position(scores, catalog, &settings.discovery.search, self.owner)?,
            visible,
        })
    }

    /// Whether the session sees a tool of a name in a turn.
    fn sees(&self, catalog: &Catalog, turn: &Turn, name: &str) -> Result<bool> {
        let Inner { settings, sessions, .. } = &*self.sift.inner;
        let mut sessions = lock(sessions);
        let session: &Session = sessions.get_owner(&self.id, self.owner)?;
        let is_visible = |name: &str| turn.visible.names().is_none_or(|names| names.contains(name));
        let is_seen = |tool: &Arc<Tool>| settings.eligibility.state(tool, Some(session)) != ToolState::Hidden;
        let tool = catalog.by_name_for(self.owner, name);
        Ok(tool.is_some_and(|tool| is_visible(&tool.model_name) && is_seen(tool)))
    }

    /// Makes the reveals of the session those of some calls: JSON text, a list of objects in the order of the calls. Returns
    /// the names that the calls say were loaded, and that could not be at that time.
    ///
    /// `{ begins?, name?, said? }` is what every call has. `begins` marks the first one of a step of the model; without
    /// `name`, the vendor's own search was called; without `said`, the call was not answered.
    ///
    /// `{ failed?, refers?, said }` is what the call of a real tool has beside: whether the answer is marked as an
    /// error, whether it refers to the called tool, and its texts.
    ///
    /// `{ asked, said, references }` is what the call of a discovery tool has: the parts of the arguments and of the
    /// answer, each a list of the lines of a text or an object with the names that it lists by key, and the names of
    /// the tools that the answer refers to.
    ///
    /// # Errors
    /// `not_json`, `counter_failed`, `session_closed`; nothing has changed then.
    pub fn replay_json(&self, calls: &str) -> Result<Vec<Arc<str>>> {
        let gate = self.gate()?;
        let Ok(calls) = serde_json::from_str::<Vec<Value>>(calls) else {
            return Err(Error::new(ErrorCode::NotJson, "calls must be a JSON list"));
        };
        let settings = &self.sift.inner.settings;
        let (eligibility, settings) = (&settings.eligibility, &settings.discovery);
        self.locked(|catalog, session| {
            let turn = session.rewind();
            let mut replay = Replay { catalog, eligibility, settings, gate, session, missing: Vec::new(), compared: 0 };
            calls.iter().filter_map(Value::as_object).for_each(|call| replay.follow(call));
            replay.session.catch_up(turn);
            replay.missing
        })
    }

    /// Reveals tools by their model-facing names, as the host. Returns those that were not there before.
    ///
    /// # Errors
    /// `tool_unknown`, `tool_out_of_scope`, `revealed_full`; no tool has been revealed then.
    pub fn reveal<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Arc<str>>> {
        let settings = &self.sift.inner.settings;
        self.locked(|catalog, session| {
            let tools = self.known(catalog, names)?;
            settings.eligibility.reveal(&tools, session, &settings.discovery.bounds, catalog)
        })?
    }

    /// Takes reveals back by model-facing name. Returns those that were there.
    ///
    /// # Errors
    /// `tool_unknown`; nothing has changed then.
    pub fn conceal<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Arc<str>>> {
        self.locked(|catalog, session| {
            let tools = self.known(catalog, names)?;
            let keys = tools.iter().map(|tool| tool.key.clone()).collect();
            let mut concealed: Set<ToolKey> = session.conceal(&keys).into_iter().collect();
            let concealed = tools.iter().filter(|tool| concealed.remove(&tool.key));
            Ok(concealed.map(|tool| tool.model_name.clone()).collect())
        })?
    }

    /// The tools that the session's model knows by some names.
    fn known<'c, S: AsRef<str>>(&self, catalog: &'c Catalog, names: &[S]) -> Result<Vec<&'c Arc<Tool>>> {
        names.iter().map(|name| known(catalog, self.owner, name.as_ref())).collect()
    }

    /// Defers again what was used the longest ago, until at most so many tools of so many tokens
    /// ([`Tool::tokens`]) are left revealed. Returns the model-facing names of what went, as far as the catalog has them.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn evict(&self, tools: usize, tokens: usize) -> Result<Vec<Arc<str>>> {
        self.locked(|catalog, session| catalog.names_for(self.owner, &session.evict(catalog, tools, tokens)))
    }

    /// The revealed tools by model-facing name, in the order of their reveal, as far as the catalog has them now.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn revealed(&self) -> Result<Vec<Arc<str>>> {
        let eligibility = &self.sift.inner.settings.eligibility;
        self.locked(|catalog, session| {
            let tools = session.revealed().filter_map(|key| catalog.by_key_for(self.owner, &key));
            let seen = tools.filter(|tool| eligibility.state(tool, Some(session)) == ToolState::Revealed);
            seen.map(|tool| tool.model_name.clone()).collect()
        })
    }

    /// The tools and their states in this session. Where nothing is held back, deferred tools are eager.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    pub fn tools(&self) -> Result<Vec<ToolInfo>> {
        self.infos_of(None)
    }

    /// Of these tools those of some names, one a line, in the order of the names: the name that the model sees, in any
    /// vendor's format, or the one under which the host registered a tool without a server. Costs nothing for the others.
    #[doc(hidden)]
    pub fn tools_named(&self, names: &str) -> Result<Vec<ToolInfo>> {
        self.infos_of(Some(names))
    }

    fn infos_of(&self, names: Option<&str>) -> Result<Vec<ToolInfo>> {
        let gate = self.gate()?;
        let Inner { settings, counter, renders, .. } = &*self.sift.inner;
        let of = |counts: &Counts, catalog: &Catalog, session: &mut Session| {
            let state = |tool: &&Arc<Tool>| match settings.eligibility.state(tool, Some(session)) {
                ToolState::Deferred if !gate.holds(tool.deferral) => ToolState::Eager,
                state => state,
            };
            let called = |name: &str| {
                let hosts = catalog.by_key_for(self.owner, &ToolKey { server: None, name: name.into() });
                let renamed = hosts.filter(|tool| *tool.model_name != *name);
                [catalog.by_name_for(self.owner, name), renamed].into_iter().flatten()
            };
            let tools = match names {
                Some(names) => names.lines().flat_map(called).collect(),
                None => catalog.tools_for(self.owner),
            };
            let states: Vec<ToolState> = tools.iter().map(state).collect();
            infos(&tools, &states, &mut lock(renders), counts)
        };
        counter.counting(|counts| self.locked(|catalog, session| of(counts, catalog, session))?)
    }

    /// Which deferred tools are held back.
    fn gate(&self) -> Result<Gate> {
        self.with_inputs(|inputs, _| inputs.gate())
    }

    /// The tools that are held back unless they are revealed, in the order of the catalog, revealed ones too: for vendors
    /// that are sent every definition and hold them back themselves.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    pub fn held_back(&self, format: Format) -> Result<Vec<HeldBack>> {
        self.with_inputs(|inputs, _| assembly::held_back(inputs, format))
    }

    /// What the session knows.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn snapshot(&self) -> Result<Snapshot> {
        self.locked(|_, session| Snapshot::of(session, self.sift.inner.settings.profile.name))
    }
}
