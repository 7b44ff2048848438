//! Tests sessions: opening, looking up, closing, scopes, eviction.

use crate::common;
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, NamePolicy, Outcome, RegisterOptions, RestoreOptions, Scope, ToolSift};

fn sift_with(settings: &str) -> ToolSift {
    common::empty(serde_json::from_str(settings).unwrap())
}

fn from(server: &str) -> RegisterOptions {
    RegisterOptions::default().server(server).names(NamePolicy::Any)
}

fn register(sift: &ToolSift, server: &str, names: &[&str]) -> Vec<String> {
    let list: Vec<Value> = names.iter().map(|name| json!({ "name": name, "description": "Does it." })).collect();
    common::register(sift, &Value::from(list), &from(server))
}

fn reveal(sift: &ToolSift, id: &str, names: &[&str]) -> toolsift::Result<usize> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    sift.session(id, None).and_then(|s| s.reveal(&names)).map(|revealed| revealed.len())
}

fn revealed(sift: &ToolSift, id: &str) -> String {
    sift.session(id, None).and_then(|s| s.revealed()).unwrap().join(" ")
}

#[test]
fn a_request_that_is_looked_at_counts_as_no_turn() {
    let sift = sift_with(r#"{ "activation": "on" }"#);
    register(&sift, "a", &["one", "two"]);
    reveal(&sift, "s", &["one"]).unwrap();
    let session = sift.session("s", None).unwrap();
    let state = || (json!(session.snapshot().unwrap()), session.revealed().unwrap());
    let before = state();
    let looked = session.assembled(Format::Mcp, false).unwrap();
    assert_eq!(state(), before);
    assert_eq!(session.evict(0, 0).unwrap().len(), 1);
    session.assembled(Format::Mcp, false).unwrap();
    let call = || matches!(session.call("one", "{}").unwrap(), Outcome::Dispatch { .. });
    assert!(call(), "the model still sees an evicted tool until the next request");
    reveal(&sift, "s", &["one"]).unwrap();
    let sent = session.assemble(Format::Mcp).unwrap();
    assert_eq!((sent.tools.get(), &sent.system_prompt), (looked.tools.get(), &looked.system_prompt));
    assert_eq!(sent.size.prefix.bytes, 0, "what was looked at was not sent");
    assert_eq!(state().0["turn"], json!(1));
}

#[test]
fn lists_of_20_000_names_take_no_quadratic_time() {
    let names: Vec<String> = (0..20_000).map(|n| format!("tool_{n}")).collect();
    let list: Vec<&str> = names.iter().map(String::as_str).collect();
    let settings = r#"{"limits":{"revealed":20000,"revealedTokens":10000000,"whenFull":"evict"}}"#;
    let sift = sift_with(settings);
    register(&sift, "a", &list);
    assert_eq!(reveal(&sift, "s", &list), Ok(20_000));
    let snapshot = serde_json::to_string(&sift.session("s", None).and_then(|s| s.snapshot()).unwrap()).unwrap();
    let concealed = sift.session("s", None).and_then(|s| s.conceal(&names)).unwrap();
    assert_eq!((concealed.len(), revealed(&sift, "s").len()), (20_000, 0));
    let missing = sift.restore(&snapshot, &RestoreOptions::default().replace(true)).unwrap().missing;
    assert_eq!((missing.len(), reveal(&sift, "s", &list)), (0, Ok(0)));
    sift.unregister(Some("a"), None).unwrap();
    let missing = sift.restore(&snapshot, &RestoreOptions::default().replace(true)).unwrap().missing;
    assert_eq!(missing.len(), 20_000);
    let few = sift_with(r#"{"limits":{"revealed":10}}"#);
    let missing = few.restore(&snapshot, &RestoreOptions::default()).unwrap().missing;
    assert_eq!(missing.len(), 20_000);
}

#[test]
fn reveals_at_once_are_what_reveals_one_by_one_are() {
    let settings = r#"{"limits":{"revealed":4,"revealedTokens":40,"whenFull":"evict"}}"#;
    let mut dice = 7u64;
    let mut roll = |sides: u64| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) % sides
    };
    for _ in 0..100 {
        let (mut at_once, mut one_by_one) = (sift_with(settings), sift_with(settings));
        let tools: Vec<Value> =
            (0..9).map(|n| json!({ "name": format!("t{n}"), "description": "x".repeat(roll(60) as usize) })).collect();
        let list = Value::from(tools).to_string();
        for sift in [&mut at_once, &mut one_by_one] {
            sift.register(&list, &from("a")).unwrap();
        }
        for _ in 0..6 {
            let wanted: Vec<String> = (0..1 + roll(4)).map(|_| format!("t{}", roll(9))).collect();
            let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
            let kept = serde_json::to_string(&one_by_one.session("s", None).and_then(|s| s.snapshot()).unwrap());
            let before = revealed(&at_once, "s");
            match reveal(&at_once, "s", &wanted) {
                Ok(_) => wanted.iter().for_each(|name| _ = reveal(&one_by_one, "s", &[name]).unwrap()),
                Err(error) => {
                    assert_eq!(error.code(), ErrorCode::RevealedFull);
                    assert_eq!(revealed(&at_once, "s"), before, "all or nothing");
                    assert!(wanted.iter().any(|name| reveal(&one_by_one, "s", &[name]).is_err()));
                    one_by_one.restore(&kept.unwrap(), &RestoreOptions::default().replace(true)).unwrap();
                }
            }
            assert_eq!(revealed(&at_once, "s"), revealed(&one_by_one, "s"), "{wanted:?}");
            for sift in [&mut at_once, &mut one_by_one] {
                sift.session("s", None).and_then(|s| s.assemble(toolsift::Format::Mcp)).unwrap();
            }
        }
    }
}

#[test]
fn processes_share_a_session_by_its_record() {
    const DAY: u64 = 86_400_000;
    let process = || {
        let sift = sift_with("{}");
        register(&sift, "a", &["one", "two", "three"]);
        sift
    };
    let mut record = String::new();
    let save = |sift: &ToolSift, record: &mut String, now: u64| {
        let written = sift.session("s", None).unwrap().save_record(record, now, DAY).unwrap();
        *record = written.unwrap_or_else(|| record.clone());
    };
    let open = |sift: &ToolSift, record: &str, now: u64| {
        sift.session("s", None).unwrap().open_record(record, false, now).unwrap();
        revealed(sift, "s")
    };
    let (first, second) = (process(), process());
    reveal(&first, "s", &["one"]).unwrap();
    reveal(&second, "s", &["two"]).unwrap();
    save(&first, &mut record, 1);
    save(&second, &mut record, 2);
    assert_eq!(open(&first, &record, 3), "one two");
    // A write of the first is overwritten by one that did not know of it: the first knows so, and writes again.
    let mut overwritten = record.clone();
    reveal(&first, "s", &["three"]).unwrap();
    save(&first, &mut overwritten, 4);
    second.session("s", None).unwrap().conceal(&["two".to_owned()]).unwrap();
    save(&second, &mut record, 5);
    assert_eq!(open(&first, &record, 6), "one three");
    save(&first, &mut record, 7);
    assert_eq!(open(&process(), &record, 8), "one three");
    assert_eq!(open(&process(), &record, 8 + DAY), "", "it has expired");
    let ever = first.session("s", None).unwrap().save_record(&record, 9, 0).unwrap().unwrap();
    assert_eq!(open(&process(), &ever, 9 + DAY), "one three", "a store without a limit ends it no longer");
    assert!(
        first.session("s", None).unwrap().save_record(&ever, 9, DAY).unwrap().is_some(),
        "and one with a limit does"
    );
    // What was used here since the record stays before what was not.
    let user = process();
    assert_eq!(open(&user, &record, 8), "one three");
    let session = user.session("s", None).unwrap();
    session.assembled(Format::Mcp, true).unwrap();
    session.call("one", "{}").unwrap();
    assert_eq!(open(&user, &record, 8), "one three");
    session.evict(1, 10_000).unwrap();
    assert_eq!(revealed(&user, "s"), "one");
    // A record names its latest writes alone. One with many more writes has included the first's own nevertheless.
    let mut later = record.clone();
    assert_eq!(open(&second, &later, 8), "one three");
    for _ in 0..20 {
        second.session("s", None).unwrap().conceal(&["one".to_owned()]).unwrap();
        save(&second, &mut later, 8);
        reveal(&second, "s", &["two"]).unwrap();
        save(&second, &mut later, 8);
        second.session("s", None).unwrap().conceal(&["two".to_owned()]).unwrap();
        save(&second, &mut later, 8);
    }
    assert_eq!(open(&first, &later, 8), "three", "what was concealed since is not taken for overwritten");
    // What is broken in its middle was not cut off by the end of a process.
    for text in [format!("{},,", &record[..33]), record.clone() + &" ".repeat(4 << 20)] {
        let error = process().session("s", None).unwrap().open_record(&text, false, 9).unwrap_err();
        assert_eq!(error.code(), ErrorCode::StoreGarbled);
    }
    let narrow = process();
    let scoped = narrow.session("s", Some(&Scope::new(&[], &["a:one"]))).unwrap();
    scoped.open_record(&record, true, 9).unwrap();
    let record = scoped.save_record(&record, 9, 0).unwrap().unwrap();
    // Another process that saves its session without a scope leaves the record one with a scope.
    reveal(&first, "s", &["two"]).unwrap();
    let saved = first.session("s", None).unwrap().save_record(&record, 9, 0).unwrap().unwrap();
    for record in [record, saved] {
        let bare = process().session("s", None).unwrap();
        assert_eq!(bare.open_record(&record, false, 10).unwrap_err().code(), ErrorCode::ScopeRequired);
        assert!(!bare.is_open());
    }
}
