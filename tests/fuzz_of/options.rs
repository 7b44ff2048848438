//! Options as a host writes them, read by every reader of options. What is taken works; what is refused is told briefly.

use serde::Serialize;
use toolsift::bindings::options::{self, OptionValue};
use toolsift::{Format, Outcome, PROFILES, RegisterOptions, ToolSift};

use super::sound;

const TOOLS: &str = r#"[{"name":"get_tides","description":"Tides of a harbour."},{"name":"send","server":"slack"}]"#;

pub fn options(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(value) = serde_json::from_str::<OptionValue>(&text) else { return };
    told(options::turn(&value));
    told(options::register(&value));
    told(options::which(&value));
    told(options::session(&value));
    told(options::scope(&value));
    told(options::restore(&value));
    told(options::evict(&value));
    told(options::assemble(&value));
    told(options::search(&value));
    told(options::names(&value));
    let settings = match options::settings(&value) {
        Ok(settings) => settings,
        Err(error) => return sound::error(&error),
    };
    works(ToolSift::new(settings));
}

fn told<T>(read: toolsift::Result<T>) {
    if let Err(error) = read {
        sound::error(&error);
    }
}

/// Whatever settings are taken, requests are assembled, calls are answered and searches find.
fn works(sift: ToolSift) {
    json(&sift.settings());
    let report = sift.register(TOOLS, &RegisterOptions::default()).unwrap();
    let names: Vec<String> = report.registered.iter().map(|name| name.to_string()).collect();
    let profile = PROFILES.iter().find(|profile| profile.name == sift.settings().profile).unwrap();
    let session = sift.session("s", None).unwrap();
    for tool in profile.info().settings.surface {
        let outcome = session.call(tool, r#"{"query":"tides","name":"get_tides","arguments":{}}"#);
        json(&outcome.unwrap());
    }
    for name in &names {
        let outcome = session.call(name, "{}").unwrap();
        assert!(!matches!(outcome, Outcome::Result { .. }), "{name}: {outcome:?}");
    }
    sound::request(&session.assemble(Format::OpenAi).unwrap());
    json(&session.snapshot().unwrap());
    for query in ["tides", "select:send", "t.*s"] {
        sound::search(&sift, query, None);
    }
}

fn json(value: &impl Serialize) {
    assert!(serde_json::to_string(value).is_ok());
}
