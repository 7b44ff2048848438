//! Writes a tool with its schema, for answers in JSON. The text of the schema stays as it is.

use serde::Serialize;

use crate::assembly::Definition;
use crate::catalog::Tool;
use crate::json::{number_text, object, quoted};

/// Writes a tool with its schema.
pub(super) fn described(tool: &Tool) -> String {
    written(&tool.model_name, [], &tool.description, tool.parameters.as_str())
}

/// Writes a discovery tool with its schema.
pub(super) fn described_definition(tool: &Definition) -> String {
    written(tool.name, [], tool.description, tool.parameters)
}

/// Writes a tool with a score, as a whole number if it is one.
pub(super) fn scored(tool: &Tool, score: f64) -> String {
    let score = Some(score).filter(|score| score.is_finite()).map(|score| ("score", number_text(score)));
    written(&tool.model_name, score, &tool.description, tool.parameters.as_str())
}

/// Writes a tool with its server, and the name of the tool that calls it.
pub(super) fn callable(tool: &Tool, caller: Option<&str>) -> String {
    let beside = [("server", tool.server()), ("call_with", caller)];
    let beside = beside.into_iter().filter_map(|(key, value)| Some((key, quoted(value?))));
    written(&tool.model_name, beside, &tool.description, tool.parameters.as_str())
}

fn written<'k>(
    name: &str,
    beside: impl IntoIterator<Item = (&'k str, String)>,
    description: &str,
    parameters: &str,
) -> String {
    let start = [("name", quoted(name))].into_iter().chain(beside);
    object(start.chain([("description", quoted(description)), ("parameters", parameters.to_owned())]))
}

/// Writes an answer as JSON on several lines, indented by two blanks.
pub(super) fn indented(answer: &impl Serialize) -> String {
    serde_json::to_string_pretty(answer).unwrap_or_default()
}
