//! Writes what a session knows as a small JSON value with a version, and reads it back.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::Fields;
use crate::limits;

use super::revealed::RevealedTool;
use super::turns::turn;

/// The version that this build writes. It also reads version 1, which has no turns.
const VERSION: u64 = 2;

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
    #[serde(default, deserialize_with = "turn")]
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
        // Read apart, so that the version is told whatever else it holds; serde would also take a list for a struct.
        let Some(version) = Fields::read(json).ok().and_then(|fields| fields.get("toolsift")) else {
            return Err(invalid(format!("not a snapshot of a session: {}", excerpt_json(json))));
        };
        if !["1", "2"].contains(&version) {
            let version = excerpt_json(version);
            return Err(invalid(format!(
                "snapshot of version {version}; this build reads up to {VERSION}: take a newer toolsift"
            )));
        }
        let snapshot: Snapshot = serde_json::from_str(json).map_err(|e| invalid(format!("broken snapshot: {e}")))?;
        let count = snapshot.revealed.len();
        if count > limits::REVEALED_CEILING {
            return Err(invalid(format!("snapshot of {count} revealed tools; at most {}", limits::REVEALED_CEILING)));
        }
        Ok(Snapshot { toolsift: VERSION, ..snapshot })
    }
}
