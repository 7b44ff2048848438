//! What is there at all? Every name that a session may load, sorted.

use serde::Serialize;

use crate::session::Session;
use crate::sort::sorted;

use super::call::{Context, Outcome};
use super::find::{pretty, searchable};

#[derive(Serialize)]
struct Names<'a> {
    tools: Vec<&'a str>,
    total: usize,
}

pub(super) fn call(context: &Context<'_>, session: &Session) -> Outcome {
    let universe = searchable(context, session);
    let tools: Vec<&str> = universe.iter().map(|tool| &*tool.model_name).collect();
    let tools = sorted(tools, |a, b| a.cmp(b));
    Outcome::answer(pretty(&Names { total: tools.len(), tools }), Vec::new())
}
