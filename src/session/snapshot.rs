//! Writes what a session knows as a small JSON value with a version, and reads it back.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::limits;

use super::revealed::RevealedTool;

/// The version that this build writes. It also reads version 1, which has no turns.
const VERSION: u64 = 2;
/// Larger whole numbers are not exact in JavaScript.
pub(super) const MOST_TURNS: u64 = 1 << 53;

/// What a session knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    toolsift: u64,
    /// The session's id.
    pub id: String,
    /// The profile under which it was taken.
    pub profile: String,
    /// Requests that were assembled.
    #[serde(default)]
    pub turn: u64,
    /// The revealed tools in their order.
    pub revealed: Vec<RevealedTool>,
}

impl Snapshot {
    pub(super) fn new(id: String, profile: String, turn: u64, revealed: Vec<RevealedTool>) -> Self {
        Snapshot { toolsift: VERSION, id, profile, turn, revealed }
    }

    /// Reads a snapshot.
    ///
    /// # Errors
    /// `snapshot_invalid` for another version, another shape, or more reveals than any session may hold.
    pub fn read(json: &str) -> Result<Self> {
        let invalid = |message: String| Error::new(ErrorCode::SnapshotInvalid, message);
        let Ok(Versioned { toolsift }) = serde_json::from_str(json) else {
            return Err(invalid(format!("not a snapshot of a session: {}", excerpt_json(json))));
        };
        if !["1", "2"].contains(&toolsift.get()) {
            let version = excerpt_json(toolsift.get());
            return Err(invalid(format!(
                "snapshot of version {version}; this build reads up to {VERSION}: take a newer toolsift"
            )));
        }
        let broken = |what: &dyn fmt::Display| invalid(format!("broken snapshot: {what}"));
        let snapshot: Snapshot = serde_json::from_str(json).map_err(|e| broken(&e))?;
        let count = snapshot.revealed.len();
        if count > limits::REVEALED_CEILING {
            return Err(invalid(format!("snapshot of {count} revealed tools; at most {}", limits::REVEALED_CEILING)));
        }
        if snapshot.turn > MOST_TURNS || snapshot.revealed.iter().any(|tool| tool.used > MOST_TURNS) {
            return Err(broken(&format!("a turn is larger than {MOST_TURNS}")));
        }
        Ok(Snapshot { toolsift: VERSION, ..snapshot })
    }
}

/// What tells the version of a snapshot, whatever else it holds.
#[derive(Deserialize)]
struct Versioned<'a> {
    #[serde(borrow)]
    toolsift: &'a RawValue,
}
