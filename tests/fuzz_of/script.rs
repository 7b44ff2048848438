//! Turns bytes into the steps of a conversation: registrations, synchronisations, searches, calls, loading, snapshots,
//! in sessions that share a catalog and have tools of their own. A step is described in
//! tests/runtimes/lib/script/steps.mjs.

use serde_json::{Value, json};
use toolsift::Format;

use super::input::Input;

/// Most do without stems, which take the longest to prepare.
const SETTINGS: [&str; 8] = [
    r#"{"activation":"on"}"#,
    r#"{"activation":"on","reveal":"search","limits":{"revealed":3},"search":{"without":["stems"]}}"#,
    r#"{"profile":"search-add","activation":"on","search":{"without":["stems"]}}"#,
    r#"{"profile":"select","deferral":"opt-out","search":{"without":["stems"]}}"#,
    r#"{"profile":"select-load","limits":{"sessions":2},"search":{"without":["stems"]}}"#,
    r#"{"profile":"stub","stubWhen":"always","search":{"without":["stems"]}}"#,
    r#"{"profile":"bridge","activation":"on","search":{"without":["stems"]}}"#,
    r#"{"activation":"on","unrevealedCall":"refuse-with-schema","limits":{"revealedTokens":200,"tools":20},"search":{"without":["stems"]}}"#,
];
const SERVERS: [&str; 3] = ["github", "slack", "x y"];
const SESSIONS: [&str; 3] = ["a", "b", "日"];
const SURFACE: [&str; 9] = [
    "search_tools",
    "add_tool",
    "show_all_tools",
    "ToolSearch",
    "tool_search",
    "tool_describe",
    "tool_call",
    "get_issue",
    "send_mail",
];
const MOST: usize = 40;

/// Names that tools often have, and others.
fn name(input: &mut Input<'_>) -> String {
    let words = ["get", "send", "list", "issue", "mail", "file", "mcp__github__get_issue", "search_tools"];
    match input.below(8) {
        0 => input.text(),
        1 => input.pick(&words).to_string(),
        _ => format!("{}_{}", input.pick(&words[..6]), input.pick(&words[..6])),
    }
}

fn names(input: &mut Input<'_>) -> Vec<String> {
    (0..input.below(4)).map(|_| name(input)).collect()
}

/// A tool. It has no annotations, which the package writes in its own way.
fn tool(input: &mut Input<'_>) -> Value {
    let mut tool = json!({ "name": name(input), "description": input.text() });
    match input.below(7) {
        1 | 2 => tool["inputSchema"] = input.schema(2),
        3 => tool["deferral"] = json!(*input.pick(&["always", "never", "automatic", ""])),
        4 => tool["server"] = json!(*input.pick(&SERVERS)),
        5 => tool[*input.pick(&["title", "category", "searchHint", "tags"])] = input.json(1),
        _ => {}
    }
    tool
}

fn tools(input: &mut Input<'_>) -> Vec<Value> {
    (0..input.below(6)).map(|_| tool(input)).collect()
}

fn scope(input: &mut Input<'_>) -> Value {
    match input.below(4) {
        0 => json!("all"),
        1 => json!({ "servers": [*input.pick(&SERVERS)] }),
        2 => json!({ "tools": names(input) }),
        _ => json!({ "servers": [], "tools": [format!("{}:*", input.pick(&SERVERS))] }),
    }
}

fn format(input: &mut Input<'_>) -> Value {
    json!({ "format": input.pick(Format::ALL).0 })
}

fn arguments(input: &mut Input<'_>) -> Value {
    match input.below(6) {
        0 => input.json(2),
        1 => json!({ "query": format!("select:{}", name(input)) }),
        2 | 3 => json!({ "query": input.text() }),
        4 => json!({ "tool_names": names(input) }),
        _ => json!({ "name": name(input), "arguments": input.json(2) }),
    }
}

/// The steps that some bytes stand for.
pub fn script(data: &[u8]) -> Vec<Value> {
    let mut input = Input::new(data);
    let settings: Value = serde_json::from_str(SETTINGS[input.below(SETTINGS.len())]).unwrap();
    let mut steps = vec![json!({ "do": "new", "args": [settings] })];
    while !input.is_empty() && steps.len() < MOST {
        // A clock of its own: searches are limited by the minute, and no two runs take equally long.
        let now = 4_000 * steps.len();
        steps.push(step(&mut input, &settings, now));
    }
    steps.push(json!({ "do": "tools", "args": [] }));
    steps.push(json!({ "do": "contentHash", "args": [] }));
    steps
}

fn step(input: &mut Input<'_>, settings: &Value, now: usize) -> Value {
    let session = [None, Some(*input.pick(&SESSIONS))][usize::from(input.below(4) > 0)];
    let Some(id) = session else { return shared(input, settings) };
    let mut step = match input.below(16) {
        0 => json!({ "do": "register", "args": [tools(input), { "server": *input.pick(&SERVERS) }] }),
        1 => json!({ "do": "sync", "args": [*input.pick(&SERVERS), tools(input)] }),
        2 => json!({ "do": "unregister", "args": [{ "server": *input.pick(&SERVERS) }] }),
        3 => json!({ "do": "assemble", "args": [format(input)] }),
        4..=7 => json!({ "do": "call", "args": [*input.pick(&SURFACE), arguments(input), { "now": now }] }),
        8 => json!({ "do": "reveal", "args": [names(input)] }),
        9 => json!({ "do": "conceal", "args": [names(input)] }),
        10 => json!({ "do": "evict", "args": [{ "tools": input.below(3) }] }),
        11 => json!({ "do": "rescope", "args": [scope(input)] }),
        12 => json!({ "do": "snapshot", "args": [] }),
        13 => json!({ "do": "heldBack", "args": [format(input)] }),
        14 => json!({ "do": *input.pick(&["unmatched", "revealed", "close"]), "args": [] }),
        _ => json!({ "do": "tools", "args": [] }),
    };
    step["session"] = json!(id);
    if input.below(16) == 15 {
        step["options"] = json!({ "scope": scope(input) });
    }
    step
}

fn shared(input: &mut Input<'_>, settings: &Value) -> Value {
    let server = *input.pick(&SERVERS);
    match input.below(12) {
        0..=2 => json!({ "do": "register", "args": [tools(input), { "server": server }] }),
        3 => json!({ "do": "register", "args": [tool(input), { "names": *input.pick(&["strict", "alias", "any"]) }] }),
        4 | 5 => json!({ "do": "sync", "args": [server, tools(input)] }),
        6 => json!({ "do": "unregister", "args": [{ "names": names(input) }] }),
        7 => {
            json!({ "do": "search", "args": [input.text(), { "limit": 1 + input.below(9), "reasons": input.flag() }] })
        }
        8 => json!({ "do": "explain", "args": [input.text(), name(input)] }),
        9 => json!({ "do": "size", "args": [format(input)] }),
        10 => json!({ "do": "fromIndex", "args": [settings] }),
        _ => {
            let revealed = names(input).into_iter().map(|name| json!({ "server": server, "name": name, "used": 1 }));
            let revealed: Vec<Value> = revealed.collect();
            let id = *input.pick(&SESSIONS);
            let snapshot =
                json!({ "toolsift": 2, "id": id, "profile": "sift", "turn": input.byte(), "revealed": revealed });
            json!({ "do": "restore", "args": [snapshot, { "replace": input.flag() }] })
        }
    }
}
