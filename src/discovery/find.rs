//! What does a search answer? Names and descriptions of what matched, and what to do with them.

use std::rc::Rc;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::catalog::Tool;
use crate::search::{SearchSettings, search};
use crate::session::{Session, ToolState};

use super::call::{Context, Outcome};
use super::surface::{Action, Reveal};

/// Where a search loads what it finds, it must not load the whole catalog because somebody searched for `.*`.
/// Five is what the published systems that load on search settled on.
const REVEALED_BY_SEARCH: usize = 5;

/// The answer; fields in alphabetical order, as in the published answers.
#[derive(Serialize)]
struct Answer<'a> {
    found: usize,
    message: String,
    tools: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    description: &'a str,
    name: &'a str,
}

/// The tools that a session may search: everything that could be held back from it.
pub(super) fn searchable<'c>(context: &Context<'c>, session: &Session) -> Vec<&'c Rc<Tool>> {
    let is_searchable = |tool: &&Rc<Tool>| match context.eligibility.state(tool, Some(session)) {
        ToolState::Pinned | ToolState::Revealed | ToolState::Deferred => true,
        ToolState::Eager | ToolState::Hidden => false,
    };
    context.catalog.tools().iter().filter(is_searchable).collect()
}

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Map<String, Value>) -> Outcome {
    let Some(query) = arguments.get("query").and_then(Value::as_str).filter(|query| !query.is_empty()) else {
        return Outcome::wrong("query is required: a non-empty string");
    };
    let universe = searchable(context, session);
    let tools: Vec<&Tool> = universe.iter().map(|tool| &***tool).collect();
    let bound = (context.settings.reveal == Reveal::OnSearch).then_some(REVEALED_BY_SEARCH);
    let settings = SearchSettings { limit: context.settings.search.limit.or(bound), ..context.settings.search };
    let found = match search(query, &tools, &settings) {
        Ok(found) => found,
        Err(error) => return Outcome::wrong(error.message()),
    };
    let hits: Vec<&Rc<Tool>> = found.hits.iter().map(|hit| universe[hit.index]).collect();
    let revealed = match context.settings.reveal {
        Reveal::OnAdd => Vec::new(),
        Reveal::OnSearch => reveal(context, session, &hits),
    };
    let answer = Answer {
        found: hits.len(),
        message: message(context, hits.len(), &revealed),
        tools: hits.iter().map(|tool| Line { description: &tool.description, name: &tool.model_name }).collect(),
    };
    Outcome::Result { content: pretty(&answer), is_error: false, revealed }
}

/// Reveals what was found as far as the session has room, and returns the names of what was not there before.
fn reveal(context: &Context<'_>, session: &mut Session, hits: &[&Rc<Tool>]) -> Vec<Rc<str>> {
    let mut names = Vec::new();
    for tool in hits {
        let is_new = context.eligibility.state(tool, Some(session)) == ToolState::Deferred;
        if is_new && session.reveal(&tool.key, context.settings.most_revealed).is_ok() {
            names.push(tool.model_name.clone());
        }
    }
    names
}

fn message(context: &Context<'_>, found: usize, revealed: &[Rc<str>]) -> String {
    if found == 0 {
        let all = context.settings.name_of(Action::ShowAll);
        let all = all.map(|name| format!(", or list every name with {name}")).unwrap_or_default();
        return format!("No tool matches. Try a single word or a shorter pattern{all}.");
    }
    match (context.settings.reveal, context.settings.name_of(Action::Add)) {
        (Reveal::OnSearch, _) if !revealed.is_empty() => {
            format!("Loaded now: {}. You can call them from your next step on.", revealed.join(", "))
        }
        (Reveal::OnSearch, _) => "These tools are loaded already.".to_owned(),
        (Reveal::OnAdd, Some(add)) => format!("Nothing is loaded yet. Load what you need with {add}."),
        (Reveal::OnAdd, None) => "These tools match.".to_owned(),
    }
}

/// JSON on several lines, for a reader.
pub(super) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
}
