//! The answer with the schemas that stubs stood for; where nothing matches, the names of all tools.

use serde::Serialize;

use crate::discovery::context::{Context, Visible};
use crate::discovery::json_text::compact;
use crate::discovery::outcome::Facts;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Object, Value};
use crate::session::{Session, ToolState};

use super::described::Described;
use super::results::{Results, admit};

#[derive(Serialize)]
struct Restored<'a> {
    query: &'a str,
    tools: Vec<Described<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loaded: Option<Vec<&'a str>>,
    message: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    available_tools: Option<Vec<&'a str>>,
}

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Facts> {
    if context.catalog.positions_for(context.owner).is_empty() {
        return Err(Error::new(ErrorCode::NoRegistry, "no tools are registered, so there is nothing to search"));
    }
    if context.turn.visible == Visible::Missing {
        return Err(Error::new(ErrorCode::NoVisibleTools, "this turn has no list of visible tools"));
    }
    let query = arguments.get("query").and_then(Value::as_str).unwrap_or("").trim();
    admit(context, session)?;
    let results = Results::of(context, query, None)?;
    let revealed = results.reveal(context, session);
    let tools: Vec<Described<'_>> = results.tools.iter().map(|(tool, _)| Described::of(tool)).collect();
    let answer = if tools.is_empty() {
        let available_tools = Some(available(context, session));
        let message = "No tool matches. These are the names of all that there are.";
        Restored { query, tools, loaded: None, message, available_tools }
    } else {
        let loaded = Some(tools.iter().map(|tool| tool.name).collect());
        let message = "Loaded: from your next step on you can call these tools with their full parameters.";
        Restored { query, tools, loaded, message, available_tools: None }
    };
    Ok(Facts::answer(compact(&answer), revealed))
}

/// The names of all tools that are visible in this turn.
fn available<'a>(context: &Context<'a>, session: &Session) -> Vec<&'a str> {
    match &context.turn.visible {
        Visible::Names(names) => {
            // A name that the catalog does not have may be of a tool that only the host knows.
            let is_seen = |name: &&str| match context.named(name) {
                Some(tool) => context.state(tool, session) != ToolState::Hidden,
                None => context.settings.tool(name).is_none(),
            };
            names.iter().map(String::as_str).filter(is_seen).collect()
        }
        Visible::All | Visible::Missing => {
            context.all_seen(session).into_iter().map(|tool| &*tool.model_name).collect()
        }
    }
}
