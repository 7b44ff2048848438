//! Tells the model the next step when a call cannot run: how to load a tool, how to find one, and which tool it probably meant
//! by a name that is of no tool.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::markers::{NO_TOOL, NOT_IN_SESSION};
use crate::search::Grammar;
use crate::text::{EditDistance, nearest, normalized, short_list};

use super::context::Context;
use super::surface::{Action, DiscoverySettings, OutOfScope};

/// Before the name of the search.
pub(super) const FIND_TOOLS: &str = " Find tools with ";
/// Names that a sentence lists.
const NAMES: usize = 5;
/// A server whose name is less like the one that was written is not meant.
const SERVERS_ALIKE: f64 = 0.75;

/// How the model gets to a tool that is held back.
pub(super) fn way_to(settings: &DiscoverySettings, tool: &Tool) -> String {
    let name = &tool.model_name;
    if let Some(add) = settings.name_of(Action::Add) {
        return format!("Load it first: {add}({{\"tool_names\": [\"{name}\"]}}).");
    }
    if let Some(forward) = settings.caller_of(tool.declared_effect()) {
        return format!("Call it through {forward}: {forward}({{\"name\": \"{name}\", \"arguments\": {{...}}}}).");
    }
    let Some(search) = settings.search_name() else { return "It cannot be loaded here.".to_owned() };
    let select = if settings.search.grammar == Grammar::Commands { "select:" } else { "" };
    format!("Load it first: {search}({{\"query\": \"{select}{name}\"}}).")
}

/// The tool that the model knows by a name, if the session may see it.
///
/// # Errors
/// `tool_unknown`, `tool_out_of_scope`.
pub(super) fn reachable<'c>(context: &Context<'c>, name: &str) -> Result<&'c Arc<Tool>> {
    match context.named(name) {
        Some(tool) if context.sees(tool) => Ok(tool),
        Some(_) if context.settings.out_of_scope == OutOfScope::Tell => {
            Err(Error::new(ErrorCode::ToolOutOfScope, format!("{}{NOT_IN_SESSION}.", excerpt(name))))
        }
        _ => Err(unknown(context, name)),
    }
}

/// The error of a name that is of no tool, or of one that has left the catalog. It suggests only names that the session may see.
pub(super) fn unknown(context: &Context<'_>, name: &str) -> Error {
    let meant = did_you_mean(context, name);
    let search = context.settings.search_name().filter(|_| context.gate.is_active());
    let way = search.map(|search| format!("{FIND_TOOLS}{search}.")).unwrap_or_default();
    let absent = context.catalog.absent(context.session.owner(), name);
    let server = absent.filter(|key| context.session.scope().admits_absent(key)).and_then(|key| key.server);
    let reason = match server {
        Some(server) => format!(
            "{NO_TOOL}{} now: this tool of the server {} is away, or waits for approval.",
            excerpt(name),
            excerpt(&server)
        ),
        None => format!("{NO_TOOL}{}.", excerpt(name)),
    };
    Error::new(ErrorCode::ToolUnknown, format!("{reason}{meant}{way}"))
}

/// A sentence that names the tools that a name probably means, behind a blank; empty where none is near.
pub(super) fn did_you_mean(context: &Context<'_>, name: &str) -> String {
    let meant = context.meant(&context.names(), name);
    if meant.iter().any(|tool| *tool.model_name == *name) {
        return String::new();
    }
    let meant = if meant.is_empty() { misspelt(context, name).map(str::to_owned) } else { Some(one_of(&meant)) };
    meant.map(|meant| format!(" Did you mean {meant}?")).unwrap_or_default()
}

/// The names of some tools, as alternatives on one line.
pub(super) fn one_of(tools: &[&Arc<Tool>]) -> String {
    if let [tool] = tools {
        return tool.model_name.to_string();
    }
    let names: Vec<&str> = tools.iter().take(NAMES).map(|tool| &*tool.model_name).collect();
    let more = tools.len() - names.len();
    let more = if more > 0 { format!(" or {more} more") } else { String::new() };
    short_list(&names.join(", ")) + &more
}

/// The name most like a misspelt one. A tool of another server than the one that was written, or that has had the name, is
/// not meant.
fn misspelt<'c>(context: &Context<'c>, name: &str) -> Option<&'c str> {
    let tools = context.claimed(name).unwrap_or_else(|| of_server_like(context, name));
    let surface = context.settings.surface.iter().map(|tool| tool.definition.name);
    nearest(name, surface.chain(tools.iter().map(|tool| &*tool.model_name)))
}

/// The tools of servers that are called nearly as a name says; all tools where it says none.
fn of_server_like<'c>(context: &Context<'c>, name: &str) -> Vec<&'c Arc<Tool>> {
    let characters = |server: &str| normalized(server).chars().collect::<Vec<char>>();
    let written = server_of(name).map(characters).filter(|server| !server.is_empty());
    let mut distance = EditDistance::default();
    let mut tools = context.all_seen();
    tools.retain(|tool| match (&written, tool.server()) {
        (Some(written), Some(server)) => distance.similarity(written, &characters(server)) >= SERVERS_ALIKE,
        _ => true,
    });
    tools
}

/// The server that a name has in front, if it is written so that it can be nothing else.
fn server_of(name: &str) -> Option<&str> {
    let name = name.strip_prefix("mcp__").unwrap_or(name);
    let end = name.find("__").or_else(|| name.find(['.', '/', ':']))?;
    Some(&name[..end])
}
