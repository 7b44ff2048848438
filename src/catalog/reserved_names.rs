//! Names that are kept for a tool while the catalog does not have it, so that no tool of another server takes them.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::limits;
use crate::map::Map;

use super::tool::ToolKey;

/// Names that the host's lists mention, each with the tool that had it first. A host trusts a tool that it lists by its bare
/// name: when the tool's server goes away, the name stays with the tool.
#[derive(Debug, Default)]
pub(super) struct ListedNames {
    holders: Map<Arc<str>, Option<ToolKey>>,
    /// The names in the order in which they were added, so that the oldest can be forgotten.
    order: VecDeque<Arc<str>>,
}

impl ListedNames {
    /// Adds a name, and the tool that has it now.
    pub(super) fn add(&mut self, name: &str, holder: Option<ToolKey>) {
        if self.holders.contains_key(name) {
            return;
        }
        if self.order.len() >= limits::CLAIMED_NAMES {
            let oldest = self.order.pop_front();
            oldest.map(|oldest| self.holders.remove(&oldest));
        }
        let name: Arc<str> = name.into();
        self.order.push_back(name.clone());
        self.holders.insert(name, holder);
    }

    /// Notes that a tool has a name. The first tool keeps it.
    pub(super) fn note(&mut self, name: &str, key: &ToolKey) {
        if let Some(holder) = self.holders.get_mut(name) {
            holder.get_or_insert_with(|| key.clone());
        }
    }

    /// The tool for which a name is kept.
    pub(super) fn holder(&self, name: &str) -> Option<&ToolKey> {
        self.holders.get(name)?.as_ref()
    }
}

/// Names of one owner's tools that wait for the host: a guard holds such a tool back, but a model may know its name already.
#[derive(Debug, Default)]
pub(super) struct WaitingNames {
    by_name: Map<Arc<str>, ToolKey>,
    by_key: Map<ToolKey, Arc<str>>,
}

impl WaitingNames {
    /// Keeps a name for a tool, up to [`limits::KEPT_NAMES`] names.
    pub(super) fn add(&mut self, name: Arc<str>, key: ToolKey) {
        if self.by_key.len() < limits::KEPT_NAMES {
            self.release(&key);
            self.by_name.insert(name.clone(), key.clone());
            self.by_key.insert(key, name);
        }
    }

    /// Releases the name of a tool.
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
