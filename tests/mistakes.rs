//! Mistakes of the model under our own profile, and how it is told of them.
//!
//! 1. A tool called too early is refused with its schema, loaded, and runs then.
//! 2. The same mistake again is told to stop, another one is not.
//! 3. A name with a server in front is told the tool of that server, whichever name it has here.
//! 4. Nothing outside a scope shows, whatever is tried, and nothing outside changes an answer.

use crate::common::{self, MCP60, call, refusal};
use serde_json::{Value, json};
use toolsift::{ErrorCode, Format, Outcome, RegisterOptions, Scope, ToolSift};

const SEND: &str = "mcp__slack__send_message";
const CLICK: &str = "mcp__browser__click";

fn sift(wanted: Value) -> ToolSift {
    common::sift(wanted, MCP60)
}

#[test]
fn a_call_made_too_early_is_right_the_second_time() {
    let sift = sift(json!({}));
    let (code, message) = refusal(call(&sift, "a", SEND, json!({ "text": "Hi" })));
    assert_eq!(code, ErrorCode::ToolNotRevealed);
    assert!(message.contains(r#"{"type":"object","properties":{"channel""#), "{message}");
    assert_eq!(sift.session("a", None).and_then(|s| s.revealed()).unwrap().join(" "), SEND);
    assert!(matches!(call(&sift, "a", SEND, json!({ "text": "Hi" })), Outcome::Dispatch { .. }), "the same call");
    let again = refusal(call(&sift, "b", SEND, json!({ "text": "Hi" })));
    assert_eq!(again.1, message, "another conversation learns it as if it were the first");
}

#[test]
fn the_same_mistake_again_is_told_to_stop() {
    const STOP: &str = "do not repeat it";
    let sift = sift(json!({ "limits": { "revealed": 1 } }));
    call(&sift, "a", "add_tool", json!({ "tool_names": [SEND] }));
    for (name, args, code) in [
        ("send_mesage", json!({}), ErrorCode::ToolUnknown),
        ("search_tools", json!({ "query": "" }), ErrorCode::QueryRequired),
        ("add_tool", json!({ "names": [SEND] }), ErrorCode::ToolNamesRequired),
        (CLICK, json!({ "selector": "a" }), ErrorCode::RevealedFull),
        ("add_tool", json!([SEND]), ErrorCode::ArgumentsInvalid),
    ] {
        let (first, message) = refusal(call(&sift, "a", name, args.clone()));
        assert_eq!((first, message.contains(STOP)), (code, false), "{message}");
        for _ in 0..2 {
            let (again, told) = refusal(call(&sift, "a", name, args.clone()));
            assert_eq!((again, told.matches(STOP).count()), (code, 1), "{told}");
            assert!(told.len() > message.len(), "it still says what was wrong: {told}");
        }
        let (_, elsewhere) = refusal(call(&sift, "b", name, args.clone()));
        assert!(name == CLICK || !elsewhere.contains(STOP), "{elsewhere}");
    }
    let (_, other) = refusal(call(&sift, "a", "send_mesage", json!({ "text": "Hi" })));
    assert!(!other.contains(STOP), "another call is another attempt: {other}");
    for _ in 0..2 {
        assert!(matches!(call(&sift, "a", SEND, json!({})), Outcome::Dispatch { .. }), "what runs may be repeated");
    }
}

#[test]
fn nothing_outside_a_scope_shows() {
    let sift = sift(json!({}));
    let scope = Scope::new(&["slack"], &["github:mcp__github__create_issue"]);
    let servers = ["linear", "postgres", "gdrive", "calendar", "browser", "weather"];
    let seen = |text: &str| servers.iter().find(|server| text.contains(*server)).copied();
    let session = sift.session("a", Some(&scope)).unwrap();
    for (name, args) in [
        ("search_tools", json!({ "query": "create an issue" })),
        ("search_tools", json!({ "query": "forecast" })),
        ("search_tools", json!({ "query": "select:mcp__slack__send_message,get_tides" })),
        ("search_tools", json!({ "query": "/.*/", "limit": 50 })),
        ("search_tools", json!({ "query": "server:slack" })),
        ("show_all_tools", json!({})),
        ("show_all_tools", json!({ "server": "wether" })),
        ("add_tool", json!({ "tool_names": ["get_tides"] })),
        ("mcp__slack__send_mesage", json!({})),
    ] {
        let outcome = session.call(name, &args.to_string()).unwrap();
        let text = match outcome {
            Outcome::Result { content, .. } => content,
            other => refusal(other).1,
        };
        assert_eq!(seen(&text), None, "{name}({args}): {text}");
    }
    let assembly = session.assemble(Format::Mcp).unwrap();
    assert!(assembly.system_prompt.contains("- github (1)\n- slack (8)"), "{}", assembly.system_prompt);
    assert_eq!(seen(&(assembly.system_prompt + assembly.tools.get())), None);
    assert_eq!(refusal(session.call(CLICK, "{}").unwrap()).0, ErrorCode::ToolUnknown);
}

#[test]
fn nothing_outside_a_scope_changes_an_answer() {
    const INSIDE: &str = r#"[
        {"name":"send_mail","server":"mail","description":"Send an email message."},
        {"name":"list_mail","server":"mail","description":"List messages of the inbox in a time zone."},
        {"name":"open_folder","server":"mail","description":"Open a folder of the mail box."}]"#;
    // Words that would be known, repaired, compounds, synonyms or rare, and lengths that would be an average.
    const OUTSIDE: &str = r#"[
        {"name":"octo","server":"GitHub","description":"foldea foldeb foldec foldeg foldeh sendo timezone tim ezone"},
        {"name":"mailer","server":"mailbox","description":"Send mail, mail, mail. List a folder of messages. Deliver it."},
        {"name":"send_mail","server":"other","description":"Send an email message."}]"#;
    let scope = Scope::new(&["mail"], &[]);
    let alone = || {
        let sift = ToolSift::new(Default::default());
        sift.register(INSIDE, &RegisterOptions::default()).unwrap();
        sift
    };
    let beside_others = || {
        let sift = alone();
        sift.register(OUTSIDE, &RegisterOptions::default()).unwrap();
        for at in 0..50 {
            let text = format!("The weather in a place called w{at}. Every hour, for as many days as anybody likes.");
            let tool = json!([{ "name": format!("weather_{at}"), "description": text }]).to_string();
            sift.register(&tool, &RegisterOptions::default()).unwrap();
        }
        sift
    };
    for query in [
        "GitHub",
        "send mail",
        "sendd mail",
        "send",
        "deliver",
        "messag inbox",
        "GitHub mail",
        "list everything",
        "foldex",
        "timezone",
        "weather",
        "server:mailbox send",
        "server:mail",
        "mail +octo",
        "mail -send",
        "select:octo,send_mail",
        "other:send_mail",
        "/mail|octo/",
        "a folder, the inbox and weather",
        "show mailer",
    ] {
        let ask = |sift: ToolSift| {
            sift.session("s", Some(&scope)).unwrap();
            let outcome = call(&sift, "s", "search_tools", json!({ "query": query }));
            let found = sift.session("s", None).unwrap().search(query).run().unwrap();
            (serde_json::to_string(&outcome).unwrap(), serde_json::to_string(&found).unwrap())
        };
        assert_eq!(ask(alone()), ask(beside_others()), "{query}");
    }
}

#[test]
fn names_that_no_tool_has_are_told() {
    let sift = sift(json!({
        "profile": "search-add",
        "preDiscovered": ["send_mesage", "github:create_issue", SEND, "gitlab:*"],
        "alwaysAvailable": ["mcp__browser__clik"],
    }));
    let scope = Scope::new(&["gitlab", "other"], &[SEND, "other:search"]);
    let unmatched = |sift: &ToolSift, id: &str, scope: &Scope| {
        sift.session(id, Some(scope)).and_then(|session| session.unmatched()).unwrap().join(" ")
    };
    let lists = "send_mesage github:create_issue gitlab:* mcp__browser__clik";
    assert_eq!(unmatched(&sift, "a", &Scope::All), lists, "without what the profile itself lists");
    assert_eq!(unmatched(&sift, "b", &scope), format!("{lists} gitlab:* other:* other:search"));
    // A server that connects later is no typo any more.
    let server = RegisterOptions::default().server("gitlab");
    sift.register(r#"[{"name":"merge"}]"#, &server).unwrap();
    let left = "send_mesage github:create_issue mcp__browser__clik other:* other:search";
    assert_eq!(unmatched(&sift, "b", &scope), left);
}

#[test]
fn a_name_with_its_server_is_told_the_tool_of_that_server() {
    let sift = sift(json!({}));
    for server in ["github", "billing", "gitlab"] {
        let server = RegisterOptions::default().server(server);
        sift.register(r#"[{"name":"merge_ticket"}]"#, &server).unwrap();
    }
    for name in ["github__merge_ticket", "github.merge_ticket", "mcp__github__merge_ticket"] {
        let (code, message) = refusal(call(&sift, "a", name, json!({})));
        assert_eq!(code, ErrorCode::ToolUnknown);
        assert!(message.contains("Did you mean merge_ticket?"), "{name}: {message}");
    }
    let (_, message) = refusal(call(&sift, "a", "mcp_gitlab_merge_ticket", json!({})));
    assert!(message.contains("Did you mean gitlab__merge_ticket?"), "{message}");
}
