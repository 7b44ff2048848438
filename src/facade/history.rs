//! Rebuilds what a session has revealed from the calls of its conversation.

use std::sync::Arc;

use crate::discovery::Replay;
use crate::error::{Error, ErrorCode, Result};
use crate::json::Value;
use crate::lock::{lock, read};

use super::{Inner, SessionHandle};

impl SessionHandle {
    /// Makes the reveals of the session those of some calls: JSON text, a list of objects in the order of the calls. Returns
    /// the names that the calls say were loaded, and that could not be at that time.
    ///
    /// `{ begins?, name?, said? }` is what every call has. `begins` marks the first one of a step of the model; without
    /// `name`, the vendor's own search was called; without `said`, the call was not answered.
    ///
    /// `{ failed?, refers?, said }` is what the call of a real tool has beside: whether the answer is marked as an
    /// error, whether it refers to the called tool, and its texts.
    ///
    /// `{ asked, said, references }` is what the call of a discovery tool has: the parts of the arguments and of the
    /// answer, each a list of the lines of a text or an object with the names that it lists by key, and the names of
    /// the tools that the answer refers to.
    ///
    /// # Errors
    /// `not_json`, `counter_failed`; nothing has changed then.
    pub fn replay_json(&self, calls: &str) -> Result<Vec<Arc<str>>> {
        let gate = self.gate()?;
        let Ok(calls) = serde_json::from_str::<Vec<Value>>(calls) else {
            return Err(Error::new(ErrorCode::NotJson, "calls must be a JSON list"));
        };
        let Inner { settings, tools, sessions, .. } = &*self.sift.inner;
        let catalog = &read(tools).catalog;
        let mut sessions = lock(sessions);
        let session = self.of(&mut sessions)?;
        let turn = session.rewind();
        let (eligibility, settings) = (&settings.eligibility, &settings.discovery);
        let mut replay = Replay { catalog, eligibility, settings, gate, session, missing: Vec::new(), compared: 0 };
        for call in &calls {
            if let Value::Object(call) = call {
                replay.follow(call);
            }
        }
        replay.session.catch_up(turn);
        Ok(replay.missing)
    }
}
