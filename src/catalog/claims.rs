//! Keeps a bare name for the tool that had it first, when a list of the host's mentions the name.
//!
//! A host trusts a tool that it lists by its bare name. When the tool's server goes away, no other server may take the
//! name: its tool gets another one, until the first tool is back.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::limits;
use crate::map::Map;

use super::tool::ToolKey;

/// The names that the host's lists mention, each with the tool that had it first.
#[derive(Debug, Default)]
pub(super) struct Claims {
    holders: Map<Arc<str>, Option<ToolKey>>,
    /// The names in the order in which they were added, so that the oldest can be forgotten.
    order: VecDeque<Arc<str>>,
}

impl Claims {
    /// Adds a name, and the tool that has it now.
    pub(super) fn add(&mut self, name: &str, holder: Option<&ToolKey>) {
        if self.holders.contains_key(name) {
            return;
        }
        if self.order.len() >= limits::CLAIMED_NAMES {
            if let Some(oldest) = self.order.pop_front() {
                self.holders.remove(&oldest);
            }
        }
        let name: Arc<str> = name.into();
        self.order.push_back(name.clone());
        self.holders.insert(name, holder.cloned());
    }

    /// Notes that a tool has a name. The first tool keeps it.
    pub(super) fn resolve(&mut self, name: &str, key: &ToolKey) {
        if let Some(holder) = self.holders.get_mut(name) {
            holder.get_or_insert_with(|| key.clone());
        }
    }

    /// Whether a name is kept for another tool than this one.
    pub(super) fn is_kept_from(&self, name: &str, key: &ToolKey) -> bool {
        self.holders.get(name).and_then(Option::as_ref).is_some_and(|holder| holder != key)
    }
}
