//! Tests skills.
//! 1. The size of a skill and the number of skills are limited.
//! 2. A prebuilt index contains whole skills.
//! 3. The text of a skill is marked as the skill's text.
//! 4. Checking which tool a call would reach loads no skill.
//! 5. A skill that the model has read in one process is not shown ahead by another.

use crate::common::{content, empty, register};
use serde_json::{Value, json};
use toolsift::{Format, RegisterOptions, SessionHandle, Settings, ToolDefinition, ToolSift, limits};

fn skill(name: &str) -> Value {
    json!({ "kind": "skill", "name": name, "description": "Sorts new issues.", "text": "Label them." })
}

fn code(sift: &ToolSift, skill: &Value) -> String {
    let report = sift.register_one(&skill.to_string(), &RegisterOptions::default());
    report.map_or_else(|error| error.code().as_str().to_owned(), |report| report.registered[0].to_string())
}

#[test]
fn skills_are_bounded() {
    let sift = empty(json!({}));
    let with = |key: &str, value: Value| {
        let mut skill = skill("a");
        skill[key] = value;
        skill
    };
    let text = |bytes: usize| with("text", "é".repeat(bytes / 2).into());
    let tools = |count: usize| with("tools", vec!["t"; count].into());
    assert_eq!(code(&sift, &text(limits::SKILL_BYTES + 2)), "skill_too_large");
    assert_eq!(code(&sift, &tools(limits::SKILL_TOOLS + 1)), "skill_too_large");
    assert_eq!(code(&sift, &text(limits::SKILL_BYTES)), "a");
    sift.unregister(None, Some(&["a".to_owned()])).unwrap();
    assert_eq!(code(&sift, &tools(limits::SKILL_TOOLS)), "a");
    let many: Vec<Value> = (0..limits::SKILLS).map(|at| skill(&format!("skill-{at}"))).collect();
    let report = sift.register(&json!(many), &RegisterOptions::default()).unwrap();
    assert_eq!((report.registered.len(), report.rejected[0].code.as_str()), (limits::SKILLS - 1, "skills_full"));
    assert_eq!(code(&sift, &json!({ "name": "tool" })), "tool", "tools have their own bound");
    sift.unregister(None, Some(&["skill-0".to_owned()])).unwrap();
    assert_eq!(code(&sift, &skill("another")), "another");
}

#[test]
fn an_index_holds_skills() {
    let sift = empty(json!({ "activation": "on" }));
    let mut readable = skill("readable");
    readable["readable"] = true.into();
    readable["tools"] = json!(["list", "missing"]);
    register(&sift, &json!([{ "name": "list" }, readable, skill("plain")]), &RegisterOptions::default());
    let index = sift.export_index();
    let loaded = ToolSift::from_index(&index, crate::common::settings(json!({ "activation": "on" }))).unwrap();
    assert_eq!(loaded.content_hash(), sift.content_hash());
    let told = |sift: &ToolSift| {
        let session = sift.session("a", None).unwrap();
        let answer = content(session.call("add_tool", &json!({ "tool_names": ["readable", "plain"] })).unwrap());
        let request = session.assemble(Format::Mcp).unwrap();
        (answer, request.tools.get().to_owned(), request.system_prompt, format!("{:?}", sift.size(Format::Mcp)))
    };
    assert_eq!(told(&loaded), told(&sift));
    assert!(told(&sift).0.contains("not here: missing"));
    let published = crate::common::settings(json!({ "profile": "bridge" }));
    assert_eq!(ToolSift::from_index(&index, published).unwrap_err().code().as_str(), "skills_full");
}

#[test]
fn what_the_host_reads_is_marked_and_cut() {
    let sift = ToolSift::new(Settings::default());
    let skill = ToolDefinition::skill("triage", "Label them.").with("tools", ["list"]).with("readable", true);
    sift.register(&[skill], &RegisterOptions::default().server("team")).unwrap();
    let session = sift.session("a", None).unwrap();
    let read = |name: &str, path: &str, text: &str| session.skill_text(Some("team"), name, Some(path), text);
    let short = read("triage", "a.md", "</Skill> one").unwrap();
    assert_eq!(short, "<skill name=\"triage\" path=\"a.md\" from=\"server team\">\n&lt;/Skill> one\n</skill>");
    // Each part stands in the element of its own file, and behind that only what the host says.
    let whole = "x".repeat(2 * limits::SKILL_CHARS);
    for (path, id) in [("a.md", "r1"), ("b.md", "r2")] {
        let begins = read("triage", path, &whole).unwrap();
        let further =
            |from: usize| content(session.call("read_cut_answer", &json!({ "id": id, "from": from })).unwrap());
        for (part, note) in [(begins, "\n\n[Cut: "), (further(7), "\n\n[These are "), (further(whole.len() - 9), "")] {
            assert!(part.chars().count() <= limits::SKILL_CHARS, "{part}");
            let words = part.strip_prefix(&format!("<skill name=\"triage\" path=\"{path}\" from=\"server team\">\nx"));
            let behind = words.unwrap().trim_start_matches('x').strip_prefix("\n</skill>").unwrap();
            assert!(behind.starts_with(note) && note.is_empty() == behind.is_empty(), "{behind}");
            assert!(note.is_empty() || behind.contains(&format!("call read_cut_answer({{\"id\":\"{id}\"")), "{behind}");
        }
    }
    assert_eq!(read("nothing", "a.md", "").unwrap_err().code().as_str(), "tool_unknown");
}

#[test]
fn looking_loads_nothing() {
    let sift = empty(json!({ "surface": "constant" }));
    register(&sift, &json!([skill("triage")]), &RegisterOptions::default());
    let session = sift.session("a", None).unwrap();
    let call = r#"{"name":"triage","arguments":{}}"#;
    assert!(session.forwarded("call_tool", call).unwrap().is_none());
    assert!(!json!(session.snapshot().unwrap()).to_string().contains("triage"));
    assert!(content(session.call("call_tool", call).unwrap()).contains("Label them."));
    assert!(json!(session.snapshot().unwrap()).to_string().contains("triage"));
}

#[test]
fn a_skill_that_was_read_elsewhere_is_no_longer_shown_ahead() {
    let process = || {
        let sift = empty(json!({}));
        register(&sift, &json!([skill("triage")]), &RegisterOptions::default());
        sift
    };
    let (first, second, third) = (process(), process(), process());
    let [ahead, reader, other] = [&first, &second, &third].map(|sift| sift.session("a", None).unwrap());
    let is_shown =
        |session: &SessionHandle| session.assemble(Format::Mcp).unwrap().system_prompt.contains("Label them.");
    ahead.reveal(&["triage"]).unwrap();
    assert!(is_shown(&ahead));
    let record = ahead.save_record("", 1, 0).unwrap().unwrap();
    assert!(content(reader.call("add_tool", r#"{"tool_names":["triage"]}"#).unwrap()).contains("Label them."));
    let record = reader.save_record(&record, 2, 0).unwrap().unwrap();
    other.open_record(&record, false, 3).unwrap();
    assert!(json!(other.snapshot().unwrap()).to_string().contains("triage"));
    assert!(!is_shown(&other));
}
