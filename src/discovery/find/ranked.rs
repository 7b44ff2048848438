//! What was loaded, what else there is in a line each, and how sure all of that is. The same search again goes on where
//! it stopped.

use std::rc::Rc;

use crate::catalog::Tool;
use crate::count::of_float;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Object, Value};
use crate::limits;
use crate::search::{Confidence, Found, Stage};
use crate::session::{Session, ToolState};
use crate::text::{beginning, joined};

use super::told::{line, verdict, way};
use super::worth::worth_loading;
use super::{Context, Outcome, found_for, reveal};

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Outcome> {
    let query = query(arguments)?;
    super::admit(context, session)?;
    let (read, asked) = (session.shown(&query), count(arguments));
    let most = read.saturating_add(context.settings.search.shown(Stage::Sift, asked));
    let (_, found) = found_for(context, session, &query, most)?;
    let from = read.min(found.hits.len());
    let page = context.settings.search.shown(found.stage, asked);
    let to = found.hits.len().min(from.saturating_add(page));
    session.show(&query, to);

    let tool = |position: usize| &context.catalog.tools()[position];
    let page: Vec<(&Rc<Tool>, f64)> = found.hits[from..to].iter().map(|hit| (tool(hit.index), hit.score)).collect();
    let is_held = |tool: &Rc<Tool>| context.state(tool, session) == ToolState::Deferred;
    let (held, known): (Vec<_>, Vec<_>) = page.into_iter().partition(|(tool, _)| is_held(tool));
    // What the model is told is loaded must not make room for what is loaded now.
    known.iter().for_each(|(tool, _)| session.touch(&tool.key));
    let loaded = reveal(context, session, worth(context, &found, &held).into_iter());
    let (new, rest): (Vec<_>, Vec<_>) = held.into_iter().partition(|(tool, _)| loaded.contains(&tool.model_name));

    let mut text = verdict(&found, from);
    for (heading, tools) in [
        ("Loaded. Call them from your next step on".to_owned(), new),
        ("Loaded before".to_owned(), known),
        (format!("Not loaded{}", way(context)), rest),
    ] {
        if !tools.is_empty() {
            let lines: String = tools.iter().map(|(tool, _)| line(tool)).collect();
            text.push_str(&format!("{heading}:\n{lines}\n"));
        }
    }
    let left = found.total - to;
    if left > 0 {
        text.push_str(&format!("{left} more match less well; the same search again goes on with them."));
    }
    Ok(Outcome::answer(text.trim().to_owned(), loaded))
}

/// What is loaded of the tools of a page that are held back, which come with their scores.
fn worth<'c>(
    context: &Context<'_>,
    found: &Found,
    held: &[(&'c Rc<Tool>, f64)],
) -> Vec<&'c Rc<Tool>> {
    // A useless reveal costs the whole conversation's cache, so that what is doubtful is only listed.
    if found.verdict.as_ref().is_some_and(|verdict| verdict.confidence != Confidence::High) {
        return Vec::new();
    }
    let best = found.hits.first().map_or(0.0, |hit| hit.score);
    // What fits a part of the query best is loaded for it, however much better another part is served.
    let leads = |tool: &Rc<Tool>| found.leaders.iter().any(|at| context.catalog.tools()[*at].key == tool.key);
    let (leading, others): (Vec<_>, Vec<_>) = held.iter().copied().partition(|(tool, _)| leads(tool));
    let leading = leading.into_iter().map(|(tool, _)| (tool, 1.0));
    let others = others.into_iter().map(|(tool, score)| (tool, score / best));
    worth_loading(leading.chain(others), context.settings.budget)
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
    Some(of_float(limit))
}
