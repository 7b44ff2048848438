//! Keeps a session in a store that several processes share: one record per session, which is read before it is written.
//! The changes that this process made since it last saw the record are applied to the current record. So a process that
//! writes after another one loses none of its changes.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::catalog::{Catalog, ToolKey, is_false};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::limits;
use crate::map::{Map, Set, hash_of};

use super::bounds::Bounds;
use super::eligibility::Eligibility;
use super::revealed::{MOST_TURNS, RevealedTool, turn};
use super::scope::Scope;
use super::session::Session;

/// The version that this build reads and writes.
const VERSION: u64 = 2;
/// The beginning of the text of a record.
const START: &str = r#"{"toolsift":"session","version":"#;
/// The maximum number of writes that a record names: its own, and the latest ones whose content it includes.
const WRITES: usize = 32;
/// The name of a write has 16 characters.
const WRITE_CHARS: usize = 16;

/// The record of a session in a store. The default value means that there is no record.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    toolsift: String,
    version: u64,
    /// True if the session's scope was narrower than everything. The scope itself is not stored. It stands before the id,
    /// which may be long, so that the beginning of a record has it.
    #[serde(default, rename = "scoped", skip_serializing_if = "is_false")]
    is_scoped: bool,
    id: Arc<str>,
    /// The time of expiry in milliseconds; `None` if the session never expires.
    expires: Option<u64>,
    /// One more than the number of the previous record. It tells that a write is too old to be among `writes`.
    #[serde(deserialize_with = "turn")]
    number: u64,
    /// Names of writes. If a process finds its own write among them, its changes were not overwritten.
    writes: Vec<String>,
    #[serde(deserialize_with = "turn")]
    turn: u64,
    revealed: Vec<RevealedTool>,
}

#[derive(Deserialize)]
struct Head {
    toolsift: Option<String>,
    version: Option<u64>,
}

impl Record {
    /// Reads a record. Returns `None` for an empty text and for an expired record.
    ///
    /// # Errors
    /// `store_garbled` if the text is not a record of this session. If a process was killed while it wrote, only the
    /// beginning of a record is there: then only its scope counts.
    fn read(id: &str, text: &str, now: u64) -> Result<Option<Record>> {
        let garbled = |problem: String| {
            let advice =
                "nothing was removed or overwritten; remove what is no record of toolsift, or delete the session";
            let message = format!("the record of session {} cannot be read: {problem} ({advice})", excerpt(id));
            Err(Error::new(ErrorCode::StoreGarbled, message))
        };
        if text.trim_matches('\0').is_empty() {
            return Ok(None);
        }
        if text.len() > limits::RECORD_BYTES {
            return garbled(format!("it has {} bytes, more than {}", text.len(), limits::RECORD_BYTES));
        }
        let head = match first::<Head>(text) {
            Ok(head) => head,
            Err(error) if error.is_eof() && (START.starts_with(text) || text.starts_with(START)) => {
                return Ok(Some(Record { is_scoped: text.contains("\"scoped\":true"), ..Record::default() }));
            }
            Err(error) => return garbled(format!("it is no record of a session: {error}")),
        };
        match (head.toolsift.as_deref(), head.version) {
            (Some("session"), Some(VERSION)) => {}
            (Some("session"), Some(version)) => {
                return garbled(format!("it has version {version}; this toolsift reads {VERSION}"));
            }
            _ => return garbled("it is no record of a session".to_owned()),
        }
        match first::<Record>(text) {
            Err(error) => garbled(error.to_string()),
            Ok(record) if &*record.id != id => garbled("it is of another session".to_owned()),
            Ok(record) if record.revealed.len() > limits::REVEALED_CEILING => {
                garbled(format!("it holds more than {} reveals", limits::REVEALED_CEILING))
            }
            Ok(record) if record.writes.len() > WRITES || record.writes.iter().any(|name| name.len() > WRITE_CHARS) => {
                garbled(format!("it names more than {WRITES} writes, or one by more than {WRITE_CHARS} characters"))
            }
            Ok(record) => Ok(Some(record).filter(|record| record.is_alive(now))),
        }
    }

    fn is_alive(&self, now: u64) -> bool {
        self.expires.is_none_or(|at| at > now)
    }

    /// Returns the name of the write that made this record.
    fn write(&self) -> Option<&String> {
        self.writes.last()
    }

    /// Returns true if this record names the write of another one, and so includes its content.
    fn names(&self, other: &Record) -> bool {
        other.write().is_some_and(|write| self.writes.contains(write))
    }

    /// Returns true if this record includes the content of another one, as far as the names and the number tell.
    fn follows(&self, other: &Record) -> bool {
        self.names(other) || self.number >= other.number.saturating_add(WRITES as u64)
    }
}

/// Reads the first value of a text. A storage may leave the end of a longer, overwritten text after it.
fn first<'t, T: Deserialize<'t>>(text: &'t str) -> serde_json::Result<T> {
    T::deserialize(&mut serde_json::Deserializer::from_str(text))
}

/// The knowledge of a session about its record.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// The last record that was read.
    read: Known,
    /// The record that this process has written since. It may not have arrived, or may be overwritten.
    own: Option<Known>,
    /// True if another process has given the session a scope since it was opened here.
    is_scoped_elsewhere: bool,
}

/// A record, and the tools that the session had at that time and need not add to it. If the session lacks one of them
/// later, it was concealed here. If the record lacks one, it was concealed elsewhere.
#[derive(Clone, Debug, Default)]
struct Known {
    record: Record,
    tools: Vec<ToolKey>,
}

impl Kept {
    fn newest(&self) -> &Known {
        self.own.as_ref().unwrap_or(&self.read)
    }
}

/// The result of joining a record with the session in memory.
struct Joined {
    theirs: Record,
    /// True if the store has shown a record older than the known one.
    is_late: bool,
    /// The name of the write that the store shows.
    seen: Option<String>,
    turn: u64,
    revealed: Vec<RevealedTool>,
    /// The tools that were concealed or moved here since the record.
    gone: Set<ToolKey>,
    /// The tools that were loaded here since the record.
    new: Set<ToolKey>,
}

impl Session {
    /// Updates the session from its record: tools that other processes have concealed are concealed, and tools that
    /// were loaded here and not saved yet stay. An empty text is no record. `now` is in milliseconds.
    ///
    /// # Errors
    /// `store_garbled`; `scope_required` if the record is of a session with a scope, this session has none, and
    /// `has_scope` does not say that the host asked for that. The session is then unchanged.
    pub fn open_record(
        &mut self,
        text: &str,
        has_scope: bool,
        now: u64,
        eligibility: &Eligibility,
        bounds: &Bounds,
        catalog: &Catalog,
    ) -> Result<()> {
        let read = Record::read(&self.id, text, now)?;
        let is_bare = !has_scope && *self.scope() == Scope::All;
        if is_bare && read.as_ref().is_some_and(|read| read.is_scoped) {
            let advice = "open it with its scope again, or with the scope \"all\" if it may see everything";
            let what = format!("session {} was saved with a scope, and a scope is not kept", excerpt(&self.id));
            return Err(Error::new(ErrorCode::ScopeRequired, format!("{what}: {advice}")));
        }
        let joined = self.joined(read, now);
        if self.turn != joined.turn || self.revealed.tools() != joined.revealed {
            self.restore(joined.turn, joined.revealed.clone(), true, eligibility, bounds, catalog);
        }
        let kept = self.settled(&joined);
        self.kept = Some(Box::new(Kept { is_scoped_elsewhere: false, ..kept }));
        Ok(())
    }

    /// Returns true if the session was ever opened or saved with a record.
    pub fn has_record(&self) -> bool {
        self.kept.is_some()
    }

    /// Returns the record to write in place of `text`, or `None` if `text` has all that the session knows, is not in the
    /// second half of its life, and expires if and only if `ttl` says so. `now` and `ttl` are in milliseconds; with a
    /// `ttl` of 0 the record never expires.
    ///
    /// # Errors
    /// `store_garbled`; `revealed_full` if the session has loaded more than a record may hold.
    pub fn save_record(&mut self, text: &str, now: u64, ttl: u64) -> Result<Option<String>> {
        let joined = self.joined(Record::read(&self.id, text, now)?, now);
        let mut kept = self.settled(&joined);
        let Joined { theirs, seen, turn, revealed, .. } = joined;
        let is_ours = self.kept.as_ref().is_some_and(|kept| kept.newest().record.write() == theirs.write());
        kept.is_scoped_elsewhere |= theirs.is_scoped && !is_ours;
        let is_scoped = *self.scope() != Scope::All || kept.is_scoped_elsewhere;
        let is_old =
            theirs.number > 0 && theirs.expires.map_or(ttl > 0, |at| ttl == 0 || at < now.saturating_add(ttl / 2));
        let is_kept = seen.as_ref() == theirs.write() && !is_old;
        if is_kept && (turn, &revealed, is_scoped) == (theirs.turn, &theirs.revealed, theirs.is_scoped) {
            self.kept = Some(Box::new(kept));
            return Ok(None);
        }
        let expires = (ttl > 0).then(|| now.saturating_add(ttl));
        let keys: Vec<ToolKey> = revealed.iter().map(RevealedTool::key).collect();
        let write = format!("{:016x}", hash_of(&(&self.id, theirs.write(), &keys, turn, now, self.owner().number())));
        let mut writes = theirs.writes;
        writes.push(write);
        writes.drain(..writes.len().saturating_sub(WRITES));
        let number = (theirs.number + 1).min(MOST_TURNS);
        let (id, toolsift) = (self.id.clone(), "session".to_owned());
        let record = Record { toolsift, version: VERSION, id, is_scoped, expires, number, writes, turn, revealed };
        let text = serde_json::to_string(&record).unwrap_or_default();
        let (reveals, most) = (record.revealed.len(), limits::REVEALED_CEILING);
        if reveals > most || text.len() > limits::RECORD_BYTES {
            let size = format!("{reveals} reveals in {} bytes", text.len());
            let message = format!("the session holds {size}; a store takes {most} in {}", limits::RECORD_BYTES);
            return Err(Error::new(ErrorCode::RevealedFull, message));
        }
        let tools = self.revealed.tools().iter().map(RevealedTool::key).collect();
        self.kept = Some(Box::new(Kept { own: Some(Known { record, tools }), ..kept }));
        Ok(Some(text))
    }

    /// Applies the changes made here since the session last saw a record to the current record.
    fn joined(&self, read: Option<Record>, now: u64) -> Joined {
        let unknown = Kept::default();
        let kept = self.kept.as_deref().unwrap_or(&unknown);
        let seen = read.as_ref().and_then(Record::write).cloned();
        let known = Some(&kept.newest().record).filter(|known| known.number > 0 && known.is_alive(now));
        // If neither record names the other, another process has begun the session again: both are joined.
        let late = known.filter(|known| {
            let is_older = |read: &Record| read.writes.is_empty() || (known.names(read) && !read.names(known));
            read.as_ref().is_none_or(is_older)
        });
        let is_late = late.is_some();
        let theirs = late.cloned().or(read).unwrap_or_default();
        // If the record does not follow a known one, no tool can be missing from it: the tools in memory stay.
        let mut before = kept.own.iter().chain([&kept.read]);
        let base = before.find(|known| theirs.follows(&known.record)).map_or(&[][..], |known| &known.tools);
        // Loaded tools are only ever appended: every tool after the first change is new.
        let places: Map<&ToolKey, usize> = base.iter().zip(0..).collect();
        let here: Vec<(ToolKey, &RevealedTool)> = self.revealed.tools().iter().map(|tool| (tool.key(), tool)).collect();
        let mut old: Set<&ToolKey> = Set::default();
        let mut next = 0;
        for (key, _) in &here {
            let Some(place) = places.get(key).filter(|place| **place >= next) else { break };
            next = place + 1;
            old.insert(key);
        }
        let gone: Set<ToolKey> = base.iter().filter(|key| !old.contains(key)).cloned().collect();
        let mut revealed: Vec<RevealedTool> =
            theirs.revealed.iter().filter(|tool| !gone.contains(&tool.key())).cloned().collect();
        let at: Map<ToolKey, usize> = revealed.iter().zip(0..).map(|(tool, at)| (tool.key(), at)).collect();
        let mut new = Set::default();
        for (key, tool) in &here {
            if let Some(at) = at.get(key) {
                revealed[*at].used = revealed[*at].used.max(tool.used);
                revealed[*at].is_ahead &= tool.is_ahead;
            } else if !old.contains(key) {
                revealed.push((*tool).clone());
                new.insert(key.clone());
            }
        }
        Joined { turn: self.turn.max(theirs.turn), theirs, is_late, seen, revealed, gone, new }
    }

    /// Returns the knowledge about the record after joining, with the tools in the order of memory. A tool that was moved
    /// here stands first, so that it still counts as moved.
    fn settled(&self, joined: &Joined) -> Kept {
        let theirs = joined.theirs.revealed.iter().map(RevealedTool::key).filter(|key| joined.gone.contains(key));
        let here = self.revealed.tools().iter().map(RevealedTool::key).filter(|key| !joined.new.contains(key));
        let had = theirs.chain(here).collect();
        let kept = self.kept.as_deref().cloned().unwrap_or_default();
        match kept.own {
            Some(own) if joined.is_late => Kept { own: Some(Known { tools: had, ..own }), ..kept },
            _ => Kept { read: Known { record: joined.theirs.clone(), tools: had }, own: None, ..kept },
        }
    }
}
