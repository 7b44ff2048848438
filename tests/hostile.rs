//! What holds whatever is thrown at it, for every combination of settings:
//!
//! 1. Nothing outside the scope is returned, listed, described or dispatched.
//! 2. Assembly never drops or reorders what is sent from the start, and assembling twice equals once.
//! 3. A reveal in one session never shows in another.
//! 4. Every bound holds.
//! 5. Any text is answered without a panic.
//! 6. Same input, same bytes.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};
use toolsift::session::Scope;
use toolsift::{Format, Outcome, RegisterOptions, ToolSift, options};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// A small generator of its own, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.roll(list.len())]
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 26] = [
            "slack", "send", "é", "İ", "日本", "😀", "\u{0}", "\u{202e}", "(", ")", "[", "*", "+", "\\", ".*", " ",
            "\n", "select:", "{", "}", "\"", "_", "^", "$", "a{999}", "mcp__",
        ];
        (0..self.roll(9)).map(|_| *self.pick(&PIECES)).collect()
    }
}

const SETTINGS: [&str; 6] = [
    "{}",
    r#"{"reveal":"search","disclosure":"names"}"#,
    r#"{"unrevealedCall":"run","limits":{"revealed":3}}"#,
    r#"{"unrevealedCall":"refuse-with-schema","disclosure":"sentences","searchLimit":2}"#,
    r#"{"activation":"off"}"#,
    r#"{"preDiscovered":["mcp__slack__send_message"],"selection":{"servers":["slack","github"]}}"#,
];

fn sift(settings: &str) -> ToolSift {
    let mut sift = ToolSift::new(options::settings(&serde_json::from_str(settings).unwrap()).unwrap());
    let catalog = include_str!("vectors/catalogs/mcp60.json");
    sift.register(catalog, &RegisterOptions::default()).unwrap();
    sift.register(r#"[{"name":"local"},{"name":"always","deferral":"never"}]"#, &RegisterOptions::default()).unwrap();
    sift
}

fn call(sift: &mut ToolSift, session: &str, name: &str, arguments: &str) -> Outcome {
    sift.session(session, None).and_then(|mut s| s.call(name, arguments)).unwrap()
}

/// A call as a confused or hostile model would make it.
fn random_call(dice: &mut Dice, names: &[String]) -> (String, String) {
    let tool = if dice.roll(3) == 0 { dice.text() } else { dice.pick(names).clone() };
    let name = match dice.roll(4) {
        0 => "search_tools".to_owned(),
        1 => "add_tool".to_owned(),
        2 => dice.pick(&["show_all_tools", "Search_Tools", "tool_search"]).to_string(),
        _ => tool.clone(),
    };
    let arguments = match dice.roll(5) {
        0 => json!({ "query": dice.text() }).to_string(),
        1 => json!({ "tool_names": [tool, dice.text(), 7] }).to_string(),
        2 => json!({ "tool_name": tool }).to_string(),
        3 => dice.text(),
        _ => json!(dice.text()).to_string(),
    };
    (name, arguments)
}

#[test]
fn nothing_leaves_the_scope_and_bounds_hold() {
    let mut dice = Dice(1);
    for settings in SETTINGS {
        let mut sift = sift(settings);
        let names: Vec<String> = sift.tools().unwrap().iter().map(|tool| tool.name.to_string()).collect();
        let outside = ["linear", "postgres", "gdrive", "calendar", "browser", "weather"];
        sift.session("scoped", Some(&Scope::new(&["slack"], &["github:mcp__github__create_issue"]))).unwrap();
        for _ in 0..400 {
            let (name, arguments) = random_call(&mut dice, &names);
            let outcome = call(&mut sift, "scoped", &name, &arguments);
            if let Outcome::Dispatch { model_name, .. } = &outcome {
                assert!(model_name.contains("slack") || **model_name == *"mcp__github__create_issue", "{model_name}");
            }
            let assembly = sift.session("scoped", None).and_then(|mut s| s.assemble(Format::Mcp)).unwrap();
            let mut seen = format!("{}{}", assembly.tools.get(), assembly.system_prompt);
            if let Outcome::Result { content, .. } = &outcome {
                // What the model wrote itself may be echoed.
                seen += &content.lines().filter(|line| !line.starts_with("Not found")).collect::<String>();
            }
            for server in outside {
                assert!(
                    !seen.contains(&format!("mcp__{server}__")),
                    "{settings}: {name}({arguments}) showed {server}: {seen}"
                );
            }
            let most = if settings.contains("\"revealed\":3") { 3 } else { 512 };
            assert!(assembly.size.parts.revealed.tools <= most);
        }
        assert!(sift.session("other", None).and_then(|mut s| s.revealed()).unwrap().is_empty());
    }
}

#[test]
fn assembling_twice_equals_once_and_keeps_the_order() {
    let mut dice = Dice(2);
    for settings in SETTINGS {
        let mut sift = sift(settings);
        let names: Vec<String> = sift.tools().unwrap().iter().map(|tool| tool.name.to_string()).collect();
        let mut first: Option<Vec<String>> = None;
        for _ in 0..60 {
            let (name, arguments) = random_call(&mut dice, &names);
            call(&mut sift, "a", &name, &arguments);
            let mut session = sift.session("a", None).unwrap();
            let one = session.assemble(Format::OpenAi).unwrap();
            let two = session.assemble(Format::OpenAi).unwrap();
            assert_eq!((one.tools.get(), &one.system_prompt), (two.tools.get(), &two.system_prompt));
            let tools: Vec<Value> = serde_json::from_str(one.tools.get()).unwrap();
            let sent: Vec<String> = tools.iter().map(|t| t["function"]["name"].as_str().unwrap().to_owned()).collect();
            match &first {
                None => first = Some(sent),
                Some(before) => {
                    assert_eq!(sent[..before.len()], before[..], "{settings}: what was sent stays where it was");
                    first = Some(sent);
                }
            }
        }
    }
}

#[test]
fn same_input_same_bytes() {
    let run = || {
        let mut dice = Dice(3);
        let mut sift = sift(SETTINGS[1]);
        let names: Vec<String> = sift.tools().unwrap().iter().map(|tool| tool.name.to_string()).collect();
        let mut log = String::new();
        for _ in 0..200 {
            let (name, arguments) = random_call(&mut dice, &names);
            log += &serde_json::to_string(&call(&mut sift, "a", &name, &arguments)).unwrap();
            log += sift.session("a", None).and_then(|mut s| s.assemble(Format::Google)).unwrap().tools.get();
        }
        log
    };
    assert_eq!(run(), run());
}

#[test]
fn any_text_is_answered() {
    let mut dice = Dice(4);
    let mut sift = sift("{}");
    for _ in 0..3_000 {
        let query = dice.text();
        if let Ok(found) = sift.search(&query, None, None) {
            assert!(found.hits.iter().all(|hit| hit.score.is_finite() && (0.0..=1.0).contains(&hit.score)));
        }
    }
    let long = "weather ".repeat(100_000);
    assert!(sift.search(&long, None, None).is_err(), "too long for a pattern");
    for (name, arguments) in
        [("search_tools", json!({ "query": long })), ("add_tool", json!({ "tool_names": vec!["x"; 100_000] }))]
    {
        let Outcome::Result { content, is_error, .. } = call(&mut sift, "a", name, &arguments.to_string()) else {
            panic!()
        };
        assert!(is_error && content.len() < 300, "{content}");
    }
    let name = "n".repeat(1_000_000);
    let Outcome::Refused { error } = call(&mut sift, "a", &name, "{}") else { panic!() };
    assert!(error.message.len() < 400);
    let Outcome::Result { content, .. } =
        call(&mut sift, "a", "add_tool", &json!({ "tool_names": [name] }).to_string())
    else {
        panic!()
    };
    assert!(content.len() < 400);
}

#[test]
fn any_definition_is_taken_or_reported() {
    let mut dice = Dice(5);
    let deep = format!("{}1{}", r#"{"function":"#.repeat(100_000), "}".repeat(100_000));
    let deep_schema =
        format!(r#"{{"name":"deep","inputSchema":{}1{}}}"#, r#"{"a":"#.repeat(100_000), "}".repeat(100_000));
    let many = format!(r#"{{"name":"many","tags":{}}}"#, json!(vec!["t"; 1_000]));
    for hostile in [deep, deep_schema, many] {
        let report = sift("{}").register(&format!("[{hostile}]"), &RegisterOptions::default()).unwrap();
        assert_eq!((report.registered.len(), report.rejected.len()), (0, 1));
        assert!(report.rejected[0].message.len() < 400);
    }
    let keys = ["name", "description", "inputSchema", "parameters", "function", "tags", "deferral", "server", "title"];
    for round in 0..2_000 {
        let mut tool = json!({});
        for _ in 0..dice.roll(6) {
            let value = match dice.roll(6) {
                0 => json!(dice.text()),
                1 => json!(dice.roll(9)),
                2 => json!({ "type": dice.text(), "properties": dice.text() }),
                3 => json!({ "name": dice.text(), "parameters": {} }),
                4 => json!([dice.text()]),
                _ => Value::Null,
            };
            tool[*dice.pick(&keys)] = value;
        }
        let mut sift = ToolSift::new(Default::default());
        let report = sift.register(&json!([tool]).to_string(), &RegisterOptions::default()).unwrap();
        assert_eq!(report.registered.len() + report.rejected.len(), 1, "{round}: {tool}");
        assert_eq!(sift.catalog().tools().len(), report.registered.len());
    }
}
