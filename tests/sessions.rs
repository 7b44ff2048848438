//! Sessions: opening, looking up, closing, scopes, eviction.

use serde_json::{Value, json};
use toolsift::bindings::options::{self, SearchOptions};
use toolsift::{ErrorCode, Format, NamePolicy, Outcome, RegisterOptions, RestoreOptions, Scope, ToolSift, ToolState};

fn value(json: &str) -> options::OptionValue {
    serde_json::from_str(json).unwrap()
}

fn sift_with(settings: &str) -> ToolSift {
    ToolSift::new(options::settings(&value(settings)).unwrap())
}

fn from(server: &str) -> RegisterOptions {
    RegisterOptions::default().server(server).names(NamePolicy::Any)
}

fn register(sift: &ToolSift, server: &str, names: &[&str]) -> Vec<String> {
    let list: Vec<Value> = names.iter().map(|name| json!({ "name": name, "description": "Does it." })).collect();
    let report = sift.register(&Value::from(list).to_string(), &from(server)).unwrap();
    assert!(report.rejected.is_empty(), "{:?}", report.rejected);
    report.registered.iter().map(|name| name.to_string()).collect()
}

fn reveal(sift: &ToolSift, id: &str, names: &[&str]) -> toolsift::Result<usize> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    sift.session(id, None).and_then(|s| s.reveal(&names)).map(|revealed| revealed.len())
}

fn revealed(sift: &ToolSift, id: &str) -> String {
    sift.session(id, None).and_then(|s| s.revealed()).unwrap().join(" ")
}

/// The names that a session may see.
fn seen(sift: &ToolSift, id: &str) -> String {
    let tools = sift.session(id, None).and_then(|s| s.tools()).unwrap();
    let seen = tools.iter().filter(|tool| tool.state != ToolState::Hidden);
    seen.map(|tool| &*tool.name).collect::<Vec<_>>().join(" ")
}

fn code<T>(result: toolsift::Result<T>) -> (ErrorCode, String) {
    match result {
        Err(error) => (error.code(), error.message().to_owned()),
        Ok(_) => panic!("was taken"),
    }
}

fn only(servers: &[&str], tools: &[&str]) -> Scope {
    Scope::new(servers, tools)
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
fn a_reveal_that_fails_twice_leaves_the_store_working() {
    let sift = sift_with(r#"{"limits":{"sessions":2}}"#);
    register(&sift, "a", &["ok"]);
    register(&sift, "b", &["other"]);
    sift.session("s", Some(&only(&["a"], &[]))).unwrap();
    for _ in 0..2 {
        assert_eq!(code(reveal(&sift, "s", &["ok", "other"])).0, ErrorCode::ToolOutOfScope);
    }
    for id in ["t", "u", "v"] {
        assert_eq!(reveal(&sift, id, &["ok"]), Ok(1));
    }
}

#[test]
fn a_look_up_never_opens() {
    let sift = sift_with(r#"{"limits":{"sessions":1}}"#);
    register(&sift, "a", &["one"]);
    register(&sift, "b", &["secret"]);
    let scope = only(&["a"], &[]);
    let session = sift.session("s", Some(&scope)).unwrap();
    let opening = session.number();
    let by_id = |id: &str| {
        let session = Some(id.to_owned());
        sift.search("secret").options(SearchOptions { session, ..SearchOptions::default() })
    };
    assert_eq!(session.search("secret").run().unwrap().hits.len(), 0);
    assert_eq!(by_id("s").run().unwrap().hits.len(), 0);
    assert!(sift.open_session("s", opening).is_ok());
    sift.session("other", None).unwrap();
    for found in [
        code(session.search("secret").run()),
        code(by_id("s").run()),
        code(by_id("s").explain("secret")),
        code(by_id("never opened").run()),
        code(sift.open_session("s", opening).map(|_| ())),
    ] {
        assert_eq!(found.0, ErrorCode::SessionClosed);
        assert!(found.1.contains("are kept"), "{}", found.1);
    }
    let again = sift.session("s", Some(&scope)).map(|s| s.number()).unwrap();
    assert_ne!(again, opening);
    assert_eq!(code(sift.open_session("s", opening).map(|_| ())).0, ErrorCode::SessionClosed);
    assert!(!sift.close_number("s", opening), "an older handle closes no newer session");
    assert!(sift.close_number("s", again) && !sift.close("s"));
}

#[test]
fn what_was_scoped_is_never_open_by_default() {
    let sift = sift_with(r#"{"limits":{"sessions":2}}"#);
    register(&sift, "a", &["one"]);
    register(&sift, "hr", &["secret"]);
    let scope = only(&["a"], &[]);
    let refused = |id: &str| {
        let (code, message) = code(sift.session(id, None));
        assert!(code == ErrorCode::ScopeRequired && message.contains(id), "{id}: {code} {message}");
    };
    let open = |id: &str, scope: &Scope| sift.session(id, Some(scope)).unwrap();
    // Evicted, closed, narrowed later, a child, or restored from elsewhere: whatever it was, its scope is asked for.
    open("evicted", &scope);
    sift.session("b", None).unwrap();
    sift.session("c", None).unwrap();
    refused("evicted");
    let snapshot = json!(open("closed", &scope).snapshot().unwrap());
    sift.close("closed");
    refused("closed");
    sift.session("narrowed", None).unwrap().rescope(&scope).unwrap();
    sift.close("narrowed");
    refused("narrowed");
    sift.session("parent", None).unwrap().child("child", Some(&scope)).unwrap();
    sift.close("parent");
    refused("child");
    assert_eq!(snapshot["scoped"], json!(true));
    let elsewhere = sift_with("{}");
    assert_eq!(code(elsewhere.restore(&snapshot, &RestoreOptions::default())).0, ErrorCode::ScopeRequired);
    assert_eq!(code(elsewhere.session("closed", None)).0, ErrorCode::ScopeRequired);
    elsewhere.restore(&snapshot, &RestoreOptions::default().scope(scope.clone())).unwrap();
    elsewhere.restore(&snapshot, &RestoreOptions::default()).unwrap();
    // With a scope it is opened, and then found without one.
    open("evicted", &scope);
    assert_eq!(seen(&sift, "evicted"), "one");
    sift.close("evicted");
    open("evicted", &Scope::All);
    assert_eq!(seen(&sift, "evicted"), "one secret");
    // What saw everything at last, sees it again.
    for id in ["evicted", "parent", "b"] {
        sift.close(id);
        assert_eq!(seen(&sift, id), "one secret");
    }
    let unscoped = json!(sift.session("b", None).unwrap().snapshot().unwrap());
    assert!(unscoped.get("scoped").is_none() && elsewhere.restore(&unscoped, &RestoreOptions::default()).is_ok());
}

#[test]
fn sessions_are_evicted_by_last_use() {
    let sift = sift_with(r#"{"limits":{"sessions":3}}"#);
    register(&sift, "a", &["one", "two"]);
    let [x, y, z] = ["x", "y", "z"].map(|id| {
        assert_eq!(reveal(&sift, id, &["one"]), Ok(1));
        sift.session(id, None).unwrap()
    });
    x.search("one").run().unwrap();
    sift.session("w", None).unwrap();
    assert_eq!(code(y.search("one").run()).0, ErrorCode::SessionClosed, "y was used the longest ago");
    for _ in 0..10_000 {
        x.search("").run().unwrap();
    }
    sift.session("v", None).unwrap();
    assert_eq!(code(z.search("one").run()).0, ErrorCode::SessionClosed);
    assert_eq!(revealed(&sift, "x"), "one");
}

#[test]
fn only_rescope_changes_a_scope() {
    let sift = sift_with("{}");
    register(&sift, "a", &["one", "two"]);
    register(&sift, "b", &["three"]);
    sift.session("s", Some(&only(&["a", "b"], &[]))).unwrap();
    assert_eq!(reveal(&sift, "s", &["one", "three", "two"]), Ok(3));
    let other = code(sift.session("s", Some(&only(&["a"], &[]))).map(|_| ()));
    assert!(other.0 == ErrorCode::OptionInvalid && other.1.contains("rescope"), "{}", other.1);
    assert_eq!(code(sift.session("s", Some(&Scope::All)).map(|_| ())).0, ErrorCode::OptionInvalid);
    assert!(sift.session("s", Some(&only(&["b", "a"], &[]))).is_ok(), "the order of a scope means nothing");
    assert!(sift.session("s", Some(&only(&[], &["b:*", "a:*"]))).is_ok(), "nor does the spelling");

    let gone = sift.session("s", None).and_then(|s| s.rescope(&only(&["b"], &["a:two"]))).unwrap();
    assert_eq!(gone.concat(), "one");
    assert_eq!((revealed(&sift, "s"), seen(&sift, "s")), ("three two".into(), "two three".into()));
    assert!(sift.session("s", None).and_then(|s| s.rescope(&Scope::All)).unwrap().is_empty());
    assert_eq!(seen(&sift, "s"), "one two three");
    assert_eq!(revealed(&sift, "s"), "three two", "what fell out of scope stays concealed");
    sift.session("s", Some(&Scope::All)).unwrap();
}

#[test]
fn a_tool_that_is_away_falls_out_of_scope_too() {
    let sift = sift_with("{}");
    register(&sift, "a", &["one"]);
    register(&sift, "b", &["two"]);
    assert_eq!(reveal(&sift, "s", &["one", "two"]), Ok(2));
    sift.unregister(None, Some(&["one".to_owned(), "two".to_owned()])).unwrap();
    sift.session("s", None).and_then(|s| s.rescope(&only(&["b"], &[]))).unwrap();
    sift.session("s", None).and_then(|s| s.rescope(&Scope::All)).unwrap();
    register(&sift, "a", &["one"]);
    register(&sift, "b", &["two"]);
    assert_eq!(revealed(&sift, "s"), "two");
}

#[test]
fn a_qualified_entry_admits_no_other_servers_tool_of_that_name() {
    let sift = sift_with("{}");
    register(&sift, "evil", &["github:create_issue", "create_issue"]);
    register(&sift, "github", &["create_issue"]);
    sift.session("s", Some(&only(&[], &["github:create_issue"]))).unwrap();
    assert_eq!(seen(&sift, "s"), "github__create_issue");
    let own = RegisterOptions::default().names(NamePolicy::Any);
    sift.register(r#"[{"name":"mine:own"}]"#, &own).unwrap();
    sift.session("own", Some(&only(&[], &["mine:own"]))).unwrap();
    assert_eq!(seen(&sift, "own"), "mine:own", "a tool of the host's own may have a colon in its name");
}

#[test]
fn a_bare_name_stays_with_the_server_that_has_it() {
    let sift = sift_with(r#"{"activation":"on","preDiscovered":["read"],"alwaysAvailable":["write","trusted:note"]}"#);
    sift.session("s", Some(&only(&[], &["delete", "read", "write", "note"]))).unwrap();
    let states = |sift: &ToolSift| {
        let tools = sift.session("s", None).and_then(|s| s.tools()).unwrap();
        let states = tools.iter().filter(|tool| tool.state != ToolState::Hidden);
        states.map(|tool| format!("{} {:?}", tool.name, tool.state)).collect::<Vec<_>>().join(", ")
    };
    let names = ["read", "write", "delete", "note"];
    assert_eq!(register(&sift, "trusted", &names), names);
    let all = "read Pinned, write Eager, delete Deferred, note Eager";
    assert_eq!(states(&sift), all);
    sift.sync("trusted", "[]", &from("trusted")).unwrap();
    let theirs = register(&sift, "evil", &names);
    assert_eq!(theirs, ["evil__read", "evil__write", "evil__delete", "evil__note"]);
    assert_eq!(states(&sift), "");
    let outcome = sift.session("s", None).and_then(|s| s.call("write", "{}")).unwrap();
    assert!(matches!(outcome, Outcome::Refused { .. }), "{outcome:?}");
    assert_eq!(register(&sift, "trusted", &names), names, "what is back has its name again");
    assert_eq!(states(&sift), all);
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
fn a_child_never_sees_more_than_its_parent() {
    let sift = sift_with("{}");
    register(&sift, "a", &["a1", "a2"]);
    register(&sift, "b", &["b1"]);
    let parent = sift.session("parent", Some(&only(&["a"], &[]))).unwrap();
    let own = r#"[{ "name": "mine", "description": "Its own." }]"#;
    parent.register(own, &RegisterOptions::default()).unwrap();
    let names = |session: &toolsift::SessionHandle| {
        let tools = session.tools().unwrap();
        let seen = tools.iter().filter(|tool| tool.state != ToolState::Hidden);
        seen.map(|tool| &*tool.name).collect::<Vec<_>>().join(" ")
    };
    parent.rescope(&only(&["a"], &["mine"])).unwrap();
    let child = parent.child("child", None).unwrap();
    let narrow = parent.child("narrow", Some(&only(&["b"], &["a1"]))).unwrap();
    let grandchild = narrow.child("grandchild", Some(&only(&["a", "b"], &["mine"]))).unwrap();
    let all = |expected: [&str; 4]| {
        assert_eq!([&parent, &child, &narrow, &grandchild].map(names), expected.map(str::to_owned));
    };
    all(["a1 a2 mine", "a1 a2 mine", "a1", "a1"]);
    parent.reveal(&["a1"]).unwrap();
    child.reveal(&["a2", "mine"]).unwrap();
    assert_eq!((parent.revealed().unwrap().len(), child.revealed().unwrap().len()), (1, 2), "each reveals on its own");
    assert_eq!(code(narrow.reveal(&["a2"])).0, ErrorCode::ToolOutOfScope);
    // What the parent may see changes: so does what its children may, within what they were given.
    parent.rescope(&only(&["b"], &[])).unwrap();
    all(["b1", "b1", "b1", "b1"]);
    assert_eq!(child.revealed().unwrap().len(), 0);
    parent.rescope(&Scope::All).unwrap();
    all(["a1 a2 b1 mine", "a1 a2 b1 mine", "a1 b1", "a1 b1"]);
    narrow.rescope(&Scope::All).unwrap();
    parent.rescope(&only(&["a"], &[])).unwrap();
    all(["a1 a2", "a1 a2", "a1 a2", "a1 a2"]);
    // A child is reached by its handle alone, and its id is taken.
    assert_eq!(code(sift.session("child", None)).0, ErrorCode::OptionInvalid);
    assert_eq!(code(parent.child("parent", None)).0, ErrorCode::OptionInvalid);
    assert_eq!(code(parent.child("", None)).0, ErrorCode::SessionIdInvalid);
    // A child that is closed takes nothing with it; a parent takes its children.
    assert!(sift.close("child"));
    parent.rescope(&Scope::All).unwrap();
    assert_eq!(names(&parent), "a1 a2 b1 mine");
    assert!(sift.close("parent"));
    assert_eq!([&narrow, &grandchild].map(|one| code(one.revealed()).0), [ErrorCode::SessionClosed; 2]);
    sift.session("grandchild", Some(&Scope::All)).unwrap();
    assert_eq!(seen(&sift, "grandchild"), "a1 a2 b1", "the id is free, for a session of its own");
}

#[test]
fn a_parent_is_in_use_while_its_child_is() {
    let sift = sift_with(r#"{ "limits": { "sessions": 3 } }"#);
    let parent = sift.session("parent", None).unwrap();
    let child = parent.child("child", None).unwrap();
    for other in 0..20 {
        sift.session(&format!("other {other}"), None).unwrap();
        assert!(child.revealed().is_ok() && parent.revealed().is_ok(), "{other}");
    }
    let one = sift_with(r#"{ "limits": { "sessions": 1 } }"#);
    assert_eq!(code(one.session("parent", None).unwrap().child("child", None)).0, ErrorCode::SessionClosed);
}
