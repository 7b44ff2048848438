//! Fuzz target: conversations of any steps in any order. The steps are defined in [`script`](super::script). The
//! package gets them in JavaScript too, and must give the same answers, byte for byte.

use serde_json::Value;
use toolsift::ToolSift;

use super::script::script;
use super::sound;
use super::step::{Step, outcome, refusal};
use crate::common::settings;

/// Every step is answered; after one that fails the shared catalog is what it was. A step of a session may have opened it,
/// and so have closed another one with the tools of its own.
pub fn steps(data: &[u8]) {
    // The first step makes another one.
    let mut sift = ToolSift::new(settings(serde_json::json!({ "search": { "without": ["stems"] } })));
    for written in script(data) {
        let step: Step = serde_json::from_value(written.clone()).unwrap();
        let in_session = written.get("session").is_some();
        let state = |sift: &ToolSift| (sift.content_hash(), (!in_session).then(|| sift.revision()));
        let before = state(&sift);
        match outcome(&mut sift, &step) {
            Ok(said) => assert!(serde_json::from_str::<Value>(&said).is_ok(), "{written}: {said}"),
            Err(error) => {
                sound::error(&error);
                assert!(refusal(&error).len() < 2_000);
                assert_eq!(state(&sift), before, "{written}: {error}");
            }
        }
    }
}
