//! Where are sessions kept? In memory, a bounded number, the one first opened forgotten first.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;

use super::scope::Scope;
use super::state::Session;

/// The open sessions.
#[derive(Debug)]
pub struct SessionStore {
    sessions: HashMap<Rc<str>, Session>,
    order: VecDeque<Rc<str>>,
    most: usize,
}

impl SessionStore {
    /// A store of at most `most` sessions.
    pub fn new(most: usize) -> Self {
        SessionStore { sessions: HashMap::new(), order: VecDeque::new(), most }
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
        while self.order.len() >= self.most {
            if let Some(oldest) = self.order.pop_front() {
                self.sessions.remove(&oldest);
            }
        }
        let id: Rc<str> = id.into();
        self.sessions.insert(id.clone(), Session::new(id.clone(), scope.cloned()));
        self.order.push_back(id);
    }

    /// Forgets a session, and says whether there was one.
    pub fn close(&mut self, id: &str) -> bool {
        let was_open = self.sessions.remove(id).is_some();
        if was_open {
            self.order.retain(|open| &**open != id);
        }
        was_open
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
