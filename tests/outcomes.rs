//! Tests rare outcomes of calls.

use crate::common::{self, sift};
use serde_json::{Value, json};
use toolsift::{Answered, ErrorCode, Outcome, RegisterOptions, Scope, ToolSift, Turn, Visible};

/// The code, if any, and the text.
fn told(outcome: Outcome) -> (Option<ErrorCode>, String) {
    match outcome {
        Outcome::Refused { error } => (Some(error.code), error.message),
        Outcome::Result(answer) => (answer.error_code, answer.content),
        Outcome::Dispatch { .. } => (None, "dispatched".to_owned()),
    }
}

#[test]
fn another_list_of_visible_tools_begins_a_search_again() {
    let tools: Vec<Value> = (0..30).map(|at| json!({ "name": format!("paint_wall_{at}") })).collect();
    let sift = sift(json!({}), &json!(tools));
    let search = |names: &[&str]| {
        let visible = Visible::Names(names.iter().map(|name| (*name).to_owned()).collect());
        let turn = Turn::default().visible(visible);
        let session = sift.session("a", None).unwrap();
        told(session.call_in(&turn, "search_tools", r#"{"query":"paint a wall"}"#).unwrap()).1
    };
    assert!(search(&["paint_wall_1", "paint_wall_2"]).contains("paint_wall_2("));
    assert!(search(&["paint_wall_3"]).contains("paint_wall_3("));
    assert!(search(&["paint_wall_3"]).contains("These were all that match"));
}

#[test]
fn spellings_of_one_name_are_looked_up_once() {
    // Every server has the tool, and every spelling means all of them.
    let tools: Vec<Value> = (0..3_000).map(|at| json!({ "name": "abcdefgh", "server": format!("s{at}") })).collect();
    let spelling = |at: usize| {
        let letters = "abcdefgh".chars().enumerate();
        letters.map(|(bit, c)| if at >> bit & 1 == 1 { format!("{c}_") } else { c.to_string() }).collect::<String>()
    };
    let sift = sift(json!({ "search": { "maxHits": 20_000 } }), &json!(tools));
    let spellings: Vec<String> = (1..256).map(spelling).cycle().take(4_000).collect();
    let found = sift.search(&format!("select:{}", spellings.join(","))).limit(20_000).run().unwrap();
    assert_eq!(found.hits.len(), 3_000);
    assert_eq!(found.verdict.unwrap().unknown_words, [] as [&str; 0]);
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
        let sift = common::empty(json!({}));
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
            let outcome = common::call(&sift, "s", "search_tools", json!({ "query": query }));
            let found = sift.session("s", None).unwrap().search(query).run().unwrap();
            (serde_json::to_string(&outcome).unwrap(), serde_json::to_string(&found).unwrap())
        };
        assert_eq!(ask(alone()), ask(beside_others()), "{query}");
    }
}

/// The tools that an answer shows, and those whose parameters it has.
fn shown(outcome: &Outcome) -> (Vec<&str>, Vec<&str>) {
    let Outcome::Result(Answered { found, described, .. }) = outcome else { panic!("{outcome:?}") };
    (found.iter().map(|name| &**name).collect(), described.iter().map(|name| &**name).collect())
}

#[test]
fn what_an_answer_shows_is_told_beside_its_text() {
    let tool = |name: &str, verb: &str| json!({ "name": name, "server": "notes", "description": format!("{verb} a note. See find_page.") });
    let tools = json!([tool("open_note", "Opens"), tool("close_note", "Closes"), tool("find_page", "Finds")]);
    let all = &["open_note", "close_note", "find_page"][..];
    let sift_ = json!({});
    let constant = json!({ "surface": "constant" });
    let profile = |name: &str| json!({ "profile": name });
    for (settings, name, arguments, found, described) in [
        (&sift_, "search_tools", json!({ "query": "open_note" }), &["open_note"][..], &[][..]),
        (&sift_, "add_tool", json!({ "tool_names": ["open_note", "nothing"] }), &["open_note"], &[]),
        (&sift_, "show_all_tools", json!({}), all, &[]),
        (&constant, "search_tools", json!({ "query": "open_note" }), &["open_note"], &["open_note"]),
        (&profile("bridge"), "tool_search", json!({ "query": "close" }), &["close_note"], &[]),
        (&profile("bridge"), "tool_describe", json!({ "name": "open_note" }), &["open_note"], &["open_note"]),
        (&profile("search-add"), "search_tools", json!({ "query": "open_.*" }), &["open_note"], &[]),
        (&profile("select"), "ToolSearch", json!({ "query": "select:find_page" }), &["find_page"], &["find_page"]),
        (&profile("select-load"), "ToolSearch", json!({ "query": "select:find_page" }), &["find_page"], &[]),
        (&profile("stub"), "tool_search", json!({ "query": "close_note" }), &["close_note"], &["close_note"]),
    ] {
        let outcome = common::call(&sift(settings.clone(), &tools), "a", name, arguments);
        let (all_found, all_described) = shown(&outcome);
        assert_eq!(all_found[..found.len().min(all_found.len())], *found, "{settings} {name}: {outcome:?}");
        assert_eq!(all_described, described, "{settings} {name}");
    }
    let nothing = common::call(&sift(json!({}), &tools), "a", "search_tools", json!({ "query": "zzyzx" }));
    assert_eq!(shown(&nothing), (vec![], vec![]));
}

#[test]
fn a_long_answer_is_cut_and_read_on_in() {
    let sift = sift(json!({}), &json!([{ "name": "read" }]));
    let session = sift.session("a", None).unwrap();
    let text: String = (0..3_000).map(|at| char::from_u32('𝄞' as u32 + at % 90).unwrap()).collect();
    assert_eq!(session.cut_answer("short", 500), "short");
    let last = |sift: &ToolSift| common::request(sift, "a").0.last().unwrap()["name"].clone();
    assert_eq!(last(&sift), "read", "nothing was cut yet");
    let mut read = String::new();
    let mut answer = session.cut_answer(&text, 500);
    assert_eq!(last(&sift), "read_cut_answer");
    loop {
        assert!(answer.chars().count() <= 500);
        let Some((part, note)) = answer.split_once("\n\n[") else { break };
        read.push_str(part);
        let arguments = note.split_once("read_cut_answer(").unwrap().1.split_once(')').unwrap().0;
        answer = common::content(session.call("read_cut_answer", arguments).unwrap());
    }
    assert!(read + &answer == text);
    let other = sift.session("b", None).unwrap();
    assert_eq!(told(other.call("read_cut_answer", r#"{"id":"r1"}"#).unwrap()).0, Some(ErrorCode::ToolUnknown));
    sift.close("a");
    assert!(session.cut_answer(&text, 500).ends_with("fewer fields.]") && !session.is_open());
}
