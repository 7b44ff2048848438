//! Recognises our refusals of calls in the messages of a conversation by their first words. Nearly all refusals name
//! the called tool, so that a tool whose own answer begins like a refusal affects only itself.

use crate::error::excerpt;
use crate::markers::{
    CUT_OFF, DID_NOT_RUN, FULL, LOADED_NOW, NO_TOOL, NO_TOOL_ENDS, NOT_AN_OBJECT, NOT_IN_SESSION, NOT_JSON, NOT_LOADED,
    TOO_LONG,
};

use super::history::texts;

/// The meaning of a refusal for the called tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The call loaded it.
    LoadedNow,
    /// The tool is not loaded.
    Refused,
}

/// The words after the name of the tool.
const BEHIND_NAME: [&str; 4] = [
    NOT_LOADED,
    // These are written by the adapters of the npm package.
    " was not loaded when you called it, ",
    " was loaded in the same step, ",
    " cannot be called by its name, ",
];
/// The words after the name of the tool in quotes.
const BEHIND_QUOTES: [&str; 2] = [NOT_IN_SESSION, FULL];
/// The first words of refusals of arguments, which name no tool.
const OF_ARGUMENTS: [&str; 3] = [NOT_JSON, NOT_AN_OBJECT, CUT_OFF];
/// The prefix that SDKs write before the message of an error.
const BEFORE: &str = "Error: ";

/// Returns the refusal in an answer to a call, if every text of the answer is one. The tool may have several `names`:
/// the called name, and the name that the model sees in other formats.
pub(super) fn read(answer: &str, names: &[&str]) -> Option<Refusal> {
    let mut found = None;
    texts(answer, &mut |text| {
        found = names.iter().find_map(|name| of_text(text, name));
        found.is_some()
    });
    found
}

fn of_text(text: &str, name: &str) -> Option<Refusal> {
    let text = text.strip_prefix(BEFORE).unwrap_or(text);
    let behind = |name: &str| text.strip_prefix(name);
    if behind(name).is_some_and(|rest| rest.starts_with(LOADED_NOW)) {
        return Some(Refusal::LoadedNow);
    }
    let is_refused = |rest: &str| BEHIND_NAME.iter().any(|words| rest.starts_with(&format!("{words}{DID_NOT_RUN}")));
    let is_of_quoted = |quoted: &String| {
        behind(quoted).is_some_and(|rest| BEHIND_QUOTES.iter().any(|words| rest.starts_with(words)))
            || behind(NO_TOOL)
                .and_then(|rest| rest.strip_prefix(&**quoted))
                .is_some_and(|rest| NO_TOOL_ENDS.iter().any(|end| rest.starts_with(end)))
    };
    let is_too_long = |rest: &str| {
        let end = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        end.len() < rest.len() && end.starts_with(TOO_LONG[1])
    };
    let is_ours = behind(name).is_some_and(is_refused)
        || [excerpt(name), format!("{name:?}")].iter().any(is_of_quoted)
        || behind(TOO_LONG[0]).is_some_and(is_too_long)
        || OF_ARGUMENTS.iter().any(|beginning| text.starts_with(beginning));
    is_ours.then_some(Refusal::Refused)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_refusal_begins_as_ours_do() {
        for text in [
            "f is not loaded, so this call did not run. Load it first: add_tool({\"tool_names\": [\"f\"]}).",
            "f was loaded in the same step, so this call did not run. It is loaded now: call it again.",
            "\"f\" is not available in this session.",
            "There is no tool named \"f\". Did you mean g?? Find tools with search_tools.",
            "There is no tool named \"f\" now: this tool of the server \"a\" is away, or waits for approval. Did you mean g?",
            "\"f\" cannot be loaded: the session holds 1 tools, its limit; load it in your next step",
            "arguments are not JSON: expected a value at byte 0 in {\n",
            "arguments must be a JSON object, got [1]",
            "arguments take 5000000 bytes; at most 4194304",
            "The reply ended in the middle of this call (max_tokens), so this call did not run. Write less.",
        ] {
            for answer in [text.to_owned(), format!("Error: {text}"), format!("{text}\n Please fix your mistakes.")] {
                assert_eq!(read(&json!([&*answer]).to_string(), &["f"]), Some(Refusal::Refused), "{answer}");
            }
            assert_eq!(read(&json!([format!("Found: {text}")]).to_string(), &["f"]), None, "{text}");
            assert_eq!(read(&json!([text, "Done."]).to_string(), &["f"]), None, "{text}");
        }
        for other in [
            "g is not loaded, so this call did not run. It cannot be loaded here.",
            "The pool is not available in this session.",
            "\"g\" is not available in this session.",
            "There is no tool named \"g\".",
            "\"g\" cannot be loaded: the session holds 1 tools, its limit",
            "f is not loaded, so this call did not run yesterday.",
            "\"f\" is not available in this session of the course.",
            "There is no tool named \"f\" in PATH; 3 others were found.",
            "arguments take the form key=value in this shell",
            "arguments take 3 forms",
        ] {
            assert_eq!(read(&json!([other]).to_string(), &["f"]), None, "{other}");
        }
        let loaded = "f was not loaded, so this call did not run. It is loaded now; its parameters are {";
        assert_eq!(read(&json!([loaded]).to_string(), &["google", "f"]), Some(Refusal::LoadedNow));
        assert_eq!(read(&json!([&loaded[1..]]).to_string(), &["f"]), None);
        assert_eq!(read(&json!([]).to_string(), &["f"]), None);
    }
}
