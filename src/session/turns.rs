//! The number of a turn, which counts the requests of a conversation.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Larger whole numbers are not exact in JavaScript.
pub(super) const MOST_TURNS: u64 = 1 << 53;

/// Reads a turn; serde's own error would not say what the number is.
pub(super) fn turn<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let turn = u64::deserialize(deserializer).ok().filter(|turn| *turn <= MOST_TURNS);
    turn.ok_or_else(|| D::Error::custom(format!("a turn is a whole number from 0 to {MOST_TURNS}")))
}
