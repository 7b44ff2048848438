//! Does what one conversation needs: assembles requests, answers calls, reveals and conceals.

use std::sync::Arc;

use crate::assembly::{self, Assembly, Format, Gate, HeldBack, Inputs};
use crate::catalog::{Catalog, RegisterOptions, RegisterReport, SyncReport, Tool, ToolKey, unmatched};
use crate::discovery::{self, Context, Outcome, Turn};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::lock::{lock, read, write};
use crate::map::Set;
use crate::session::{Scope, Session, SessionStore, Snapshot, ToolState};

use super::answers::infos;
use super::host_scores::placed;
use super::views::Shared;
use super::{Inner, ToolInfo, ToolSift, Tools, known};

/// One conversation with a [`ToolSift`].
#[derive(Clone, Debug)]
pub struct SessionHandle {
    pub(super) sift: ToolSift,
    id: Arc<str>,
    pub(super) opening: u32,
}

impl SessionHandle {
    pub(super) fn new(sift: &ToolSift, id: &str, opening: u32) -> Self {
        SessionHandle { sift: sift.clone(), id: id.into(), opening }
    }

    /// The open session, in the store.
    pub(super) fn of<'s>(&self, sessions: &'s mut SessionStore) -> Result<&'s mut Session> {
        sessions.get_opening(&self.id, self.opening)
    }

    /// The session's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The number of its opening: a session that was closed or evicted, and is opened again, has another one.
    #[doc(hidden)]
    pub fn opening(&self) -> u32 {
        self.opening
    }

    /// Whether the session may see less than everything.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn is_scoped(&self) -> Result<bool> {
        Ok(*self.of(&mut lock(&self.sift.inner.sessions))?.scope() != Scope::All)
    }

    /// Registers tools of the session's own from a JSON list: see [`SessionHandle::register`].
    ///
    /// # Errors
    /// What [`ToolSift::register`] says; `session_closed`.
    pub fn register_json(&self, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        let owner = self.sift.owner(&self.id, self.opening)?;
        self.sift.register_for(owner, list, options)
    }

    /// Registers one tool of the session's own from JSON text.
    ///
    /// # Errors
    /// What [`ToolSift::register_one`] says; `session_closed`.
    pub fn register_one_json(&self, definition: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        let owner = self.sift.owner(&self.id, self.opening)?;
        self.sift.register_one_for(owner, definition, options)
    }

    /// Makes the tools of one server of the session's own be exactly those of a JSON list.
    ///
    /// # Errors
    /// What [`ToolSift::sync`] says; `session_closed`.
    pub fn sync_json(&self, server: &str, list: &str, options: &RegisterOptions) -> Result<SyncReport> {
        let owner = self.sift.owner(&self.id, self.opening)?;
        self.sift.sync_for(owner, server, list, options)
    }

    /// Removes tools of the session's own by server, by model-facing name, or those that fit both. Returns the names that
    /// went.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn unregister(&self, server: Option<&str>, names: Option<&[String]>) -> Result<Vec<Arc<str>>> {
        let owner = self.sift.owner(&self.id, self.opening)?;
        Ok(self.sift.unregister_for(owner, server, names))
    }

    /// The entries of the host's lists (`preDiscovered`, `alwaysAvailable`) and of the session's scope that name no tool of
    /// the catalog: typos, or tools of servers that have not connected yet.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn unmatched(&self) -> Result<Vec<Arc<str>>> {
        let Inner { settings, tools, sessions, .. } = &*self.sift.inner;
        let catalog = &read(tools).catalog;
        let mut sessions = lock(sessions);
        let lists = &settings.eligibility.lists;
        let mut all = vec![&lists.pre_discovered, &lists.always_available];
        all.extend(self.of(&mut sessions)?.scope().names());
        let mut names = unmatched(&all, catalog.tools_for(self.opening));
        names.retain(|name| !settings.profile.always_available.contains(&&**name));
        Ok(names)
    }

    /// Changes what the session may see, and conceals what falls out of it. Returns the model-facing names of what was
    /// concealed, as far as the catalog has them.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn rescope(&self, scope: &Scope) -> Result<Vec<Arc<str>>> {
        let catalog = &mut write(&self.sift.inner.tools).catalog;
        let mut sessions = lock(&self.sift.inner.sessions);
        self.of(&mut sessions)?;
        let gone = sessions.rescope(&self.id, scope.clone(), catalog)?;
        catalog.claim(scope.bare_names());
        Ok(gone
            .iter()
            .filter_map(|key| catalog.by_key_for(self.opening, key))
            .map(|tool| tool.model_name.clone())
            .collect())
    }

    /// Tools and prompt text for the next model request.
    ///
    /// # Errors
    /// `counter_failed`; the session is as it was.
    pub fn assemble(&self, format: Format) -> Result<Assembly> {
        let Inner { settings, counter, tools, sessions, views, renders } = &*self.sift.inner;
        let catalog = &read(tools).catalog;
        let mut sessions = lock(sessions);
        let session = self.of(&mut sessions)?;
        let Shared { view, totals, .. } = &*lock(views).of(catalog, settings, (session.scope(), session.opening()));
        let has_reveals = session.has_reveals(catalog);
        let renders = &mut *lock(renders);
        let mut inputs = Inputs { catalog, view, totals, settings: &settings.assembly, counter, renders, has_reveals };
        session.note_all(!inputs.gate()?.automatic);
        assembly::assemble(&mut inputs, session, format)
    }

    /// Decides what a call of the model comes to. `arguments` is JSON text as the model wrote it; what is wrong with it is
    /// an outcome, for the model to read.
    ///
    /// # Errors
    /// What [`SessionHandle::call`] says.
    pub fn call_json(&self, name: &str, arguments: &str) -> Result<Outcome> {
        self.call_json_in(&Turn::default(), name, arguments)
    }

    /// The same, with what the host says of the turn in which the call is made.
    ///
    /// # Errors
    /// What [`SessionHandle::call`] says.
    pub fn call_json_in(&self, turn: &Turn, name: &str, arguments: &str) -> Result<Outcome> {
        let scores = self.ranked_call((name, arguments), &turn.scores)?;
        let gate = self.gate()?;
        let Inner { settings, sessions, views, .. } = &*self.sift.inner;
        // A call of a tool that the session sees looks nothing up.
        let mut tools = read(&self.sift.inner.tools);
        if settings.discovery.is_discovery_tool(name) || !self.sees(&tools.catalog, turn, name)? {
            drop(tools);
            tools = self.sift.searchable();
        }
        let Tools { catalog, index } = &*tools;
        let mut sessions = lock(sessions);
        let session = self.of(&mut sessions)?;
        let Shared { view, corpus, .. } = &*lock(views).of(catalog, settings, (session.scope(), session.opening()));
        let visible = turn.visible.names();
        let in_this_turn = visible.as_ref().map(|names| corpus.of_names(catalog, names));
        let deferred = match &visible {
            None => view.deferred().len(),
            Some(names) => {
                let name = |position: &u32| &*catalog.tools()[*position as usize].model_name;
                view.deferred().iter().filter(|position| names.contains(name(position))).count()
            }
        };
        let scores = &*placed(&scores, catalog, &settings.discovery.search, self.opening)?;
        let context = Context {
            catalog,
            session,
            eligibility: &settings.eligibility,
            settings: &settings.discovery,
            index,
            gate,
            corpus: in_this_turn.as_ref().unwrap_or(corpus),
            whole: corpus,
            deferred,
            turn,
            scores,
            visible,
        };
        Ok(discovery::call(context, name, arguments))
    }

    /// Whether the session sees a tool of a name in a turn.
    fn sees(&self, catalog: &Catalog, turn: &Turn, name: &str) -> Result<bool> {
        let Inner { settings, sessions, .. } = &*self.sift.inner;
        let mut sessions = lock(sessions);
        let session: &Session = self.of(&mut sessions)?;
        let is_visible = |name: &str| turn.visible.names().is_none_or(|names| names.contains(name));
        let is_seen = |tool: &Arc<Tool>| settings.eligibility.state(tool, Some(session)) != ToolState::Hidden;
        let tool = catalog.by_name_for(self.opening, name);
        Ok(tool.is_some_and(|tool| is_visible(&tool.model_name) && is_seen(tool)))
    }

    /// Reveals tools by their model-facing names, as the host. Returns those that were not there before.
    ///
    /// # Errors
    /// `tool_unknown`, `tool_out_of_scope`, `revealed_full`; no tool has been revealed then.
    pub fn reveal<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Arc<str>>> {
        let Inner { settings, tools, sessions, .. } = &*self.sift.inner;
        let catalog = &read(tools).catalog;
        let mut sessions = lock(sessions);
        let tools = names.iter().map(|name| known(catalog, self.opening, name.as_ref())).collect::<Result<Vec<_>>>()?;
        let session = self.of(&mut sessions)?;
        let mut deferred: Vec<&Tool> = Vec::new();
        for tool in &tools {
            match settings.eligibility.state(tool, Some(session)) {
                ToolState::Hidden => {
                    let message = format!("{} is outside what this session may see", excerpt(&tool.model_name));
                    return Err(Error::new(ErrorCode::ToolOutOfScope, message));
                }
                // A revealed tool may have to make room for another one of the list, and is revealed again then.
                ToolState::Deferred | ToolState::Revealed => deferred.push(tool),
                ToolState::Eager | ToolState::Pinned => {}
            }
        }
        let revealed = session.reveal_all(&deferred, &settings.discovery.bounds, catalog)?;
        Ok(revealed.into_iter().map(|at| deferred[at].model_name.clone()).collect())
    }

    /// Takes reveals back by model-facing name. Returns those that were there.
    ///
    /// # Errors
    /// `tool_unknown`; nothing has changed then.
    pub fn conceal<S: AsRef<str>>(&self, names: &[S]) -> Result<Vec<Arc<str>>> {
        let catalog = &read(&self.sift.inner.tools).catalog;
        let mut sessions = lock(&self.sift.inner.sessions);
        let tools = names.iter().map(|name| known(catalog, self.opening, name.as_ref())).collect::<Result<Vec<_>>>()?;
        let session = self.of(&mut sessions)?;
        let revealed: Set<ToolKey> =
            session.conceal(&tools.iter().map(|tool| tool.key.clone()).collect()).into_iter().collect();
        let mut named = Set::default();
        let concealed = tools.iter().filter(|tool| revealed.contains(&tool.key) && named.insert(tool.key.clone()));
        Ok(concealed.map(|tool| tool.model_name.clone()).collect())
    }

    /// Defers again what was used the longest ago, until at most so many tools of so many tokens
    /// ([`Tool::tokens`]) are left revealed. Returns the model-facing names of what went, as far as the catalog has them.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn evict(&self, tools: usize, tokens: usize) -> Result<Vec<Arc<str>>> {
        let catalog = &read(&self.sift.inner.tools).catalog;
        let mut sessions = lock(&self.sift.inner.sessions);
        let gone = self.of(&mut sessions)?.evict(catalog, tools, tokens);
        Ok(gone
            .iter()
            .filter_map(|key| catalog.by_key_for(self.opening, key))
            .map(|tool| tool.model_name.clone())
            .collect())
    }

    /// The revealed tools by model-facing name, in the order of their reveal, as far as the catalog has them now.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn revealed(&self) -> Result<Vec<Arc<str>>> {
        let Inner { settings, tools, sessions, .. } = &*self.sift.inner;
        let catalog = &read(tools).catalog;
        let mut sessions = lock(sessions);
        let session: &Session = self.of(&mut sessions)?;
        let tools = session.revealed().filter_map(|key| catalog.by_key_for(self.opening, key));
        let seen = tools.filter(|t| settings.eligibility.state(t, Some(session)) == ToolState::Revealed);
        Ok(seen.map(|tool| tool.model_name.clone()).collect())
    }

    /// The tools, as they stand in this session. Where nothing is held back, deferred tools stand as eager.
    ///
    /// # Errors
    /// `counter_failed`.
    pub fn tools(&self) -> Result<Vec<ToolInfo>> {
        let gate = self.gate()?;
        let Inner { settings, counter, tools, sessions, renders, .. } = &*self.sift.inner;
        let catalog = &read(tools).catalog;
        let mut sessions = lock(sessions);
        let session: &Session = self.of(&mut sessions)?;
        let state = |tool: &Arc<Tool>| match settings.eligibility.state(tool, Some(session)) {
            ToolState::Deferred if !gate.holds(tool.deferral) => ToolState::Eager,
            state => state,
        };
        let tools = catalog.tools_for(self.opening);
        let states: Vec<ToolState> = tools.iter().map(|tool| state(tool)).collect();
        infos(&tools, &states, &mut lock(renders), counter)
    }

    /// Which deferred tools are held back.
    pub(super) fn gate(&self) -> Result<Gate> {
        let Inner { settings, counter, tools, sessions, views, renders } = &*self.sift.inner;
        let catalog = &read(tools).catalog;
        let mut sessions = lock(sessions);
        let session: &Session = self.of(&mut sessions)?;
        let Shared { view, totals, .. } = &*lock(views).of(catalog, settings, (session.scope(), session.opening()));
        let renders = &mut *lock(renders);
        renders.follow(catalog);
        let has_reveals = session.has_reveals(catalog);
        Inputs { catalog, view, totals, settings: &settings.assembly, counter, renders, has_reveals }.gate()
    }

    /// The tools that are held back unless they are revealed, in the order of the catalog, revealed ones too: for vendors
    /// that are sent every definition and hold them back themselves.
    ///
    /// # Errors
    /// `counter_failed`.
    pub fn held_back(&self, format: Format) -> Result<Vec<HeldBack>> {
        let Inner { settings, counter, tools, sessions, views, renders } = &*self.sift.inner;
        let catalog = &read(tools).catalog;
        let mut sessions = lock(sessions);
        let session: &Session = self.of(&mut sessions)?;
        let Shared { view, totals, .. } = &*lock(views).of(catalog, settings, (session.scope(), session.opening()));
        let has_reveals = session.has_reveals(catalog);
        let renders = &mut *lock(renders);
        let mut inputs = Inputs { catalog, view, totals, settings: &settings.assembly, counter, renders, has_reveals };
        assembly::held_back(&mut inputs, format)
    }

    /// What the session knows.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn snapshot(&self) -> Result<Snapshot> {
        let Inner { settings, sessions, .. } = &*self.sift.inner;
        Ok(self.of(&mut lock(sessions))?.snapshot(settings.profile.name))
    }
}
