//! Listing: every name that a session may load, sorted.

use serde::Serialize;

use crate::session::Session;
use crate::sort::sorted;

use super::context::Context;
use super::json_text::pretty;
use super::outcome::Facts;

#[derive(Serialize)]
struct Names<'a> {
    tools: Vec<&'a str>,
    total: usize,
}

pub(super) fn call(context: &Context<'_>, session: &Session) -> Facts {
    let tools = context.searchable(session);
    let tools: Vec<&str> = tools.iter().map(|tool| &*tool.model_name).collect();
    let tools = sorted(tools, |a, b| a.cmp(b));
    Facts::answer(pretty(&Names { total: tools.len(), tools }), Vec::new())
}
