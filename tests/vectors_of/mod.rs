//! The recorded systems: how each of them is set up and asked here, and what its answers are held against.

mod change;
mod claude_code;
mod everruns;
mod expected;
mod hermes;
mod host;
mod mcpagent;
mod nexo;

use serde_json::Value;

pub use change::changes;
pub use expected::Verdict;

/// A system with its vectors.
pub struct System {
    pub name: &'static str,
    vectors: &'static str,
    run: fn(&Value) -> Verdict,
}

pub const SYSTEMS: [System; 5] = [
    System { name: "mcpagent", vectors: include_str!("../vectors/mcpagent.json"), run: mcpagent::run },
    System { name: "nexo", vectors: include_str!("../vectors/nexo.json"), run: nexo::run },
    System { name: "claude_code", vectors: include_str!("../vectors/claude_code.json"), run: claude_code::run },
    System { name: "everruns", vectors: include_str!("../vectors/everruns.json"), run: everruns::run },
    System { name: "hermes", vectors: include_str!("../vectors/hermes.json"), run: hermes::run },
];

impl System {
    pub fn vectors(&self) -> Vec<Value> {
        match host::parsed(self.vectors) {
            Value::Array(vectors) => vectors,
            other => panic!("{} has no vectors: {other}", self.name),
        }
    }

    /// Whether a vector holds.
    pub fn run(&self, vector: &Value) -> Verdict {
        (self.run)(vector)
    }
}
