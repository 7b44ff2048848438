//! What was loaded, what else there is in a line each, and how sure all of that is. The same search again goes on where
//! it stopped.

use std::rc::Rc;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Object, Value};
use crate::limits;
use crate::search::{Confidence, Explained, Found, Search, Stage, Verdict};
use crate::session::{Session, ToolState};
use crate::text::{beginning, joined, one_line, short_sentence};

use super::{Context, Outcome, Reveal, reveal, searchable};
use crate::discovery::surface::{Action, Budget};

/// Parameters that a line names.
const PARAMETERS: usize = 8;
/// Hits beside the best are loaded if they fit at least so well beside it.
const AS_GOOD: f64 = 0.6;

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Outcome> {
    let query = query(arguments)?;
    super::admit(context, session)?;
    let settings = &context.settings.search;
    let universe = searchable(context, session);
    let tools: Vec<&Tool> = universe.iter().map(|tool| &***tool).collect();
    let explained = Explained { first: 0, tool: None };
    let (index, texts) = (context.index, context.texts);
    let found = Search { settings, index, texts, tools: &tools, explained }.find(&query)?;
    let from = session.shown(&query).min(found.hits.len());
    let page = settings.shown(found.stage, count(arguments));
    let to = found.hits.len().min(from.saturating_add(page));
    session.show(&query, to);

    let hits: Vec<(&Rc<Tool>, f64)> = found.hits[from..to].iter().map(|hit| (universe[hit.index], hit.score)).collect();
    // A useless reveal costs the whole conversation's cache, so that what is doubtful is only listed.
    let is_sure = found.verdict.as_ref().is_none_or(|verdict| verdict.confidence == Confidence::High);
    let best = found.hits.first().map_or(0.0, |hit| hit.score);
    let is_held = |tool: &Rc<Tool>| context.state(tool, session) == ToolState::Deferred;
    // What fits a part of the query best is loaded for it, however much better another part is served.
    let leads = |tool: &Rc<Tool>| found.leaders.iter().any(|at| universe[*at].key == tool.key);
    let (leading, others): (Vec<(&Rc<Tool>, f64)>, Vec<_>) =
        hits.iter().copied().filter(|(tool, _)| is_held(tool)).partition(|(tool, _)| leads(tool));
    let leading = leading.into_iter().map(|(tool, _)| (tool, 1.0));
    let held = leading.chain(others.into_iter().map(|(tool, score)| (tool, score / best)));
    let worth = if is_sure { worth_loading(held, context.settings.budget) } else { Vec::new() };
    let known: Vec<bool> = hits.iter().map(|(tool, _)| !is_held(tool)).collect();
    let revealed = reveal(context, session, worth.into_iter());
    let is_new = |tool: &Rc<Tool>| revealed.contains(&tool.model_name);
    let lines = |wanted: &dyn Fn(&Rc<Tool>, bool) -> bool| -> String {
        let wanted = hits.iter().zip(&known).filter(|((tool, _), known)| wanted(tool, **known));
        wanted.map(|((tool, _), _)| line(tool)).collect()
    };
    let mut text = verdict(&found, from);
    for (heading, lines) in [
        ("Loaded. Call them from your next step on".to_owned(), lines(&|tool, _| is_new(tool))),
        ("Loaded before".to_owned(), lines(&|_, known| known)),
        (format!("Not loaded{}", way(context)), lines(&|tool, known| !known && !is_new(tool))),
    ] {
        if !lines.is_empty() {
            text.push_str(&format!("{heading}:\n{lines}\n"));
        }
    }
    let left = found.hits.len() - to;
    if left > 0 {
        text.push_str(&format!("{left} more match less well; the same search again goes on with them."));
    }
    Ok(Outcome::answer(text.trim().to_owned(), revealed))
}

/// What is asked for: one text, several, or both, each on its own line.
fn query(arguments: &Object) -> Result<String> {
    let mut lines: Vec<&str> = Vec::new();
    for key in ["query", "queries"] {
        match arguments.get(key) {
            Some(Value::Text(text)) => lines.push(text),
            Some(Value::List(list)) => lines.extend(list.iter().filter_map(Value::as_text)),
            _ => {}
        }
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let text = joined(&lines, "\n");
    if text.is_empty() {
        let message = "query is required: words that say what you need, or queries: a list of such texts";
        return Err(Error::new(ErrorCode::QueryRequired, message));
    }
    Ok(beginning(&text, limits::QUERY_BYTES).to_owned())
}

/// How many hits are wanted, where that is said and can be had.
fn count(arguments: &Object) -> Option<usize> {
    let limit = arguments.get("limit")?.as_number()?.as_f64().filter(|limit| *limit >= 1.0)?;
    Some(limit as usize)
}

/// What is loaded of tools that come with how well they fit beside the best: those that fit about as well, as far as
/// the budget goes; what is too large for what is left of it is passed over. The best is loaded whatever it takes.
fn worth_loading<'h>(held: impl Iterator<Item = (&'h Rc<Tool>, f64)>, budget: Budget) -> Vec<&'h Rc<Tool>> {
    let mut left = budget;
    let mut worth = Vec::new();
    for (tool, share) in held.filter(|(_, share)| *share >= AS_GOOD) {
        let texts = [&*tool.model_name, &*tool.description, tool.parameters.as_str()];
        let tokens = texts.iter().map(|text| text.chars().count()).sum::<usize>().div_ceil(4);
        let is_best = worth.is_empty() && share >= 1.0;
        if left.tools > 0 && (is_best || tokens <= left.tokens) {
            worth.push(tool);
            left = Budget { tools: left.tools - 1, tokens: left.tokens.saturating_sub(tokens) };
        }
    }
    worth
}

/// What the ranker thinks of it all.
fn verdict(found: &Found, from: usize) -> String {
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
    // Words that the catalog does not know are often what a request is filled in with; names are not.
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

/// How the rest is loaded.
fn way(context: &Context<'_>) -> String {
    match (context.settings.name_of(Action::Add), context.settings.reveal) {
        (Some(add), _) => format!("; load what you need with {add}"),
        (None, Reveal::OnSearch) => "; search for the name to load one".to_owned(),
        (None, _) => String::new(),
    }
}

/// A tool in a line: its name, what it takes (what may be left out with a question mark), and what it does.
fn line(tool: &Tool) -> String {
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

/// A list on one line, as far as a line goes.
fn short(list: &str) -> String {
    const BYTES: usize = 400;
    let shown = beginning(list, BYTES);
    one_line(shown) + if shown.len() < list.len() { "…" } else { "" }
}
