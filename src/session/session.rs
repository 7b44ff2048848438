//! Keeps what one conversation knows: its reveals in order with their last use, its scope, and what was sent last.

use std::sync::Arc;

use crate::catalog::{Catalog, Deferral, Owner, Tool, ToolKey};
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::map::Set;
use crate::markers::FULL;

use super::bounds::{Bounds, Eviction, WhenFull};
use super::cut::OwnAnswers;
use super::recent::{RateLimit, Recent};
use super::record::Kept;
use super::revealed::{MOST_TURNS, RevealedList, RevealedTool};
use super::scope::Scope;

/// The serialized tools of a request, in pieces that it shares with other requests.
pub type Sent = Vec<Arc<str>>;

/// One conversation.
#[derive(Clone, Debug, Default)]
pub struct Session {
    pub(super) id: Arc<str>,
    owner: Owner,
    /// The id of the session whose own tools it has: its own, or that of the one that it descends from.
    home: Arc<str>,
    scope: Scope,
    pub(super) revealed: RevealedList,
    /// Whether a tool was ever revealed.
    pub has_ever_revealed: bool,
    /// Requests that were assembled.
    pub(super) turn: u64,
    /// Tools that were evicted since the last request: the model has seen them, and may call them still.
    leaving: Vec<ToolKey>,
    /// Its searches within the last minute.
    pub searches: RateLimit,
    /// How many hits of a search the model has been shown. Texts say which search: its query, and all else that its hits depend
    /// on.
    pub shown: Recent,
    /// Searches in a row for which nothing fits.
    misses: usize,
    /// How often a call has failed for the same reason, by the call, its arguments and the reason.
    pub failed: Recent,
    last_sent: Sent,
    pub(super) cut: OwnAnswers,
    /// Whether the last request held nothing back because there were few tools.
    pub sends_all: bool,
    /// What it knows of its record in a store, if it has one.
    pub(super) kept: Option<Box<Kept>>,
}

impl Session {
    pub(super) fn new(id: Arc<str>, owner: Owner, home: Arc<str>, scope: Scope) -> Self {
        Session { id, owner, home, scope, ..Session::default() }
    }

    /// The id of the session whose own tools it has.
    pub fn home(&self) -> &Arc<str> {
        &self.home
    }

    /// Notes whether anything fits a search, and says how many in a row have found nothing.
    pub fn note_search(&mut self, fits: bool) -> usize {
        self.misses = if fits { 0 } else { self.misses.saturating_add(1) };
        self.misses
    }

    /// The key under which the host knows it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The owner of the session's own tools. A session that was closed and is opened again under the same id has another one.
    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// What it may see.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Changes what it may see, and conceals what falls out of it. Returns the identities of what was concealed.
    pub fn rescope(&mut self, scope: Scope, catalog: &Catalog) -> Vec<ToolKey> {
        let owner = self.owner;
        let is_inside = |key: &ToolKey| match catalog.by_key_for(owner, key) {
            Some(tool) => scope.admits(tool),
            None => scope.admits_absent(key),
        };
        self.leaving.retain(|key| is_inside(key));
        let gone = self.keep(|_, key| is_inside(key));
        // Another scope searches other tools: what was shown of a query is not what comes now.
        self.shown = Recent::default();
        self.scope = scope;
        gone
    }

    /// Identities of the revealed tools, in the order in which they were revealed. Some of them may have left the
    /// catalog since, and are back when it has them again.
    pub fn revealed(&self) -> impl Iterator<Item = ToolKey> {
        self.revealed.tools().iter().map(RevealedTool::key)
    }

    /// Notes that a skill was found ahead of the first request: the prompt has its beginning from now on.
    pub fn note_ahead(&mut self, key: &ToolKey) {
        self.revealed.note_ahead(key);
    }

    /// The skills that were found so.
    pub fn skills_ahead(&self) -> impl Iterator<Item = ToolKey> {
        self.revealed.tools().iter().filter(|tool| tool.is_ahead).map(RevealedTool::key)
    }

    /// Whether the model was given the whole text of a skill.
    pub fn has_read(&self, key: &ToolKey) -> bool {
        self.revealed.place(key).is_some_and(|at| !self.revealed.tools()[at].is_ahead)
    }

    /// How many tools are revealed.
    pub fn reveals(&self) -> usize {
        self.revealed.tools().len()
    }

    /// Whether any tool is revealed that a small catalog would send in full: one that is not held back below every threshold.
    /// None counts after a request that held nothing back: a reveal must not take the other tools away.
    pub fn has_reveals(&self, catalog: &Catalog) -> bool {
        if self.sends_all {
            return false;
        }
        let mut revealed = self.revealed().map(|key| catalog.by_key_for(self.owner, &key));
        revealed.any(|tool| tool.is_none_or(|tool| tool.deferral != Deferral::Always))
    }

    /// Whether a tool is revealed.
    pub fn is_revealed(&self, key: &ToolKey) -> bool {
        self.revealed.place(key).is_some()
    }

    /// Reveals a tool, after those that are revealed already. At a bound, tools are evicted that were not used since the last
    /// request.
    ///
    /// # Errors
    /// `revealed_full`, with the bound; the session stays as it was.
    pub fn reveal(&mut self, tool: &Tool, bounds: &Bounds, catalog: &Catalog) -> Result<()> {
        self.reveal_all(&[tool], bounds, catalog).map(|_| ())
    }

    /// Reveals tools one after the other, as [`Session::reveal`] does. Returns the places in `tools` of those that were not
    /// revealed before.
    ///
    /// # Errors
    /// `revealed_full`, with the bound, where not enough can be evicted; the session stays as it was.
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

    /// Whether the tools at some places may be evicted for another one.
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

    /// Evicts the least recently used tools until at most `tools` tools of `tokens` tokens remain. Returns what went.
    pub fn evict(&mut self, catalog: &Catalog, tools: usize, tokens: usize) -> Vec<ToolKey> {
        let bounds = Bounds { tools, tokens, when_full: WhenFull::Evict };
        let mut eviction = Eviction::new(self.revealed.tools(), catalog, self.owner, &bounds);
        let evicted = eviction.shrink(tools, tokens).unwrap_or_default();
        self.remove(&evicted)
    }

    /// Evicts the reveals at some places, and returns them in the order of the places.
    fn remove(&mut self, places: &[usize]) -> Vec<ToolKey> {
        let gone: Vec<ToolKey> = places.iter().map(|at| self.revealed.tools()[*at].key()).collect();
        if gone.is_empty() {
            return gone;
        }
        let places: Set<&usize> = places.iter().collect();
        self.keep(|at, _| !places.contains(&at));
        self.leaving.extend(gone.iter().cloned());
        // A request holds no more.
        self.leaving.drain(..self.leaving.len().saturating_sub(limits::REVEALED));
        gone
    }

    /// Keeps the reveals that fit, and returns the others. They are to be found again, so that searches begin anew.
    fn keep(&mut self, fits: impl Fn(usize, &ToolKey) -> bool) -> Vec<ToolKey> {
        let gone = self.revealed.retain(fits);
        if !gone.is_empty() {
            self.shown = Recent::default();
        }
        gone
    }

    /// Takes reveals back, and returns the identities of those that there were, in the order of their reveal.
    pub fn conceal(&mut self, keys: &Set<ToolKey>) -> Vec<ToolKey> {
        self.keep(|_, key| !keys.contains(key))
    }

    /// Whether a tool that is revealed no more was part of the last request.
    pub fn is_leaving(&self, tool: &Tool) -> bool {
        self.leaving.contains(&tool.key)
    }

    /// Notes that a tool was called.
    pub fn touch(&mut self, key: &ToolKey) {
        self.revealed.touch(key, self.turn);
    }

    /// Begins the next turn: from now on the model knows what is sent.
    pub fn begin_turn(&mut self) {
        // A snapshot may have the last turn.
        self.turn = (self.turn + 1).min(MOST_TURNS);
        self.leaving.clear();
    }

    /// Remembers what was sent, and returns what was sent before.
    pub fn replace_sent(&mut self, sent: Sent) -> Sent {
        std::mem::replace(&mut self.last_sent, sent)
    }

    /// Takes all reveals and turns back, so that the calls of the conversation can be replayed. Returns the turn before.
    pub fn rewind(&mut self) -> u64 {
        self.keep(|_, _| false);
        self.shown = Recent::default();
        self.misses = 0;
        self.leaving.clear();
        self.sends_all = false;
        std::mem::take(&mut self.turn)
    }

    /// Ends a replay: a turn is never taken back.
    pub fn catch_up(&mut self, turn: u64) {
        if turn > self.turn {
            self.turn = turn;
            self.leaving.clear();
        }
    }

    /// Adds reveals of a snapshot to those that are here, or puts them in their place.
    pub(super) fn resume(&mut self, turn: u64, reveals: Vec<RevealedTool>, replace: bool) {
        if replace {
            self.keep(|_, _| false);
            self.shown = Recent::default();
        }
        self.turn = self.turn.max(turn);
        self.sends_all = false;
        for revealed in reveals {
            self.push(revealed.key(), revealed.used.min(self.turn));
            if revealed.is_ahead {
                self.revealed.note_ahead(&revealed.key());
            }
        }
    }
}

fn full(tool: &Tool, bounds: &Bounds, tokens: usize) -> Error {
    let Bounds { tools, tokens: most, when_full } = bounds;
    let limit = match *most {
        usize::MAX => format!("{tools} tools, its limit"),
        most => format!("at most {tools} tools of {most} tokens, and this one has {tokens}"),
    };
    // What this step uses may be evicted in the next one.
    let advice = if *when_full == WhenFull::Evict && tokens <= *most { "; load it in your next step" } else { "" };
    Error::new(ErrorCode::RevealedFull, format!("{:?}{FULL}{limit}{advice}", &*tool.model_name))
}
