//! Plays the cases of `tests/cases/*.md`: tools, calls of a model, and the answers. `UPDATE=1` records the answers, and
//! the diff is reviewed. `tests/cases/play.test.mjs` plays the same files with the package. The format is in
//! tests/cases/README.md.

use std::{collections::HashMap, env, fs, path::Path};

use crate::common::{self, MCP60};
use serde::Serialize;
use serde_json::{Value, json};
use toolsift::{
    Answered, Budget, Format, Outcome, RegisterOptions, RestoreOptions, Scope, SearchResult, SessionHandle, Sidecar,
    ToolInfo, ToolSift, ToolState, Turn,
};

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
        Outcome::Dispatch { model_name, arguments, server, session, .. } => {
            let of = server.map(|server| format!(" [{server}]")).unwrap_or_default();
            format!("dispatched {model_name} {arguments}{of}{}", if session.is_some() { " of its own" } else { "" })
        }
        Outcome::Result(Answered { content, error_code: Some(code), .. }) => {
            format!("failed {}: {content}", code.as_str())
        }
        Outcome::Result(answer) => answer.content,
    }
}

/// The step that answered a search, its confidence, and the tools.
fn found(result: &SearchResult) -> String {
    let result = serde_json::to_value(result).unwrap();
    let names: Vec<&str> = result["hits"].as_array().unwrap().iter().map(|hit| hit["name"].as_str().unwrap()).collect();
    let said = [&result["stage"], &result["confidence"]].map(|one| one.as_str().unwrap_or_default());
    format!("{}: {}", said.join(" ").trim(), names.join(" ")).trim().to_owned()
}

/// What became of tools that were registered: a report, as JSON.
fn became(report: &impl Serialize) -> String {
    let report = json!(report);
    let some = |key: &str| report[key].as_array().cloned().unwrap_or_default();
    let names = |key: &str| some(key).iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let lists = ["registered", "added", "changed", "removed"].map(|key| (key, names(key)));
    let listed = lists.iter().filter(|(_, names)| !names.is_empty());
    let mut parts: Vec<String> = listed.map(|(key, names)| format!("{key} {}", names.join(" "))).collect();
    parts.extend(report["unchanged"].as_u64().filter(|count| *count > 0).map(|count| format!("{count} unchanged")));
    parts.extend(some("rejected").iter().map(|one| {
        let [name, code, message] = ["name", "code", "message"].map(|key| one[key].as_str().unwrap());
        format!("{} {name} refused {code}: {message}", one["index"])
    }));
    let told = |one: &Value| format!("{} {}", one["name"].as_str().unwrap(), one["repair"].as_str().unwrap());
    parts.extend(some("repaired").iter().map(|one| format!("repaired {}", told(one))));
    if let Some(enriched) = report["enrichment"]["enriched"].as_u64() {
        let stale: Vec<&str> =
            report["enrichment"]["stale"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
        let stale = if stale.is_empty() { String::new() } else { format!(", stale: {}", stale.join(" ")) };
        parts.push(format!("{enriched} enriched{stale}"));
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
}

/// `all`, or servers, tools of servers and `=names`; nothing where nothing is given.
fn scope(text: &str) -> Option<Scope> {
    let (inside, servers): (Vec<_>, Vec<_>) = list(text).into_iter().partition(|name| name.contains([':', '=']));
    let inside: Vec<String> = inside.iter().map(|name| name.trim_start_matches('=').to_owned()).collect();
    match text {
        "" => None,
        "all" => Some(Scope::All),
        _ => Some(Scope::new(&servers, &inside)),
    }
}

/// Its names, or that there are none.
fn shown(names: &[impl AsRef<str>]) -> Option<String> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    Some(if names.is_empty() { "nothing".to_owned() } else { names.join(" ") })
}

/// A host whose model calls, in one session at a time.
struct Host {
    options: Value,
    tools: Value,
    sift: ToolSift,
    session: SessionHandle,
    handles: HashMap<String, SessionHandle>,
    kept: Value,
    turn: Turn,
    /// What the host says of tools, and words for those that come.
    scores: Vec<(String, f64)>,
    words: String,
}

impl Host {
    /// A catalog of the case's tools.
    fn new(options: Value, tools: Value) -> Self {
        let sift = common::sift(options.clone(), &tools);
        let session = sift.session("a", None).unwrap();
        Self {
            options,
            tools,
            sift,
            session,
            handles: HashMap::new(),
            kept: Value::Null,
            turn: Turn::default(),
            scores: Vec::new(),
            words: String::new(),
        }
    }

    /// What the host does before the next call, and what is shown of it.
    fn act(&mut self, name: &str, rest: &str) -> toolsift::Result<Option<String>> {
        let names = list(rest);
        let (first, others) = rest.split_once(' ').unwrap_or((rest, ""));
        let id = &*spread(first);
        let of = Some(first).filter(|first| !["", "-"].contains(first));
        let server = of.map_or_else(RegisterOptions::default, |server| RegisterOptions::default().server(server));
        let tools = match others.get(..1) {
            Some("[") => spread(others),
            Some("{") => format!("[{}]", spread(others)),
            _ => {
                json!(list(others).iter().flat_map(|one| tools(&format!("    {one}"))).collect::<Vec<_>>()).to_string()
            }
        };
        let inside = (!others.is_empty()).then(|| list(others));
        let words = |options: RegisterOptions| match &*self.words {
            "" => options,
            words => options.enrichment(Sidecar::read(words).unwrap()),
        };
        let (server, none) = (words(server), words(RegisterOptions::default()));
        Ok(match name {
            "session" => {
                self.session = self.sift.session(id, scope(others).as_ref())?;
                self.handles.insert(first.to_owned(), self.session.clone());
                None
            }
            "handle" => {
                self.session = self.handles[first].clone();
                None
            }
            "child" => {
                self.session = self.session.child(id, scope(others).as_ref())?;
                self.handles.insert(first.to_owned(), self.session.clone());
                None
            }
            "close" => Some(if self.sift.close(first) { "closed" } else { "nothing" }.to_owned()),
            "rescope" => shown(&self.session.rescope(&scope(rest).unwrap())?),
            "elsewhere" => {
                let kept = self.kept.take();
                *self = Self { kept, ..Self::new(self.options.clone(), self.tools.clone()) };
                None
            }
            "keep" => {
                self.kept = json!(self.session.snapshot()?);
                Some(self.kept.to_string())
            }
            "evict" => {
                let count = |text: &str| text.parse().unwrap_or(usize::MAX);
                shown(&self.session.evict(count(first), count(others))?)
            }
            "restore" | "replace" => {
                let options =
                    scope(rest).map_or(RestoreOptions::default(), |scope| RestoreOptions::default().scope(scope));
                let options = options.replace(name == "replace");
                let restored = self.sift.restore(&self.kept, &options.replace(name == "replace"))?;
                self.session = restored.session;
                shown(&restored.missing.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>())
            }
            "seen" => {
                let told = |tool: ToolInfo| match tool.state {
                    ToolState::Hidden => None,
                    ToolState::Deferred => Some(tool.name.to_string()),
                    state => Some(format!("{} ({})", tool.name, json!(state).as_str().unwrap())),
                };
                shown(&self.session.tools()?.into_iter().filter_map(told).collect::<Vec<_>>())
            }
            "at" => {
                self.turn = Turn::default().now(rest.parse().unwrap());
                None
            }
            "conceal" => {
                self.session.conceal(&names)?;
                None
            }
            "reveal" => {
                self.session.reveal(&names)?;
                None
            }
            "register" => Some(became(&self.sift.register(&tools, &server)?)),
            "sync" => Some(became(&self.sift.sync(first, &tools, &none)?)),
            "unregister" => shown(&self.sift.unregister(of, inside.as_deref())?),
            "own-register" => Some(became(&self.session.register(&tools, &server)?)),
            "own-sync" => Some(became(&self.session.sync(first, &tools, &none)?)),
            "own-unregister" => shown(&self.session.unregister(of, inside.as_deref())?),
            "index" => {
                self.sift = ToolSift::from_index(&self.sift.export_index(), common::settings(self.options.clone()))?;
                self.session = self.sift.session("a", None)?;
                None
            }
            "scores" => {
                let scores: serde_json::Map<_, _> = serde_json::from_str(rest).unwrap();
                self.scores = scores.into_iter().map(|(name, score)| (name, score.as_f64().unwrap())).collect();
                self.turn = Turn::default().scores(self.scores.clone());
                None
            }
            "words" => {
                self.words = if rest.is_empty() { String::new() } else { format!("{}{rest}\n", self.words) };
                None
            }
            "sent" => {
                let format = Format::ALL.iter().find(|(name, _)| *name == first).unwrap().1;
                let sent: Value = serde_json::from_str(self.session.assemble(format)?.tools.get()).unwrap();
                let all = sent[0]["functionDeclarations"].as_array().or(sent.as_array()).unwrap();
                let named = all.iter().map(Value::to_string).filter(|tool| tool.contains(&format!("\"{others}\"")));
                Some(named.collect::<Vec<_>>().join("\n"))
            }
            "next" => {
                self.session.assemble(Format::Mcp)?;
                None
            }
            "prompt" => Some(self.session.assemble(Format::Mcp)?.system_prompt),
            "tools" => {
                let sent: Vec<Value> = serde_json::from_str(self.session.assemble(Format::Mcp)?.tools.get()).unwrap();
                shown(&sent.iter().map(|tool| tool["name"].as_str().unwrap()).collect::<Vec<_>>())
            }
            "held" => {
                let format = Format::ALL.iter().find(|(name, _)| *name == first).unwrap().1;
                let held = self.session.held_back(format)?;
                let held: Vec<&str> = held.iter().map(|tool| tool.definition.get()).collect();
                Some(if held.is_empty() { "nothing".to_owned() } else { held.join("\n") })
            }
            "revealed" => shown(&self.session.revealed()?),
            "unmatched" => shown(&self.session.unmatched()?),
            "ahead" => shown(&self.session.prefetch(&spread(rest), Budget::AHEAD)?),
            "why" => Some(self.session.search(others).explain(first)?.reason),
            other => panic!("the host cannot {other}"),
        })
    }

    /// A line with what comes of it.
    fn play(&mut self, line: &str) -> Option<String> {
        let words = line.get(2..).unwrap_or("");
        let (name, rest) = words.split_once(' ').unwrap_or((words, ""));
        match line.get(..2) {
            Some("> ") => {
                self.session.call_in(&self.turn, name, &arguments(name, rest)).map(|outcome| Some(told(outcome)))
            }
            Some("? ") => {
                self.session.search(&spread(words)).scores(self.scores.clone()).run().map(|result| Some(found(&result)))
            }
            Some("! ") => self.act(name, rest),
            _ => Ok(None),
        }
        .unwrap_or_else(|error| Some(format!("{}: {}", error.code().as_str(), error.message())))
    }
}

/// A case with today's answers.
fn played(case: &str) -> String {
    let lines: Vec<&str> = case.split('\n').filter(|line| !line.starts_with("  |")).collect();
    let options =
        lines.iter().find(|line| line.starts_with("{ ")).map_or(json!({}), |line| serde_json::from_str(line).unwrap());
    let mut host = Host::new(options, json!(lines.iter().flat_map(|line| tools(line)).collect::<Vec<_>>()));
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
