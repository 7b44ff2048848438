//! Does what one conversation needs: assembles requests, answers calls, reveals and conceals.

use std::sync::Arc;

use crate::assembly::{self, Assembly, Format, HeldBack, Inputs};
use crate::catalog::{Catalog, Owner, RegisterOptions, RegisterReport, SyncReport, Tool, ToolKey, unmatched};
use crate::discovery::definitions::READ_CUT_ANSWER;
use crate::discovery::{self, Budget, Context, MessageFormat, Outcome, Replay, Turn, reads_skills, searched_query};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::lock::lock;
use crate::map::Set;
use crate::session::{Scope, Session, Snapshot, ToolState};

use super::answers::{HistoryReport, infos};
use super::ranker::by_position;
use super::views::Shared;
use super::{Indexed, Inner, SearchRequest, ToolInfo, ToolSift, ToolSource, Tools, known};

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

    /// Does something with the open session and the catalog as it is now. Only what uses the same session waits meanwhile.
    pub(super) fn locked<T>(&self, run: impl FnOnce(&Tools, &mut Session) -> T) -> Result<T> {
        let Inner { sessions, counter, .. } = &*self.sift.inner;
        counter.check_is_over()?;
        let session = lock(sessions).session(&self.id, self.owner)?;
        let mut session = lock(&session);
        // While another thread used it, it may have been closed or given another scope.
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

    /// Does something with what a request is made of.
    fn with_inputs<T>(&self, run: impl FnOnce(&Inputs<'_>, &mut Session) -> Result<T>) -> Result<T> {
        self.locked(|tools, session| {
            let shared = self.shared(&tools.catalog, session);
            run(&self.inputs(&tools.catalog, &shared, session), session)
        })?
    }

    /// What the session shares with others of its scope.
    fn shared(&self, catalog: &Catalog, session: &Session) -> Arc<Shared> {
        let Inner { settings, views, .. } = &*self.sift.inner;
        views.of(catalog, settings, session.scope(), self.owner)
    }

    fn inputs<'i>(&'i self, catalog: &'i Catalog, shared: &'i Shared, session: &Session) -> Inputs<'i> {
        let Inner { settings, counter, renders, .. } = &*self.sift.inner;
        let Shared { view, totals, .. } = shared;
        let has_reveals = session.has_reveals(catalog);
        let reads_skills = reads_skills(catalog, view, self.owner);
        Inputs { catalog, view, totals, settings: &settings.assembly, counter, renders, has_reveals, reads_skills }
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
        self.sift.tools_now().catalog.check_names(self.owner, scope.bare_names())?;
        let mut sessions = lock(&self.sift.inner.sessions);
        sessions.check_owner(&self.id, self.owner)?;
        sessions.open_child(&self.id, id, scope)?;
        drop(sessions);
        Ok(SessionHandle::new(&self.sift, id, self.owner))
    }

    /// Registers tools of the session's own, as [`ToolSift::register`] registers shared ones. No other session sees,
    /// searches or calls them, whatever their names; they go when the session is closed or evicted. A server of the
    /// session's own replaces the shared server of the same name for it. A shared tool that is registered later is hidden
    /// from the session while one of its own has the name.
    ///
    /// This is no use of the session: a server's list may change while nobody talks to it.
    ///
    /// # Errors
    /// What [`ToolSift::register`] says; `session_closed`.
    pub fn register(
        &self,
        definitions: &(impl ToolSource + ?Sized),
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        self.check_open()?;
        self.sift.register_for(self.number(), &definitions.json()?, options)
    }

    /// Registers one tool of the session's own.
    ///
    /// # Errors
    /// What [`ToolSift::register_one`] says; `session_closed`.
    pub fn register_one(
        &self,
        definition: &(impl ToolSource + ?Sized),
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        self.check_open()?;
        self.sift.register_one_for(self.number(), &definition.json()?, options)
    }

    /// Makes the tools of one server of the session's own be exactly those of a list.
    ///
    /// # Errors
    /// What [`ToolSift::sync`] says; `session_closed`.
    pub fn sync(
        &self,
        server: &str,
        definitions: &(impl ToolSource + ?Sized),
        options: &RegisterOptions,
    ) -> Result<SyncReport> {
        self.check_open()?;
        self.sift.sync_for(self.number(), server, &definitions.json()?, options)
    }

    /// Removes tools of the session's own by server, by model-facing name, or those that fit both. Returns the names that
    /// went.
    ///
    /// # Errors
    /// `option_invalid` when neither is given; `session_closed`.
    pub fn unregister(&self, server: Option<&str>, names: Option<&[String]>) -> Result<Vec<Arc<str>>> {
        self.check_open()?;
        self.sift.unregister_for(self.number(), server, names)
    }

    /// Whether the session is open. To ask is no use of it.
    pub fn is_open(&self) -> bool {
        self.check_open().is_ok()
    }

    fn check_open(&self) -> Result<()> {
        lock(&self.sift.inner.sessions).check_owner(&self.id, self.owner)
    }

    /// Begins a search of what the session sees: see [`ToolSift::search`].
    pub fn search<'q>(&self, query: &'q str) -> SearchRequest<'q> {
        SearchRequest::new(&self.sift, query).in_session(&self.id, self.owner)
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
        self.locked(|Tools { catalog, .. }, session| {
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
                session.sends_all = !gate.automatic;
            }
            Ok(assembly)
        })
    }

    /// Decides what a call of the model comes to. `arguments` is an object: JSON text as the model wrote it, or a value. What
    /// is wrong with the call itself is an outcome, for the model to read.
    ///
    /// # Errors
    /// `counter_failed`, where tokens decide whether tools are held back; `ranker_failed`; `session_closed`.
    pub fn call(&self, name: &str, arguments: &(impl ToolSource + ?Sized)) -> Result<Outcome> {
        self.call_in(&Turn::default(), name, arguments)
    }

    /// Answers a call as [`SessionHandle::call`] does, with what the host says of the turn in which it is made.
    ///
    /// # Errors
    /// What [`SessionHandle::call`] says.
    pub fn call_in(&self, turn: &Turn, name: &str, arguments: &(impl ToolSource + ?Sized)) -> Result<Outcome> {
        let arguments = &*arguments.json()?;
        let settings = &self.sift.inner.settings;
        let query = if self.sift.has_ranker() { searched_query(&settings.discovery, name, arguments) } else { None };
        let scores = match query {
            Some(query) => self.sift.ranked(&query, Some((&self.id, self.owner)), &turn.scores)?,
            None => turn.scores.clone(),
        };
        // A call of a tool that the session sees looks nothing up.
        let looks_up = |catalog: &Catalog, session: &Session| {
            settings.discovery.is_discovery_tool(name) || !self.sees(catalog, session, turn, name)
        };
        self.with_context(turn, &scores, looks_up, |context| discovery::call(context, name, arguments))
    }

    /// The answer of a tool as the model is to read it: one of more than `most` characters is cut, and its end says how to read on.
    /// The session keeps all of it, and its requests offer the discovery tool `read_cut_answer` from now on.
    pub fn cut_answer(&self, text: &str, most: usize) -> String {
        self.cut_answer_of(text, 0, most, true)
    }

    /// As [`SessionHandle::cut_answer`]; `length` is how many characters all of it has, where `text` is its beginning. It is not
    /// kept then, nor without `reads_on`, nor where the session was closed or the catalog has a tool of that name.
    #[doc(hidden)]
    pub fn cut_answer_of(&self, text: &str, length: usize, most: usize, reads_on: bool) -> String {
        let cut = |tools: &Tools, session: &mut Session| {
            let is_taken = tools.catalog.by_name_for(self.owner, READ_CUT_ANSWER.definition.name).is_some();
            let all = &self.sift.inner.cut_answers;
            discovery::cut(text, length, most, Some((session, all)).filter(|_| reads_on && !is_taken))
        };
        self.locked(cut).unwrap_or_else(|_| discovery::cut(text, length, most, None))
    }

    /// What the host read of a skill, as the model is to read it: the answer to a dispatch with a
    /// [`SkillFile`](crate::SkillFile). It says whose words these are; a long one is cut as [`SessionHandle::cut_answer`] does.
    ///
    /// # Errors
    /// `tool_unknown` where the skill has left the catalog; `session_closed`.
    pub fn skill_text(&self, server: Option<&str>, name: &str, path: Option<&str>, text: &str) -> Result<String> {
        self.locked(|Tools { catalog, .. }, session| {
            let key = ToolKey { server: server.map(Arc::from), name: name.into(), is_skill: true };
            let unknown = || Error::new(ErrorCode::ToolUnknown, format!("there is no skill {}", excerpt(name)));
            let skill = catalog.by_key_for(self.owner, &key).ok_or_else(unknown)?;
            Ok(discovery::cut_skill(&skill.skill_block(path, text), session, &self.sift.inner.cut_answers))
        })?
    }

    /// The real tool that a call through another tool comes to; none where it comes to no tool. Looking is no call: it loads
    /// nothing, and what is refused counts as no failure.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    #[doc(hidden)]
    pub fn forwarded(&self, name: &str, arguments: &str) -> Result<Option<Outcome>> {
        self.with_context(&Turn::default(), &[], |_, _| true, |context| discovery::forwarded(&context, name, arguments))
    }

    /// Loads what a request of the user's clearly finds, before the model is asked. Returns the names of the tools that were
    /// not loaded before: none while every tool is sent.
    ///
    /// # Errors
    /// `counter_failed`, `session_closed`.
    pub fn prefetch(&self, request: &str, budget: Budget) -> Result<Vec<Arc<str>>> {
        self.with_context(&Turn::default(), &[], |_, _| true, |context| discovery::prefetch(context, request, budget))
    }

    /// Does something with what a call is decided by.
    fn with_context<T>(
        &self,
        turn: &Turn,
        scores: &[(String, f64)],
        looks_up: impl FnOnce(&Catalog, &Session) -> bool,
        run: impl FnOnce(Context<'_>) -> T,
    ) -> Result<T> {
        let Inner { settings, empty_index, cut_answers, .. } = &*self.sift.inner;
        self.locked(|tools, session| {
            let indexed = looks_up(&tools.catalog, session).then(|| self.sift.indexed());
            let (catalog, index) = match &indexed {
                Some(Indexed { tools, index }) => (&tools.catalog, &**index),
                None => (&tools.catalog, empty_index),
            };
            let shared = self.shared(catalog, session);
            let gate = self.inputs(catalog, &shared, session).gate()?;
            let Shared { view, corpus, kinds, .. } = &*shared;
            let visible = turn.visible.names();
            let in_this_turn = visible.as_ref().map(|names| corpus.of_names(catalog, self.owner, names));
            Ok(run(Context {
                catalog,
                session,
                eligibility: &settings.eligibility,
                settings: &settings.discovery,
                index,
                gate,
                corpus: in_this_turn.as_ref().unwrap_or(corpus),
                whole: corpus,
                kinds: kinds.as_ref(),
                view,
                cut_answers,
                turn,
                scores: &by_position(scores, catalog, &settings.discovery.search, self.owner)?,
                visible,
            }))
        })?
    }

    /// Whether the session sees a tool of a name in a turn.
    fn sees(&self, catalog: &Catalog, session: &Session, turn: &Turn, name: &str) -> bool {
        let eligibility = &self.sift.inner.settings.eligibility;
        let is_visible = |name: &str| turn.visible.names().is_none_or(|names| names.contains(name));
        // A skill is loaded, for which the names of its tools are looked up.
        let is_seen =
            |tool: &Arc<Tool>| !tool.key.is_skill && eligibility.state(tool, Some(session)) != ToolState::Hidden;
        let tool = catalog.by_name_for(self.owner, name);
        tool.is_some_and(|tool| is_visible(&tool.model_name) && is_seen(tool))
    }

    /// Makes the reveals of the session those of a conversation: the tools that the answers of the discovery tools report as loaded,
    /// and the tools that were called, in the same order and with the same evictions. Other tools are deferred again. Reveals and
    /// conceals of the host are in no message. The same messages again change nothing.
    ///
    /// `messages` are all messages that the model is sent, as a JSON list, in their order.
    ///
    /// # Errors
    /// `messages_invalid`; `format_mismatch` where the messages hold no call that was answered in this format, but in another;
    /// `not_json`, `counter_failed`, `session_closed`. Nothing has changed then.
    pub fn replay(&self, messages: &(impl ToolSource + ?Sized), format: MessageFormat) -> Result<HistoryReport> {
        let messages = messages.json()?;
        let follow = Replay::read(&messages, format)?;
        let settings = &self.sift.inner.settings;
        let (eligibility, settings) = (&settings.eligibility, &settings.discovery);
        self.with_inputs(|inputs, session| {
            let (catalog, gate) = (inputs.catalog, inputs.gate()?);
            let before = self.revealed_in(catalog, session);
            let turn = session.rewind();
            let mut replay = Replay { catalog, eligibility, settings, gate, session, missing: Vec::new(), compared: 0 };
            follow(&mut replay);
            replay.session.catch_up(turn);
            let missing = replay.missing;
            let now = self.revealed_in(catalog, session);
            Ok(HistoryReport {
                revealed: without(&now, &before),
                concealed: without(&before, &now),
                missing: without(&missing, &now),
            })
        })
    }

    /// Reveals tools by their model-facing names, as the host. Returns those that were not there before. Of a skill the prompt has
    /// the beginning then.
    ///
    /// # Errors
    /// `tool_unknown`, `tool_out_of_scope`, `revealed_full`; no tool has been revealed then.
    pub fn reveal<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Arc<str>>> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let settings = &self.sift.inner.settings;
        self.locked(|Tools { catalog, .. }, session| {
            let tools = self.known(catalog, &names)?;
            let revealed = settings.eligibility.reveal(&tools, session, &settings.discovery.bounds, catalog)?;
            let skills = tools.iter().filter(|tool| tool.key.is_skill && revealed.contains(&tool.model_name));
            skills.for_each(|skill| session.note_ahead(&skill.key));
            Ok(revealed)
        })?
    }

    /// Takes reveals back by model-facing name. Returns those that were there.
    ///
    /// # Errors
    /// `tool_unknown`; nothing has changed then.
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

    /// The tools that the session's model knows by some names.
    fn known<'c>(&self, catalog: &'c Catalog, names: &[&str]) -> Result<Vec<&'c Arc<Tool>>> {
        names.iter().map(|name| known(catalog, self.owner, name)).collect()
    }

    /// Defers again what was used the longest ago, until at most so many tools of so many tokens
    /// ([`Tool::tokens`]) are left revealed. Returns the model-facing names of what went, as far as the catalog has them.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn evict(&self, tools: usize, tokens: usize) -> Result<Vec<Arc<str>>> {
        self.locked(|Tools { catalog, .. }, session| {
            catalog.names_for(self.owner, &session.evict(catalog, tools, tokens))
        })
    }

    /// The revealed tools by model-facing name, in the order of their reveal, as far as the catalog has them now.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn revealed(&self) -> Result<Vec<Arc<str>>> {
        self.locked(|Tools { catalog, .. }, session| self.revealed_in(catalog, session))
    }

    fn revealed_in(&self, catalog: &Catalog, session: &Session) -> Vec<Arc<str>> {
        let eligibility = &self.sift.inner.settings.eligibility;
        let tools = session.revealed().filter(|key| !key.is_skill);
        let tools = tools.filter_map(|key| catalog.by_key_for(self.owner, &key));
        let seen = tools.filter(|tool| eligibility.state(tool, Some(session)) == ToolState::Revealed);
        seen.map(|tool| tool.model_name.clone()).collect()
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

    /// Brings the session up to date with its record, the text that a store keeps of it; an empty text is none. What other
    /// processes concealed is concealed, and what was revealed here and is not saved yet stays. `has_scope` says that the host
    /// has opened the session with a scope, and `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// `store_garbled`; `scope_required` where the record is of a session with a scope, and this one was opened without: it is
    /// closed then, unless it was opened with a record before; `session_closed`.
    pub fn open_record(&self, text: &str, has_scope: bool, now: u64) -> Result<()> {
        let settings = &self.sift.inner.settings;
        let (eligibility, bounds) = (&settings.eligibility, &settings.discovery.bounds);
        let (opened, is_new) = self.locked(|Tools { catalog, .. }, session| {
            let opened = session.open_record(text, has_scope, now, eligibility, bounds, catalog);
            (opened, !session.has_record())
        })?;
        if is_new && opened.as_ref().is_err_and(|error| error.code() == ErrorCode::ScopeRequired) {
            self.sift.close_number(&self.id, self.number());
        }
        opened
    }

    /// The record that a store is to keep of the session in the place of another one, which it has now; none where that one has
    /// all that the session knows. Read the record, ask for this, and write it, again if another process has written meanwhile.
    /// `now` and `ttl`, after which the record expires, are in milliseconds; with a `ttl` of 0 it never does.
    ///
    /// # Errors
    /// `store_garbled`; `revealed_full` for more than a record may hold; `session_closed`.
    pub fn save_record(&self, text: &str, now: u64, ttl: u64) -> Result<Option<String>> {
        self.locked(|_, session| session.save_record(text, now, ttl))?
    }
}

/// The names that are none of some others, each once.
fn without(names: &[Arc<str>], others: &[Arc<str>]) -> Vec<Arc<str>> {
    let mut seen: Set<&Arc<str>> = others.iter().collect();
    names.iter().filter(|name| seen.insert(name)).cloned().collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use serde_json::json;

    use crate::ErrorCode;

    use super::*;
    use crate::{Activation, Settings, ToolDefinition};

    /// Something that a host does with a `ToolSift`.
    type Step = (&'static str, fn(&ToolSift));

    const USE_SESSIONS: &[Step] = &[
        ("call a tool", |sift| _ = other(sift).call("get_forecast", &json!({})).unwrap()),
        ("assemble", |sift| _ = other(sift).assemble(Format::OpenAi).unwrap()),
        ("reveal", |sift| _ = other(sift).reveal(&["get_forecast"]).unwrap()),
        ("rescope", |sift| _ = other(sift).rescope(&Scope::All).unwrap()),
        ("snapshot", |sift| _ = other(sift).snapshot().unwrap()),
        ("close", |sift| assert!(sift.close("other"))),
    ];
    const SEARCH: &[Step] = &[
        ("search", |sift| assert_eq!(sift.search("tomorrow's weather").run().unwrap().hits.len(), 1)),
        ("call a search", |sift| _ = other(sift).call("search_tools", &json!({ "query": "weather" })).unwrap()),
    ];
    const CHANGE: &[Step] = &[
        ("register", |sift| _ = sift.register_one(&ToolDefinition::new("send_mail"), &Default::default()).unwrap()),
        ("register own", |sift| {
            _ = other(sift).register_one(&ToolDefinition::new("own"), &Default::default()).unwrap()
        }),
        ("close with own", |sift| assert!(sift.close("other"))),
        ("close the one in use", |sift| assert!(sift.close("in use"))),
    ];

    fn other(sift: &ToolSift) -> SessionHandle {
        sift.session("other", None).unwrap()
    }

    fn sift() -> ToolSift {
        let sift = ToolSift::new(Settings::default().activation(Activation::On));
        let tool = ToolDefinition::new("get_forecast").description("Tomorrow's weather at a place.");
        sift.register(&[tool], &RegisterOptions::default().server("base")).unwrap();
        sift.session("in use", None).unwrap();
        sift
    }

    /// Runs steps on another thread, where each is to end. The time is that of a test that has failed.
    fn finish(sift: &ToolSift, held: &str, steps: &[&'static [Step]]) {
        for (name, step) in steps.iter().copied().flatten() {
            let (done, ends) = channel();
            let sift = sift.clone();
            thread::spawn(move || {
                step(&sift);
                done.send(*name).unwrap();
            });
            assert_eq!(ends.recv_timeout(Duration::from_secs(60)), Ok(*name), "waits for {held}");
        }
    }

    #[test]
    fn nothing_waits_for_what_it_does_not_need() {
        let sift = sift();
        let in_use = sift.session("in use", None).unwrap();
        in_use.locked(|_, _| finish(&sift, "another session", &[SEARCH, USE_SESSIONS, CHANGE])).unwrap();
        assert_eq!(in_use.revealed().unwrap_err().code(), ErrorCode::SessionClosed);

        let sift = self::sift();
        SEARCH.iter().for_each(|(_, step)| step(&sift));
        let writer = lock(&sift.inner.writer);
        finish(&sift, "a change of the catalog", &[SEARCH, USE_SESSIONS]);
        drop(writer);

        let index = lock(&sift.inner.latest_index);
        finish(&sift, "an index", &[CHANGE, USE_SESSIONS]);
        drop(index);
        assert_eq!(sift.search("send mail").run().unwrap().hits.len(), 1);
    }

    #[test]
    fn readers_keep_the_catalog_that_they_began_with() {
        let sift = sift();
        let before = sift.indexed();
        // The one is made in a copy because of the reader, the other one would be made in place.
        for name in ["send_mail", "open_issue"] {
            sift.register_one(&ToolDefinition::new(name), &RegisterOptions::default()).unwrap();
            assert_eq!(sift.search(&name.replace('_', " ")).run().unwrap().hits.len(), 1);
        }
        assert_eq!(before.tools.catalog.tools().len(), 1);
        assert!(before.index.follows(&before.tools.catalog));
    }

    #[test]
    fn a_session_in_use_takes_over_its_scope_afterwards() {
        let sift = sift();
        let (parent, tool) = (other(&sift), ["get_forecast"]);
        let child = parent.child("child", None).unwrap();
        child.reveal(&tool).unwrap();
        child
            .locked(|_, session| {
                const NARROW: &[Step] = &[("rescope", |sift| {
                    assert!(other(sift).rescope(&Scope::new::<&str>(&[], &[])).unwrap().is_empty());
                })];
                finish(&sift, "a child", &[NARROW]);
                assert_eq!(session.reveals(), 1);
            })
            .unwrap();
        assert!(child.revealed().unwrap().is_empty());
        let error = child.reveal(&tool).unwrap_err();
        assert_eq!(error.code(), ErrorCode::ToolOutOfScope);
    }
}
