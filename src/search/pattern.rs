//! Which tools match a regular expression? Every match, in catalog order, in time linear in the text.

use regex_lite::{Regex, RegexBuilder};

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::limits;

use super::dialect;
use super::hit::{Found, Hit, HitPart, How, SearchedField, Stage};

/// Patterns do not rank: a match is a match.
const MATCH_SCORE: f64 = 1.0;
/// Characters of the matched text that a hit shows.
const MATCHED_CHARS: usize = 80;

/// The tools whose name, or else description, matches. Upper and lower case are the same unless the pattern says
/// `(?-i)`.
pub(super) fn search(query: &str, tools: &[&Tool]) -> Result<Found> {
    let pattern = compile(query)?;
    let mut hits = Vec::new();
    for (index, tool) in tools.iter().enumerate() {
        let fields = [(SearchedField::Name, &*tool.model_name), (SearchedField::Description, &*tool.description)];
        let matched = fields.into_iter().find_map(|(field, text)| Some((field, pattern.find(text)?)));
        if let Some((field, matched)) = matched {
            let part = HitPart {
                field,
                term: query.to_owned(),
                matched: matched.as_str().chars().take(MATCHED_CHARS).collect(),
                how: How::Pattern,
                contribution: MATCH_SCORE,
            };
            hits.push(Hit { index, score: MATCH_SCORE, parts: vec![part] });
        }
    }
    let stage = if hits.is_empty() { Stage::None } else { Stage::Pattern };
    Ok(Found { stage, hits })
}

fn compile(query: &str) -> Result<Regex> {
    let chars = query.chars().count();
    let invalid = |reason: String| Error::new(ErrorCode::PatternInvalid, format!("invalid regex pattern: {reason}"));
    if chars > limits::PATTERN_CHARS {
        return Err(invalid(format!("it has {chars} characters; at most {}", limits::PATTERN_CHARS)));
    }
    let pattern = dialect::translate(query).map_err(invalid)?;
    RegexBuilder::new(&pattern)
        .size_limit(limits::PATTERN_BYTES)
        .nest_limit(limits::PATTERN_DEPTH as u32)
        .build()
        .map_err(|error| invalid(reason(&error.to_string())))
}

/// The engine speaks of its own limits in bytes of memory; a model needs to know what to do instead.
fn reason(error: &str) -> String {
    if error.contains("size limit") {
        return format!("it is too large once compiled (at most {} bytes)", limits::PATTERN_BYTES);
    }
    error.to_owned()
}
