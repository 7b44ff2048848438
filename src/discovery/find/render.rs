//! The texts of an answer in plain words: how sure the ranker is, and a line for each tool.

use crate::catalog::Tool;
use crate::discovery::context::Context;
use crate::discovery::surface::{Action, Reveal};
use crate::search::{Confidence, Found, Stage, Verdict};
use crate::text::{beginning, joined, one_line, short_sentence};

/// Parameters that a line names.
const PARAMETERS: usize = 8;

/// How sure the ranker is of the hits from a place on.
pub(super) fn verdict(found: &Found, from: usize) -> String {
    let Some(Verdict { confidence, unknown, servers, .. }) = &found.verdict else { return String::new() };
    let mut text = String::new();
    if found.hits.is_empty() {
        text.push_str("No tool matches.");
    } else if from >= found.hits.len() {
        return "These were all that match. Try other words.".to_owned();
    } else {
        match confidence {
            Confidence::High => {}
            Confidence::Low => text.push_str("It is not certain that any of these fits."),
            Confidence::None => text.push_str("No tool clearly fits; these came nearest."),
        }
    }
    // In a request in words, unknown words are often the values to call the tool with; in a list of names they are mistakes.
    if !unknown.is_empty() && (*confidence != Confidence::High || found.stage == Stage::Select) {
        text.push_str(&format!(" No tool knows: {}.", short(&joined(unknown, ", "))));
    }
    if *confidence == Confidence::None && !servers.is_empty() {
        text.push_str(&format!(" Closest servers: {}.", short(&joined(servers, ", "))));
    }
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.trim_start().to_owned()
}

/// How the model loads the tools that were only listed.
pub(super) fn way(context: &Context<'_>) -> String {
    match (context.settings.name_of(Action::Add), context.settings.reveal) {
        (Some(add), _) => format!("; load what you need with {add}"),
        (None, Reveal::OnSearch) => "; search for the name to load one".to_owned(),
        (None, _) => String::new(),
    }
}

/// A tool on a line: its name, its parameters (optional ones with a question mark), and what it does.
pub(super) fn line(tool: &Tool) -> String {
    let (names, required) = (tool.parameters.property_names(), tool.parameters.required_names());
    let parameter = |name: &String| format!("{name}{}", if required.contains(name) { "" } else { "?" });
    let mut parameters: Vec<String> = names.iter().take(PARAMETERS).map(parameter).collect();
    if names.len() > PARAMETERS {
        parameters.push("…".to_owned());
    }
    let sentence = one_line(&short_sentence(&tool.description));
    let sentence = if sentence.is_empty() { sentence } else { format!(": {sentence}") };
    format!("- {}({}){sentence}\n", tool.model_name, short(&joined(&parameters, ", ")))
}

/// A list on one line, cut at the length of a line.
fn short(list: &str) -> String {
    const BYTES: usize = 400;
    let shown = beginning(list, BYTES);
    one_line(shown) + if shown.len() < list.len() { "…" } else { "" }
}
