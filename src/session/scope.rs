//! What may a session ever see? Named servers and tools, exactly as spelled; nothing else exists for it.

use crate::catalog::Tool;
use crate::map::Set;

/// The servers and tools that a session may see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    servers: Set<String>,
    /// `server:tool`.
    qualified: Set<String>,
    model_names: Set<String>,
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
                Some(_) => {
                    scope.qualified.insert(entry.to_owned());
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
            self.servers.contains(server) || self.qualified.contains(&format!("{server}:{}", tool.key.name))
        });
        by_server || self.model_names.contains(&*tool.model_name)
    }
}
