//! The answer that says what was loaded: here a search loads what it finds, and nothing more is needed.

use std::sync::Arc;

use serde::Serialize;

use crate::catalog::Tool;
use crate::discovery::context::Context;
use crate::discovery::json_text::compact;
use crate::discovery::meant::did_you_mean;
use crate::discovery::outcome::Facts;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Object, Value};
use crate::map::Set;
use crate::search::Query;
use crate::session::{Session, ToolState};
use crate::text::joined;

use super::results::{Results, admit, reveal};

#[derive(Serialize)]
struct Loaded<'a> {
    matches: Vec<Line<'a>>,
    loaded: Vec<&'a str>,
    message: String,
}

#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    description: &'a str,
}

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Facts> {
    let query = arguments.get("query").and_then(Value::as_str).map(str::trim).filter(|query| !query.is_empty());
    let query =
        query.ok_or_else(|| Error::new(ErrorCode::QueryRequired, "query is required: words, or select:<name>"))?;
    admit(context, session)?;
    let mut left_out: Vec<&Arc<Tool>> = Vec::new();
    let mut meant = String::new();
    let (tools, revealed) = match Query::read(context.settings.search.grammar, query) {
        Query::Select(names) => {
            let mut tools: Vec<_> = names.iter().filter_map(|name| context.seen(name, session)).collect();
            let mut keys = Set::default();
            tools.retain(|tool| keys.insert(tool.key.clone()));
            if let (true, [name]) = (tools.is_empty(), &*names) {
                meant = did_you_mean(context, session, name);
            }
            left_out = tools.split_off(tools.len().min(context.settings.search.most_hits));
            let revealed = reveal(context, session, &tools);
            (tools, revealed)
        }
        _ => {
            let results = Results::of(context, query, None)?;
            let revealed = results.reveal(context, session);
            (results.tools.into_iter().map(|(tool, _)| tool).collect(), revealed)
        }
    };
    let is_loaded = |tool: &&&Arc<Tool>| context.state(tool, session) == ToolState::Revealed;
    let loaded: Vec<&str> = tools.iter().filter(is_loaded).map(|tool| &*tool.model_name).collect();
    let mut message = match (tools.is_empty(), loaded.is_empty()) {
        (true, _) => format!("No tool matches. Try other words, or fewer of them.{meant}"),
        (false, true) => "These tools need no loading: call them.".to_owned(),
        (false, false) => {
            "Loaded: call them directly, with the parameters that you see from your next step on.".to_owned()
        }
    };
    if !left_out.is_empty() {
        let names: Vec<&str> = left_out.iter().map(|tool| &*tool.model_name).collect();
        message.push_str(&format!(
            " Not loaded, since {} at once is the limit: {}.",
            tools.len(),
            joined(&names, ", ")
        ));
    }
    let matches = tools.iter().map(|tool| Line { name: &tool.model_name, description: &tool.description }).collect();
    Ok(Facts::answer(compact(&Loaded { matches, loaded, message }), revealed))
}
