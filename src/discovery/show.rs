//! Listing: every name that a session may load, sorted.

use serde::Serialize;

use super::context::Context;
use super::json_text::pretty;
use super::outcome::Facts;

#[derive(Serialize)]
struct Names<'a> {
    tools: Vec<&'a str>,
    total: usize,
}

pub(super) fn call(context: &Context<'_>) -> Facts {
    let mut tools: Vec<&str> = context.searchable().map(|tool| &*tool.model_name).collect();
    tools.sort_unstable();
    Facts::answer(pretty(&Names { total: tools.len(), tools }), Vec::new())
}
