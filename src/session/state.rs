//! What does one conversation know? Its reveals in order with their last use, its scope, and what was sent last.

use std::cell::Cell;
use std::rc::Rc;

use serde::Serialize;

use crate::catalog::{Catalog, Tool, ToolKey};
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::map::Map;

use super::bounds::{Bounds, Reveal, WhenFull, surplus};
use super::memory::Memory;
use super::rate::RateLimit;
use super::scope::Scope;
use super::snapshot::Snapshot;
use super::standing::Standing;

/// Where a tool stands in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolState {
    /// Sent in full, not searched.
    Eager,
    /// Sent in full from the start, and searchable.
    Pinned,
    /// Deferred, found and loaded.
    Revealed,
    /// Held back.
    Deferred,
    /// Outside what the session may see.
    Hidden,
}

/// The serialized tools of a request, in pieces that it shares with other requests.
pub type Sent = Vec<Rc<str>>;

/// One conversation.
#[derive(Clone, Debug)]
pub struct Session {
    id: Rc<str>,
    opening: u32,
    scope: Option<Scope>,
    revealed: Vec<Reveal>,
    /// Where each of them stands.
    places: Map<ToolKey, usize>,
    /// Requests that were assembled.
    turn: u64,
    /// Revealed tools that had to make room since the last request: the model has seen them, and may call them still.
    leaving: Vec<ToolKey>,
    /// Counts first reveals over all sessions of a store.
    reveals: Rc<Cell<u64>>,
    first_reveal: Option<u64>,
    searches: RateLimit,
    read: Memory,
    failed: Memory,
    last_sent: Sent,
}

impl Session {
    pub(super) fn new(id: Rc<str>, opening: u32, scope: Option<Scope>, reveals: Rc<Cell<u64>>) -> Self {
        Session {
            id,
            opening,
            scope,
            revealed: Vec::new(),
            places: Map::default(),
            turn: 0,
            leaving: Vec::new(),
            reveals,
            first_reveal: None,
            searches: RateLimit::default(),
            read: Memory::default(),
            failed: Memory::default(),
            last_sent: Sent::new(),
        }
    }

    /// When it revealed something first, in the order of all sessions' first reveals.
    pub(super) fn first_reveal(&self) -> Option<u64> {
        self.first_reveal
    }

    /// Counts a search at a time in milliseconds, if fewer than `most` were made within the last minute.
    pub fn may_search(&mut self, now: f64, most: usize) -> bool {
        self.searches.admit(now, most)
    }

    /// How many hits of a search the model has been shown. Texts say which search: its query, and all else that its hits
    /// depend on.
    pub fn shown(&self, search: &[String]) -> usize {
        self.read.of(search)
    }

    /// Notes that the model has been shown so many hits of a search.
    pub fn show(&mut self, search: &[String], hits: usize) {
        self.read.set(search, hits);
    }

    /// Notes a call that failed for some reason, and says how often the same call has failed so before.
    pub fn fail(&mut self, call: &str, arguments: &str, reason: &str) -> usize {
        let deed = [call, arguments, reason];
        let times = self.failed.of(&deed);
        self.failed.set(&deed, times + 1);
        times
    }

    /// The key under which the host knows it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Which of all sessions it is, by the order in which they were opened.
    pub(super) fn opening(&self) -> u32 {
        self.opening
    }

    /// What it may see, if that is bounded.
    pub fn scope(&self) -> Option<&Scope> {
        self.scope.as_ref()
    }

    /// Whether it may see a tool.
    pub fn admits(&self, tool: &Tool) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope.admits(tool))
    }

    /// Identities of the revealed tools, in the order in which they were revealed. Some of them may have left the
    /// catalog since, and are back when it has them again.
    pub fn revealed(&self) -> impl Iterator<Item = &ToolKey> {
        self.revealed.iter().map(|reveal| &reveal.key)
    }

    /// Where a tool that takes part stands here.
    pub fn state(&self, tool: &Tool, standing: Standing) -> ToolState {
        match standing {
            _ if !self.admits(tool) => ToolState::Hidden,
            Standing::Eager => ToolState::Eager,
            Standing::Pinned => ToolState::Pinned,
            Standing::Deferred if self.places.contains_key(&tool.key) => ToolState::Revealed,
            Standing::Deferred => ToolState::Deferred,
        }
    }

    /// Reveals a tool, after those that are revealed already. Where there is no room, tools may make room that were not
    /// used since the last request.
    ///
    /// # Errors
    /// `revealed_full`, with the bound; the session stays as it was.
    pub fn reveal(&mut self, tool: &Tool, bounds: &Bounds, catalog: &Catalog) -> Result<()> {
        if self.places.contains_key(&tool.key) {
            return Ok(());
        }
        let tokens = if bounds.tokens < usize::MAX { tool.tokens() } else { 0 };
        let going = match (bounds.tools.checked_sub(1), bounds.tokens.checked_sub(tokens)) {
            (Some(tools), Some(left)) => {
                // Without a bound there is none beside the tool either.
                let left = if bounds.tokens < usize::MAX { left } else { usize::MAX };
                surplus(&self.revealed, catalog, tools, left)
            }
            _ => return Err(full(tool, bounds, tokens)),
        };
        let is_free =
            |at: &usize| self.revealed[*at].used < self.turn || catalog.by_key(&self.revealed[*at].key).is_none();
        if !going.is_empty() && (bounds.when_full == WhenFull::Refuse || !going.iter().all(is_free)) {
            return Err(full(tool, bounds, tokens));
        }
        self.take_out(&going);
        self.push(tool.key.clone(), self.turn);
        Ok(())
    }

    fn push(&mut self, key: ToolKey, used: u64) {
        if self.first_reveal.is_none() {
            self.first_reveal = Some(self.reveals.get());
            self.reveals.set(self.reveals.get() + 1);
        }
        self.leaving.retain(|leaving| *leaving != key);
        self.places.insert(key.clone(), self.revealed.len());
        self.revealed.push(Reveal { key, used });
    }

    /// Defers again what was used the longest ago, until at most so many tools of so many tokens are left. Returns what
    /// went.
    pub fn evict(&mut self, catalog: &Catalog, tools: usize, tokens: usize) -> Vec<ToolKey> {
        let going = surplus(&self.revealed, catalog, tools, tokens);
        self.take_out(&going)
    }

    /// Takes out the reveals at some places.
    fn take_out(&mut self, going: &[usize]) -> Vec<ToolKey> {
        if going.is_empty() {
            return Vec::new();
        }
        let gone: Vec<ToolKey> = going.iter().map(|at| self.revealed[*at].key.clone()).collect();
        let mut goes = vec![false; self.revealed.len()];
        going.iter().for_each(|at| goes[*at] = true);
        self.keep(|at, _| !goes[at]);
        self.leaving.extend(gone.iter().cloned());
        // A request holds no more.
        self.leaving.drain(..self.leaving.len().saturating_sub(limits::REVEALED));
        gone
    }

    /// Keeps the reveals that fit. What goes is to be found again, so that searches begin anew.
    fn keep(&mut self, fits: impl Fn(usize, &ToolKey) -> bool) {
        self.read = Memory::default();
        let mut places = 0..;
        self.revealed.retain(|reveal| places.next().is_some_and(|at| fits(at, &reveal.key)));
        self.places = self.revealed.iter().enumerate().map(|(at, reveal)| (reveal.key.clone(), at)).collect();
    }

    /// Takes a reveal back, and says whether there was one.
    pub fn conceal(&mut self, key: &ToolKey) -> bool {
        let was_revealed = self.places.contains_key(key);
        if was_revealed {
            self.keep(|_, other| other != key);
        }
        was_revealed
    }

    /// Whether a tool that is revealed no more was part of the last request.
    pub fn is_leaving(&self, tool: &Tool) -> bool {
        self.leaving.contains(&tool.key)
    }

    /// Notes that a tool was called.
    pub fn touch(&mut self, key: &ToolKey) {
        if let Some(at) = self.places.get(key) {
            self.revealed[*at].used = self.turn;
        }
    }

    /// Begins the next turn: what is sent now is what the model knows.
    pub fn begin_turn(&mut self) {
        self.turn += 1;
        self.leaving.clear();
    }

    /// Remembers what was sent, and returns what was sent before.
    pub fn replace_sent(&mut self, sent: Sent) -> Sent {
        std::mem::replace(&mut self.last_sent, sent)
    }

    /// What the session knows, to be restored elsewhere. Its scope is the host's to give again.
    pub fn snapshot(&self, profile: &str) -> Snapshot {
        Snapshot::new(self.id.to_string(), profile.to_owned(), self.turn, self.revealed.clone())
    }

    /// Takes over reveals of a snapshot: beside those that are here, or instead of them.
    pub fn resume(&mut self, turn: u64, reveals: Vec<Reveal>, replace: bool) {
        if replace {
            self.keep(|_, _| false);
        }
        self.turn = self.turn.max(turn);
        for Reveal { key, used } in reveals {
            let used = used.min(self.turn);
            match self.places.get(&key) {
                Some(at) => self.revealed[*at].used = self.revealed[*at].used.max(used),
                None => self.push(key, used),
            }
        }
    }
}

fn full(tool: &Tool, bounds: &Bounds, tokens: usize) -> Error {
    let Bounds { tools, tokens: most, .. } = bounds;
    let limit = match *most {
        usize::MAX => format!("{tools} tools, its limit"),
        most => format!("at most {tools} tools of {most} tokens, and this one has {tokens}"),
    };
    Error::new(ErrorCode::RevealedFull, format!("{:?} cannot be loaded: the session holds {limit}", &*tool.model_name))
}
