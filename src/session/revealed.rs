//! Keeps the loaded tools of a session in order, each with its last use.

use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::catalog::{ToolKey, is_false};
use crate::map::Map;

/// The largest turn: larger whole numbers are not exact in JavaScript.
pub(super) const MOST_TURNS: u64 = 1 << 53;

/// Reads the number of a turn, which counts the requests of a conversation.
pub(super) fn turn<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let turn = u64::deserialize(deserializer).ok().filter(|turn| *turn <= MOST_TURNS);
    turn.ok_or_else(|| D::Error::custom(format!("a turn is a whole number from 0 to {MOST_TURNS}")))
}

/// A loaded tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RevealedTool {
    /// The server that it comes from; `None` for a tool of the host's own.
    pub server: Option<Arc<str>>,
    /// The name under which it was registered.
    pub name: Arc<str>,
    /// The turn of its last use, which is its loading or a call.
    #[serde(default, deserialize_with = "turn")]
    pub used: u64,
    /// True if it is a skill.
    #[serde(default, rename = "skill", skip_serializing_if = "is_false")]
    pub is_skill: bool,
    /// True for a skill that was found before the first request: the prompt has its beginning.
    #[serde(default, rename = "ahead", skip_serializing_if = "is_false")]
    pub is_ahead: bool,
}

impl RevealedTool {
    /// Returns its identity.
    pub fn key(&self) -> ToolKey {
        ToolKey { server: self.server.clone(), name: self.name.clone(), is_skill: self.is_skill }
    }
}

/// Loaded tools in the order of loading, found by identity.
#[derive(Clone, Debug, Default)]
pub(super) struct RevealedList {
    tools: Vec<RevealedTool>,
    places: Map<ToolKey, usize>,
}

impl RevealedList {
    /// Returns the tools in their order.
    pub(super) fn tools(&self) -> &[RevealedTool] {
        &self.tools
    }

    /// Returns the place of a tool.
    pub(super) fn place(&self, key: &ToolKey) -> Option<usize> {
        self.places.get(key).copied()
    }

    /// Adds a tool at the end, or updates the last use of a tool that is there.
    pub(super) fn add(&mut self, key: ToolKey, used: u64) {
        if let Some(tool) = self.get(&key) {
            tool.used = tool.used.max(used);
            return;
        }
        self.places.insert(key.clone(), self.tools.len());
        let ToolKey { server, name, is_skill } = key;
        self.tools.push(RevealedTool { server, name, used, is_skill, is_ahead: false });
    }

    /// Returns a tool, if it is there.
    pub(super) fn get(&mut self, key: &ToolKey) -> Option<&mut RevealedTool> {
        self.place(key).map(|at| &mut self.tools[at])
    }

    /// Removes the tools that `fits` rejects, by place and identity, and returns them. It takes one pass, however many
    /// tools are removed.
    pub(super) fn retain(&mut self, fits: impl Fn(usize, &ToolKey) -> bool) -> Vec<ToolKey> {
        let mut gone = Vec::new();
        let mut places = 0..;
        self.tools.retain(|tool| {
            let key = tool.key();
            let stays = places.next().is_some_and(|at| fits(at, &key));
            if !stays {
                gone.push(key);
            }
            stays
        });
        if !gone.is_empty() {
            self.places = self.tools.iter().enumerate().map(|(at, tool)| (tool.key(), at)).collect();
        }
        gone
    }
}
