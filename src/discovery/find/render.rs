//! The texts of an answer in plain words: how sure the ranker is, and a line for each tool.

use crate::catalog::Tool;
use crate::discovery::context::Context;
use crate::discovery::surface::{Action, Reveal};
use crate::markers::ITEM;
use crate::search::{Confidence, Found, Stage, Verdict};
use crate::text::{joined, short_list};

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
        text.push_str(&format!(" No tool knows: {}.", short_list(&joined(unknown, ", "))));
    }
    if *confidence == Confidence::None && !servers.is_empty() {
        text.push_str(&format!(" Closest servers: {}.", short_list(&joined(servers, ", "))));
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
    format!("{ITEM}{}{}\n", tool.model_name, tool.outline())
}
