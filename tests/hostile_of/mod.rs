//! Settings to try, and what is thrown at them.

use serde_json::{Value, json};
use toolsift::bindings::options;
use toolsift::{Format, Outcome, PROFILES, RegisterOptions, ToolSift};

/// A small generator of its own, so that a failure can be repeated.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }

    pub fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.roll(list.len())]
    }

    pub fn text(&mut self) -> String {
        const PIECES: [&str; 30] = [
            "slack",
            "send",
            "é",
            "İ",
            "日本",
            "😀",
            "\u{0}",
            "\u{202e}",
            "(",
            ")",
            "[",
            "*",
            "+",
            "\\",
            ".*",
            " ",
            "\n",
            "select:",
            "{",
            "}",
            "\"",
            "_",
            "^",
            "$",
            "a{999}",
            "mcp__",
            ",",
            "-1",
            "file list",
            "\u{301}",
        ];
        (0..self.roll(9)).map(|_| *self.pick(&PIECES)).collect()
    }

    /// A query as a confused or hostile model would write it, often about a tool.
    pub fn query(&mut self, names: &[String]) -> String {
        match self.roll(6) {
            0 => self.pick(names).clone(),
            1 => format!("select:{},{},{}", self.pick(names), self.text(), self.pick(names)),
            2 => self.pick(names).replace('_', " "),
            3 => (*self.pick(&["list", "get", "a", "create issue", "+mcp get", "e", "message channel"])).to_owned(),
            _ => self.text(),
        }
    }
}

pub const SETTINGS: [&str; 20] = [
    "{}",
    r#"{"reveal":"search","disclosure":"names"}"#,
    r#"{"unrevealedCall":"run","limits":{"revealed":3}}"#,
    r#"{"unrevealedCall":"refuse-with-schema","disclosure":"sentences","search":{"hits":2}}"#,
    r#"{"activation":"off"}"#,
    r#"{"activation":"on","preDiscovered":["mcp__slack__send_message"],"selection":{"servers":["slack","github"]}}"#,
    r#"{"profile":"select"}"#,
    r#"{"profile":"select","deferral":"opt-out"}"#,
    r#"{"profile":"select","deferral":"opt-out","disclosure":"full","search":{"ranker":"overlap"}}"#,
    r#"{"profile":"select","deferral":"opt-out","reveal":"search","unrevealedCall":"refuse"}"#,
    r#"{"profile":"select-load"}"#,
    r#"{"profile":"select-load","search":{"ranker":"bm25"},"limits":{"revealed":3}}"#,
    r#"{"profile":"select-load","search":{"ranker":"pattern","universe":"all"},"disclosure":"stubs"}"#,
    r#"{"profile":"stub"}"#,
    r#"{"profile":"stub","stubWhen":"always","alwaysAvailable":["mcp__slack__send_message"]}"#,
    r#"{"profile":"stub","disclosure":"short-stubs","search":{"ranker":"bm25"}}"#,
    r#"{"profile":{"name":"stub","config":{"threshold":500}}}"#,
    r#"{"profile":"bridge"}"#,
    r#"{"profile":"bridge","activation":"on"}"#,
    r#"{"profile":{"name":"bridge","config":{"enabled":"on","max_search_limit":3}},"disclosure":"names"}"#,
];

const LOCAL: &str = r#"[{"name":"local_thing","description":"Weighs a pebble."},
    {"name":"pinned_thing","deferral":"never","description":"Polishes a pebble."},
    {"name":"shy_thing","deferral":"always","description":"Hides a pebble."}]"#;

pub fn sift(settings: &str) -> ToolSift {
    let sift = ToolSift::new(options::settings(&serde_json::from_str(settings).unwrap()).unwrap());
    sift.register(include_str!("../vectors/catalogs/mcp60.json"), &RegisterOptions::default()).unwrap();
    sift.register(LOCAL, &RegisterOptions::default()).unwrap();
    sift
}

pub fn names_of(sift: &ToolSift) -> Vec<String> {
    sift.tools().unwrap().iter().map(|tool| tool.name.to_string()).collect()
}

pub fn call(sift: &ToolSift, session: &str, name: &str, arguments: &str) -> Outcome {
    sift.session(session, None).and_then(|s| s.call(name, arguments)).unwrap()
}

pub fn surface(sift: &ToolSift) -> Vec<&'static str> {
    let profile = sift.settings().profile;
    let profile = PROFILES.iter().find(|row| row.name == profile).unwrap();
    profile.info().settings.surface
}

/// Names in the order in which they are sent.
pub fn sent(sift: &ToolSift, session: &str) -> Vec<String> {
    let assembly = sift.session(session, None).and_then(|s| s.assemble(Format::Mcp)).unwrap();
    let tools: Vec<Value> = serde_json::from_str(assembly.tools.get()).unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// A call as a confused or hostile model would make it.
pub fn random_call(dice: &mut Dice, sift: &ToolSift, names: &[String]) -> (String, String) {
    let tool = if dice.roll(4) == 0 { dice.text() } else { dice.pick(names).clone() };
    let name = match dice.roll(6) {
        0 => tool.clone(),
        1 => dice.pick(&["show_all_tools", "Search_Tools", "tool_search", "ToolSearch", "add_tool"]).to_string(),
        _ => dice.pick(&surface(sift)).to_string(),
    };
    let number = *dice.pick(&["0", "-1", "3", "25", "1e9", "2.5", "\"7\"", "true", "null", "[]"]);
    let number: Value = serde_json::from_str(number).unwrap();
    let arguments = match dice.roll(8) {
        0 => json!({ "query": dice.query(names) }).to_string(),
        1 => json!({ "query": dice.query(names), "max_results": number, "limit": number }).to_string(),
        2 => json!({ "tool_names": [tool, dice.text(), 7] }).to_string(),
        3 => json!({ "tool_name": tool, "query": number }).to_string(),
        4 => json!({ "name": tool }).to_string(),
        5 => json!({ "name": tool, "arguments": { "text": dice.text(), "n": number } }).to_string(),
        6 => dice.text(),
        _ => json!(dice.text()).to_string(),
    };
    (name, arguments)
}

/// What of tools that are out of reach shows in a text: a description, or a name that the model did not write itself.
pub fn leak(text: &str, written: &str, out_of_reach: &[(String, String)]) -> Option<String> {
    let shows = |(name, description): &&(String, String)| {
        text.contains(description.as_str()) || (text.contains(name.as_str()) && !written.contains(name.as_str()))
    };
    out_of_reach.iter().find(shows).map(|(name, _)| name.clone())
}

pub fn described(sift: &ToolSift, out_of_reach: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let tools = sift.tools().unwrap();
    let out = tools.iter().filter(|tool| out_of_reach(&tool.name));
    out.map(|tool| (tool.name.to_string(), tool.description.to_string())).collect()
}

pub fn content_of(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Result { content, .. } => content,
        Outcome::Refused { error } => &error.message,
        Outcome::Dispatch { .. } => "",
    }
}
