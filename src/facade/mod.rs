//! Combines the stages: one [`ToolSift`] per agent, one [`SessionHandle`] per conversation.

mod answers;
mod calls;
mod handle;
mod numbers;
mod prebuilt;
mod search;
mod source;
mod views;

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use crate::assembly::{CatalogSize, Cost, Definition, Format, Renders, ServerSize, Tally, TokenCounter, in_full};
use crate::catalog::{Catalog, Owner, RegisterOptions, RegisterReport, SyncReport, Tool, ToolKey, by_server};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::lock::{lock, read, write};
use crate::options::RestoreOptions;
use crate::profile::{Profile, Settings};
use crate::search::Index;
use crate::session::{CutAnswers, Scope, SessionStore, Snapshot, ToolState};

pub use answers::{Explanation, FoundTool, HistoryReport, SearchResult, ToolInfo};
pub use handle::SessionHandle;
pub use search::{RankError, SearchRequest};
pub use source::ToolSource;

pub use numbers::{Numbered, Texts};

use answers::infos;
use search::HostRanker;
use views::Views;

/// A catalog of tools, the sessions that use it, and the settings of both.
///
/// A clone is another handle to the same catalog and sessions. All methods take `&self`, so that threads can share one.
/// Every search and every call reads the catalog as it was when it began. Changes of the catalog run one after the
/// other, and so do the operations of one session; no session waits for another one. The host's token counter may be
/// slow and may search, but it must not use sessions: one of them is waiting for it.
#[derive(Clone)]
pub struct ToolSift {
    inner: Arc<Inner>,
}

impl fmt::Debug for ToolSift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools = self.tools_now().catalog.tools_for(Owner::SHARED).len();
        let profile = self.inner.settings.profile.name;
        f.debug_struct("ToolSift").field("profile", &profile).field("tools", &tools).finish_non_exhaustive()
    }
}

/// The data that all handles share.
///
/// Locks are taken in this order: a session, `writer`, then one of the others. The others are held only briefly, and
/// never while code of the host runs; only `latest_index` is held while the catalog is indexed, possibly together with
/// a session.
struct Inner {
    settings: Settings,
    counter: TokenCounter,
    ranker: RwLock<Option<HostRanker>>,
    /// The current catalog. Readers copy the pointer to it, and then read without a lock.
    tools: RwLock<Arc<Tools>>,
    /// Held while the catalog is changed.
    writer: Mutex<()>,
    /// The index of the latest catalog that was searched.
    latest_index: Mutex<Arc<Index>>,
    /// The index for calls that search nothing, so that they do not wait for an index.
    empty_index: Index,
    sessions: Mutex<SessionStore>,
    views: Views,
    renders: Renders,
    /// Long answers that were cut, in which models can read on.
    cut_answers: CutAnswers,
}

/// One state of the catalog, and its index, once a search has made it.
#[derive(Debug)]
struct Tools {
    catalog: Catalog,
    index: OnceLock<Arc<Index>>,
}

/// One state of the catalog with its index.
struct Indexed {
    tools: Arc<Tools>,
    index: Arc<Index>,
}

/// The result of restoring a snapshot.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Restored {
    /// The session.
    pub session: SessionHandle,
    /// The tools of the snapshot that cannot be used: tools that are not in the catalog, which count as loaded when
    /// they return; and tools outside the scope or beyond a limit, which are dropped.
    pub missing: Vec<ToolKey>,
}

/// Bytes of definitions that are read in about a millisecond, which is how long readers may wait for a change.
const SMALL_CHANGE_BYTES: usize = 64 << 10;
/// Bytes of definitions that are read in the time in which one tool of a catalog is copied.
const BYTES_PER_COPY: usize = 16;

const _: () = {
    const fn can_be_shared<T: Send + Sync>() {}
    can_be_shared::<ToolSift>();
    can_be_shared::<SessionHandle>();
};

impl ToolSift {
    /// Makes an empty catalog with these settings; tokens are counted as `ceil(characters / 4)`.
    pub fn new(settings: Settings) -> Self {
        Self::with_counter(settings, TokenCounter::Characters)
    }

    /// Makes an empty catalog with these settings and the host's own token counter.
    pub fn with_counter(settings: Settings, counter: TokenCounter) -> Self {
        let reserved = settings.discovery.surface.iter().map(|tool| tool.definition.name.to_owned());
        let skills = if settings.discovery.takes_skills() { limits::SKILLS } else { 0 };
        let catalog = Catalog::new(settings.most_tools, reserved)
            .with_bytes(settings.most_bytes, settings.most_server_bytes)
            .with_skills(skills);
        let search = &settings.discovery.search;
        let empty_index = Index::new(&settings.synonyms, search.without, search.reads_terms())
            .with_translations(&settings.translations);
        let latest_index = Mutex::new(Arc::new(empty_index.clone()));
        let sessions = SessionStore::new(settings.most_sessions, settings.profile.session_eviction);
        ToolSift {
            inner: Arc::new(Inner {
                settings,
                counter,
                ranker: RwLock::default(),
                tools: RwLock::new(Arc::new(Tools { catalog, index: OnceLock::new() })),
                writer: Mutex::default(),
                latest_index,
                empty_index,
                sessions: Mutex::new(sessions),
                views: Views::default(),
                renders: Renders::default(),
                cut_answers: CutAnswers::default(),
            }),
        }
    }

    /// Returns a number that changes whenever the catalog changes.
    pub fn revision(&self) -> u64 {
        self.tools_now().catalog.revision()
    }

    /// Returns the shared tools, in the order of registration.
    pub fn registered(&self) -> Vec<Arc<Tool>> {
        self.tools_now().catalog.tools_for(Owner::SHARED).into_iter().cloned().collect()
    }

    /// Returns the shared tool with this name, in any vendor's format.
    pub fn tool(&self, name: &str) -> Option<Arc<Tool>> {
        self.tools_now().catalog.by_name(name).cloned()
    }

    /// Returns the definition of the discovery tool or shared tool with this name, in MCP's format.
    #[doc(hidden)]
    pub fn definition(&self, name: &str) -> Option<String> {
        let surface = &self.inner.settings.assembly.surface;
        let written = |tool: &Definition| Format::Mcp.write(tool.name, tool.description, tool.parameters);
        let discovery = surface.iter().find(|tool| tool.name == name).map(written);
        discovery.or_else(|| self.tool(name).map(|tool| in_full(&tool, Format::Mcp)))
    }

    /// Returns a handle for a session id and [number](SessionHandle::number). The session may be closed. With an empty id,
    /// the handle changes the tools of this number: 0 stands for the host.
    #[doc(hidden)]
    pub fn session_of(&self, id: &str, number: u32) -> SessionHandle {
        SessionHandle::new(self, id, Owner::new(number))
    }

    /// Returns true if an owner has a tool that was registered with this server and name.
    #[doc(hidden)]
    pub fn has_tool(&self, owner: u32, key: &ToolKey) -> bool {
        self.tools_now().catalog.has(Owner::new(owner), key)
    }

    /// Returns the settings, in the form of [`Settings::info`].
    pub fn settings(&self) -> serde_json::Value {
        self.inner.settings.info()
    }

    /// Registers each tool of a list of definitions, in the shape of MCP, OpenAI, Anthropic or Google. A broken tool is
    /// in the report, and the others are registered all the same.
    ///
    /// # Errors
    /// `not_json` if it is not a list; `list_too_large`.
    pub fn register(
        &self,
        definitions: &(impl ToolSource + ?Sized),
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        self.of_host().register(definitions, options)
    }

    /// Registers one definition, in any of these shapes.
    ///
    /// # Errors
    /// The problem of the definition; then nothing has changed.
    pub fn register_one(
        &self,
        definition: &(impl ToolSource + ?Sized),
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        self.of_host().register_one(definition, options)
    }

    /// Replaces the tools of one server by those of a list, in any of these shapes.
    ///
    /// # Errors
    /// `not_json` if it is not a list; `list_too_large`.
    pub fn sync(
        &self,
        server: &str,
        definitions: &(impl ToolSource + ?Sized),
        options: &RegisterOptions,
    ) -> Result<SyncReport> {
        self.of_host().sync(server, definitions, options)
    }

    /// Removes shared tools by server, by model-facing name, or by both conditions together. Returns the names of the
    /// removed tools.
    ///
    /// The name of a removed tool stays reserved for its server until the whole server is removed.
    ///
    /// # Errors
    /// `option_invalid` if neither is given.
    pub fn unregister(&self, server: Option<&str>, names: Option<&[String]>) -> Result<Vec<Arc<str>>> {
        self.of_host().unregister(server, names)
    }

    /// Returns the handle that changes the shared tools.
    fn of_host(&self) -> SessionHandle {
        SessionHandle::new(self, "", Owner::SHARED)
    }

    /// Returns the current catalog.
    fn tools_now(&self) -> Arc<Tools> {
        read(&self.inner.tools).clone()
    }

    /// Returns the current catalog with its index. The first caller after a change builds the index; only other
    /// searches wait for it.
    fn indexed(&self) -> Indexed {
        let tools = self.tools_now();
        if let Some(index) = tools.index.get().cloned() {
            return Indexed { tools, index };
        }
        drop(tools);
        let mut latest = lock(&self.inner.latest_index);
        // States that were replaced before a search get no index. Each index continues the one before it, so that data
        // that is cached by its numbers stays valid.
        let tools = self.tools_now();
        if !latest.follows(&tools.catalog) {
            Arc::make_mut(&mut latest).follow(&tools.catalog);
        }
        let index = tools.index.get_or_init(|| latest.clone()).clone();
        Indexed { tools, index }
    }

    /// Changes the catalog by definitions of this number of bytes, and releases cached texts of removed tools. Readers
    /// keep the old catalog. If there are no readers and the change is small, or takes no longer than a copy of the
    /// catalog, it is made in place.
    fn write<T>(&self, bytes: usize, change: impl FnOnce(&mut Catalog) -> T) -> T {
        let _one_at_a_time = lock(&self.inner.writer);
        if let Some(Tools { catalog, index }) = Arc::get_mut(&mut write(&self.inner.tools)) {
            if bytes <= SMALL_CHANGE_BYTES.max(catalog.tools().len() * BYTES_PER_COPY) {
                *index = OnceLock::new();
                let changed = change(catalog);
                self.inner.renders.forget(&catalog.take_departed(), catalog);
                return changed;
            }
        }
        let mut catalog = self.tools_now().catalog.clone();
        let changed = change(&mut catalog);
        self.inner.renders.forget(&catalog.take_departed(), &catalog);
        let tools = Arc::new(Tools { catalog, index: OnceLock::new() });
        let before = std::mem::replace(&mut *write(&self.inner.tools), tools);
        // A large catalog is freed after the lock is released.
        drop(before);
        changed
    }

    /// Releases the tools of closed sessions. No session sees them any more, but they still count towards the limits.
    fn release_closed(&self) {
        let closed = lock(&self.inner.sessions).take_closed();
        if !closed.is_empty() {
            self.inner.views.forget(&closed);
            self.write(0, |catalog| catalog.forget_sessions(closed.iter().map(|(_, owner)| *owner)));
        }
    }

    /// Returns the open session with this id, or opens one with this scope. Without a scope, it opens one that sees
    /// everything, unless a closed session with this id had a scope. [`Scope::All`] opens one that sees everything in
    /// any case.
    ///
    /// # Errors
    /// `session_id_invalid`; `option_invalid` if it is open with another scope than the given one, or is a
    /// [child](SessionHandle::child); `name_ambiguous` if it is opened with a bare name that several servers have;
    /// `scope_required` if no scope is given, and a closed or evicted session with this id had a scope narrower than
    /// everything.
    pub fn session(&self, id: &str, scope: Option<&Scope>) -> Result<SessionHandle> {
        let mut sessions = lock(&self.inner.sessions);
        if sessions.is_child(id) {
            let message =
                format!("session {} is the child of another one, which only its handle leads to", excerpt(id));
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        if let Some(scope) = scope.filter(|_| !sessions.is_open(id)) {
            drop(sessions);
            self.tools_now().catalog.check_names(Owner::SHARED, scope.bare_names())?;
            sessions = lock(&self.inner.sessions);
        }
        let owner = sessions.open(id, scope.cloned())?;
        drop(sessions);
        self.release_closed();
        Ok(SessionHandle::new(self, id, owner))
    }

    /// Closes a session. Returns true if it was open.
    pub fn close(&self, id: &str) -> bool {
        let is_closed = lock(&self.inner.sessions).close(id);
        self.release_closed();
        is_closed
    }

    /// Opens the session of a [`Snapshot`], or of its JSON, with the loaded tools.
    ///
    /// # Errors
    /// `snapshot_invalid`, and the errors of [`ToolSift::session`]. After an error no session has changed.
    pub fn restore(&self, snapshot: &(impl ToolSource + ?Sized), options: &RestoreOptions) -> Result<Restored> {
        let snapshot = Snapshot::read(&snapshot.json()?)?;
        if Profile::named(&snapshot.profile).is_none() {
            let message = format!("unknown profile {}", excerpt(&snapshot.profile));
            return Err(Error::new(ErrorCode::SnapshotInvalid, message));
        }
        if snapshot.is_scoped {
            lock(&self.inner.sessions).note_scoped(&snapshot.id);
        }
        let session = self.session(&snapshot.id, options.scope.as_ref())?;
        let Settings { eligibility, discovery, .. } = &self.inner.settings;
        let Snapshot { turn, revealed, .. } = snapshot;
        let missing = session.locked(|Tools { catalog, .. }, session| {
            session.restore(turn, revealed, options.replace, eligibility, &discovery.bounds, catalog)
        })?;
        Ok(Restored { session, missing })
    }

    /// Returns the shared tools and their states before any conversation.
    ///
    /// # Errors
    /// `counter_failed`.
    pub fn tools(&self) -> Result<Vec<ToolInfo>> {
        let Inner { settings, counter, renders, .. } = &*self.inner;
        let now = self.tools_now();
        let tools = now.catalog.tools_for(Owner::SHARED);
        let states: Vec<ToolState> = tools.iter().map(|tool| settings.eligibility.state(tool, None)).collect();
        infos(&tools, &states, renders, counter)
    }

    /// Returns the cost of all shared tools in a format, in total and by server.
    ///
    /// # Errors
    /// `counter_failed`.
    pub fn size(&self, format: Format) -> Result<CatalogSize> {
        let Tools { catalog, .. } = &*self.tools_now();
        let Inner { counter, renders, .. } = &*self.inner;
        let mut all = Tally::default();
        let mut servers = Vec::new();
        for (server, tools) in by_server(catalog.tools_for(Owner::SHARED).into_iter().map(|tool| &**tool)) {
            let mut sum = Tally::default();
            for tool in &tools {
                sum.add(renders.tally(tool, format, counter)?);
            }
            all.add(sum);
            let Cost { tools: count, bytes, tokens } = sum.cost();
            let sent = sum.as_sent(tools.iter().map(|tool| tool.parameters.unreached()));
            let has_none = tools.iter().all(|tool| tool.server().is_none() && !tool.key.is_skill);
            let server = (!has_none).then(|| server.into_owned());
            servers.push(ServerSize { server, tools: count, bytes, tokens, sent });
        }
        let Cost { tools, bytes, tokens } = all.cost();
        let sent = all.as_sent(catalog.tools_for(Owner::SHARED).iter().map(|tool| tool.parameters.unreached()));
        Ok(CatalogSize { tools, bytes, tokens, sent, servers })
    }
}

/// Returns the tool with this name for the model of an owner.
fn known<'c>(catalog: &'c Catalog, owner: Owner, name: &str) -> Result<&'c Arc<Tool>> {
    let unknown = || Error::new(ErrorCode::ToolUnknown, format!("there is no tool named {}", excerpt(name)));
    catalog.by_name_for(owner, name).ok_or_else(unknown)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
