//! The answer with names and descriptions of what matched, and what to do with them.

use std::sync::Arc;

use serde::Serialize;

use crate::discovery::context::Context;
use crate::discovery::json_text::pretty;
use crate::discovery::outcome::Facts;
use crate::discovery::surface::{Action, Reveal};
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Object, Value};
use crate::session::Session;
use crate::text::joined;

use super::results::{Results, admit};

/// The answer; fields in alphabetical order, as in the published answers.
#[derive(Serialize)]
struct Found<'a> {
    found: usize,
    message: String,
    tools: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    description: &'a str,
    name: &'a str,
}

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Facts> {
    let query = arguments.get("query").and_then(Value::as_str).filter(|query| !query.is_empty());
    let query = query.ok_or_else(|| Error::new(ErrorCode::QueryRequired, "query is required: a non-empty string"))?;
    admit(context, session)?;
    let results = Results::of(context, query, None)?;
    let revealed = results.reveal(context, session);
    let lines = results.tools.iter().map(|(tool, _)| Line { description: &tool.description, name: &tool.model_name });
    let tools: Vec<Line<'_>> = lines.collect();
    let answer = Found { found: tools.len(), message: message(context, tools.len(), &revealed), tools };
    Ok(Facts::answer(pretty(&answer), revealed))
}

fn message(context: &Context<'_>, found: usize, revealed: &[Arc<str>]) -> String {
    if found == 0 {
        let all = context.settings.name_of(Action::ShowAll);
        let all = all.map(|name| format!(", or list every name with {name}")).unwrap_or_default();
        return format!("No tool matches. Try a single word or a shorter pattern{all}.");
    }
    match (context.settings.reveal, context.settings.name_of(Action::Add)) {
        (Reveal::OnSearch, _) if !revealed.is_empty() => {
            format!("Loaded now: {}. You can call them from your next step on.", joined(revealed, ", "))
        }
        (Reveal::OnSearch, _) => "These tools are loaded already.".to_owned(),
        (_, Some(add)) => format!("Nothing is loaded yet. Load what you need with {add}."),
        (_, None) => "These tools match.".to_owned(),
    }
}
