//! Plays the cases of `tests/cases/*.md`: tools, calls of a model, what it is answered. `UPDATE=1` records the answers, which are read
//! in the difference. `tests/cases/play.test.mjs` plays the same files over the package; tests/cases/README.md has the form.

use std::{env, fs, path::Path};

use crate::common::{self, MCP60};
use serde_json::{Value, json};
use toolsift::{Budget, Format, Outcome, RegisterOptions, Scope, SearchResult, SessionHandle, ToolSift, Turn};

/// `{x *3}` is `x x x `.
fn spread(text: &str) -> String {
    text.split_inclusive('}').fold(String::new(), |before, piece| {
        let all = before + piece;
        let times = all.strip_suffix('}').and_then(|all| {
            let (before, inside) = all.rsplit_once('{')?;
            let (part, count) = inside.rsplit_once('*')?;
            Some(before.to_owned() + &part.repeat(count.parse().ok()?))
        });
        times.unwrap_or(all)
    })
}

/// The tools of a line.
fn tools(line: &str) -> Vec<Value> {
    let Some(line) = line.strip_prefix("    ") else { return Vec::new() };
    if line == "@mcp60" {
        return serde_json::from_str(MCP60).unwrap();
    }
    if line.starts_with('{') {
        return vec![serde_json::from_str(&spread(line)).unwrap()];
    }
    let (line, tags) = line.split_once(" #").unwrap_or((line, ""));
    let (head, description) = line.split_once(": ").unwrap_or((line, ""));
    let (head, parameters) = head.strip_suffix(')').and_then(|head| head.split_once('(')).unwrap_or((head, ""));
    let (server, name) = head.split_once('/').map_or((None, head), |(server, name)| (Some(server), name));
    let names = match name
        .split_once('{')
        .and_then(|(name, range)| Some((name, range.trim_end_matches('}').split_once("..")?)))
    {
        Some((name, (from, to))) => {
            (from.parse::<usize>().unwrap()..to.parse().unwrap()).map(|at| format!("{name}{at}")).collect()
        }
        None => vec![name.to_owned()],
    };
    let parameters: Vec<&str> = parameters.split(", ").filter(|name| !name.is_empty()).collect();
    let required: Vec<&str> = parameters.iter().copied().filter(|name| !name.ends_with('?')).collect();
    let properties = parameters.iter().map(|name| (name.trim_end_matches('?').to_owned(), json!({ "type": "string" })));
    let mut tool = json!({ "description": spread(description) });
    if let Some(server) = server {
        tool["server"] = server.into();
    }
    if !parameters.is_empty() {
        let properties: serde_json::Map<_, _> = properties.collect();
        tool["inputSchema"] = json!({ "type": "object", "properties": properties, "required": required });
    }
    match tags {
        "" => {}
        "always" => tool["deferral"] = "never".into(),
        "insists" => tool["deferral"] = "always".into(),
        "reads" => tool["annotations"] = json!({ "readOnlyHint": true }),
        "writes" => tool["annotations"] = json!({ "readOnlyHint": false, "destructiveHint": false }),
        "destroys" => tool["annotations"] = json!({ "destructiveHint": true }),
        other => panic!("there is no #{other}"),
    }
    let named = |name: String| {
        tool["name"] = name.into();
        tool.clone()
    };
    names.into_iter().map(named).collect()
}

/// A name or more, `a, b`.
fn list(text: &str) -> Vec<String> {
    text.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// JSON, or in short the words of a search and the names of tools to add.
fn arguments(name: &str, rest: &str) -> String {
    match (name, rest) {
        (_, "") => "{}".to_owned(),
        (_, json) if ["{\"", "{}", "[\""].iter().any(|start| json.starts_with(start)) => json.to_owned(),
        ("add_tool", names) => json!({ "tool_names": list(names) }).to_string(),
        (_, words) => json!({ "query": spread(words) }).to_string(),
    }
}

fn told(outcome: Outcome) -> String {
    match outcome {
        Outcome::Refused { error } => format!("refused {}: {}", error.code.as_str(), error.message),
        Outcome::Dispatch { model_name, arguments, .. } => format!("dispatched {model_name} {arguments}"),
        Outcome::Result { content, error_code: Some(code), .. } => format!("failed {}: {content}", code.as_str()),
        Outcome::Result { content, .. } => content,
    }
}

/// The step that answered a search, its confidence, and the tools.
fn found(result: &SearchResult) -> String {
    let result = serde_json::to_value(result).unwrap();
    let names: Vec<&str> = result["hits"].as_array().unwrap().iter().map(|hit| hit["name"].as_str().unwrap()).collect();
    let said = [&result["stage"], &result["confidence"]].map(|one| one.as_str().unwrap_or_default());
    format!("{}: {}", said.join(" ").trim(), names.join(" ")).trim().to_owned()
}

/// A host whose model calls, in one session at a time.
struct Host {
    sift: ToolSift,
    session: SessionHandle,
    turn: Turn,
}

impl Host {
    /// What the host does before the next call, and what is shown of it.
    fn act(&mut self, name: &str, rest: &str) -> Option<String> {
        let names = list(rest);
        let (first, others) = rest.split_once(' ').unwrap_or((rest, ""));
        let shown = |names: Vec<std::sync::Arc<str>>| {
            Some(if names.is_empty() { "nothing".to_owned() } else { names.join(" ") })
        };
        let server = RegisterOptions::default().server(first);
        let tools = match others.starts_with('{') {
            true => format!("[{others}]"),
            false => {
                json!(list(others).iter().flat_map(|one| tools(&format!("    {one}"))).collect::<Vec<_>>()).to_string()
            }
        };
        match name {
            "session" => {
                let (inside, servers): (Vec<_>, Vec<_>) = list(others).into_iter().partition(|name| name.contains(':'));
                let scope = Scope::new(&servers, &inside);
                self.session = self.sift.session(first, (!others.is_empty()).then_some(&scope)).unwrap();
            }
            "at" => self.turn = Turn::default().now(rest.parse().unwrap()),
            "conceal" => drop(self.session.conceal(&names).unwrap()),
            "reveal" => drop(self.session.reveal(&names).unwrap()),
            "register" => drop(self.sift.register(&tools, &server).unwrap()),
            "sync" => drop(self.sift.sync(first, &tools, &RegisterOptions::default()).unwrap()),
            "unregister" => drop(self.sift.unregister(Some(first), None).unwrap()),
            "next" => drop(self.session.assemble(Format::Mcp).unwrap()),
            "prompt" => return Some(self.session.assemble(Format::Mcp).unwrap().system_prompt),
            "tools" => {
                let sent: Vec<Value> =
                    serde_json::from_str(self.session.assemble(Format::Mcp).unwrap().tools.get()).unwrap();
                return Some(sent.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>().join(" "));
            }
            "revealed" => return shown(self.session.revealed().unwrap()),
            "unmatched" => return shown(self.session.unmatched().unwrap()),
            "ahead" => return shown(self.session.prefetch(&spread(rest), Budget::AHEAD).unwrap()),
            "why" => return Some(self.session.search(others).explain(first).unwrap().reason),
            other => panic!("the host cannot {other}"),
        }
        None
    }

    /// A line with what comes of it.
    fn play(&mut self, line: &str) -> Option<String> {
        let words = line.get(2..).unwrap_or("");
        let (name, rest) = words.split_once(' ').unwrap_or((words, ""));
        match line.get(..2) {
            Some("> ") => Some(told(self.session.call_in(&self.turn, name, &arguments(name, rest)).unwrap())),
            Some("? ") => Some(match self.session.search(&spread(words)).run() {
                Ok(result) => found(&result),
                Err(error) => format!("{}: {}", error.code().as_str(), error.message()),
            }),
            Some("! ") => self.act(name, rest),
            _ => None,
        }
    }
}

/// A case with today's answers.
fn played(case: &str) -> String {
    let lines: Vec<&str> = case.split('\n').filter(|line| !line.starts_with("  |")).collect();
    let options =
        lines.iter().find(|line| line.starts_with("{ ")).map_or(json!({}), |line| serde_json::from_str(line).unwrap());
    let sift = common::sift(options, &json!(lines.iter().flat_map(|line| tools(line)).collect::<Vec<_>>()));
    let session = sift.session("a", None).unwrap();
    let mut host = Host { sift, session, turn: Turn::default() };
    let mut all = Vec::new();
    for line in lines {
        let line = line.split(" → ").next().unwrap();
        match host.play(line) {
            Some(answer) if answer.contains('\n') => {
                all.push(line.to_owned());
                all.extend(answer.split('\n').map(|one| format!("  | {one}").trim_end().to_owned()));
            }
            Some(answer) => all.push(format!("{line} → {answer}")),
            None => all.push(line.to_owned()),
        }
    }
    all.join("\n")
}

#[test]
fn every_case_is_answered_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|end| end != "md") || path.ends_with("README.md") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let (head, cases) = text.split_once("\n## ").unwrap();
        let now: Vec<String> = [head.to_owned()].into_iter().chain(cases.split("\n## ").map(played)).collect();
        let now = now.join("\n## ");
        if env::var_os("UPDATE").is_some() {
            fs::write(&path, now).unwrap();
        } else {
            let line = text.lines().zip(now.lines()).find(|(was, is)| was != is);
            assert!(text == now, "{}: {line:?}: run with UPDATE=1 and read the difference", path.display());
        }
    }
}
