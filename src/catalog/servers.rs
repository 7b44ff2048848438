//! Tools grouped by their server.

use crate::map::Map;

use super::tool::Tool;

/// What tools without a server are listed under.
pub(crate) const NO_SERVER: &str = "no server";

/// Tools by server, or by none, both in the order in which they come.
pub(crate) fn by_server<'t>(tools: impl Iterator<Item = &'t Tool>) -> Vec<(Option<&'t str>, Vec<&'t Tool>)> {
    let mut servers: Vec<(Option<&str>, Vec<&Tool>)> = Vec::new();
    let mut places: Map<String, usize> = Map::default();
    let mut place_of_host = None;
    for tool in tools {
        let known = tool.server().map_or(place_of_host, |server| places.get(server).copied());
        if let Some(at) = known {
            servers[at].1.push(tool);
            continue;
        }
        match tool.server() {
            Some(server) => {
                places.insert(server.to_owned(), servers.len());
            }
            None => place_of_host = Some(servers.len()),
        }
        servers.push((tool.server(), vec![tool]));
    }
    servers
}
