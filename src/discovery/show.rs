//! Listing: every name that a session may load, sorted.

use serde::Serialize;

use crate::sort::sorted;

use super::context::Context;
use super::json_text::pretty;
use super::outcome::Facts;

#[derive(Serialize)]
struct Names<'a> {
    tools: Vec<&'a str>,
    total: usize,
}

pub(super) fn call(context: &Context<'_>) -> Facts {
    let tools: Vec<&str> = context.searchable().map(|tool| &*tool.model_name).collect();
    let tools = sorted(tools, |a, b| a.cmp(b));
    Facts::answer(pretty(&Names { total: tools.len(), tools }), Vec::new())
}
