//! Fuzz target: definitions as lists of any form, the same tool in every vendor's form, and enrichments.

use std::sync::Arc;

use serde_json::{Value, json};
use toolsift::{Deferral, NamePolicy, Outcome, RegisterOptions, SchemaRule, Settings, Sidecar, ToolSift, limits};

use super::input::Input;
use super::sound;

fn options(choice: u8) -> RegisterOptions {
    let names = NamePolicy::ALL[usize::from(choice % 3)].1;
    let server = [None, Some("github".to_owned()), Some("日本 __x".to_owned())][usize::from(choice / 3 % 3)].clone();
    let deferral = [None, Some(Deferral::Always), Some(Deferral::Never)][usize::from(choice / 9 % 3)];
    let mut options = RegisterOptions::default().names(names);
    (options.server, options.deferral) = (server, deferral);
    options
}

/// A list of definitions as text: each entry is taken or reported, and what was taken can be sent, searched and kept.
pub fn catalog(data: &[u8]) {
    let mut input = Input::new(data);
    let options = options(input.byte());
    let list = input.rest();
    let settings = Settings::default();
    let sift = ToolSift::new(settings.clone());
    let empty = sift.content_hash();
    let report = match sift.register(&list, &options) {
        Ok(report) => report,
        Err(error) => {
            sound::error(&error);
            assert_eq!((sift.content_hash(), sift.registered().len()), (empty, 0));
            return;
        }
    };
    assert_eq!(sift.registered().len(), report.registered.len());
    assert!(report.rejected.iter().all(|one| one.message.len() < 1_000 && one.name.chars().count() <= 256));
    if options.names != NamePolicy::Any {
        let is_safe = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(report.registered.iter().all(|name| name.len() <= 64 && name.chars().all(is_safe)), "{report:?}");
    }
    for tool in sift.registered().iter().take(4) {
        needs_no_repair(tool.parameters_json());
    }
    if !report.registered.is_empty() {
        sound::catalog(&sift, &settings);
        sound::search(&sift, &report.registered[0].replace('_', " "), Some(5));
    }
    for skill in sift.registered().iter().filter(|tool| tool.skill().is_some()).take(4) {
        skill_is_marked(&sift, skill.model_name());
    }
    if let Some(server) = &options.server {
        let before = sift.content_hash();
        let again = sift.sync(server, &list, &options).unwrap();
        assert!(again.added.is_empty() && again.changed.is_empty() && again.removed.is_empty(), "{again:?}");
        assert_eq!((again.unchanged, sift.content_hash()), (report.registered.len(), before), "{again:?}");
    }
}

/// The text of a skill stays within its element, and paths within its folder.
fn skill_is_marked(sift: &ToolSift, name: &str) {
    let session = sift.session("skills", None).unwrap();
    let call = |tool: &str, arguments: Value| session.call(tool, &arguments.to_string()).unwrap();
    let Outcome::Result(answer) = call("add_tool", json!({ "tool_names": [name] })) else { panic!("{name}") };
    let content = answer.content;
    let tags = |tag: &str| content.to_lowercase().matches(tag).count();
    assert!(
        tags("<skill ") <= 1 && tags("</skill") <= 1 && content.chars().count() < 2 * limits::SKILL_CHARS,
        "{content}"
    );
    for path in [name, "../a", "a/../../b", ""] {
        if let Outcome::Dispatch { skill: Some(file), .. } = call("read_skill", json!({ "skill": name, "path": path }))
        {
            assert!(file.path.is_none_or(|path| !path.split('/').any(|part| part == "..")), "{path}");
        }
    }
}

/// What was repaired needs no repair. Names of parameters stay the server's.
fn needs_no_repair(parameters: &str) {
    let again = format!(r#"{{"name":"a","parameters":{parameters}}}"#);
    let report = ToolSift::new(Settings::default()).register_one(&again, &RegisterOptions::default()).unwrap();
    let changes = report.repaired.into_iter().flat_map(|one| one.changes);
    assert!(changes.into_iter().all(|change| change.rule == SchemaRule::Names), "{parameters}");
}

/// An enrichment as text: refused, or its words are found.
pub fn enrichment(data: &[u8]) {
    const TOOLS: &str = r#"[{"name":"get_tides","description":"Tides of a harbour."},{"name":"slack__send","server":"slack"},{"name":"x"}]"#;
    let text = String::from_utf8_lossy(data);
    let sidecar = match Sidecar::read(&text) {
        Ok(sidecar) => Arc::new(sidecar),
        Err(error) => return sound::error(&error),
    };
    let sift = ToolSift::new(Settings::default());
    let options = RegisterOptions::default().enrichment(sidecar);
    let report = sift.register(TOOLS, &options).unwrap();
    assert_eq!(report.registered.len(), 3, "{:?}", report.rejected);
    let words = report.enrichment.unwrap();
    assert!(words.enriched + words.stale.len() <= 3);
    let all: Vec<String> = sift.registered().iter().flat_map(|tool| tool.queries()).map(ToString::to_string).collect();
    for request in all.iter().take(4) {
        sound::search(&sift, request, Some(3));
    }
    sound::catalog(&sift, &Settings::default());
}
