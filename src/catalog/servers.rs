//! Tools grouped by their server.

use crate::map::Map;

use super::tool::Tool;

/// What tools without a server are listed under.
pub(crate) const OF_THE_HOST: &str = "of the host";

/// Tools by server, or by none, both in the order in which they come.
pub(crate) fn by_server<'t>(tools: impl Iterator<Item = &'t Tool>) -> Vec<(Option<&'t str>, Vec<&'t Tool>)> {
    let mut servers: Vec<(Option<&str>, Vec<&Tool>)> = Vec::new();
    let mut places: Map<Option<&str>, usize> = Map::default();
    for tool in tools {
        match places.get(&tool.server()) {
            Some(at) => servers[*at].1.push(tool),
            None => {
                places.insert(tool.server(), servers.len());
                servers.push((tool.server(), vec![tool]));
            }
        }
    }
    servers
}
