//! Finds the tools that match a regular expression: every match, in catalog order, with a limited number of steps.

use toolsift_pattern::{Pattern, PatternError};

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::search::hit::{Found, Hit, HitPart, How, SearchedField, Stage};

/// The score of every match: patterns do not rank.
const MATCH_SCORE: f64 = 1.0;
/// The maximum length of the matched text in a hit, in characters.
const MATCHED_CHARS: usize = 80;

/// Finds the tools whose name, or else description, matches. `tools` has their positions. Upper and lower case are
/// equal unless the pattern has `(?-i)`.
///
/// # Errors
/// `pattern_invalid` if the pattern is invalid, or if the search takes more than [`limits::PATTERN_STEPS`].
#[inline(never)]
pub(crate) fn search(query: &str, tools: &[(usize, &Tool)]) -> Result<Found> {
    search_within(limits::PATTERN_STEPS, query, tools)
}

fn search_within(max_steps: usize, query: &str, tools: &[(usize, &Tool)]) -> Result<Found> {
    let mut pattern = compile(query, max_states(tools))?;
    let mut hits = Vec::new();
    for (index, tool) in tools {
        let fields = [(SearchedField::Name, &*tool.model_name), (SearchedField::Description, &*tool.description)];
        let matched = fields.into_iter().find_map(|(field, text)| Some((field, pattern.find(text)?)));
        if pattern.steps() > max_steps {
            let reason = format!("it takes more than {max_steps} steps over these tools");
            return Err(invalid(format!("{reason}; begin with something rarer, or repeat less")));
        }
        if let Some((field, matched)) = matched {
            let matched: String = matched.chars().take(MATCHED_CHARS).collect();
            let part = HitPart::new(field, query, &matched, How::Pattern, MATCH_SCORE);
            hits.push(Hit { index: *index, score: MATCH_SCORE, likelihood: None, parts: vec![part] });
        }
    }
    Ok(Found::at(Stage::Pattern, hits))
}

/// Returns the error of a pattern that is invalid for every text.
pub(crate) fn fault(pattern: &str) -> Option<Error> {
    compile(pattern, limits::PATTERN_STATES).err()
}

/// Returns the maximum number of states of a pattern over these tools, so that no pattern can keep an agent waiting.
fn max_states(tools: &[(usize, &Tool)]) -> usize {
    let searched: usize = tools.iter().map(|(_, tool)| tool.model_name.len() + tool.description.len()).sum();
    (limits::PATTERN_WORK / searched.max(1)).clamp(limits::PATTERN_STATES_LEAST, limits::PATTERN_STATES)
}

fn invalid(reason: String) -> Error {
    Error::new(ErrorCode::PatternInvalid, format!("invalid regex pattern: {reason}"))
}

fn compile(query: &str, max_states: usize) -> Result<Pattern> {
    let chars = query.chars().count();
    if chars > limits::PATTERN_CHARS {
        return Err(invalid(format!("it has {chars} characters; at most {}", limits::PATTERN_CHARS)));
    }
    Pattern::new(query, max_states).map_err(|error| match error {
        PatternError::Invalid(reason) => invalid(reason),
        PatternError::TooLarge { states } => {
            let reason = "too large once compiled for a catalog of this size";
            invalid(format!("{reason}: {states} states; at most {max_states}; repeat less"))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, RegisterOptions};

    #[test]
    fn the_bound_is_counted_in_states_and_named() {
        assert!(compile("a{200}", 200).is_ok());
        let error = compile("a{201}", 200).map(|_| ()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::PatternInvalid);
        assert!(error.message().contains("201 states; at most 200"), "{}", error.message());
    }

    #[test]
    fn the_steps_over_a_catalog_are_bounded() {
        let mut catalog = Catalog::new(1_000, []);
        // The text of a counter has no period, so that what was learnt helps little.
        let text: String = (0..100).map(|at: u32| format!("{:010b}", at * at)).collect();
        let text = text.replace('0', "a").replace('1', "b");
        let tools: Vec<_> =
            (0..300).map(|at| serde_json::json!({ "name": format!("t{at}"), "description": text })).collect();
        let list = serde_json::Value::from(tools).to_string();
        catalog.register(&list, &RegisterOptions::default()).unwrap();
        let tools: Vec<(usize, &Tool)> = catalog.tools().iter().map(|tool| &**tool).enumerate().collect();
        for costly in ["a.{195}q", "a.{9}b.{100}q", "(ab|bb).{90}q"] {
            let error = search_within(300_000, costly, &tools).map(|_| ()).unwrap_err();
            assert_eq!(error.code(), ErrorCode::PatternInvalid);
            assert!(error.message().contains("more than 300000 steps"), "{}", error.message());
        }
        for usual in ["t1.*", "^a+$", "b|c", "a.{3}q", ".*q.*", "^.*(q|z).*$"] {
            assert!(search_within(300_000, usual, &tools).is_ok(), "{usual}");
        }
    }

    #[test]
    fn any_letters_that_are_short_enough_fit() {
        let longest = "x|".repeat(limits::PATTERN_CHARS / 2);
        assert!(compile(&longest, limits::PATTERN_STATES).is_ok());
        let error = compile(&"x".repeat(limits::PATTERN_CHARS + 1), limits::PATTERN_STATES).map(|_| ()).unwrap_err();
        assert!(error.message().contains("1001 characters; at most 1000"), "{}", error.message());
    }
}
