//! A tool with its schema, as answers in JSON show it.

use serde::Serialize;
use serde_json::Number;
use serde_json::value::RawValue;

use crate::assembly::Definition;
use crate::catalog::Tool;
use crate::json;

/// A tool as answers show it that carry schemas.
#[derive(Serialize)]
pub(super) struct Described<'a> {
    pub name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call_with: Option<&'a str>,
    description: &'a str,
    parameters: Box<RawValue>,
}

impl<'a> Described<'a> {
    pub(super) fn of(tool: &'a Tool) -> Self {
        Described::new(&tool.model_name, &tool.description, tool.parameters.as_str())
    }

    /// A discovery tool.
    pub(super) fn of_definition(tool: &Definition) -> Self {
        Described::new(tool.name, tool.description, tool.parameters)
    }

    fn new(name: &'a str, description: &'a str, parameters: &str) -> Self {
        let parameters = json::raw(parameters).unwrap_or_else(|_| RawValue::NULL.to_owned());
        Described { name, score: None, server: None, call_with: None, description, parameters }
    }

    /// With its server, and the tool that calls it.
    pub(super) fn called_with(mut self, server: Option<&'a str>, caller: Option<&'a str>) -> Self {
        (self.server, self.call_with) = (server, caller);
        self
    }

    /// With a score, written as a whole number where it is one.
    pub(super) fn with_score(mut self, score: f64) -> Self {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let is_whole = score.fract() == 0.0 && score.abs() < EXACT;
        self.score = if is_whole { Some((score as i64).into()) } else { Number::from_f64(score) };
        self
    }
}

/// An answer on lines, indented by two blanks.
pub(super) fn indented(answer: &impl Serialize) -> String {
    serde_json::to_string_pretty(answer).unwrap_or_default()
}

/// An answer on one line.
pub(super) fn compact(answer: &impl Serialize) -> String {
    // Answers consist of texts, numbers and lists, which can all be written.
    serde_json::to_string(answer).unwrap_or_default()
}
