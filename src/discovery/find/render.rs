//! The texts of an answer in plain words: how sure the ranker is, and a line for each tool.

use crate::catalog::{Catalog, NO_SERVER, Tool, safe_alias};
use crate::discovery::context::Context;
use crate::discovery::surface::{Action, Reveal};
use crate::markers::ITEM;
use crate::search::{Confidence, Found, Query, Stage, Verdict, pattern_fault};
use crate::session::{Session, ToolState};
use crate::text::{joined, one_line, short_list};

/// How sure the ranker is of the hits from a place on.
pub(super) fn verdict(catalog: &Catalog, found: &Found, from: usize) -> String {
    let Some(Verdict { confidence, unknown, closest, .. }) = &found.verdict else { return String::new() };
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
    if *confidence == Confidence::None && !closest.is_empty() {
        let servers: Vec<&str> = closest.iter().filter_map(|tool| catalog.tools()[*tool].server()).collect();
        text.push_str(&format!(" Closest servers: {}.", short_list(&joined(&servers, ", "))));
    }
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.trim_start().to_owned()
}

/// What comes before the verdict: why a pattern was searched as words, and that the best hit, which an earlier page showed, is
/// loaded.
pub(super) fn notes(query: &Query<'_>, found: &Found, loaded: Option<&Tool>) -> String {
    let mut text = String::new();
    if let (Query::Pattern(pattern), true) = (query, found.stage != Stage::Pattern) {
        let fault = pattern_fault(pattern);
        text.push_str("Searched as words: ");
        text.push_str(fault.as_ref().map_or("no tool matches", |fault| fault.message()));
        text.push_str(".\n");
    }
    if let Some(best) = loaded {
        text.push_str(&best.model_name);
        text.push_str(" is loaded already.\n");
    }
    text
}

/// How the model loads the tools that were only listed.
pub(super) fn way(context: &Context<'_>) -> String {
    match (context.settings.name_of(Action::Add), context.settings.reveal) {
        (Some(add), _) => format!("; load what you need with {add}"),
        (None, Reveal::OnSearch) => "; search for the name to load one".to_owned(),
        (None, _) => String::new(),
    }
}

/// A tool on a line: its name, its parameters (optional ones with a question mark), and what it does. Where another server
/// has a tool of that name too, the line ends in the server.
pub(super) fn line(context: &Context<'_>, session: &Session, tool: &Tool) -> String {
    let server = if is_ambiguous(context, session, tool) {
        format!(" (server: {})", one_line(tool.server().unwrap_or(NO_SERVER)))
    } else {
        String::new()
    };
    [ITEM, &tool.model_name, tool.outline(), &server, "\n"].concat()
}

/// Whether a name leaves open which server's tool it is: it has no server in front, and the session may see another server's
/// tool that was registered under the same name.
fn is_ambiguous(context: &Context<'_>, session: &Session, tool: &Tool) -> bool {
    let is_seen = |other: &Tool| context.state(other, session) != ToolState::Hidden;
    context.catalog.has_namesake(session.owner(), tool, is_seen)
        && !tool.server().is_some_and(|server| tool.model_name.starts_with(&safe_alias(server)))
}
