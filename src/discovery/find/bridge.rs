//! Names, where they come from, and the beginning of what they do: enough to ask for more.

use serde::Serialize;

use crate::catalog::Tool;
use crate::count;
use crate::error::{Error, ErrorCode, Result};
use crate::json::Object;
use crate::session::Session;

use super::{Context, Finds, Outcome, compact};
use crate::discovery::loose;

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

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Outcome> {
    let query = loose::text(arguments.get("query"));
    if query.is_empty() {
        return Err(Error::new(ErrorCode::QueryRequired, "query is required: words that say what you need"));
    }
    super::admit(context, session)?;
    let asked = arguments.get("limit").and_then(loose::integer).map(|most| count::of_integer(most.max(1)));
    let finds = Finds::of(context, session, &query, asked)?;
    let revealed = finds.reveal(context, session);
    let matches = finds.tools.iter().map(|(tool, _)| line(tool)).collect();
    let answer = Matches { query: &query, total_available: finds.searched, matches };
    Ok(Outcome::answer(compact(&answer), revealed))
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
