//! Recognises our refusals of calls in the messages of a conversation. A text is a refusal only if the whole of it has a form
//! that toolsift writes, about the tool that was called. A tool's own words are no refusal, whatever they quote.

use crate::error::excerpt;
use crate::markers::{
    CALL_THROUGH, CUT_OFF, DID_NOT_RUN, DID_YOU_MEAN, FIND_TOOLS, FULL, IS_AWAY, ITS_PARAMETERS, LOAD_FIRST,
    LOADED_NOW, NEVER_LOADED, NEXT_STEP, NO_TOOL, NOT_AN_OBJECT, NOT_IN_SESSION, NOT_JSON, NOT_LOADED, NOW_OF_SERVER,
    STOP, TOO_LONG,
};

use super::history::texts;

/// What a refusal says of the called tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The call loaded it.
    LoadedNow,
    /// Nothing.
    Refused,
}

/// A part of a form.
#[derive(Clone, Copy, Debug)]
enum Piece {
    /// These words.
    Words(&'static str),
    /// The name of the called tool.
    Name,
    /// The name of the called tool in quotes.
    Quoted,
    /// Digits.
    Number,
    /// Anything within one line.
    Line,
    /// What [`excerpt_json`](crate::error::excerpt_json) leaves of a text, up to the end.
    Excerpt,
    /// Anything, up to the end: hosts cut long texts.
    Rest,
    /// These pieces, or nothing.
    Maybe(&'static [Piece]),
}

use Piece::{Excerpt, Line, Maybe, Name, Number, Quoted, Rest, Words};

/// The refusal that loads the tool. A schema is an object.
const LOADS: &[Piece] = &[Name, Words(LOADED_NOW), Words(ITS_PARAMETERS), Words("{"), Rest];

/// All other refusals.
const FORMS: &[&[Piece]] = &[
    &[Name, Words(NOT_LOADED), Words(DID_NOT_RUN), Words(". "), Words(LOAD_FIRST), Line, Words("}).")],
    &[Name, Words(NOT_LOADED), Words(DID_NOT_RUN), Words(". "), Words(CALL_THROUGH), Line, Words("}).")],
    &[Name, Words(NOT_LOADED), Words(DID_NOT_RUN), Words(". "), Words(NEVER_LOADED)],
    &[Quoted, Words(NOT_IN_SESSION), Words(".")],
    &[
        Words(NO_TOOL),
        Quoted,
        Words("."),
        Maybe(&[Words(DID_YOU_MEAN), Line, Words("?")]),
        Maybe(&[Words(FIND_TOOLS), Line, Words(".")]),
    ],
    &[
        Words(NO_TOOL),
        Quoted,
        Words(NOW_OF_SERVER),
        Line,
        Words(IS_AWAY),
        Maybe(&[Words(DID_YOU_MEAN), Line, Words("?")]),
        Maybe(&[Words(FIND_TOOLS), Line, Words(".")]),
    ],
    &[Quoted, Words(FULL), Number, Words(" tools, its limit"), MAYBE_LATER],
    &[Quoted, Words(FULL), Words("at most "), Number, Words(" tools of "), Number, Words(TOKENS), Number, MAYBE_LATER],
    &[Words(NOT_JSON), Line, Words(" at byte "), Number, Words(" in "), Excerpt],
    &[Words(NOT_AN_OBJECT), Excerpt],
    &[Words(TOO_LONG), Number, Words(" bytes; at most "), Number],
    // What the package's adapters write.
    &[Words(NOT_JSON), Line],
    &[Name, Words(" was not loaded when you called it, "), Words(DID_NOT_RUN), Words(". "), Words(AGAIN)],
    &[Name, Words(" was loaded in the same step, "), Words(DID_NOT_RUN), Words(". "), Words(AGAIN)],
    &[Name, Words(" cannot be called by its name, "), Words(DID_NOT_RUN), Words(". "), Words(BY_WAY)],
    &[Words(CUT_OFF), Line, Words("), "), Words(DID_NOT_RUN), Words("."), Line],
];

const MAYBE_LATER: Piece = Maybe(&[Words(NEXT_STEP)]);
const TOKENS: &str = " tokens, and this one has ";
const AGAIN: &str = "It is loaded now: call it again.";
const BY_WAY: &str = "Call it by way of the tools that you have.";

/// What SDKs write before and behind the message of an error.
const BEFORE: &str = "Error: ";
const BEHIND: &str = "\n Please fix your mistakes.";

/// Bytes of a line at most: longer than any that is written for a name of the largest length.
const LINE_BYTES: usize = 4_096;
/// See [`excerpt_json`](crate::error::excerpt_json).
const EXCERPT_CHARS: usize = 81;

/// What an answer to a call says, if it is a refusal: each text of it is one. The tool may have several `names`: the one that was
/// called, and the one that the model sees in other formats.
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
    let text = text.strip_suffix(BEHIND).unwrap_or(text);
    if fits(text, LOADS, name) {
        return Some(Refusal::LoadedNow);
    }
    let is_one = |text: &str| FORMS.iter().any(|form| fits(text, form, name));
    // The advice follows a full stop. Where the refusal ends without one, the advice comes with it.
    let advised = text.strip_suffix(STOP).and_then(|text| text.strip_suffix(' '));
    let whole = advised.unwrap_or(text);
    let is_refused = is_one(whole) || (advised.is_some() && whole.strip_suffix('.').is_some_and(is_one));
    is_refused.then_some(Refusal::Refused)
}

/// Whether the whole of a text is in a form.
fn fits(text: &str, form: &[Piece], name: &str) -> bool {
    let Some((piece, behind)) = form.split_first() else { return text.is_empty() };
    let after = |before: &str| text.strip_prefix(before).is_some_and(|rest| fits(rest, behind, name));
    match piece {
        Words(words) => after(words),
        Name => after(name),
        Quoted => after(&excerpt(name)) || after(&format!("{name:?}")),
        Number => {
            let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
            rest.len() < text.len() && fits(rest, behind, name)
        }
        Line => {
            let line = text.split('\n').next().unwrap_or_default();
            let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            ends.take_while(|end| *end <= LINE_BYTES).any(|end| fits(&text[end..], behind, name))
        }
        Excerpt => text.chars().count() <= EXCERPT_CHARS,
        Rest => true,
        Maybe(pieces) => fits(text, behind, name) || fits(text, &[pieces, behind].concat(), name),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_refusal_is_the_whole_answer() {
        for text in [
            "f is not loaded, so this call did not run. Load it first: add_tool({\"tool_names\": [\"f\"]}).",
            "\"f\" is not available in this session.",
            "There is no tool named \"f\".",
            "There is no tool named \"f\". Did you mean g?? Find tools with search_tools.",
            "There is no tool named \"f\" now: this tool of the server \"a\" is away, or waits for approval. Did you mean g?",
            "\"f\" cannot be loaded: the session holds 1 tools, its limit; load it in your next step",
            "\"f\" cannot be loaded: the session holds at most 3 tools of 9 tokens, and this one has 20",
            "arguments are not JSON: expected a value at byte 0 in {\n",
            "arguments must be a JSON object, got [1]",
            "arguments take 5000000 bytes; at most 4194304",
            "The reply ended in the middle of this call (max_tokens), so this call did not run. Write less.",
        ] {
            let full_stop = if text.ends_with('.') { "" } else { "." };
            for answer in [
                text.to_owned(),
                format!("Error: {text}"),
                format!("{text}{full_stop} {STOP}"),
                format!("Error: {text}{BEHIND}"),
            ] {
                assert_eq!(read(&json!([&*answer]).to_string(), &["f"]), Some(Refusal::Refused), "{answer}");
            }
            // What is quoted of arguments may have lines, and is short.
            let more = "That is all of what was found in the log of the agent. ".repeat(2);
            for own in [format!("Found: {text}"), format!("{text}\n{more}")] {
                assert_eq!(read(&json!([&*own]).to_string(), &["f"]), None, "{own}");
            }
            assert_eq!(read(&json!([text, "Done."]).to_string(), &["f"]), None, "{text}");
        }
        for other in [
            "g is not loaded, so this call did not run. It cannot be loaded here.",
            "The pool is not available in this session.",
            "\"g\" is not available in this session.",
            "There is no tool named \"g\".",
            "\"g\" cannot be loaded: the session holds 1 tools, its limit",
        ] {
            assert_eq!(read(&json!([other]).to_string(), &["f"]), None, "{other}");
        }
        let loaded = "f was not loaded, so this call did not run. It is loaded now; its parameters are {";
        assert_eq!(read(&json!([loaded]).to_string(), &["google", "f"]), Some(Refusal::LoadedNow));
        assert_eq!(read(&json!([&loaded[1..]]).to_string(), &["f"]), None);
        assert_eq!(read(&json!([]).to_string(), &["f"]), None);
    }
}
