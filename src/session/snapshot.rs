//! How does a session travel? As a small JSON value with a version.

use serde::{Deserialize, Serialize};

use crate::catalog::ToolKey;
use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::limits;

/// The version that this build writes and reads.
const VERSION: u64 = 1;

/// What a session knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    toolsift: u64,
    /// The session's id.
    pub id: String,
    /// The profile under which it was taken.
    pub profile: String,
    /// The revealed tools in their order.
    pub revealed: Vec<ToolKey>,
}

/// The part that says which version it is, whatever else that version may hold.
#[derive(Deserialize)]
struct Versioned {
    toolsift: serde_json::Value,
}

impl Snapshot {
    pub(super) fn new(id: String, profile: String, revealed: Vec<ToolKey>) -> Self {
        Snapshot { toolsift: VERSION, id, profile, revealed }
    }

    /// Reads a snapshot.
    ///
    /// # Errors
    /// `snapshot_invalid` for another version, another shape, or more reveals than any session may hold.
    pub fn read(json: &str) -> Result<Self> {
        let invalid = |message: String| Error::new(ErrorCode::SnapshotInvalid, message);
        // A struct would also be read from a JSON list of its fields.
        let versioned = Some(json).filter(|json| json.trim_start().starts_with('{'));
        let versioned: Versioned = versioned
            .and_then(|json| serde_json::from_str(json).ok())
            .ok_or_else(|| invalid(format!("not a snapshot of a session: {}", excerpt_json(json))))?;
        if versioned.toolsift != VERSION {
            return Err(invalid(format!("snapshot of version {}; this build reads {VERSION}", versioned.toolsift)));
        }
        let snapshot: Snapshot = serde_json::from_str(json).map_err(|e| invalid(format!("broken snapshot: {e}")))?;
        if snapshot.revealed.len() > limits::REVEALED_CEILING {
            let count = snapshot.revealed.len();
            return Err(invalid(format!("snapshot of {count} reveals; at most {}", limits::REVEALED_CEILING)));
        }
        Ok(snapshot)
    }
}
