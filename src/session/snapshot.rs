//! Writes what a session knows as a small JSON value with a version, and reads it back.

use serde::Serialize;

use crate::catalog::ToolKey;
use crate::error::{Error, ErrorCode, Result, excerpt, excerpt_json};
use crate::json::{self, Fields};
use crate::limits;
use crate::text::joined;

use super::revealed::RevealedTool;

/// The version that this build writes. It also reads version 1, which has no turns.
const VERSION: u64 = 2;
/// Its fields.
const KEYS: [&str; 5] = ["toolsift", "id", "profile", "turn", "revealed"];
/// Larger whole numbers are not exact in JavaScript.
pub(super) const MOST_TURNS: u64 = 1 << 53;

/// What a session knows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Snapshot {
    toolsift: u64,
    /// The session's id.
    pub id: String,
    /// The profile under which it was taken.
    pub profile: String,
    /// Requests that were assembled.
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
        let fields = Fields::read(json).ok();
        let version = fields.as_ref().and_then(|fields| fields.get("toolsift"));
        let (Some(fields), Some(version)) = (&fields, version) else {
            return Err(invalid(format!("not a snapshot of a session: {}", excerpt_json(json))));
        };
        if !["1", "2"].contains(&version) {
            let version = excerpt_json(version);
            return Err(invalid(format!(
                "snapshot of version {version}; this build reads up to {VERSION}: take a newer toolsift"
            )));
        }
        if let Some(unknown) = fields.keys().find(|key| !KEYS.contains(key)) {
            return Err(invalid(format!("broken snapshot: {} is none of {}", excerpt(unknown), joined(&KEYS, ", "))));
        }
        let broken = |what: &str| invalid(format!("broken snapshot: {what}"));
        let text = |key: &str| fields.get(key).and_then(|text| json::string(text).ok());
        let id = text("id").ok_or_else(|| broken("missing field id, a string"))?;
        let profile = text("profile").ok_or_else(|| broken("missing field profile, a string"))?;
        let revealed = fields.get("revealed").and_then(|list| json::items(list).ok());
        let entries = revealed.ok_or_else(|| broken("missing field revealed, a list"))?;
        if entries.len() > limits::REVEALED_CEILING {
            let count = entries.len();
            return Err(invalid(format!("snapshot of {count} revealed tools; at most {}", limits::REVEALED_CEILING)));
        }
        let mut revealed = Vec::with_capacity(entries.len());
        for entry in entries {
            let tool = revealed_tool(entry);
            revealed.push(tool.ok_or_else(|| broken("an entry of revealed is not { server, name, used }"))?);
        }
        let turn = number(fields.get("turn")).ok_or_else(|| broken("turn is not a whole number from 0"))?;
        Ok(Snapshot { toolsift: VERSION, id, profile, turn, revealed })
    }
}

/// A revealed tool.
fn revealed_tool(json: &str) -> Option<RevealedTool> {
    let fields = Fields::read(json).ok()?;
    let server = match fields.get("server") {
        Some("null") | None => None,
        Some(server) => Some(json::string(server).ok()?.into()),
    };
    let key = ToolKey { server, name: json::string(fields.get("name")?).ok()?.into() };
    Some(RevealedTool { key, used: number(fields.get("used"))? })
}

/// A whole number; 0 where it is missing.
fn number(json: Option<&str>) -> Option<u64> {
    match json {
        None => Some(0),
        Some(json) => json::number(json)?.as_u64().filter(|number| *number <= MOST_TURNS),
    }
}
