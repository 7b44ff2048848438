//! Tells the model which tool it probably meant by a name that is of no tool.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::markers::DID_YOU_MEAN;
use crate::session::Session;
use crate::text::{EditDistance, joined, nearest, normalized, short_list};

use super::context::Context;

/// Names that a sentence lists.
const NAMES: usize = 5;
/// Servers whose names are less alike are different ones.
const SERVERS_ALIKE: f64 = 0.75;

/// A sentence that names the tools that a name probably means, behind a blank; empty where none is near.
pub(super) fn did_you_mean(context: &Context<'_>, session: &Session, name: &str) -> String {
    let meant = context.meant(&context.names(), name, session);
    if meant.iter().any(|tool| *tool.model_name == *name) {
        return String::new();
    }
    if meant.is_empty() {
        return misspelt(context, session, name).map(|name| format!("{DID_YOU_MEAN}{name}?")).unwrap_or_default();
    }
    format!("{DID_YOU_MEAN}{}?", one_of(&meant))
}

/// The names of some tools, as alternatives on one line.
pub(super) fn one_of(tools: &[&Arc<Tool>]) -> String {
    if let [tool] = tools {
        return tool.model_name.to_string();
    }
    let names: Vec<&str> = tools.iter().take(NAMES).map(|tool| &*tool.model_name).collect();
    let more = tools.len() - names.len();
    let more = if more > 0 { format!(" or {more} more") } else { String::new() };
    short_list(&joined(&names, ", ")) + &more
}

/// The name most like a misspelt one. A tool of another server than the one that was written is not meant.
fn misspelt<'c>(context: &Context<'c>, session: &Session, name: &str) -> Option<&'c str> {
    let surface = context.settings.surface.iter().map(|tool| tool.definition.name);
    let mut written = server_of(name).map(|server| normalized(server).chars().collect::<Vec<char>>());
    written = written.filter(|server| !server.is_empty());
    let mut distance = EditDistance::default();
    let mut is_of_server = |tool: &Tool| {
        let (Some(written), Some(server)) = (&written, tool.server()) else { return true };
        let server: Vec<char> = normalized(server).chars().collect();
        distance.similarity(written, &server) >= SERVERS_ALIKE
    };
    let mut seen = context.all_seen(session);
    seen.retain(|tool| is_of_server(tool));
    nearest(name, surface.chain(seen.iter().map(|tool| &*tool.model_name)))
}

/// The server that a name has in front, if it is written so that it can be nothing else.
fn server_of(name: &str) -> Option<&str> {
    let name = name.strip_prefix("mcp__").unwrap_or(name);
    let end = name.find("__").or_else(|| name.find(['.', '/', ':']))?;
    Some(&name[..end])
}
