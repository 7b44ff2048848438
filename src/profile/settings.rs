//! Defines the settings of every stage. They begin as the row of a profile, and the host can change them.

use crate::assembly::{Activation, Arrangement, AssemblySettings, Disclosure, Presence, StubWhen};
use crate::catalog::{Selection, SelectionRules};
use crate::discovery::definitions::{READ_CUT_ANSWER, READ_SKILL};
use crate::discovery::{Action, Budget, DiscoverySettings, OutOfScope, Reveal, SurfaceTool, UnrevealedCall};
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::search::{Cutoff, Grammar, Ranker, SearchSettings, Translations, Universe, Without};
use crate::session::{Bounds, Consent, DeferralLists, Eligibility, WhenFull};

use super::row::Profile;
use super::table::{CONTEXT_SHARE, PROFILES, TEXTS};

/// The settings of every stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The profile that they began as.
    pub(crate) profile: &'static Profile,
    /// The maximum number of tools in the catalog.
    pub(crate) most_tools: usize,
    /// The maximum total size of their definitions, in bytes.
    pub(crate) most_bytes: usize,
    /// The maximum total size of the definitions of one server's tools, in bytes.
    pub(crate) most_server_bytes: usize,
    /// The maximum number of sessions kept.
    pub(crate) most_sessions: usize,
    /// Groups of words that mean the same, in addition to those that the ranker knows.
    pub(crate) synonyms: Vec<Vec<String>>,
    /// A table from everyday words to the words of tool definitions.
    pub(crate) translations: Translations,
    /// The rules for which tools take part and which are deferred.
    pub(crate) eligibility: Eligibility,
    /// The settings of the assembly of requests.
    pub(crate) assembly: AssemblySettings,
    /// The settings of the model's calls.
    pub(crate) discovery: DiscoverySettings,
}

impl Profile {
    /// Returns the profile with this name.
    pub fn named(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }

    /// Returns the profile's settings, to be used unchanged or changed.
    pub fn settings(&'static self) -> Settings {
        let mut settings = Settings {
            profile: self,
            most_tools: limits::TOOLS,
            most_bytes: limits::CATALOG_BYTES,
            most_server_bytes: limits::SERVER_BYTES,
            most_sessions: limits::SESSIONS,
            synonyms: Vec::new(),
            translations: Translations::default(),
            eligibility: Eligibility {
                selection: Selection::default(),
                rules: SelectionRules { exempt: owned(self.special_categories), system: &[] },
                lists: DeferralLists {
                    consent: Consent::OptOut,
                    pre_discovered: Default::default(),
                    always_available: owned(self.always_available),
                    special_categories: owned(self.special_categories),
                },
            },
            assembly: AssemblySettings {
                activation: Activation::On,
                context_window: None,
                context_share: CONTEXT_SHARE,
                disclosure: Disclosure::Hidden,
                stub_when: StubWhen::Smaller,
                arrangement: Arrangement::DiscoveryFirst,
                presence: Presence::WhenActive,
                prompt: TEXTS,
                categories: Vec::new(),
                surface: Vec::new(),
                reading_on: READ_CUT_ANSWER.definition,
                reading_skills: READ_SKILL.definition,
            },
            discovery: DiscoverySettings {
                surface: &[],
                search: SearchSettings {
                    grammar: Grammar::Plain,
                    ranker: Ranker::Pattern,
                    universe: Universe::Deferrable,
                    cutoff: Cutoff::None,
                    hits: None,
                    most_hits: usize::MAX,
                    without: Without::NONE,
                },
                reveal: Reveal::Never,
                budget: Budget::FREE,
                stops_repeats: false,
                reads_calls_loosely: false,
                unrevealed_call: UnrevealedCall::Refuse,
                out_of_scope: OutOfScope::Tell,
                searches_per_minute: 0,
                aliases: Default::default(),
                bounds: Bounds { tools: limits::REVEALED, tokens: usize::MAX, when_full: WhenFull::Refuse },
            },
        };
        settings.set_surface(self.surface);
        (self.change)(&mut settings);
        settings
    }
}

impl Settings {
    /// Switches to a tool list that never changes: searches answer with the parameters of the tools found, and calls go
    /// through one tool for each effect.
    ///
    /// # Errors
    /// `option_conflict` for a profile without such a tool list.
    pub fn constant(mut self) -> Result<Settings> {
        let Some(constant) = self.profile.constant else {
            let message =
                format!("profile {} has no constant surface: leave surface or profile out", self.profile.name);
            return Err(Error::new(ErrorCode::OptionConflict, message));
        };
        self.assembly.prompt = constant.prompt;
        self.set_surface(constant.surface);
        self.discovery.reveal = Reveal::Never;
        self.discovery.unrevealed_call = UnrevealedCall::Refuse;
        Ok(self)
    }

    fn set_surface(&mut self, surface: &'static [SurfaceTool]) {
        self.assembly.surface = surface.iter().map(|tool| tool.definition).collect();
        self.discovery.surface = surface;
    }

    fn is_constant(&self) -> bool {
        self.profile.constant.is_some_and(|constant| constant.surface == self.discovery.surface)
    }

    /// Checks that every deferred tool can be called in some way, since settings changed by setters may not allow it.
    /// [`Settings::from_options`] makes this check.
    ///
    /// # Errors
    /// `option_conflict`, with the reason.
    pub fn check(&self) -> Result<()> {
        let has = |action: Action| self.discovery.surface.iter().any(|tool| tool.action == action);
        let forwards = self.discovery.surface.iter().any(|tool| matches!(tool.action, Action::Forward(_)));
        let loads = self.discovery.reveal != Reveal::Never
            || !matches!(self.discovery.unrevealed_call, UnrevealedCall::Refuse | UnrevealedCall::Allow);
        if self.is_constant() && loads {
            let reason = "surface constant never changes the tool list, so that nothing can load tools: reveal must be never, \
                          and unrevealedCall refuse or allow; leave them out";
            return Err(Error::new(ErrorCode::OptionConflict, reason));
        }
        if self.discovery.unrevealed_call != UnrevealedCall::Refuse || forwards {
            return Ok(());
        }
        let reason = match self.discovery.reveal {
            _ if self.assembly.disclosure == Disclosure::Full => {
                "disclosure full sends every tool, and unrevealedCall refuse refuses them: with full, calls must be allowed"
            }
            Reveal::Never => {
                "reveal never loads nothing, and unrevealedCall refuse refuses what is not loaded: a deferred tool could \
                 never be called"
            }
            Reveal::OnAdd if !has(Action::Add) => {
                "reveal add needs a discovery tool that adds, which this profile has not: a deferred tool could never be \
                 called"
            }
            Reveal::OnAdd | Reveal::OnSearch => return Ok(()),
        };
        Err(Error::new(ErrorCode::OptionConflict, reason))
    }
}

impl Default for Settings {
    fn default() -> Self {
        PROFILES[0].settings()
    }
}

fn owned<C: FromIterator<String>>(list: &[&str]) -> C {
    list.iter().map(|text| (*text).to_owned()).collect()
}
