//! Keeps the state of one conversation: its loaded tools in order with their last use, its scope, and the last request.

use std::sync::Arc;

use crate::catalog::{Catalog, Deferral, Owner, Tool, ToolKey};
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::map::Set;
use crate::markers::FULL;

use super::bounds::{Bounds, Eviction, WhenFull};
use super::cut::OwnAnswers;
use super::eligibility::{Eligibility, ToolState};
use super::recent::{RateLimit, Recent};
use super::record::Kept;
use super::revealed::{MOST_TURNS, RevealedList, RevealedTool};
use super::scope::Scope;

/// The serialized tools of a request, in pieces that are shared with other requests.
pub type Sent = Vec<Arc<str>>;

/// One conversation.
#[derive(Clone, Debug, Default)]
pub struct Session {
    pub(super) id: Arc<str>,
    owner: Owner,
    /// The id of the session that registered its own tools: itself, or the session that it descends from.
    home: Arc<str>,
    scope: Scope,
    pub(super) revealed: RevealedList,
    /// True if a tool was ever loaded.
    pub has_ever_revealed: bool,
    /// The number of assembled requests.
    pub(super) turn: u64,
    /// Tools that were evicted since the last request: the model has seen them, and may still call them.
    leaving: Vec<ToolKey>,
    /// Its searches within the last minute.
    pub searches: RateLimit,
    /// The number of hits of a search that the model has been shown. The key has the query and all else that its hits
    /// depend on.
    pub shown: Recent,
    /// The number of searches in a row without a fitting tool.
    misses: usize,
    /// The number of times a call has failed for the same reason. The key has the call, its arguments and the reason.
    pub failed: Recent,
    last_sent: Sent,
    pub(super) cut: OwnAnswers,
    /// True if the last request deferred no tool because there were few tools.
    pub sends_all: bool,
    /// The knowledge about its record in a store, if it has one.
    pub(super) kept: Option<Box<Kept>>,
}

impl Session {
    pub(super) fn new(id: Arc<str>, owner: Owner, home: Arc<str>, scope: Scope) -> Self {
        Session { id, owner, home, scope, ..Session::default() }
    }

    /// Returns the id of the session that registered its own tools.
    pub fn home(&self) -> &Arc<str> {
        &self.home
    }

    /// Notes whether a search had a fitting tool. Returns how many searches in a row had none.
    pub fn note_search(&mut self, fits: bool) -> usize {
        self.misses = if fits { 0 } else { self.misses.saturating_add(1) };
        self.misses
    }

    /// Returns the key under which the host knows the session.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the owner of the session's own tools. A session that was closed and is opened again under the same id
    /// has a new one.
    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// Returns the session's scope.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Changes the scope, and conceals the tools outside it. Returns their identities.
    pub fn rescope(&mut self, scope: Scope, catalog: &Catalog) -> Vec<ToolKey> {
        let owner = self.owner;
        let is_inside = |key: &ToolKey| match catalog.by_key_for(owner, key) {
            Some(tool) => scope.admits(tool),
            None => scope.admits_absent(key),
        };
        self.leaving.retain(|key| is_inside(key));
        let gone = self.keep(|_, key| is_inside(key));
        // A search in another scope has other hits, so the number of shown hits is void.
        self.shown = Recent::default();
        self.scope = scope;
        gone
    }

    /// Returns the identities of the loaded tools, in the order of loading. Some may have left the catalog since; they
    /// count as loaded again when they return.
    pub fn revealed(&self) -> impl Iterator<Item = ToolKey> {
        self.revealed.tools().iter().map(RevealedTool::key)
    }

    /// Notes that a skill was found before the first request: from now on the prompt has its beginning.
    pub fn note_ahead(&mut self, key: &ToolKey) {
        self.revealed.get(key).into_iter().for_each(|skill| skill.is_ahead = true);
    }

    /// Returns the skills that were found before the first request.
    pub fn skills_ahead(&self) -> impl Iterator<Item = ToolKey> {
        self.revealed.tools().iter().filter(|tool| tool.is_ahead).map(RevealedTool::key)
    }

    /// Returns true if the model was given the whole text of a skill.
    pub fn has_read(&self, key: &ToolKey) -> bool {
        self.revealed.place(key).is_some_and(|at| !self.revealed.tools()[at].is_ahead)
    }

    /// Returns the number of loaded tools.
    pub fn reveals(&self) -> usize {
        self.revealed.tools().len()
    }

    /// Returns true if a tool is loaded that a small catalog would send in full, that is, one that is not always
    /// deferred. It is false after a request that deferred no tool: loading one must not take the others away.
    pub fn has_reveals(&self, catalog: &Catalog) -> bool {
        if self.sends_all {
            return false;
        }
        let mut revealed = self.revealed().map(|key| catalog.by_key_for(self.owner, &key));
        revealed.any(|tool| tool.is_none_or(|tool| tool.deferral != Deferral::Always))
    }

    /// Returns true if a tool is loaded.
    pub fn is_revealed(&self, key: &ToolKey) -> bool {
        self.revealed.place(key).is_some()
    }

    /// Loads a tool, after those that are loaded already. At a limit, tools that were not used since the last request
    /// are evicted.
    ///
    /// # Errors
    /// `revealed_full`, with the limit; the session is then unchanged.
    pub fn reveal(&mut self, tool: &Tool, bounds: &Bounds, catalog: &Catalog) -> Result<()> {
        self.reveal_all(&[tool], bounds, catalog).map(|_| ())
    }

    /// Loads tools one after the other, as [`Session::reveal`] does. Returns the positions in `tools` of those that
    /// were not loaded before.
    ///
    /// # Errors
    /// `revealed_full`, with the limit, if not enough can be evicted; the session is then unchanged.
    pub fn reveal_all(&mut self, tools: &[&Tool], bounds: &Bounds, catalog: &Catalog) -> Result<Vec<usize>> {
        if tools.iter().all(|tool| self.revealed.place(&tool.key).is_some()) {
            return Ok(Vec::new());
        }
        let mut evicted: Set<usize> = Set::default();
        let mut in_order = Vec::new();
        let mut added: Set<&ToolKey> = Set::default();
        let mut fresh = Vec::new();
        let mut eviction = Eviction::new(self.revealed.tools(), catalog, self.owner, bounds);
        for (index, tool) in tools.iter().enumerate() {
            let is_here = self.revealed.place(&tool.key).is_some_and(|at| !evicted.contains(&at));
            if is_here || added.contains(&tool.key) {
                continue;
            }
            let tokens = bounds.tokens_of(tool);
            let left = bounds.tools.checked_sub(1).zip(bounds.tokens.checked_sub(tokens));
            let places = left.and_then(|(tools, tokens)| eviction.shrink(tools, tokens));
            let places = places.filter(|places| self.may_evict(places, bounds, catalog));
            let Some(places) = places else { return Err(full(tool, bounds, tokens)) };
            evicted.extend(places.iter().copied());
            in_order.extend(places);
            eviction.add(tokens);
            added.insert(&tool.key);
            fresh.push(index);
        }
        self.remove(&in_order);
        fresh.iter().for_each(|index| self.push(tools[*index].key.clone(), self.turn));
        Ok(fresh)
    }

    /// Returns true if the tools at these places may be evicted for another one.
    fn may_evict(&self, places: &[usize], bounds: &Bounds, catalog: &Catalog) -> bool {
        let is_free = |at: &usize| {
            let tool = &self.revealed.tools()[*at];
            tool.used < self.turn || catalog.by_key_for(self.owner, &tool.key()).is_none()
        };
        places.is_empty() || (bounds.when_full == WhenFull::Evict && places.iter().all(is_free))
    }

    fn push(&mut self, key: ToolKey, used: u64) {
        self.has_ever_revealed = true;
        self.leaving.retain(|leaving| *leaving != key);
        self.revealed.add(key, used);
    }

    /// Evicts the least recently used tools until at most `tools` tools of `tokens` tokens remain. Returns the evicted
    /// tools.
    pub fn evict(&mut self, catalog: &Catalog, tools: usize, tokens: usize) -> Vec<ToolKey> {
        let bounds = Bounds { tools, tokens, when_full: WhenFull::Evict };
        let mut eviction = Eviction::new(self.revealed.tools(), catalog, self.owner, &bounds);
        let evicted = eviction.shrink(tools, tokens).unwrap_or_default();
        self.remove(&evicted)
    }

    /// Evicts the tools at these places, and returns them in the order of `places`.
    fn remove(&mut self, places: &[usize]) -> Vec<ToolKey> {
        let gone: Vec<ToolKey> = places.iter().map(|at| self.revealed.tools()[*at].key()).collect();
        if gone.is_empty() {
            return gone;
        }
        let places: Set<&usize> = places.iter().collect();
        self.keep(|at, _| !places.contains(&at));
        self.leaving.extend(gone.iter().cloned());
        // Only the latest 512 evicted tools are remembered.
        self.leaving.drain(..self.leaving.len().saturating_sub(limits::REVEALED));
        gone
    }

    /// Keeps the tools that fit, and returns the others. A search must find those again, so the counts of shown hits
    /// are reset.
    fn keep(&mut self, fits: impl Fn(usize, &ToolKey) -> bool) -> Vec<ToolKey> {
        let gone = self.revealed.retain(fits);
        if !gone.is_empty() {
            self.shown = Recent::default();
        }
        gone
    }

    /// Removes loaded tools. Returns the identities of those that were loaded, in the order of loading.
    pub fn conceal(&mut self, keys: &Set<ToolKey>) -> Vec<ToolKey> {
        self.keep(|_, key| !keys.contains(key))
    }

    /// Returns true if a tool was evicted since the last request.
    pub fn is_leaving(&self, tool: &Tool) -> bool {
        self.leaving.contains(&tool.key)
    }

    /// Notes that a tool was called.
    pub fn touch(&mut self, key: &ToolKey) {
        self.revealed.get(key).into_iter().for_each(|tool| tool.used = self.turn);
    }

    /// Begins the next turn: from now on the model knows the tools that were sent.
    pub fn begin_turn(&mut self) {
        // A snapshot may have the largest turn.
        self.turn = (self.turn + 1).min(MOST_TURNS);
        self.leaving.clear();
    }

    /// Stores the tools that were sent, and returns those that were sent before.
    pub fn replace_sent(&mut self, sent: Sent) -> Sent {
        std::mem::replace(&mut self.last_sent, sent)
    }

    /// Removes all loaded tools and sets the turn to 0, so that the calls of the conversation can be replayed. Returns
    /// the old turn.
    pub fn rewind(&mut self) -> u64 {
        self.keep(|_, _| false);
        self.shown = Recent::default();
        self.misses = 0;
        self.leaving.clear();
        self.sends_all = false;
        std::mem::take(&mut self.turn)
    }

    /// Ends a replay: the turn never becomes smaller than it was.
    pub fn catch_up(&mut self, turn: u64) {
        if turn > self.turn {
            self.turn = turn;
            self.leaving.clear();
        }
    }

    /// Adds tools to the loaded tools, or replaces them. Returns the identities of the tools that cannot be used: tools
    /// that are not in the catalog, which count as loaded when they return; and tools outside the scope or evicted at a
    /// limit, which are dropped.
    pub(crate) fn restore(
        &mut self,
        turn: u64,
        tools: Vec<RevealedTool>,
        replace: bool,
        eligibility: &Eligibility,
        bounds: &Bounds,
        catalog: &Catalog,
    ) -> Vec<ToolKey> {
        let state = |session: &Session, key: &ToolKey| {
            catalog.by_key_for(session.owner, key).map(|tool| eligibility.state(tool, Some(session)))
        };
        let states: Vec<Option<ToolState>> = tools.iter().map(|tool| state(self, &tool.key())).collect();
        if replace {
            self.keep(|_, _| false);
            self.shown = Recent::default();
        }
        self.turn = self.turn.max(turn);
        self.sends_all = false;
        let mut missing = Vec::new();
        for (tool, state) in tools.into_iter().zip(states) {
            if matches!(state, None | Some(ToolState::Hidden)) {
                missing.push(tool.key());
            }
            if state != Some(ToolState::Hidden) {
                self.push(tool.key(), tool.used.min(self.turn));
                if tool.is_ahead {
                    self.note_ahead(&tool.key());
                }
            }
        }
        let absent: Set<ToolKey> = missing.iter().cloned().collect();
        let evicted = self.evict(catalog, bounds.tools, bounds.tokens);
        missing.extend(evicted.into_iter().filter(|key| !absent.contains(key)));
        missing
    }
}

fn full(tool: &Tool, bounds: &Bounds, tokens: usize) -> Error {
    let Bounds { tools, tokens: most, when_full } = bounds;
    let limit = match *most {
        usize::MAX => format!("{tools} tools, its limit"),
        most => format!("at most {tools} tools of {most} tokens, and this one has {tokens}"),
    };
    // The tools that this step uses may be evicted in the next step.
    let advice = if *when_full == WhenFull::Evict && tokens <= *most { "; load it in your next step" } else { "" };
    Error::new(ErrorCode::RevealedFull, format!("{:?}{FULL}{limit}{advice}", &*tool.model_name))
}
