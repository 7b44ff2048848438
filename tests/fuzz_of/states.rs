//! Fuzz target: stored states of a session, snapshots and the messages of a conversation.

use std::cell::RefCell;

use toolsift::{Format, MessageFormat, RestoreOptions, Restored, Scope, ToolSift};

use super::input::Input;
use super::sound;
use crate::hostile_of::{self, SETTINGS};

thread_local! {
    static SIFTS: RefCell<Vec<Option<ToolSift>>> = RefCell::new(SETTINGS.iter().map(|_| None).collect());
}

/// Tools that every one of the settings lets a session see.
const KEPT: [&str; 2] = ["mcp__slack__send_message", "mcp__github__create_issue"];

fn with_sift(at: usize, work: impl FnOnce(&ToolSift)) {
    SIFTS.with_borrow_mut(|sifts| {
        let sift = sifts[at].get_or_insert_with(|| hostile_of::sift(SETTINGS[at]));
        work(sift);
    });
}

fn taken(sift: &ToolSift, id: &str) -> String {
    let snapshot = sift.session(id, None).and_then(|session| session.snapshot()).unwrap();
    serde_json::to_string(&snapshot).unwrap()
}

fn scope(which: usize) -> Option<Scope> {
    match which {
        0 => None,
        1 => Some(Scope::All),
        _ => Some(Scope::new(&["slack"], &["github:*", "pinned_thing"])),
    }
}

fn is_within(name: &str) -> bool {
    name.contains("__slack__") || name.contains("__github__") || name == "pinned_thing"
}

/// A snapshot as text. After an error nothing has changed; otherwise the session is within its scope and its bounds, and
/// its own snapshot gives the same session.
pub fn snapshot(data: &[u8]) {
    let mut input = Input::new(data);
    let (at, which, replace) = (input.below(SETTINGS.len()), input.below(3), input.flag());
    let text = input.rest();
    with_sift(at, |sift| {
        sift.close("s");
        let session = sift.session("s", Some(&Scope::All)).unwrap();
        session.reveal(&KEPT.map(str::to_owned)).unwrap();
        let before = taken(sift, "s");
        let mut options = RestoreOptions::default().replace(replace);
        options.scope = scope(which);
        let Restored { session, missing, .. } = match sift.restore(&text, &options) {
            Ok(restored) => restored,
            Err(error) => {
                sound::error(&error);
                assert_eq!(taken(sift, "s"), before, "{error}");
                return;
            }
        };
        let id = session.id();
        if id != "s" {
            assert_eq!(taken(sift, "s"), before);
        }
        let bound = sift.settings()["limits"]["revealed"].as_u64().unwrap() as usize;
        let revealed = session.revealed().unwrap();
        assert!(revealed.len() <= bound, "{} of {bound}", revealed.len());
        assert!(which < 2 || revealed.iter().all(|name| is_within(name)), "{revealed:?}");
        sound::request(&session.assemble(Format::OpenAi).unwrap());
        let is_revealed = |key| {
            let tools = sift.registered();
            let tool = tools.iter().find(|tool| tool.key() == key);
            tool.is_some_and(|tool| revealed.iter().any(|name| **name == *tool.model_name()))
        };
        assert!(!missing.iter().any(is_revealed), "{missing:?} and {revealed:?}");
        let first = taken(sift, id);
        sift.close(id);
        sift.restore(&first, &options.replace(true)).unwrap();
        assert_eq!(taken(sift, id), first);
        sift.close(id);
    });
}

/// The messages of a conversation as text. After an error nothing has changed; otherwise the same messages give the same session.
pub fn history(data: &[u8]) {
    let mut input = Input::new(data);
    let (at, which) = (input.below(SETTINGS.len()), input.below(3));
    let messages = input.rest();
    for (_, format) in MessageFormat::ALL {
        replayed(at, which, &messages, *format);
    }
}

fn replayed(at: usize, which: usize, messages: &str, format: MessageFormat) {
    with_sift(at, |sift| {
        sift.close("s");
        let bound = sift.settings()["limits"]["revealed"].as_u64().unwrap() as usize;
        let session = sift.session("s", Some(&scope(which).unwrap_or_default())).unwrap();
        session.reveal(&KEPT[..1].iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap();
        let before = serde_json::to_string(&session.snapshot().unwrap()).unwrap();
        let missing = match session.replay(messages, format) {
            Ok(report) => report.missing,
            Err(error) => {
                sound::error(&error);
                assert_eq!(serde_json::to_string(&session.snapshot().unwrap()).unwrap(), before);
                sift.close("s");
                return;
            }
        };
        let revealed = session.revealed().unwrap();
        assert!(revealed.len() <= bound, "{} of {bound}", revealed.len());
        assert!(which < 2 || revealed.iter().all(|name| is_within(name)), "{revealed:?}");
        assert_eq!(session.replay(messages, format).unwrap().missing, missing);
        assert_eq!(session.revealed().unwrap(), revealed, "the same calls reveal the same");
        sound::request(&session.assemble(Format::Anthropic).unwrap());
        sift.close("s");
    });
}
