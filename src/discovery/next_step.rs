//! Writes the next step for the model when a call cannot run: how to load a tool, how to find one, and which tool it
//! probably meant if the name is unknown.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::markers::{NO_TOOL, NOT_IN_SESSION};
use crate::search::Grammar;
use crate::text::{EditDistance, nearest, normalized, short_list};

use super::context::Context;
use super::surface::{Action, DiscoverySettings, OutOfScope};

/// The words before the name of the search tool.
pub(super) const FIND_TOOLS: &str = " Find tools with ";
/// The maximum number of names in a sentence.
const NAMES: usize = 5;
/// The minimum similarity of a server's name to the written one.
const SERVERS_ALIKE: f64 = 0.75;

/// Writes how the model can call a deferred tool.
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

/// Returns the tool with this name for the session's model, if the session may see it.
///
/// # Errors
/// `tool_unknown`, `tool_out_of_scope`.
pub(super) fn reachable<'c>(context: &Context<'c>, name: &str) -> Result<&'c Arc<Tool>> {
    match context.named(name) {
        Some(tool) if context.sees(tool) => Ok(tool),
        Some(_) if context.settings.out_of_scope == OutOfScope::Tell => {
            Err(Error::new(ErrorCode::ToolOutOfScope, format!("{}{NOT_IN_SESSION}", excerpt(name))))
        }
        _ => Err(unknown(context, name)),
    }
}

/// Returns the error for an unknown name, or for a tool that has left the catalog. It suggests only names that the
/// session may see.
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

/// Writes a sentence, after a blank, that names the tools that a name probably means; empty if no name is similar.
pub(super) fn did_you_mean(context: &Context<'_>, name: &str) -> String {
    let meant = context.meant(&context.names(), name);
    if meant.iter().any(|tool| *tool.model_name == *name) {
        return String::new();
    }
    let meant = if meant.is_empty() { misspelt(context, name).map(str::to_owned) } else { Some(one_of(&meant)) };
    meant.map(|meant| format!(" Did you mean {meant}?")).unwrap_or_default()
}

/// Writes the names of tools as alternatives on one line.
pub(super) fn one_of(tools: &[&Arc<Tool>]) -> String {
    if let [tool] = tools {
        return tool.model_name.to_string();
    }
    let names: Vec<&str> = tools.iter().take(NAMES).map(|tool| &*tool.model_name).collect();
    let more = tools.len() - names.len();
    let more = if more > 0 { format!(" or {more} more") } else { String::new() };
    short_list(&names.join(", ")) + &more
}

/// Returns the most similar name. A tool of another server than the written one, or than the one that had the name, is
/// not suggested.
fn misspelt<'c>(context: &Context<'c>, name: &str) -> Option<&'c str> {
    let tools = context.claimed(name).unwrap_or_else(|| of_server_like(context, name));
    let surface = context.settings.surface.iter().map(|tool| tool.definition.name);
    nearest(name, surface.chain(tools.iter().map(|tool| &*tool.model_name)))
}

/// Returns the tools of servers with a name like the one in front of a tool's name, or all tools if there is none in
/// front.
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

/// Returns the server in front of a tool's name, if it is clearly separated.
fn server_of(name: &str) -> Option<&str> {
    let name = name.strip_prefix("mcp__").unwrap_or(name);
    let end = name.find("__").or_else(|| name.find(['.', '/', ':']))?;
    Some(&name[..end])
}
