//! Describes profiles and settings to people and programs: every axis in the text form that the options take.

use serde::Serialize;

use crate::assembly::{Activation, BREAK_EVEN_TOKENS, Disclosure, StubWhen};
use crate::discovery::{OutOfScope, Reveal, UnrevealedCall};
use crate::search::{Cutoff, Grammar, Ranker, Universe};
use crate::session::{Consent, WhenFull};

use super::{Profile, Settings};

/// A profile as data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ProfileInfo {
    /// See [`Profile::name`].
    pub name: &'static str,
    /// See [`Profile::after`].
    pub after: &'static str,
    /// See [`Profile::summary`].
    pub summary: &'static str,
    /// See [`Profile::shows`].
    pub shows: &'static str,
    /// One value on each axis.
    #[serde(flatten)]
    pub settings: SettingsInfo,
    /// Names that are always sent and never searched.
    pub always_available: &'static [&'static str],
    /// Categories whose tools every session starts with, and which no selection takes away.
    pub special_categories: &'static [&'static str],
}

/// One value on each axis, in the text forms that the options take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SettingsInfo {
    /// The row that they began as.
    pub profile: &'static str,
    /// When tools are held back.
    pub activation: ActivationInfo,
    /// From how many tokens on `auto` holds tools back.
    pub auto_tokens: u64,
    /// Which tools are held back that say nothing of themselves.
    pub deferral: &'static str,
    /// What the model sees of a deferred tool.
    pub disclosure: &'static str,
    /// When a stub is used.
    pub stub_when: &'static str,
    /// What loads a tool.
    pub reveal: &'static str,
    /// How much one search may load.
    pub budget: BudgetInfo,
    /// What happens on a call to a deferred tool that was not loaded.
    pub unrevealed_call: &'static str,
    /// What the model learns of a tool that the session may not see.
    pub out_of_scope: &'static str,
    /// How tools are found.
    pub search: SearchInfo,
    /// Searches that a session may make a minute; 0 for any number.
    pub searches_per_minute: usize,
    /// How much there may be of what grows.
    pub limits: LimitsInfo,
    /// Names of the discovery tools.
    pub surface: Vec<&'static str>,
}

/// How much there may be of what grows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LimitsInfo {
    /// Tools in the catalog.
    pub tools: usize,
    /// Bytes of their definitions.
    pub bytes: usize,
    /// Bytes of the definitions of one server's tools.
    pub server_bytes: usize,
    /// Sessions kept.
    pub sessions: usize,
    /// Tools that a session may hold revealed.
    pub revealed: usize,
    /// Tokens of their definitions; none for any number.
    pub revealed_tokens: Option<usize>,
    /// What happens at either of these two.
    pub when_full: &'static str,
}

/// When tools are held back.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ActivationInfo {
    /// On, off, or by the break-even.
    Switch(&'static str),
    /// From a number of tools on.
    Tools {
        /// The number.
        tools: usize,
    },
    /// From a number of tokens on.
    Tokens {
        /// The number.
        tokens: u64,
    },
    /// From a share of the context window on.
    #[serde(rename_all = "camelCase")]
    Share {
        /// The share, 0 to 1.
        context_share: f64,
    },
}

/// How tools are found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SearchInfo {
    /// How hits are made.
    pub ranker: &'static str,
    /// How the query is read.
    pub grammar: &'static str,
    /// Which tools are searched.
    pub universe: &'static str,
    /// Which hits are left out.
    pub cutoff: &'static str,
    /// The number of hits if a query does not ask for one; none for the ranker's own bound.
    pub hits: Option<usize>,
    /// Hits at the most; none for any number.
    pub max_hits: Option<usize>,
    /// What the sift ranker does without.
    pub without: Vec<&'static str>,
}

/// How much one search may load; none for as much as it finds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BudgetInfo {
    /// Tools.
    pub tools: Option<usize>,
    /// Tokens of their definitions.
    pub tokens: Option<usize>,
}

impl Profile {
    /// The row as data, for tables.
    pub fn info(&'static self) -> ProfileInfo {
        ProfileInfo {
            name: self.name,
            after: self.after,
            summary: self.summary,
            shows: self.shows,
            settings: self.settings().info(),
            always_available: self.always_available,
            special_categories: self.special_categories,
        }
    }
}

impl Settings {
    /// The settings as data, in the text forms that the options take.
    pub fn info(&self) -> SettingsInfo {
        let search = &self.discovery.search;
        SettingsInfo {
            profile: self.profile.name,
            activation: match self.assembly.activation {
                Activation::On => ActivationInfo::Switch("on"),
                Activation::Off => ActivationInfo::Switch("off"),
                Activation::Auto => ActivationInfo::Switch("auto"),
                Activation::Tools(tools) => ActivationInfo::Tools { tools },
                Activation::Tokens(tokens) => ActivationInfo::Tokens { tokens },
                Activation::ContextShare => ActivationInfo::Share { context_share: self.assembly.context_share },
            },
            auto_tokens: BREAK_EVEN_TOKENS,
            deferral: text_of(Consent::ALL, self.eligibility.lists.consent),
            disclosure: text_of(Disclosure::ALL, self.assembly.disclosure),
            stub_when: text_of(StubWhen::ALL, self.assembly.stub_when),
            reveal: text_of(Reveal::ALL, self.discovery.reveal),
            budget: BudgetInfo {
                tools: bounded(self.discovery.budget.tools),
                tokens: bounded(self.discovery.budget.tokens),
            },
            unrevealed_call: text_of(UnrevealedCall::ALL, self.discovery.unrevealed_call),
            out_of_scope: text_of(OutOfScope::ALL, self.discovery.out_of_scope),
            search: SearchInfo {
                ranker: text_of(Ranker::ALL, search.ranker),
                grammar: text_of(Grammar::ALL, search.grammar),
                universe: text_of(Universe::ALL, search.universe),
                cutoff: text_of(Cutoff::ALL, search.cutoff),
                hits: search.hits,
                max_hits: bounded(search.most_hits),
                without: search.without.names().collect(),
            },
            searches_per_minute: self.discovery.searches_per_minute,
            limits: LimitsInfo {
                tools: self.most_tools,
                bytes: self.most_bytes,
                server_bytes: self.most_server_bytes,
                sessions: self.most_sessions,
                revealed: self.discovery.bounds.tools,
                revealed_tokens: bounded(self.discovery.bounds.tokens),
                when_full: text_of(WhenFull::ALL, self.discovery.bounds.when_full),
            },
            surface: self.discovery.surface.iter().map(|tool| tool.definition.name).collect(),
        }
    }
}

/// A bound, or none where there is none.
fn bounded(most: usize) -> Option<usize> {
    Some(most).filter(|most| *most < usize::MAX)
}

fn text_of<T: PartialEq + Copy>(all: &[(&'static str, T)], value: T) -> &'static str {
    all.iter().find(|(_, v)| *v == value).map_or("", |(text, _)| text)
}
