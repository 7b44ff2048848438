//! Helpers for most tests: settings, a `ToolSift` with tools, and calls of the model.

use std::fmt::Display;

use serde_json::Value;
use toolsift::bindings::options;
use toolsift::{Format, Outcome, RegisterOptions, Settings, ToolSift};

/// Sixty tools of eight servers.
pub const MCP60: &str = include_str!("../vectors/catalogs/mcp60.json");

/// Settings from options.
pub fn settings(wanted: Value) -> Settings {
    options::settings(&serde_json::from_value(wanted).unwrap()).unwrap()
}

/// A catalog without tools.
pub fn empty(wanted: Value) -> ToolSift {
    ToolSift::new(settings(wanted))
}

/// A catalog with a list of tools, JSON or its text.
pub fn sift(wanted: Value, tools: &(impl Display + ?Sized)) -> ToolSift {
    let sift = empty(wanted);
    register(&sift, tools, &RegisterOptions::default());
    sift
}

/// Registers a list of tools, JSON or its text, all of which are taken. Returns their names.
pub fn register(sift: &ToolSift, tools: &(impl Display + ?Sized), options: &RegisterOptions) -> Vec<String> {
    let report = sift.register(&tools.to_string(), options).unwrap();
    assert_eq!(report.rejected, []);
    report.registered.iter().map(|name| name.to_string()).collect()
}

/// Tools of a server.
pub fn server(name: &str) -> RegisterOptions {
    RegisterOptions::default().server(name)
}

/// What a call of the model comes to.
pub fn call(sift: &ToolSift, session: &str, name: &str, arguments: Value) -> Outcome {
    sift.session(session, None).and_then(|session| session.call(name, &arguments.to_string())).unwrap()
}

/// The answer of a discovery tool.
pub fn content(outcome: Outcome) -> String {
    match outcome {
        Outcome::Result(answer) => answer.content,
        other => panic!("{other:?}"),
    }
}

/// The definitions of the next request, and its prompt.
pub fn request(sift: &ToolSift, session: &str) -> (Vec<Value>, String) {
    let assembly = sift.session(session, None).and_then(|session| session.assemble(Format::Mcp)).unwrap();
    (serde_json::from_str(assembly.tools.get()).unwrap(), assembly.system_prompt)
}
