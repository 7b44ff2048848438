//! Writes a tool with its schema, for answers in JSON. The text of the schema stays as it is.

use serde::Serialize;
use serde_json::{Number, Value};

use crate::assembly::Definition;
use crate::catalog::Tool;
use crate::json::{object, quoted};

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
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let is_whole = score.fract() == 0.0 && score.abs() < EXACT;
    let score = if is_whole { Some((score as i64).into()) } else { Number::from_f64(score) };
    let score = score.map(|score| ("score", score.into()));
    written(&tool.model_name, score, &tool.description, tool.parameters.as_str())
}

/// Writes a tool with its server, and the name of the tool that calls it.
pub(super) fn callable(tool: &Tool, caller: Option<&str>) -> String {
    let beside = [("server", tool.server()), ("call_with", caller)];
    let beside = beside.into_iter().filter_map(|(key, value)| Some((key, value?.into())));
    written(&tool.model_name, beside, &tool.description, tool.parameters.as_str())
}

fn written<'k>(
    name: &str,
    beside: impl IntoIterator<Item = (&'k str, Value)>,
    description: &str,
    parameters: &str,
) -> String {
    let beside = beside.into_iter().map(|(key, value)| (key, value.to_string()));
    let start = [("name", quoted(name))].into_iter().chain(beside);
    object(start.chain([("description", quoted(description)), ("parameters", parameters.to_owned())]))
}

/// Writes an answer as JSON on several lines, indented by two blanks.
pub(super) fn indented(answer: &impl Serialize) -> String {
    serde_json::to_string_pretty(answer).unwrap_or_default()
}
