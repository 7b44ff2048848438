//! What is there at all? Every name that a session may load, sorted.

use serde::Serialize;

use crate::session::Session;

use super::call::{Context, Outcome};
use super::find::{pretty, searchable};

#[derive(Serialize)]
struct Answer<'a> {
    tools: Vec<&'a str>,
    total: usize,
}

pub(super) fn call(context: &Context<'_>, session: &Session) -> Outcome {
    let universe = searchable(context, session);
    let mut tools: Vec<&str> = universe.iter().map(|tool| &*tool.model_name).collect();
    tools.sort_unstable();
    Outcome::answer(pretty(&Answer { total: tools.len(), tools }))
}
