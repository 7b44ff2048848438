//! Defines which tools a session may ever see: all, or only the tools of listed servers and names.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::catalog::{Tool, ToolKey, ToolNames};

/// The tools that a session may ever see. Scopes are cheap to clone, compare and hash, so that they can be keys of
/// caches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Every tool of the catalog.
    #[default]
    All,
    /// Only the listed tools.
    Only(Listed),
}

/// The tools of a [`Scope::Only`].
#[derive(Clone)]
pub struct Listed {
    names: Arc<ToolNames>,
    digest: u64,
    /// The list of the parent session, which also limits this one.
    within: Option<Arc<Listed>>,
}

impl Scope {
    /// Makes the scope of some servers, and of entries of the form `server:tool`, `server:*` or a bare name that the
    /// model sees.
    pub fn new<S: AsRef<str>>(servers: &[S], tools: &[S]) -> Self {
        let mut names = ToolNames::default();
        servers.iter().for_each(|server| names.add_server(server.as_ref()));
        tools.iter().for_each(|entry| names.add(entry.as_ref()));
        Scope::Only(Listed { digest: names.digest(), names: Arc::new(names), within: None })
    }

    /// Returns the scope of the tools that both this scope and another one admit.
    pub(super) fn narrowed(&self, to: &Scope) -> Scope {
        match (self, to) {
            (Scope::All, scope) | (scope, Scope::All) => scope.clone(),
            (Scope::Only(outer), Scope::Only(inner)) => {
                let digest = inner.digest.rotate_left(1) ^ outer.digest;
                Scope::Only(Listed { digest, within: Some(Arc::new(outer.clone())), ..inner.clone() })
            }
        }
    }

    /// Returns true if the session may see a tool.
    pub fn admits(&self, tool: &Tool) -> bool {
        match self {
            Scope::All => true,
            Scope::Only(listed) => listed.lists().all(|names| names.contains(tool)),
        }
    }

    /// Returns true if the session may see a tool that is not in the catalog now. Bare names admit no such tool, since
    /// the name that the model would see is not known.
    pub fn admits_absent(&self, key: &ToolKey) -> bool {
        match self {
            Scope::All => true,
            Scope::Only(listed) => {
                let server = key.server.as_deref();
                server.is_some_and(|server| listed.lists().all(|names| names.names_key(server, &key.name)))
            }
        }
    }

    /// Returns the listed tools, or `None` if every tool is admitted.
    pub(crate) fn names(&self) -> Option<&ToolNames> {
        match self {
            Scope::All => None,
            Scope::Only(listed) => Some(&listed.names),
        }
    }

    /// Returns the bare names in the scope.
    pub fn bare_names(&self) -> impl Iterator<Item = &str> {
        self.names().into_iter().flat_map(ToolNames::bare)
    }
}

impl Listed {
    /// Returns its names, and those of every list that limits it.
    fn lists(&self) -> impl Iterator<Item = &ToolNames> {
        std::iter::successors(Some(self), |listed| listed.within.as_deref()).map(|listed| &*listed.names)
    }
}

impl PartialEq for Listed {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest && self.lists().eq(other.lists())
    }
}

impl Eq for Listed {}

impl Hash for Listed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl fmt::Debug for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.names.fmt(f)
    }
}
