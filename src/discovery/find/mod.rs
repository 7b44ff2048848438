//! Writes the answers to a search. Each published system answers in its own shape ([`published`]), and our own profile
//! in plain words ([`ranked`]). [`query`] reads the arguments; [`search`] finds tools and loads them.

mod ahead;
mod intent;
mod kinds;
mod load_policy;
mod look_ups;
mod published;
mod query;
mod ranked;
mod search;

use std::sync::Arc;

use crate::error::Result;
use crate::json::Object;
use crate::limits;
use crate::search::Query;

use super::context::Context;
use super::outcome::Facts;
use super::skill;
use super::surface::{Answer, Budget};

/// Returns the query of a call of a search tool, if it has one.
pub(super) fn searched_query(answer: Answer, arguments: &Object) -> Option<String> {
    query::read(answer, arguments).ok().filter(|query| !query.is_empty())
}

/// Answers a call of a search tool.
pub(super) fn call(answer: Answer, context: &mut Context<'_>, arguments: &Object) -> Result<Facts> {
    if answer == Answer::Restore {
        search::check_turn(context)?;
    }
    let query = query::read(answer, arguments)?;
    search::admit(context)?;
    let wanted = query::wanted(answer, arguments);
    match answer {
        Answer::Names => published::names(context, &query),
        Answer::Schemas => published::schemas(context, &query, wanted),
        Answer::Load => published::load(context, &query),
        Answer::Restore => published::restore(context, &query),
        Answer::Bridge => published::bridge(context, &query, wanted),
        Answer::Ranked | Answer::Callable => ranked::call(context, answer, &query, wanted),
    }
}

/// Loads the tools that fit a user's request, before the model is asked. Returns the names of those that were not
/// loaded before. It loads nothing while every tool is sent, for a request that is not a valid query, and for a request
/// of more than [`limits::QUERY_BYTES`], whose end would not be read.
pub fn prefetch(mut context: Context<'_>, request: &str, budget: Budget) -> Vec<Arc<str>> {
    let is_request = !request.trim().is_empty() && request.len() <= limits::QUERY_BYTES;
    if !is_request || !context.gate.is_active() {
        return Vec::new();
    }
    let Ok(found) = kinds::find(&context, request, budget.tools) else { return Vec::new() };
    let query = Query::read(context.settings.search.grammar, request);
    let tools = ahead::ahead(&query, &found.tools, context.catalog, budget);
    let skill = ahead::ahead(&query, &found.both, context.catalog, budget).into_iter().find(|tool| tool.key.is_skill);
    let mut names = skill::load_ahead(&mut context, skill);
    names.extend(search::reveal(&mut context, tools.into_iter()));
    names
}
