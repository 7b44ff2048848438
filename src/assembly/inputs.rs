//! What an assembly is made from: the settings, the tools, what they cost together, and what of them is held back.

use crate::catalog::{Catalog, Tool};
use crate::error::Result;
use crate::session::View;

use super::activation::{Activation, Gate, TOKENS_WITHOUT_WINDOW};
use super::cost::{Tally, TokenCounter};
use super::prompt::{Disclosure, PromptText, StubWhen};
use super::render::{Rendered, Renders};
use super::totals::{Sums, Totals};
use super::wire::{Definition, Format};

/// In which order tools are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Discovery tools, then the catalog's, then what was revealed, in the order of its reveal.
    DiscoveryFirst,
    /// The catalog's, then the discovery tools, then what was revealed.
    DiscoveryLast,
}

/// When discovery tools and their prompt section are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// While anything is held back.
    WhenActive,
    /// Always: a tool list that does not change keeps its cache.
    Always,
}

/// How requests are put together.
#[derive(Clone, Debug, PartialEq)]
pub struct AssemblySettings {
    /// When tools are held back.
    pub activation: Activation,
    /// Tokens of the model's context window, where the host has said.
    pub context_window: Option<u64>,
    /// The share of it (0 to 1) that deferrable definitions may take before they are held back.
    pub context_share: f64,
    /// What the model sees of a deferred tool.
    pub disclosure: Disclosure,
    /// When a stub is used.
    pub stub_when: StubWhen,
    /// In which order tools are sent.
    pub arrangement: Arrangement,
    /// When discovery tools are sent.
    pub presence: Presence,
    /// The texts of the prompt section.
    pub prompt: PromptText,
    /// The host's lines on what can be searched for.
    pub categories: Vec<String>,
    /// The discovery tools; `{deferred}` in a description is the number of deferred tools.
    pub surface: Vec<Definition>,
    /// The discovery tool that sessions have in which an answer was cut.
    pub reading_on: Definition,
    /// The discovery tool that sessions have that see a skill with files.
    pub reading_skills: Definition,
}

/// What an assembly is made from.
pub struct Inputs<'a> {
    pub catalog: &'a Catalog,
    pub view: &'a View,
    pub totals: &'a Totals,
    pub settings: &'a AssemblySettings,
    pub counter: &'a TokenCounter,
    pub renders: &'a Renders,
    /// Whether the session can have revealed tools.
    pub has_reveals: bool,
    /// Whether the session sees a skill with files, and no tool of the catalog has the name of what reads them.
    pub reads_skills: bool,
}

impl Inputs<'_> {
    /// What is held back from the session.
    ///
    /// # Errors
    /// `counter_failed` when tokens decide and the host's counter fails.
    pub fn gate(&self) -> Result<Gate> {
        let tokens = match self.settings.activation {
            Activation::Auto | Activation::Tokens(_) | Activation::ContextShare => self.deferrable_tokens()?,
            Activation::On | Activation::Off | Activation::Tools(_) => 0,
        };
        Ok(self.gate_for(tokens))
    }

    /// What is held back where deferrable tools take so many tokens. Without deferrable tools nothing is, whatever the
    /// setting. Tools of [`Deferral::Always`](crate::Deferral::Always) are held back below every threshold.
    pub(super) fn gate_for(&self, deferrable_tokens: u64) -> Gate {
        let threshold = self.threshold_tokens().unwrap_or(TOKENS_WITHOUT_WINDOW);
        let is_large = deferrable_tokens > 0 && deferrable_tokens >= threshold;
        let is_on = match self.settings.activation {
            Activation::Off => return Gate::default(),
            Activation::On => true,
            Activation::Tools(least) => self.view.len() - self.view.skills() + self.settings.surface.len() >= least,
            Activation::Auto | Activation::Tokens(_) => is_large || self.has_reveals,
            Activation::ContextShare => is_large,
        };
        let is_on = is_on && !self.view.deferred().is_empty();
        Gate { automatic: is_on, always: is_on || self.view.insisting() > 0 }
    }

    /// See [`Activation::threshold_tokens`].
    pub(super) fn threshold_tokens(&self) -> Option<u64> {
        let AssemblySettings { activation, context_share, context_window, .. } = *self.settings;
        activation.threshold_tokens(context_share, context_window)
    }

    /// Tokens of what could be held back, in the format that decides.
    pub(super) fn deferrable_tokens(&self) -> Result<u64> {
        Ok(self.sums(Format::OpenAi)?.deferred.cost().tokens)
    }

    /// What the tools of the view cost in a format.
    pub(super) fn sums(&self, format: Format) -> Result<Sums> {
        let Inputs { catalog, view, totals, counter, renders, .. } = *self;
        let sum = |positions: &[u32], skills: bool| {
            let mut sum = Tally::default();
            let tools = positions.iter().map(|position| &catalog.tools()[*position as usize]);
            for tool in tools.filter(|tool| tool.key.is_skill == skills) {
                sum.add(renders.tally(tool, format, counter)?);
            }
            Result::Ok(sum)
        };
        totals.sums(format, || {
            let (mut all, deferred) = (sum(view.sent(), false)?, sum(view.deferred(), false)?);
            all.add(deferred);
            all.add(sum(view.deferred(), true)?);
            Ok(Sums { all, deferred })
        })
    }

    /// A tool in full.
    pub(super) fn render(&self, tool: &Tool, format: Format) -> Result<Rendered> {
        self.renders.of(tool, format, self.counter)
    }
}
