//! What does one conversation know? Its reveals in order, its scope, and what was sent last.

use std::cell::Cell;
use std::rc::Rc;

use serde::Serialize;

use crate::catalog::{Tool, ToolKey};
use crate::error::{Error, ErrorCode, Result};
use crate::map::Map;

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
    scope: Option<Scope>,
    revealed: Vec<ToolKey>,
    /// The same keys, each with the number of reveals before it.
    places: Map<ToolKey, usize>,
    /// Counts first reveals over all sessions of a store.
    reveals: Rc<Cell<u64>>,
    first_reveal: Option<u64>,
    searches: RateLimit,
    read: Memory,
    failed: Memory,
    last_sent: Sent,
}

impl Session {
    pub(super) fn new(id: Rc<str>, scope: Option<Scope>, reveals: Rc<Cell<u64>>) -> Self {
        Session {
            id,
            scope,
            revealed: Vec::new(),
            places: Map::default(),
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

    /// How many hits of a search the model has been shown.
    pub fn shown(&self, query: &str) -> usize {
        self.read.of(&[query])
    }

    /// Notes that it has been shown so many.
    pub fn show(&mut self, query: &str, hits: usize) {
        self.read.set(&[query], hits);
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
    pub fn revealed(&self) -> &[ToolKey] {
        &self.revealed
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

    /// Reveals a tool, after those that are revealed already.
    ///
    /// # Errors
    /// `revealed_full` when the session holds `most` tools; it stays as it was.
    pub fn reveal(&mut self, key: &ToolKey, most: usize) -> Result<()> {
        if self.places.contains_key(key) {
            return Ok(());
        }
        if self.revealed.len() >= most {
            let message = format!("{:?} cannot be loaded: the session holds {most} tools, its limit", &*key.name);
            return Err(Error::new(ErrorCode::RevealedFull, message));
        }
        if self.first_reveal.is_none() {
            self.first_reveal = Some(self.reveals.get());
            self.reveals.set(self.reveals.get() + 1);
        }
        self.places.insert(key.clone(), self.revealed.len());
        self.revealed.push(key.clone());
        Ok(())
    }

    /// Takes a reveal back, and says whether there was one.
    pub fn conceal(&mut self, key: &ToolKey) -> bool {
        let was_revealed = self.places.remove(key).is_some();
        if was_revealed {
            self.revealed.retain(|k| k != key);
        }
        was_revealed
    }

    /// Remembers what was sent, and returns what was sent before.
    pub fn replace_sent(&mut self, sent: Sent) -> Sent {
        std::mem::replace(&mut self.last_sent, sent)
    }

    /// What the session knows, to be restored elsewhere. Its scope is the host's to give again.
    pub fn snapshot(&self, profile: &str) -> Snapshot {
        Snapshot::new(self.id.to_string(), profile.to_owned(), self.revealed.clone())
    }
}
