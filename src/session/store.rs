//! Keeps a limited number of open sessions. Opening, looking up and closing are separate operations; a look-up never
//! opens.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::catalog::Owner;
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::map::Map;

use super::scope::Scope;
use super::scoped_ids::ScopedIds;
use super::session::Session;

/// The rule for which session is evicted when there are too many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionEviction {
    /// The least recently used one.
    #[default]
    LastUse,
    /// The oldest one of the full queue. There are two queues of the same capacity: sessions that loaded a tool, in the
    /// order of their first loading, and all others, in the order of opening.
    FirstReveal,
}

/// Sessions by their stamps: the first one is the oldest.
type Queue = BTreeMap<u64, Arc<str>>;

/// A session, used by one thread at a time.
pub type SharedSession = Arc<Mutex<Session>>;

/// The open sessions. Each is in one of two queues, under its stamp.
///
/// The store never waits for a session: all that it needs to know about one is in the entry.
#[derive(Debug, Default)]
pub struct SessionStore {
    sessions: Map<Arc<str>, Entry>,
    /// Each scope in use, with the number of its sessions.
    scopes: Map<Scope, (Scope, usize)>,
    /// The owners of the open sessions without a parent, with true for those that may have tools of their own.
    owners: Map<Owner, bool>,
    /// Sessions that have loaded a tool, if the eviction rule needs to know them.
    revealing: Queue,
    /// All other sessions.
    others: Queue,
    /// The latest stamp. Each move of a session in a queue uses the next one.
    clock: u64,
    /// The number of sessions opened so far.
    opened: u32,
    /// The closed sessions that had a scope.
    scoped_ids: ScopedIds,
    /// The scopes and owners of closed or evicted sessions that may have had tools of their own, until
    /// [`SessionStore::take_closed`].
    closed: Vec<(Scope, Owner)>,
    capacity: usize,
    eviction: SessionEviction,
}

#[derive(Debug)]
struct Entry {
    session: SharedSession,
    id: Arc<str>,
    owner: Owner,
    /// The id of the session that registered its own tools.
    home: Arc<str>,
    scope: Scope,
    /// True if the session itself does not have the new scope yet.
    is_rescoped: bool,
    stamp: u64,
    is_revealing: bool,
    /// For a child: its parent, and the part of the parent's scope that it may see.
    parent: Option<(Arc<str>, Scope)>,
    children: Vec<Arc<str>>,
}

impl SessionStore {
    /// Makes a store of at most `capacity` sessions.
    pub fn new(capacity: usize, eviction: SessionEviction) -> Self {
        SessionStore { capacity, eviction, ..SessionStore::default() }
    }

    /// Opens a session, or finds the open session with this id and scope. Without a scope, it finds the open session
    /// with any scope, or opens one that sees everything, unless a closed session with this id had a scope. Returns its
    /// owner.
    ///
    /// # Errors
    /// `session_id_invalid` for an empty or overlong id; `option_invalid` when the session is open with another scope;
    /// `scope_required`.
    pub fn open(&mut self, id: &str, scope: Option<Scope>) -> Result<Owner> {
        check_id(id)?;
        let open = self.sessions.get(id).map(|entry| &entry.scope);
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
                let owner = Owner::new(self.opened);
                self.owners.insert(owner, false);
                self.insert(id.into(), owner, id.into(), scope.unwrap_or_default(), None);
            }
        }
        self.owner_of(id)
    }

    /// Opens a child of an open session: it has the same tools, may see what both the parent's scope and its own admit,
    /// and has its own loaded tools. It is closed with its parent.
    ///
    /// # Errors
    /// `session_id_invalid`; `option_invalid` if a session with this id is open; `session_closed` if the parent is not
    /// open.
    pub fn open_child(&mut self, parent: &str, id: &str, scope: Scope) -> Result<()> {
        check_id(id)?;
        self.touch(parent)?;
        if self.sessions.contains_key(id) {
            let message = format!("session {} is open already: a child needs an id of its own", excerpt(id));
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        self.make_room();
        let id: Arc<str> = id.into();
        let entry = self.touch(parent)?;
        entry.children.push(id.clone());
        let (parent, owner, home, seen) =
            (entry.id.clone(), entry.owner, entry.home.clone(), entry.scope.narrowed(&scope));
        self.insert(id, owner, home, seen, Some((parent, scope)));
        Ok(())
    }

    /// Returns true if the open session with this id is a child.
    pub fn is_child(&self, id: &str) -> bool {
        self.sessions.get(id).is_some_and(|entry| entry.parent.is_some())
    }

    /// Returns true if a session with this id is open.
    pub fn is_open(&self, id: &str) -> bool {
        self.sessions.contains_key(id)
    }

    /// Notes that the session with this id has a scope elsewhere: unless it is open now, it can only be opened with a
    /// scope.
    pub fn note_scoped(&mut self, id: &str) {
        if !self.is_open(id) {
            self.scoped_ids.note(id, true);
        }
    }

    fn make_room(&mut self) {
        while self.others.len() >= self.capacity && self.evict(false) {}
    }

    fn insert(&mut self, id: Arc<str>, owner: Owner, home: Arc<str>, scope: Scope, parent: Option<(Arc<str>, Scope)>) {
        let scope = self.share(scope);
        self.clock += 1;
        self.others.insert(self.clock, id.clone());
        let session = Session::new(id.clone(), owner, home.clone(), scope.clone());
        let entry = Entry {
            session: Arc::new(Mutex::new(session)),
            id: id.clone(),
            owner,
            home,
            scope,
            is_rescoped: false,
            stamp: self.clock,
            is_revealing: false,
            parent,
            children: Vec::new(),
        };
        self.sessions.insert(id, entry);
    }

    /// Returns the open session with this id, and makes it the most recently used one.
    ///
    /// # Errors
    /// `session_closed` if none is open.
    fn touch(&mut self, id: &str) -> Result<&mut Entry> {
        // Use of a child counts as use of its parent, since the child would be closed with the parent.
        let mut used = Some(id.into());
        while let Some(entry) = used.take().and_then(|id: Arc<str>| self.sessions.get_mut(&id)) {
            if self.eviction == SessionEviction::LastUse && entry.stamp < self.clock {
                self.others.remove(&entry.stamp);
                self.clock += 1;
                entry.stamp = self.clock;
                self.others.insert(entry.stamp, entry.id.clone());
            }
            used = entry.parent.as_ref().map(|(parent, _)| parent.clone());
        }
        self.sessions.get_mut(id).ok_or_else(|| closed(id, self.capacity))
    }

    /// Returns the owner of the open session with this id, and makes it the most recently used one.
    ///
    /// # Errors
    /// `session_closed` if none is open.
    pub fn owner_of(&mut self, id: &str) -> Result<Owner> {
        self.touch(id).map(|entry| entry.owner)
    }

    /// Returns the open session with this id, and makes it the most recently used one. The owner must be the same: a
    /// session opened again has a new one.
    ///
    /// # Errors
    /// `session_closed` if no session of this owner is open.
    pub fn session(&mut self, id: &str, owner: Owner) -> Result<SharedSession> {
        self.check_owner(id, owner)?;
        self.touch(id).map(|entry| entry.session.clone())
    }

    /// Returns the scope of an open session, and makes the session the most recently used one.
    ///
    /// # Errors
    /// `session_closed` if no session of this owner is open.
    pub fn scope(&mut self, id: &str, owner: Owner) -> Result<Scope> {
        self.check_owner(id, owner)?;
        self.touch(id).map(|entry| entry.scope.clone())
    }

    /// Returns the new scope of an open session once, if it has one. The caller must set it on the session.
    ///
    /// # Errors
    /// `session_closed` if no session of this owner is open.
    pub fn take_scope(&mut self, id: &str, owner: Owner) -> Result<Option<Scope>> {
        self.check_owner(id, owner)?;
        let entry = self.sessions.get_mut(id).filter(|entry| entry.is_rescoped);
        Ok(entry.map(|entry| {
            entry.is_rescoped = false;
            entry.scope.clone()
        }))
    }

    /// Checks that the open session with this id has this owner. It does not count as use of the session.
    ///
    /// # Errors
    /// `session_closed` if it has not.
    pub fn check_owner(&self, id: &str, owner: Owner) -> Result<()> {
        let is_open = self.sessions.get(id).is_some_and(|entry| entry.owner == owner);
        if is_open { Ok(()) } else { Err(closed(id, self.capacity)) }
    }

    /// Notes that an owner gets tools of its own, which must be released when its session is closed.
    ///
    /// # Errors
    /// `session_closed` if it is no longer open.
    pub fn note_own(&mut self, owner: Owner) -> Result<()> {
        let has_own = self.owners.get_mut(&owner);
        let has_own =
            has_own.ok_or_else(|| Error::new(ErrorCode::SessionClosed, "the session was closed meanwhile"))?;
        *has_own = true;
        Ok(())
    }

    /// Changes the scope of an open session, and of its children. Each session gets its new scope at its next use.
    ///
    /// # Errors
    /// `session_closed`.
    pub fn rescope(&mut self, id: &str, scope: Scope) -> Result<()> {
        let entry = self.touch(id)?;
        let before = entry.scope.clone();
        let outer = entry.parent.as_mut().map(|(parent, own)| {
            *own = scope.clone();
            parent.clone()
        });
        let children = entry.children.clone();
        let outer = outer.and_then(|parent| self.sessions.get(&parent)).map(|entry| &entry.scope);
        let scope = self.share(outer.map_or(scope.clone(), |outer| outer.narrowed(&scope)));
        self.release(&before);
        if let Some(entry) = self.sessions.get_mut(id) {
            (entry.scope, entry.is_rescoped) = (scope, true);
        }
        for child in children {
            let own = self.sessions.get(&child).and_then(|entry| entry.parent.as_ref()).map(|(_, own)| own.clone());
            self.rescope(&child, own.unwrap_or_default())?;
        }
        Ok(())
    }

    /// Closes a session and its children. Returns true if it was open.
    pub fn close(&mut self, id: &str) -> bool {
        let Some(entry) = self.sessions.remove(id) else { return false };
        self.queue(entry.is_revealing).remove(&entry.stamp);
        self.release(&entry.scope);
        self.scoped_ids.note(id, entry.scope != Scope::All);
        entry.children.iter().for_each(|child| _ = self.close(child));
        match &entry.parent {
            // A child's tools belong to its parent.
            Some((parent, _)) => {
                if let Some(parent) = self.sessions.get_mut(parent) {
                    parent.children.retain(|child| **child != *id);
                }
            }
            None => {
                if self.owners.remove(&entry.owner) == Some(true) {
                    self.closed.push((entry.scope, entry.owner));
                }
            }
        }
        true
    }

    /// Returns the scopes and owners of the sessions that may have had tools of their own, and were closed or evicted
    /// since the last call.
    pub fn take_closed(&mut self) -> Vec<(Scope, Owner)> {
        std::mem::take(&mut self.closed)
    }

    /// Returns the equal scope of another session, if there is one, so that equal scopes share memory.
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

    /// Notes that an open session has loaded its first tool, if the eviction rule depends on it.
    pub fn note_reveal(&mut self, id: &str, owner: Owner) {
        if self.eviction == SessionEviction::LastUse || self.check_owner(id, owner).is_err() {
            return;
        }
        let Some(entry) = self.sessions.get_mut(id).filter(|entry| !entry.is_revealing) else { return };
        self.others.remove(&entry.stamp);
        self.clock += 1;
        (entry.is_revealing, entry.stamp) = (true, self.clock);
        self.revealing.insert(entry.stamp, entry.id.clone());
        while self.revealing.len() > self.capacity && self.evict(true) {}
    }

    /// Closes the oldest session of a queue. Returns true if there was one.
    fn evict(&mut self, is_revealing: bool) -> bool {
        let oldest = self.queue(is_revealing).first_key_value().map(|(_, id)| id.clone());
        oldest.is_some_and(|id| self.close(&id))
    }
}

/// Checks that a text can be the id of a session.
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

fn closed(id: &str, capacity: usize) -> Error {
    let id = excerpt(id);
    let message = format!(
        "session {id} is not open: it was never opened, or it was closed, or evicted since at most {capacity} sessions are kept"
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
                let owner = store.owner_of(&id).unwrap();
                store.note_own(owner).unwrap();
                store.owner_of("stays").unwrap();
                assert!(store.close(&id));
                assert_eq!((store.others.len(), store.revealing.len()), (1, 0), "{eviction:?} {round}");
            }
            assert_eq!((store.sessions.len(), store.take_closed().len()), (1, 1_000));
        }
    }
}
