//! Names in Google's format.

use serde_json::{Value, json};
use toolsift::{Format, Outcome, RegisterOptions, Settings, ToolSift};

const NAMES: [&str; 5] = ["21st_magic", "_21st_magic", "-x", "plain", "9"];

fn list() -> String {
    Value::from(NAMES.map(|name| json!({ "name": name })).to_vec()).to_string()
}

fn sift() -> ToolSift {
    let sift = ToolSift::new(Settings::default());
    let long = json!([{ "name": format!("7{}", "x".repeat(63)), "server": "s" }]).to_string();
    sift.register(&list(), &RegisterOptions::default()).unwrap();
    sift.register(&long, &RegisterOptions::default()).unwrap();
    sift
}

/// The names that a request declares, without the discovery tools.
fn declared(sift: &ToolSift, format: Format) -> Vec<String> {
    let all: Vec<String> = sift.registered().iter().map(|tool| tool.model_name().to_owned()).collect();
    let session = sift.session("s", None).unwrap();
    session.reveal(&all).unwrap();
    let tools: Value = serde_json::from_str(session.assemble(format).unwrap().tools.get()).unwrap();
    let list = if format == Format::Google { &tools[0]["functionDeclarations"] } else { &tools };
    list.as_array().unwrap().iter().skip(3).map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

/// The registered name of the tool that a call runs.
fn runs(sift: &ToolSift, name: &str) -> String {
    match sift.session("s", None).and_then(|session| session.call(name, "{}")).unwrap() {
        Outcome::Dispatch { name, .. } => name.to_string(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn names_are_safe_unique_and_map_back() {
    let sift = sift();
    let google = declared(&sift, Format::Google);
    for name in &google {
        assert!(name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.len() <= 64, "{name}");
    }
    let mut unique = google.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), google.len(), "{google:?}");
    let registered: Vec<String> = sift.registered().iter().map(|tool| tool.key().name.to_string()).collect();
    let ran: Vec<String> = google.iter().map(|name| runs(&sift, name)).collect();
    assert_eq!(ran, registered);
    let model = declared(&sift, Format::Anthropic);
    let ran: Vec<String> = model.iter().map(|name| runs(&sift, name)).collect();
    assert_eq!(ran, registered, "the names of other formats go on to mean the same tools");
}

#[test]
fn the_model_may_use_either_name_everywhere() {
    let sift = sift();
    let session = sift.session("s", None).unwrap();
    session.call("add_tool", r#"{"tool_names":["_-x"]}"#).unwrap();
    assert_eq!(session.revealed().unwrap().concat(), "-x");
    session.reveal(&["_9"]).unwrap();
    assert_eq!(session.revealed().unwrap().concat(), "-x9");
    let infos = sift.tools().unwrap();
    let google: Vec<Option<&str>> = infos.iter().map(|tool| tool.google_name.as_deref()).collect();
    assert_eq!(google[..5], [Some("_21st_magic"), None, Some("_-x"), None, Some("_9")]);
}

#[test]
fn names_survive_sync_and_index() {
    let sift = ToolSift::new(Settings::default());
    sift.sync("s", &list(), &RegisterOptions::default()).unwrap();
    let before = declared(&sift, Format::Google);
    let other = list().replace("\"9\"", "\"9\",\"description\":\"Nine.\"");
    assert_eq!(sift.sync("s", &other, &RegisterOptions::default()).unwrap().changed.concat(), "9");
    assert_eq!(declared(&sift, Format::Google), before);
    let loaded = ToolSift::from_index(&sift.export_index(), Settings::default()).unwrap();
    assert_eq!(declared(&loaded, Format::Google), before);
    sift.unregister(None, Some(&["9".into()])).unwrap();
    assert!(sift.tool("_9").is_none());
}
