//! Defines the columns of the table of profiles: one setting on each axis, and the texts that describe the row.

use crate::assembly::{Activation, Arrangement, Disclosure, Presence, PromptText};
use crate::discovery::{Budget, OutOfScope, Reveal, SurfaceTool, UnrevealedCall};
use crate::search::SearchSettings;
use crate::session::{Consent, SessionEviction, WhenFull};

/// A named row of settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// The published system that it follows.
    pub after: &'static str,
    /// What the model sees and how it gets a tool, in plain words.
    pub summary: &'static str,
    /// What the model sees, in a few words.
    pub shows: &'static str,
    /// The shape of the published system's own configuration, which is read as that system reads it.
    pub(crate) own_config: OwnConfig,
    /// When tools are held back.
    pub(crate) activation: Activation,
    /// Which tools are held back that say nothing of themselves.
    pub(crate) consent: Consent,
    /// What the model sees of a deferred tool.
    pub(crate) disclosure: Disclosure,
    /// In which order tools are sent.
    pub(crate) arrangement: Arrangement,
    /// When discovery tools are sent.
    pub(crate) presence: Presence,
    /// How tools are found.
    pub(crate) search: SearchSettings,
    /// What loads a tool.
    pub(crate) reveal: Reveal,
    /// How much one search may load.
    pub(crate) budget: Budget,
    /// Whether a call that fails again as it failed before is answered with the advice to stop.
    pub(crate) stops_repeats: bool,
    /// Whether calls are read in whatever form a model writes them.
    pub(crate) reads_calls_loosely: bool,
    /// What happens on a call to a deferred tool that was not loaded.
    pub(crate) unrevealed_call: UnrevealedCall,
    /// What the model learns of a tool that the session may not see.
    pub(crate) out_of_scope: OutOfScope,
    /// Searches that a session may make a minute; 0 for any number.
    pub(crate) searches_per_minute: usize,
    /// What happens when a session holds as much as it may.
    pub(crate) when_full: WhenFull,
    /// Which session is evicted when there are too many.
    pub(crate) session_eviction: SessionEviction,
    /// The discovery tools.
    pub(crate) surface: &'static [SurfaceTool],
    /// The texts of the prompt section.
    pub(crate) prompt: PromptText,
    /// What stands in place of both where the tool list never changes, if it can do without changes.
    pub(crate) constant: Option<&'static Constant>,
    /// Names that are always sent and never searched.
    pub(crate) always_available: &'static [&'static str],
    /// Categories whose tools every session starts with, and which no selection takes away.
    pub(crate) special_categories: &'static [&'static str],
    /// Categories that a selection takes away only by selecting specific tools of theirs.
    pub(crate) system_categories: &'static [&'static str],
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
    /// It has none that could be read here.
    None,
    /// `{threshold, never_defer}`.
    Capability,
    /// `{enabled, threshold_pct, search_default_limit, max_search_limit}`, or a single boolean.
    Section,
}
