//! The answer of the bridge: names, their sources, and the beginnings of their descriptions.

use serde::Serialize;

use crate::catalog::Tool;
use crate::count;
use crate::discovery::context::Context;
use crate::discovery::json_text::compact;
use crate::discovery::loose;
use crate::discovery::outcome::Facts;
use crate::error::{Error, ErrorCode, Result};
use crate::json::Object;
use crate::session::Session;

use super::results::{Results, admit};

/// Characters of a description that an answer shows.
const DESCRIPTION_CHARS: usize = 400;

#[derive(Serialize)]
struct Matches<'a> {
    query: &'a str,
    total_available: usize,
    matches: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    source: &'static str,
    source_name: String,
    description: String,
}

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Facts> {
    let query = loose::text(arguments.get("query"));
    if query.is_empty() {
        return Err(Error::new(ErrorCode::QueryRequired, "query is required: words that say what you need"));
    }
    admit(context, session)?;
    let asked = arguments.get("limit").and_then(loose::integer).map(|most| count::of_integer(most.max(1)));
    let results = Results::of(context, &query, asked)?;
    let revealed = results.reveal(context, session);
    let matches = results.tools.iter().map(|(tool, _)| line(tool)).collect();
    let answer = Matches { query: &query, total_available: results.searched, matches };
    Ok(Facts::answer(compact(&answer), revealed))
}

/// Tools of a server come from MCP, others from a plugin, which is named by their category.
fn line(tool: &Tool) -> Line<'_> {
    let (source, source_name) = match (tool.server(), tool.category()) {
        (Some(server), _) => ("mcp", format!("mcp-{server}")),
        (None, Some(category)) => ("plugin", category.to_owned()),
        (None, None) => ("plugin", "plugin".to_owned()),
    };
    let description = tool.description.chars().take(DESCRIPTION_CHARS).collect();
    Line { name: &tool.model_name, source, source_name, description }
}
