//! Lists the tools that a session may load: every name, or the servers with their numbers of tools and the names of
//! their tools.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::json;

use super::context::Context;
use super::described::indented;
use super::outcome::Facts;
use crate::catalog::{self, Tool};
use crate::json::{Object, Value};
use crate::text::{nearest, one_line};

/// The maximum number of names, or of servers, in one answer.
const NAMES: usize = 200;

/// Lists every name, sorted.
pub(super) fn show_all(context: &Context<'_>) -> Facts {
    let mut found: Vec<&Arc<Tool>> = context.searchable().collect();
    found.sort_unstable_by_key(|tool| &tool.model_name);
    let tools: Vec<&str> = found.iter().map(|tool| &*tool.model_name).collect();
    Facts::answer(indented(&json!({ "tools": tools, "total": tools.len() })), Vec::new(), found)
}

/// A server with its tools.
struct Server<'a> {
    name: Cow<'a, str>,
    tools: Vec<&'a Tool>,
}

/// Lists the servers with the names of their tools, if there are few enough, or the tools of the server that the model
/// names.
pub(super) fn by_server(context: &Context<'_>, arguments: &Object) -> Facts {
    let servers = catalog::by_server(context.searchable().map(|tool| &**tool)).into_iter();
    let servers: Vec<Server<'_>> = servers.map(|(name, tools)| Server { name, tools }).collect();
    let wanted = arguments.get("server").and_then(Value::as_str).map(str::trim).filter(|server| !server.is_empty());
    let mut found = Vec::new();
    let text = match wanted {
        Some(wanted) => match of_name(&servers, wanted) {
            Some(server) => server.names(&mut found),
            None => {
                let meant = nearest(wanted, servers.iter().map(|server| &*server.name));
                let meant = meant.map(|name| format!(" Did you mean {}?", one_line(name))).unwrap_or_default();
                format!("There is no such server.{meant} Without a server, all are listed.")
            }
        },
        None if context.corpus.len() <= NAMES => servers.iter().map(|server| server.names(&mut found)).collect(),
        None => {
            let lines: String = servers.iter().take(NAMES).map(|server| format!("{}\n", server.heading())).collect();
            let more = servers.len().saturating_sub(NAMES);
            let more = if more > 0 { format!("and {more} more servers\n") } else { String::new() };
            format!("{lines}{more}For the names of one server's tools, pass it as server.")
        }
    };
    let text = if text.is_empty() { "There are no tools to load." } else { text.trim_end() };
    Facts::answer(text.to_owned(), Vec::new(), found)
}

/// Returns the server with exactly this name, or else the first whose name differs only in case.
fn of_name<'s, 'a>(servers: &'s [Server<'a>], wanted: &str) -> Option<&'s Server<'a>> {
    let exact = servers.iter().find(|server| server.name == wanted);
    exact.or_else(|| servers.iter().find(|server| server.name.eq_ignore_ascii_case(wanted)))
}

impl<'a> Server<'a> {
    fn heading(&self) -> String {
        format!("{} ({})", one_line(&self.name), self.tools.len())
    }

    /// Writes the names, up to the maximum, and adds their tools to `found`.
    fn names(&self, found: &mut Vec<&'a Tool>) -> String {
        found.extend(self.tools.iter().take(NAMES));
        let shown: Vec<&str> = self.tools.iter().take(NAMES).map(|tool| &*tool.model_name).collect();
        let more = self.tools.len() - shown.len();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        format!("{}: {}{more}\n", self.heading(), shown.join(", "))
    }
}
