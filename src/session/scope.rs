//! What may a session ever see? Named servers and tools, exactly as spelled; nothing else exists for it.

use std::collections::{HashMap, HashSet};

use crate::catalog::Tool;

/// The servers and tools that a session may see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    servers: HashSet<String>,
    tools_of: HashMap<String, HashSet<String>>,
    model_names: HashSet<String>,
}

impl Scope {
    /// Reads server names, and entries of the form `server:tool`, `server:*` or a bare name that the model sees.
    pub fn new<S: AsRef<str>>(servers: &[S], tools: &[S]) -> Self {
        let mut scope = Scope { servers: servers.iter().map(|s| s.as_ref().to_owned()).collect(), ..Scope::default() };
        for entry in tools.iter().map(AsRef::as_ref) {
            match entry.split_once(':') {
                Some((server, "*")) => {
                    scope.servers.insert(server.to_owned());
                }
                Some((server, tool)) => {
                    scope.tools_of.entry(server.to_owned()).or_default().insert(tool.to_owned());
                }
                None => {}
            }
            // A name may hold a colon itself where the host accepts such names.
            scope.model_names.insert(entry.to_owned());
        }
        scope
    }

    /// Whether the session may see a tool.
    pub fn admits(&self, tool: &Tool) -> bool {
        let by_server = tool.server().is_some_and(|server| {
            self.servers.contains(server)
                || self.tools_of.get(server).is_some_and(|tools| tools.contains(&*tool.key.name))
        });
        by_server || self.model_names.contains(&*tool.model_name)
    }
}
