//! The answers to a search. Each published system answers in a shape of its own ([`published`]), and our own profile in plain
//! words ([`ranked`]). [`query`] reads the arguments; [`search`] finds tools and reveals them.

mod intent;
mod load_policy;
mod published;
mod query;
mod ranked;
mod search;

use crate::error::Result;
use crate::json::Object;

use super::context::Context;
use super::outcome::Facts;
use super::surface::Answer;

/// The query of a call of a tool that searches, where it has one.
pub(super) fn searched_query(answer: Answer, arguments: &Object) -> Option<String> {
    query::read(answer, arguments).ok().filter(|query| !query.is_empty())
}

/// A call of a tool that searches.
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
        Answer::Ranked => ranked::call(context, &query, wanted),
    }
}
