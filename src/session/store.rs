//! Keeps a bounded number of open sessions. Opening, looking up and closing are three operations; a look-up never opens.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::catalog::{Catalog, Owner, ToolKey};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::map::Map;

use super::scope::Scope;
use super::scoped_ids::ScopedIds;
use super::session::Session;

/// Which session is evicted when there are too many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionEviction {
    /// The least recently used one.
    #[default]
    LastUse,
    /// Of those that have revealed something, the one that did so first. As many others are kept beside them, of which the
    /// one opened first is evicted.
    FirstReveal,
}

/// Sessions by their stamps: the first is the oldest.
type Queue = BTreeMap<u64, Arc<str>>;

/// The open sessions. Each is in one of two queues, under its stamp.
#[derive(Debug, Default)]
pub struct SessionStore {
    sessions: Map<Arc<str>, Entry>,
    /// Each scope in use once, with the number of its sessions.
    scopes: Map<Scope, (Scope, usize)>,
    /// Sessions that have revealed something, where eviction tells them from the others.
    revealing: Queue,
    /// All others.
    others: Queue,
    /// The session that was looked up last: it may have revealed something since.
    latest: Option<Arc<str>>,
    /// The latest stamp. Whatever moves a session in a queue takes the next one.
    clock: u64,
    /// Sessions that were ever opened.
    opened: u32,
    /// Sessions that are closed, and had a scope.
    scoped_ids: ScopedIds,
    /// The scopes and owners of sessions that were closed or evicted, until they are taken.
    closed: Vec<(Scope, Owner)>,
    most: usize,
    eviction: SessionEviction,
}

#[derive(Debug)]
struct Entry {
    session: Session,
    stamp: u64,
    is_revealing: bool,
    /// Of a child: the session that it is a child of, and what it may see of what that one may.
    parent: Option<(Arc<str>, Scope)>,
    children: Vec<Arc<str>>,
}

impl SessionStore {
    /// A store of at most `most` sessions.
    pub fn new(most: usize, eviction: SessionEviction) -> Self {
        SessionStore { most, eviction, ..SessionStore::default() }
    }

    /// Opens a session, or returns the open one of that id and scope. Without a scope it returns the open one whatever its
    /// scope is, and a new one sees everything: one of an id that had a scope is not opened.
    ///
    /// # Errors
    /// `session_id_invalid` for an empty or overlong id; `option_invalid` when the session is open with another scope;
    /// `scope_required`.
    pub fn open(&mut self, id: &str, scope: Option<Scope>) -> Result<&mut Session> {
        check_id(id)?;
        self.settle();
        let open = self.sessions.get(id).map(|entry| entry.session.scope());
        match open.map(|open| scope.as_ref().is_none_or(|scope| open == scope)) {
            Some(true) => {}
            Some(false) => {
                let message = format!(
                    "session {} is open with another scope; session.rescope(scope) changes the scope of an open session",
                    excerpt(id)
                );
                return Err(Error::new(ErrorCode::OptionInvalid, message));
            }
            None => {
                if scope.is_none() {
                    self.scoped_ids.check(id)?;
                }
                self.make_room();
                self.opened = self.opened.wrapping_add(1).max(1);
                self.insert(id.into(), (Owner::new(self.opened), id.into()), scope.unwrap_or_default(), None);
            }
        }
        self.get_mut(id)
    }

    /// Opens a child of an open session: it has the same tools, may see what both the parent's scope and its own admit, and
    /// reveals on its own. It is closed with its parent.
    ///
    /// # Errors
    /// `session_id_invalid`; `option_invalid` when a session of that id is open; `session_closed` when the parent is not.
    pub fn open_child(&mut self, parent: &str, id: &str, scope: Scope) -> Result<()> {
        check_id(id)?;
        self.get_mut(parent)?;
        if self.sessions.contains_key(id) {
            let message = format!("session {} is open already: a child needs an id of its own", excerpt(id));
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        self.make_room();
        let id: Arc<str> = id.into();
        let session = self.get_mut(parent)?;
        let (owner, seen) = ((session.owner(), session.home().clone()), session.scope().narrowed(&scope));
        let parent = session.id.clone();
        if let Some(entry) = self.sessions.get_mut(&parent) {
            entry.children.push(id.clone());
        }
        self.insert(id, owner, seen, Some((parent, scope)));
        Ok(())
    }

    /// Whether the open session of an id is a child.
    pub fn is_child(&self, id: &str) -> bool {
        self.sessions.get(id).is_some_and(|entry| entry.parent.is_some())
    }

    /// Whether a session of an id is open.
    pub fn is_open(&self, id: &str) -> bool {
        self.sessions.contains_key(id)
    }

    /// Notes that the session of an id has a scope elsewhere: unless it is open, it is opened with a scope only.
    pub fn note_scoped(&mut self, id: &str) {
        if !self.is_open(id) {
            self.scoped_ids.note(id, true);
        }
    }

    fn make_room(&mut self) {
        while self.others.len() >= self.most && self.evict(false) {}
    }

    fn insert(
        &mut self,
        id: Arc<str>,
        (owner, home): (Owner, Arc<str>),
        scope: Scope,
        parent: Option<(Arc<str>, Scope)>,
    ) {
        let scope = self.share(scope);
        self.clock += 1;
        let session = Session::new(id.clone(), owner, home, scope);
        self.others.insert(self.clock, id.clone());
        let (stamp, is_revealing, children) = (self.clock, false, Vec::new());
        self.sessions.insert(id, Entry { session, stamp, is_revealing, parent, children });
    }

    /// The open session of an id, which becomes the most recently used one.
    ///
    /// # Errors
    /// `session_closed` where none is open.
    pub fn get_mut(&mut self, id: &str) -> Result<&mut Session> {
        self.settle();
        // While a child is used, its parent is: without it the child would be closed.
        let mut used = Some(id.into());
        while let Some(entry) = used.take().and_then(|id: Arc<str>| self.sessions.get_mut(&id)) {
            if self.eviction == SessionEviction::LastUse && entry.stamp < self.clock {
                self.others.remove(&entry.stamp);
                self.clock += 1;
                entry.stamp = self.clock;
                self.others.insert(entry.stamp, entry.session.id.clone());
            }
            used = entry.parent.as_ref().map(|(parent, _)| parent.clone());
        }
        let Some(entry) = self.sessions.get_mut(id) else { return Err(closed(id, self.most)) };
        self.latest = Some(entry.session.id.clone());
        Ok(&mut entry.session)
    }

    /// An open session, if it is still that of this owner, and was not opened again since.
    ///
    /// # Errors
    /// `session_closed` where it is not.
    pub fn get_owner(&mut self, id: &str, owner: Owner) -> Result<&mut Session> {
        self.check_owner(id, owner)?;
        self.get_mut(id)
    }

    /// Checks that the open session of an id is still the one of this owner. This is no use of it.
    ///
    /// # Errors
    /// `session_closed` where it is not.
    pub fn check_owner(&self, id: &str, owner: Owner) -> Result<()> {
        let is_open = self.sessions.get(id).is_some_and(|entry| entry.session.owner() == owner);
        if is_open { Ok(()) } else { Err(closed(id, self.most)) }
    }

    /// Changes what an open session may see, and conceals what falls out of it. Returns the identities of what was
    /// concealed.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn rescope(&mut self, id: &str, scope: Scope, catalog: &Catalog) -> Result<Vec<ToolKey>> {
        let before = self.get_mut(id)?.scope().clone();
        let outer = self.sessions.get_mut(id).and_then(|entry| entry.parent.as_mut()).map(|(parent, own)| {
            *own = scope.clone();
            parent.clone()
        });
        let outer = outer.and_then(|parent| self.sessions.get(&parent)).map(|entry| entry.session.scope());
        let scope = self.share(outer.map_or(scope.clone(), |outer| outer.narrowed(&scope)));
        self.release(&before);
        let Some(entry) = self.sessions.get_mut(id) else { return Ok(Vec::new()) };
        let concealed = entry.session.rescope(scope, catalog);
        for child in entry.children.clone() {
            let own = self.sessions.get(&child).and_then(|entry| entry.parent.as_ref()).map(|(_, own)| own.clone());
            self.rescope(&child, own.unwrap_or_default(), catalog)?;
        }
        Ok(concealed)
    }

    /// Closes a session and its children, and says whether there was one.
    pub fn close(&mut self, id: &str) -> bool {
        let Some(entry) = self.sessions.remove(id) else { return false };
        self.queue(entry.is_revealing).remove(&entry.stamp);
        let scope = entry.session.scope();
        self.release(scope);
        self.scoped_ids.note(id, *scope != Scope::All);
        entry.children.iter().for_each(|child| _ = self.close(child));
        match &entry.parent {
            // Its tools are its parent's.
            Some((parent, _)) => {
                if let Some(parent) = self.sessions.get_mut(parent) {
                    parent.children.retain(|child| **child != *id);
                }
            }
            None => self.closed.push((scope.clone(), entry.session.owner())),
        }
        true
    }

    /// The scopes and owners of the sessions that were closed or evicted since the last call.
    pub fn take_closed(&mut self) -> Vec<(Scope, Owner)> {
        std::mem::take(&mut self.closed)
    }

    /// Whether [`SessionStore::take_closed`] has something to return.
    pub fn has_closed(&self) -> bool {
        !self.closed.is_empty()
    }

    /// The scope of another session that is equal, so that equal scopes are one in memory.
    fn share(&mut self, scope: Scope) -> Scope {
        let (shared, sessions) = self.scopes.entry(scope.clone()).or_insert_with(|| (scope, 0));
        *sessions += 1;
        shared.clone()
    }

    fn release(&mut self, scope: &Scope) {
        let Some((_, sessions)) = self.scopes.get_mut(scope) else { return };
        *sessions -= 1;
        if *sessions == 0 {
            self.scopes.remove(scope);
        }
    }

    fn queue(&mut self, is_revealing: bool) -> &mut Queue {
        if is_revealing { &mut self.revealing } else { &mut self.others }
    }

    /// Notes that the session that was looked up last has revealed something first, where that decides about eviction.
    fn settle(&mut self) {
        let Some(id) = self.latest.take() else { return };
        if self.eviction == SessionEviction::LastUse {
            return;
        }
        let Some(entry) = self.sessions.get_mut(&id) else { return };
        if entry.is_revealing || !entry.session.has_ever_revealed {
            return;
        }
        self.others.remove(&entry.stamp);
        self.clock += 1;
        (entry.is_revealing, entry.stamp) = (true, self.clock);
        self.revealing.insert(entry.stamp, id);
        while self.revealing.len() > self.most && self.evict(true) {}
    }

    /// Closes the oldest session of a queue, and says whether there was one.
    fn evict(&mut self, is_revealing: bool) -> bool {
        let oldest = self.queue(is_revealing).first_key_value().map(|(_, id)| id.clone());
        oldest.is_some_and(|id| self.close(&id))
    }
}

/// Checks that an id can be one of a session.
///
/// # Errors
/// `session_id_invalid` for an empty or overlong id.
pub fn check_id(id: &str) -> Result<()> {
    let (chars, most) = (id.chars().count(), limits::SESSION_ID_CHARS);
    if (1..=most).contains(&chars) {
        return Ok(());
    }
    let message = format!("session id {} has {chars} characters; 1 to {most}", excerpt(id));
    Err(Error::new(ErrorCode::SessionIdInvalid, message))
}

fn closed(id: &str, most: usize) -> Error {
    let id = excerpt(id);
    let message = format!(
        "session {id} is not open: it was never opened, or it was closed, or evicted since at most {most} sessions are kept"
    );
    Error::new(ErrorCode::SessionClosed, message)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn sessions_that_were_closed_leave_nothing_behind() {
        for eviction in [SessionEviction::LastUse, SessionEviction::FirstReveal] {
            let mut store = SessionStore::new(100, eviction);
            store.open("stays", None).unwrap();
            for round in 0..1_000 {
                let id = format!("session {round}");
                store.open(&id, None).unwrap();
                store.get_mut(&id).unwrap();
                store.get_mut("stays").unwrap();
                assert!(store.close(&id));
                assert_eq!((store.others.len(), store.revealing.len()), (1, 0), "{eviction:?} {round}");
            }
            assert_eq!((store.sessions.len(), store.take_closed().len()), (1, 1_000));
        }
    }
}
