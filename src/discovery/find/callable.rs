//! What an answer shows of the tools that the model calls through another tool: each with its parameters on a line of JSON, which
//! no description can break out of.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::discovery::context::Context;
use crate::discovery::described::{Described, compact};

/// Bytes of a line, unless it is the first one and of a tool that the query names: otherwise nothing would show that tool.
const LINE_BYTES: usize = 8 * 1024;
/// Bytes of all lines, unless the first one has more.
const ANSWER_BYTES: usize = 24 * 1024;

/// JSON without what some readers take for the end of a line. It can stand in texts alone.
fn on_one_line(json: String) -> String {
    if !json.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return json;
    }
    json.replace('\u{85}', "\\u0085").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// The tools that fit into an answer, each with its line.
pub(super) fn lines<'c>(
    context: &Context<'_>,
    tools: Vec<&'c Arc<Tool>>,
    are_named: bool,
) -> Vec<(&'c Arc<Tool>, String)> {
    let mut lines: Vec<(&Arc<Tool>, String)> = Vec::new();
    let mut bytes = 0;
    for tool in tools {
        let caller = context.settings.caller_of(tool.declared_effect());
        let line = on_one_line(compact(&Described::of(tool).called_with(tool.server(), caller))) + "\n";
        let fits = line.len() <= LINE_BYTES && bytes + line.len() <= ANSWER_BYTES;
        if fits || (are_named && lines.is_empty()) {
            bytes += line.len();
            lines.push((tool, line));
        }
    }
    lines
}
