//! Where are sessions kept? In memory, a bounded number of those that revealed something, of which the one whose first
//! reveal is the longest ago goes first; and as many of those that did not, of which the one first opened goes first.
//! Opening a session never costs another one its reveals.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::map::Map;

use super::scope::Scope;
use super::state::Session;

/// The open sessions.
#[derive(Debug)]
pub struct SessionStore {
    sessions: Map<Rc<str>, Session>,
    /// In the order in which they were opened.
    order: VecDeque<Rc<str>>,
    /// First reveals of all sessions that ever were.
    reveals: Rc<Cell<u64>>,
    /// Those of sessions that are gone.
    gone: u64,
    /// Sessions that ever were.
    opened: u32,
    most: usize,
}

impl SessionStore {
    /// A store of at most `most` sessions.
    pub fn new(most: usize) -> Self {
        SessionStore {
            sessions: Map::default(),
            order: VecDeque::new(),
            reveals: Rc::default(),
            gone: 0,
            opened: 0,
            most,
        }
    }

    /// Opens a session, or returns the open one of that id.
    ///
    /// # Errors
    /// `session_id_invalid` for an empty or overlong id; `option_invalid` when the session is open with another
    /// scope, since what a conversation may see is settled when it begins.
    pub fn open(&mut self, id: &str, scope: Option<&Scope>) -> Result<&mut Session> {
        let chars = id.chars().count();
        if !(1..=limits::SESSION_ID_CHARS).contains(&chars) {
            let most = limits::SESSION_ID_CHARS;
            let message = format!("session id {} has {chars} characters; 1 to {most}", excerpt(id));
            return Err(Error::new(ErrorCode::SessionIdInvalid, message));
        }
        while self.revealing() > self.most {
            let first_reveal = |session: &Session| session.first_reveal().unwrap_or(u64::MAX);
            self.forget_least(first_reveal);
        }
        if !self.sessions.contains_key(id) {
            self.insert(id, scope);
        }
        let Some(session) = self.sessions.get_mut(id) else {
            return Err(Error::new(ErrorCode::SessionIdInvalid, format!("session {} is gone", excerpt(id))));
        };
        if scope.is_some() && session.scope() != scope {
            let message = format!("session {} is open with another scope", excerpt(id));
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        Ok(session)
    }

    fn insert(&mut self, id: &str, scope: Option<&Scope>) {
        while self.sessions.len() - self.revealing() >= self.most {
            // Equals are forgotten in the order in which they were opened.
            self.forget_least(|session| u64::from(session.first_reveal().is_some()));
        }
        let id: Rc<str> = id.into();
        self.opened = self.opened.wrapping_add(1);
        let session = Session::new(id.clone(), self.opened, scope.cloned(), self.reveals.clone());
        self.sessions.insert(id.clone(), session);
        self.order.push_back(id);
    }

    /// How many of the sessions have revealed something.
    fn revealing(&self) -> usize {
        (self.reveals.get() - self.gone) as usize
    }

    fn forget_least(&mut self, rank: impl Fn(&Session) -> u64) {
        let least = self.order.iter().min_by_key(|id| self.sessions.get(*id).map_or(0, &rank)).cloned();
        if let Some(id) = least {
            self.close(&id);
        }
    }

    /// Which of all sessions the open one of an id is; 0 where none is open.
    pub fn opening(&self, id: &str) -> u32 {
        self.sessions.get(id).map_or(0, Session::opening)
    }

    /// Forgets a session, and says whether there was one.
    pub fn close(&mut self, id: &str) -> bool {
        let Some(session) = self.sessions.remove(id) else { return false };
        self.gone += u64::from(session.first_reveal().is_some());
        self.order.retain(|open| &**open != id);
        true
    }

    /// How many sessions are open.
    pub fn len(&self) -> usize {
        self.sessions.len()
    }

    /// Whether no session is open.
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }
}
