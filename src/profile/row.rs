//! Defines the columns of the table of profiles: the texts that describe a row, and its settings.

use std::fmt;

use crate::assembly::PromptText;
use crate::discovery::SurfaceTool;
use crate::session::SessionEviction;

use super::settings::Settings;

/// A named row of settings.
#[derive(Clone, Copy)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// The published system that it follows.
    pub after: &'static str,
    /// In plain words: what the model sees, and how it gets a tool.
    pub summary: &'static str,
    /// In a few words: what the model sees.
    pub shows: &'static str,
    /// The shape of the published system's own configuration.
    pub(crate) own_config: OwnConfig,
    /// The session that is evicted when there are too many.
    pub(crate) session_eviction: SessionEviction,
    /// The discovery tools.
    pub(crate) surface: &'static [SurfaceTool],
    /// Replaces `surface` and the prompt if the tool list must never change; `None` if the profile needs changes.
    pub(crate) constant: Option<&'static Constant>,
    /// Names of tools that are always sent and never searched.
    pub(crate) always_available: &'static [&'static str],
    /// Categories whose tools every session starts with, and which no selection removes.
    pub(crate) special_categories: &'static [&'static str],
    /// Changes the settings that all profiles share into those of the profile.
    pub(crate) change: fn(&mut Settings),
}

impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The discovery tools and the texts of a tool list that never changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// The discovery tools.
    pub(crate) surface: &'static [SurfaceTool],
    /// The texts of the prompt section.
    pub(crate) prompt: PromptText,
}

/// The shape of a published system's own configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnConfig {
    /// The system has none that can be read here.
    None,
    /// `{threshold, never_defer}`.
    Capability,
    /// `{enabled, threshold_pct, search_default_limit, max_search_limit}`, or a single boolean.
    Section,
}
