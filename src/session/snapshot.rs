//! How does a session travel? As a small JSON value with a version.

use serde::{Deserialize, Serialize};

use crate::catalog::ToolKey;
use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::fields::Fields;
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
        let version = Fields::read(json).ok().and_then(|fields| fields.get("toolsift"));
        let version = version.ok_or_else(|| invalid(format!("not a snapshot of a session: {}", excerpt_json(json))))?;
        if version.get() != VERSION.to_string() {
            let version = excerpt_json(version.get());
            return Err(invalid(format!("snapshot of version {version}; this build reads {VERSION}")));
        }
        let snapshot: Snapshot = serde_json::from_str(json).map_err(|e| invalid(format!("broken snapshot: {e}")))?;
        if snapshot.revealed.len() > limits::REVEALED_CEILING {
            let count = snapshot.revealed.len();
            return Err(invalid(format!("snapshot of {count} reveals; at most {}", limits::REVEALED_CEILING)));
        }
        Ok(snapshot)
    }
}
