//! Writes the state of a session as a small JSON value with a version, and reads it back.

use serde::{Deserialize, Serialize};

use crate::catalog::is_false;
use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::Fields;
use crate::limits;

use super::revealed::{RevealedTool, turn};
use super::scope::Scope;
use super::session::Session;

/// The version that this build writes. It also reads version 1, which has no turns.
const VERSION: u64 = 2;

/// The state of a session that can be restored elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    toolsift: u64,
    /// The session's id.
    pub id: String,
    /// The profile in use when it was taken.
    pub profile: String,
    /// True if the session's scope was narrower than everything. The scope itself is not stored.
    #[serde(default, rename = "scoped", skip_serializing_if = "is_false")]
    pub is_scoped: bool,
    /// The number of assembled requests.
    #[serde(default, deserialize_with = "turn")]
    pub turn: u64,
    /// The loaded tools in their order.
    pub revealed: Vec<RevealedTool>,
}

impl Snapshot {
    /// Takes a snapshot of a session. The host gives the scope again when it restores.
    pub(crate) fn of(session: &Session, profile: &str) -> Self {
        Snapshot {
            toolsift: VERSION,
            id: session.id().to_owned(),
            profile: profile.to_owned(),
            is_scoped: *session.scope() != Scope::All,
            turn: session.turn,
            revealed: session.revealed.tools().to_vec(),
        }
    }

    /// Reads a snapshot.
    ///
    /// # Errors
    /// `snapshot_invalid` for another version, another shape, or more loaded tools than any session may have.
    pub fn read(json: &str) -> Result<Self> {
        let invalid = |message: String| Error::new(ErrorCode::SnapshotInvalid, message);
        // The version is read first: another version may have another shape, and the error names the version.
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
