//! Defines the columns of the table of profiles: one setting of each kind, and the texts that describe the row.

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
    /// In plain words: what the model sees, and how it gets a tool.
    pub summary: &'static str,
    /// In a few words: what the model sees.
    pub shows: &'static str,
    /// The shape of the published system's own configuration.
    pub(crate) own_config: OwnConfig,
    /// The rule for when tools are deferred.
    pub(crate) activation: Activation,
    /// The rule for tools without a deferral of their own.
    pub(crate) consent: Consent,
    /// The part of a deferred tool that the model sees.
    pub(crate) disclosure: Disclosure,
    /// The order in which tools are sent.
    pub(crate) arrangement: Arrangement,
    /// The rule for when discovery tools are sent.
    pub(crate) presence: Presence,
    /// The settings of the search.
    pub(crate) search: SearchSettings,
    /// The step that loads a tool: a search, an addition by name, or none.
    pub(crate) reveal: Reveal,
    /// The most that one search may load.
    pub(crate) budget: Budget,
    /// If true, a call that fails twice in the same way is answered with the advice to stop.
    pub(crate) stops_repeats: bool,
    /// If true, calls are read in any form in which models write them.
    pub(crate) reads_calls_loosely: bool,
    /// The answer to a call of a deferred tool that was not loaded.
    pub(crate) unrevealed_call: UnrevealedCall,
    /// The answer about a tool that the session may not see.
    pub(crate) out_of_scope: OutOfScope,
    /// The number of searches that a session may make per minute; 0 means no limit.
    pub(crate) searches_per_minute: usize,
    /// The reaction when a session has loaded as much as it may.
    pub(crate) when_full: WhenFull,
    /// The session that is evicted when there are too many.
    pub(crate) session_eviction: SessionEviction,
    /// The discovery tools.
    pub(crate) surface: &'static [SurfaceTool],
    /// The texts of the prompt section.
    pub(crate) prompt: PromptText,
    /// Replaces `surface` and `prompt` if the tool list must never change; `None` if the profile needs changes.
    pub(crate) constant: Option<&'static Constant>,
    /// Names of tools that are always sent and never searched.
    pub(crate) always_available: &'static [&'static str],
    /// Categories whose tools every session starts with, and which no selection removes.
    pub(crate) special_categories: &'static [&'static str],
    /// Categories that a selection removes only if it names specific tools of them.
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
    /// The system has none that can be read here.
    None,
    /// `{threshold, never_defer}`.
    Capability,
    /// `{enabled, threshold_pct, search_default_limit, max_search_limit}`, or a single boolean.
    Section,
}
