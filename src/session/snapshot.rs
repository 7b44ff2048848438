//! How does a session travel? As a small JSON value with a version.

use serde::Serialize;

use crate::catalog::ToolKey;
use crate::error::{Error, ErrorCode, Result, excerpt, excerpt_json};
use crate::json::{self, Fields};
use crate::limits;
use crate::text::joined;

/// The version that this build writes and reads.
const VERSION: u64 = 1;
/// What is in it.
const KEYS: [&str; 4] = ["toolsift", "id", "profile", "revealed"];

/// What a session knows.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
        let fields = Fields::read(json).ok();
        let version = fields.as_ref().and_then(|fields| fields.get("toolsift"));
        let (Some(fields), Some(version)) = (&fields, version) else {
            return Err(invalid(format!("not a snapshot of a session: {}", excerpt_json(json))));
        };
        if version != VERSION.to_string() {
            let version = excerpt_json(version);
            return Err(invalid(format!("snapshot of version {version}; this build reads {VERSION}")));
        }
        if let Some(unknown) = fields.keys().find(|key| !KEYS.contains(key)) {
            return Err(invalid(format!("broken snapshot: {} is none of {}", excerpt(unknown), joined(&KEYS, ", "))));
        }
        let broken = |what: &str| invalid(format!("broken snapshot: {what}"));
        let text = |key: &str| fields.get(key).and_then(|text| json::string(text).ok());
        let id = text("id").ok_or_else(|| broken("missing field id, a string"))?;
        let profile = text("profile").ok_or_else(|| broken("missing field profile, a string"))?;
        let revealed = fields.get("revealed").and_then(|list| json::items(list).ok());
        let revealed = revealed.ok_or_else(|| broken("missing field revealed, a list"))?;
        if revealed.len() > limits::REVEALED_CEILING {
            let count = revealed.len();
            return Err(invalid(format!("snapshot of {count} reveals; at most {}", limits::REVEALED_CEILING)));
        }
        let revealed = revealed.into_iter().map(|tool| key(tool).ok_or_else(|| broken("a reveal names no tool")));
        Ok(Snapshot { toolsift: VERSION, id, profile, revealed: revealed.collect::<Result<_>>()? })
    }
}

/// Who a revealed tool is.
fn key(json: &str) -> Option<ToolKey> {
    let fields = Fields::read(json).ok()?;
    let server = match fields.get("server") {
        Some("null") | None => None,
        Some(server) => Some(json::string(server).ok()?.into()),
    };
    Some(ToolKey { server, name: json::string(fields.get("name")?).ok()?.into() })
}
