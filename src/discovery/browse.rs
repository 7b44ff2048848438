//! Browsing: the servers with their numbers of tools, and the names of one server's tools.

use crate::catalog::{NO_SERVER, Tool, by_server};
use crate::json::{Object, Value};
use crate::text::{joined, nearest, one_line};

use super::context::Context;
use super::outcome::Facts;

/// Names that one answer lists.
const NAMES: usize = 200;

pub(super) fn call(context: &Context<'_>, arguments: &Object) -> Facts {
    let server = arguments.get("server").and_then(Value::as_str).map(str::trim).filter(|server| !server.is_empty());
    let servers = by_server(context.searchable().map(|tool| &**tool)).into_iter();
    let servers: Vec<(&str, Vec<&Tool>)> =
        servers.map(|(server, tools)| (server.unwrap_or(NO_SERVER), tools)).collect();
    let text = match server {
        None if context.corpus.len() <= NAMES => servers.iter().map(|(name, tools)| names(name, tools)).collect(),
        None => {
            let line = |(name, tools): &(&str, Vec<_>)| format!("{} ({})\n", one_line(name), tools.len());
            let lines: String = servers.iter().take(NAMES).map(line).collect();
            let more = servers.len().saturating_sub(NAMES);
            let more = if more > 0 { format!("and {more} more servers\n") } else { String::new() };
            format!("{lines}{more}For the names of one server's tools, pass it as server.")
        }
        Some(server) => match of_name(&servers, server) {
            Some((name, tools)) => names(name, tools),
            None => {
                let meant = nearest(server, servers.iter().map(|(name, _)| *name));
                let meant = meant.map(|name| format!(" Did you mean {}?", one_line(name))).unwrap_or_default();
                format!("There is no such server.{meant}")
            }
        },
    };
    let text = if text.is_empty() { "There are no tools to load." } else { text.trim_end() };
    Facts::answer(text.to_owned(), Vec::new())
}

/// The entry of a server: the one of exactly this name, or else the first whose name differs in case only.
fn of_name<'s, T>(servers: &'s [(&str, T)], wanted: &str) -> Option<&'s (&'s str, T)> {
    let exact = servers.iter().find(|(name, _)| *name == wanted);
    exact.or_else(|| servers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)))
}

fn names(server: &str, tools: &[&Tool]) -> String {
    let shown: Vec<&str> = tools.iter().take(NAMES).map(|tool| &*tool.model_name).collect();
    let more = tools.len() - shown.len();
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("{} ({}): {}{more}\n", one_line(server), tools.len(), joined(&shown, ", "))
}
