//! The answer in plain words: what was loaded, a line for every other hit, and how sure the ranker is. The same search again
//! shows the next page, until the catalog changes.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::count::of_float;
use crate::discovery::context::Context;
use crate::discovery::outcome::Facts;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Object, Value};
use crate::limits;
use crate::markers::{LOADED, LOADED_BEFORE};
use crate::search::{Hit, Query, Stage};
use crate::session::{Session, ToolState};
use crate::text::{beginning, joined};

use super::load_policy::{Page, to_load};
use super::render::{line, notes, verdict, way};
use super::results::{admit, found_for, reveal};

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Facts> {
    let query = query(arguments)?;
    admit(context, session)?;
    let (key, asked) = (context.search_key(&query), count(arguments));
    let read = session.shown(&key);
    let most = read.saturating_add(context.settings.search.shown(Stage::Sift, asked));
    let (_, found) = found_for(context, &query, most)?;
    let from = read.min(found.hits.len());
    let most = context.settings.search.shown(found.stage, asked);
    let to = found.hits.len().min(from.saturating_add(most));
    session.show(&key, to);

    let likelihood = |hit: &Hit| hit.likelihood.unwrap_or(0.0);
    let mut held: Vec<(&Arc<Tool>, &Hit)> = Vec::new();
    let mut likely = 0.0;
    let mut known: Vec<&Arc<Tool>> = Vec::new();
    for hit in &found.hits[from..to] {
        let tool = &context.catalog.tools()[hit.index];
        if context.state(tool, session) == ToolState::Deferred {
            held.push((tool, hit));
        } else {
            // A tool that this answer calls loaded must not be evicted for one that it loads now.
            session.touch(&tool.key);
            known.push(tool);
            likely += likelihood(hit);
        }
    }
    let language = Query::read(context.settings.search.grammar, &query);
    let passed = found.hits[..from].iter().map(likelihood).sum();
    let page = Page { held: &held, known: likely, passed };
    let load = to_load(&language, &found, context.catalog, &page, context.settings.budget);
    let loaded = reveal(context, session, &load);
    let (mut new, mut rest) = (Vec::new(), Vec::new());
    for (tool, _) in held {
        if loaded.contains(&tool.model_name) { &mut new } else { &mut rest }.push(tool);
    }

    let best = found.hits.first().filter(|_| from > 0).map(|hit| &context.catalog.tools()[hit.index]);
    let best = best.filter(|tool| context.state(tool, session) != ToolState::Deferred);
    let mut text = notes(&language, &found, best.map(|tool| &**tool));
    text.push_str(&verdict(context.catalog, &found, from));
    for (heading, tools) in
        [(LOADED.to_owned(), new), (LOADED_BEFORE.to_owned(), known), (format!("Not loaded{}:", way(context)), rest)]
    {
        if !tools.is_empty() {
            text.push_str(&heading);
            text.push('\n');
            tools.iter().for_each(|tool| text.push_str(&line(context, session, tool)));
            text.push('\n');
        }
    }
    let left = found.total - to;
    if left > 0 {
        text.push_str(&format!("{left} more match less well; the same search again goes on with them."));
    }
    Ok(Facts::answer(text.trim().to_owned(), loaded))
}

/// The query: one text, several, or both, each on its own line.
pub(super) fn query(arguments: &Object) -> Result<String> {
    let mut lines: Vec<&str> = Vec::new();
    for key in ["query", "queries"] {
        match arguments.get(key) {
            Some(Value::String(text)) => lines.push(text),
            Some(Value::Array(list)) => lines.extend(list.iter().filter_map(Value::as_str)),
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

/// The number of hits that the model asks for, where it is a number from 1.
fn count(arguments: &Object) -> Option<usize> {
    let limit = arguments.get("limit")?.as_f64().filter(|limit| *limit >= 1.0)?;
    Some(of_float(limit))
}
