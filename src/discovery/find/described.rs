//! A tool with its schema, as the answers of several systems show it.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::catalog::Tool;
use crate::discovery::json_text::raw;

/// A tool as answers show it that carry schemas.
#[derive(Serialize)]
pub(super) struct Described<'a> {
    pub name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<serde_json::Number>,
    pub description: &'a str,
    pub parameters: Box<RawValue>,
}

impl<'a> Described<'a> {
    pub(super) fn of(tool: &'a Tool) -> Self {
        Described {
            name: &tool.model_name,
            score: None,
            description: &tool.description,
            parameters: raw(tool.parameters.as_str()),
        }
    }

    /// With a score, written as a whole number where it is one.
    pub(super) fn scored(tool: &'a Tool, score: f64) -> Self {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let is_whole = score.fract() == 0.0 && score.abs() < EXACT;
        let score = if is_whole { Some((score as i64).into()) } else { serde_json::Number::from_f64(score) };
        Described { score, ..Described::of(tool) }
    }
}
