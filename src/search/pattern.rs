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
    let pattern = compile(query, most_bytes(tools))?;
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
    Ok(Found::at(Stage::Pattern, hits))
}

/// The compiled size that a pattern may have over these tools, so that no pattern can keep an agent waiting.
fn most_bytes(tools: &[&Tool]) -> usize {
    let searched: usize = tools.iter().map(|tool| tool.model_name.len() + tool.description.len()).sum();
    (limits::PATTERN_WORK / searched.max(1)).clamp(limits::PATTERN_BYTES_LEAST, limits::PATTERN_BYTES)
}

fn compile(query: &str, most_bytes: usize) -> Result<Regex> {
    let chars = query.chars().count();
    let invalid = |reason: String| Error::new(ErrorCode::PatternInvalid, format!("invalid regex pattern: {reason}"));
    if chars > limits::PATTERN_CHARS {
        return Err(invalid(format!("it has {chars} characters; at most {}", limits::PATTERN_CHARS)));
    }
    let pattern = dialect::translate(query).map_err(invalid)?;
    let engine = RegexBuilder::new(&pattern).size_limit(most_bytes).nest_limit(limits::PATTERN_DEPTH as u32).build();
    engine.map_err(|error| {
        // The engine speaks of its memory; a model needs to know what to do instead.
        let reason = error.to_string();
        let is_size = reason.contains("size limit");
        invalid(if is_size {
            format!("too large once compiled for a catalog of this size (at most {most_bytes} bytes); repeat less")
        } else {
            reason
        })
    })
}
