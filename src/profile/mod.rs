//! Which settings go together? Our own row and one per published system, over the settings of the stages.
//!
//! No file but the [`table`] names a profile, and no code branches on one: a system is its row.

mod info;
mod table;

use crate::assembly::{Activation, Arrangement, AssemblySettings, Disclosure, Presence, PromptText, StubWhen};
use crate::catalog::{Selection, SelectionRules};
use crate::discovery::{Budget, DiscoverySettings, OutOfScope, Reveal, SurfaceTool, UnrevealedCall};
use crate::limits;
use crate::search::SearchSettings;
use crate::session::{Bounds, Consent, DeferralLists, Eligibility, SessionEviction, WhenFull};

pub use info::{ActivationInfo, BudgetInfo, LimitsInfo, ProfileInfo, SearchInfo, SettingsInfo};
pub use table::PROFILES;

use table::CONTEXT_SHARE;

/// A named row of settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// The published system that it follows.
    pub after: &'static str,
    /// What it is good for.
    pub summary: &'static str,
    /// What the model sees, in a few words.
    pub shows: &'static str,
    /// The shape of the published system's own configuration, which is read as that system reads it.
    pub own_config: OwnConfig,
    /// When tools are held back.
    pub activation: Activation,
    /// Which tools are held back that say nothing of themselves.
    pub consent: Consent,
    /// What the model sees of a deferred tool.
    pub disclosure: Disclosure,
    /// In which order tools are sent.
    pub arrangement: Arrangement,
    /// When discovery tools are sent.
    pub presence: Presence,
    /// How tools are found.
    pub search: SearchSettings,
    /// What loads a tool.
    pub reveal: Reveal,
    /// How much one search may load.
    pub budget: Budget,
    /// Whether a call that fails again as it failed before is answered with the advice to stop.
    pub stops_repeats: bool,
    /// What happens on a call to a deferred tool that was not loaded.
    pub unrevealed_call: UnrevealedCall,
    /// What the model learns of a tool that the session may not see.
    pub out_of_scope: OutOfScope,
    /// Searches that a session may make a minute; 0 for any number.
    pub searches_per_minute: usize,
    /// What happens when a session holds as much as it may.
    pub when_full: WhenFull,
    /// Which session is evicted when there are too many.
    pub session_eviction: SessionEviction,
    /// The discovery tools.
    pub surface: &'static [SurfaceTool],
    /// The texts of the prompt section.
    pub prompt: PromptText,
    /// Names that are always sent and never searched.
    pub always_available: &'static [&'static str],
    /// Categories whose tools every session starts with, and which no selection takes away.
    pub special_categories: &'static [&'static str],
    /// Categories that a selection takes away only by selecting specific tools of theirs.
    pub system_categories: &'static [&'static str],
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

impl Profile {
    /// The profile of a name.
    pub fn named(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }

    /// Its settings, to be used as they are or changed.
    pub fn settings(&'static self) -> Settings {
        Settings {
            profile: self,
            most_tools: limits::TOOLS,
            most_bytes: limits::CATALOG_BYTES,
            most_server_bytes: limits::SERVER_BYTES,
            most_sessions: limits::SESSIONS,
            synonyms: Vec::new(),
            eligibility: Eligibility {
                selection: Selection::default(),
                rules: SelectionRules { exempt: owned(self.special_categories), system: self.system_categories },
                lists: DeferralLists {
                    consent: self.consent,
                    pre_discovered: Default::default(),
                    always_available: owned(self.always_available),
                    special_categories: owned(self.special_categories),
                },
            },
            assembly: AssemblySettings {
                activation: self.activation,
                context_window: None,
                context_share: CONTEXT_SHARE,
                disclosure: self.disclosure,
                stub_when: StubWhen::Smaller,
                arrangement: self.arrangement,
                presence: self.presence,
                prompt: self.prompt,
                categories: Vec::new(),
                surface: self.surface.iter().map(|tool| tool.definition).collect(),
            },
            discovery: DiscoverySettings {
                surface: self.surface,
                search: self.search,
                reveal: self.reveal,
                budget: self.budget,
                stops_repeats: self.stops_repeats,
                unrevealed_call: self.unrevealed_call,
                out_of_scope: self.out_of_scope,
                searches_per_minute: self.searches_per_minute,
                aliases: Default::default(),
                bounds: Bounds { tools: limits::REVEALED, tokens: usize::MAX, when_full: self.when_full },
            },
        }
    }
}

/// The settings of every stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The row that they began as.
    pub profile: &'static Profile,
    /// Tools in the catalog.
    pub most_tools: usize,
    /// Bytes of their definitions.
    pub most_bytes: usize,
    /// Bytes of the definitions of one server's tools.
    pub most_server_bytes: usize,
    /// Sessions kept.
    pub most_sessions: usize,
    /// Groups of words that mean the same, beside those that the ranker knows.
    pub synonyms: Vec<Vec<String>>,
    /// Which tools take part, and which are held back.
    pub eligibility: Eligibility,
    /// How requests are put together.
    pub assembly: AssemblySettings,
    /// What the model may do.
    pub discovery: DiscoverySettings,
}

impl Default for Settings {
    fn default() -> Self {
        PROFILES[0].settings()
    }
}

fn owned<C: FromIterator<String>>(list: &[&str]) -> C {
    list.iter().map(|text| (*text).to_owned()).collect()
}
