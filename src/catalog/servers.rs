//! Which tools come from the same server?

use super::tool::Tool;

/// What tools without a server are listed under.
pub(crate) const OF_THE_HOST: &str = "of the host";

/// Tools by server, or by none, both in the order in which they come.
pub(crate) fn by_server<'t>(tools: impl Iterator<Item = &'t Tool>) -> Vec<(Option<&'t str>, Vec<&'t Tool>)> {
    let mut servers: Vec<(Option<&str>, Vec<&Tool>)> = Vec::new();
    for tool in tools {
        match servers.iter_mut().find(|(server, _)| *server == tool.server()) {
            Some((_, tools)) => tools.push(tool),
            None => servers.push((tool.server(), vec![tool])),
        }
    }
    servers
}
