//! Keeps the names of tools that wait for the host. While a guard holds a tool back, the tool is not in the catalog, and no
//! tool of another server may take the name by which a model may know it already.

use std::sync::Arc;

use crate::limits;
use crate::map::Map;

use super::tool::ToolKey;

/// Names of tools that wait, of one owner.
#[derive(Debug, Default)]
pub(super) struct Kept {
    by_name: Map<Arc<str>, ToolKey>,
    by_key: Map<ToolKey, Arc<str>>,
}

impl Kept {
    /// Keeps a name for a tool. The caller lets go of as many as it keeps; what is beyond the limit is not kept.
    pub(super) fn keep(&mut self, name: Arc<str>, key: ToolKey) {
        if self.by_key.len() < limits::KEPT_NAMES {
            self.release(&key);
            self.by_name.insert(name.clone(), key.clone());
            self.by_key.insert(key, name);
        }
    }

    /// Lets go of the name of a tool.
    pub(super) fn release(&mut self, key: &ToolKey) {
        if let Some(name) = self.by_key.remove(key) {
            self.by_name.remove(&name);
        }
    }

    /// The name that is kept for a tool.
    pub(super) fn of(&self, key: &ToolKey) -> Option<&Arc<str>> {
        self.by_key.get(key)
    }

    /// The tool for which a name is kept.
    pub(super) fn holder(&self, name: &str) -> Option<&ToolKey> {
        self.by_name.get(name)
    }
}
