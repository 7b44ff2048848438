//! The answers to a search. Each published system answers in a shape of its own, and each shape is a file; what is searched
//! and what a search reveals is the same for all, and stands in [`results`].

mod bridge;
mod described;
mod intent;
mod load;
mod load_policy;
mod names;
mod ranked;
mod render;
mod restore;
mod results;
mod schemas;

use crate::error::Result;
use crate::json::Object;
use crate::session::Session;

use super::context::Context;
use super::outcome::Facts;
use super::surface::Answer;

/// The query of a call of a tool that searches, where it has one.
pub(super) fn query(arguments: &Object) -> Option<String> {
    ranked::query(arguments).ok()
}

/// A call of a tool that searches.
pub(super) fn call(answer: Answer, context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Facts> {
    match answer {
        Answer::Names => names::call(context, session, arguments),
        Answer::Schemas => schemas::call(context, session, arguments),
        Answer::Load => load::call(context, session, arguments),
        Answer::Restore => restore::call(context, session, arguments),
        Answer::Ranked => ranked::call(context, session, arguments),
        Answer::Bridge => bridge::call(context, session, arguments),
    }
}
