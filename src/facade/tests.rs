//! Tests which operations wait for which: those of sessions, changes of the catalog, and the index.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::{Activation, ToolDefinition};

use super::*;

/// An operation of a host on a `ToolSift`.
type Step = (&'static str, fn(&ToolSift));

const USE_SESSIONS: &[Step] = &[
    ("call a tool", |sift| _ = other(sift).call("get_forecast", &json!({})).unwrap()),
    ("assemble", |sift| _ = other(sift).assemble(Format::OpenAi).unwrap()),
    ("reveal", |sift| _ = other(sift).reveal(&["get_forecast"]).unwrap()),
    ("rescope", |sift| _ = other(sift).rescope(&Scope::All).unwrap()),
    ("snapshot", |sift| _ = other(sift).snapshot().unwrap()),
    ("close", |sift| assert!(sift.close("other"))),
];
const SEARCH: &[Step] = &[
    ("search", |sift| assert_eq!(sift.search("tomorrow's weather").run().unwrap().hits.len(), 1)),
    ("call a search", |sift| _ = other(sift).call("search_tools", &json!({ "query": "weather" })).unwrap()),
];
const CHANGE: &[Step] = &[
    ("register", |sift| _ = sift.register_one(&ToolDefinition::new("send_mail"), &Default::default()).unwrap()),
    ("register own", |sift| _ = other(sift).register_one(&ToolDefinition::new("own"), &Default::default()).unwrap()),
    ("close with own", |sift| assert!(sift.close("other"))),
    ("close the one in use", |sift| assert!(sift.close("in use"))),
];

fn other(sift: &ToolSift) -> SessionHandle {
    sift.session("other", None).unwrap()
}

fn sift() -> ToolSift {
    let sift = ToolSift::new(Settings::default().activation(Activation::On));
    let tool = ToolDefinition::new("get_forecast").description("Tomorrow's weather at a place.");
    sift.register(&[tool], &RegisterOptions::default().server("base")).unwrap();
    sift.session("in use", None).unwrap();
    sift
}

/// Runs steps on another thread, and checks that each of them ends. The time limit matters only for a failing test.
fn finish(sift: &ToolSift, held: &str, steps: &[&'static [Step]]) {
    for (name, step) in steps.iter().copied().flatten() {
        let (done, ends) = channel();
        let sift = sift.clone();
        thread::spawn(move || {
            step(&sift);
            done.send(*name).unwrap();
        });
        assert_eq!(ends.recv_timeout(Duration::from_secs(60)), Ok(*name), "waits for {held}");
    }
}

#[test]
fn nothing_waits_for_what_it_does_not_need() {
    let sift = sift();
    let in_use = sift.session("in use", None).unwrap();
    in_use.locked(|_, _| finish(&sift, "another session", &[SEARCH, USE_SESSIONS, CHANGE])).unwrap();
    assert_eq!(in_use.revealed().unwrap_err().code(), ErrorCode::SessionClosed);

    let sift = self::sift();
    SEARCH.iter().for_each(|(_, step)| step(&sift));
    let writer = lock(&sift.inner.writer);
    finish(&sift, "a change of the catalog", &[SEARCH, USE_SESSIONS]);
    drop(writer);

    let index = lock(&sift.inner.latest_index);
    finish(&sift, "an index", &[CHANGE, USE_SESSIONS]);
    drop(index);
    assert_eq!(sift.search("send mail").run().unwrap().hits.len(), 1);
}

#[test]
fn readers_keep_the_catalog_that_they_began_with() {
    let sift = sift();
    let before = sift.indexed();
    // The first change is made in a copy because of the reader, the second one would be made in place.
    for name in ["send_mail", "open_issue"] {
        sift.register_one(&ToolDefinition::new(name), &RegisterOptions::default()).unwrap();
        assert_eq!(sift.search(&name.replace('_', " ")).run().unwrap().hits.len(), 1);
    }
    assert_eq!(before.tools.catalog.tools().len(), 1);
    assert!(before.index.follows(&before.tools.catalog));
}

#[test]
fn a_session_in_use_takes_over_its_scope_afterwards() {
    let sift = sift();
    let (parent, tool) = (other(&sift), ["get_forecast"]);
    let child = parent.child("child", None).unwrap();
    child.reveal(&tool).unwrap();
    child
        .locked(|_, session| {
            const NARROW: &[Step] = &[("rescope", |sift| {
                assert!(other(sift).rescope(&Scope::new::<&str>(&[], &[])).unwrap().is_empty());
            })];
            finish(&sift, "a child", &[NARROW]);
            assert_eq!(session.reveals(), 1);
        })
        .unwrap();
    assert!(child.revealed().unwrap().is_empty());
    let error = child.reveal(&tool).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ToolOutOfScope);
}
