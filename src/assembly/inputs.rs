//! Gathers the inputs of an assembly, and computes the tokens of deferrable tools and whether they are deferred.

use crate::catalog::{Catalog, Tool};
use crate::error::Result;
use crate::session::View;

use super::activation::{Activation, BREAK_EVEN_TOKENS, Gate, TOKENS_WITHOUT_WINDOW};
use super::cost::{Tally, TokenCounter};
use super::prompt::{Disclosure, PromptText, StubWhen};
use super::render::{Form, Rendered, Renders};
use super::totals::{Sums, Totals};
use super::wire::{Definition, Format};

/// The order in which tools are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Discovery tools, then the catalog's tools, then the loaded tools in the order of loading.
    DiscoveryFirst,
    /// The catalog's tools, then the discovery tools, then the loaded tools.
    DiscoveryLast,
}

/// When discovery tools and their prompt section are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// While any tool is deferred.
    WhenActive,
    /// Always: the vendor's cache keeps a tool list that does not change.
    Always,
}

/// The settings of the assembly of requests.
#[derive(Clone, Debug, PartialEq)]
pub struct AssemblySettings {
    /// The rule for when tools are deferred.
    pub activation: Activation,
    /// Size of the model's context window in tokens, if the host has given it.
    pub context_window: Option<u64>,
    /// The share of the context window (0 to 1) from which deferrable definitions are deferred.
    pub context_share: f64,
    /// The part of a deferred tool that the model sees.
    pub disclosure: Disclosure,
    /// The rule for when a stub is used.
    pub stub_when: StubWhen,
    /// The order in which tools are sent.
    pub arrangement: Arrangement,
    /// The rule for when discovery tools are sent.
    pub presence: Presence,
    /// The texts of the prompt section.
    pub prompt: PromptText,
    /// The host's lines about what can be searched for.
    pub categories: Vec<String>,
    /// The discovery tools; `{deferred}` in a description is replaced by the number of deferred tools.
    pub surface: Vec<Definition>,
    /// The discovery tool that reads on in a cut answer. Only sessions with a cut answer have it.
    pub reading_on: Definition,
    /// The discovery tool that reads files of skills. Only sessions that see a skill with files have it.
    pub reading_skills: Definition,
}

/// The inputs of an assembly.
pub struct Inputs<'a> {
    pub catalog: &'a Catalog,
    pub view: &'a View,
    pub totals: &'a Totals,
    pub settings: &'a AssemblySettings,
    pub counter: &'a TokenCounter,
    pub renders: &'a Renders,
    /// True if the session has loaded tools.
    pub has_reveals: bool,
    /// True if the session sees a skill with files, and no tool of the catalog has the name of the tool that reads
    /// them.
    pub reads_skills: bool,
}

impl Inputs<'_> {
    /// Decides which tools are deferred for the session.
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

    /// Decides which tools are deferred if the deferrable tools take this number of tokens. Tools of
    /// [`Deferral::Always`](crate::Deferral::Always) are deferred below every threshold, but not with
    /// [`Activation::Off`].
    pub(super) fn gate_for(&self, deferrable_tokens: u64) -> Gate {
        let threshold = self.threshold_tokens().unwrap_or(TOKENS_WITHOUT_WINDOW);
        let is_large = deferrable_tokens > 0 && deferrable_tokens >= threshold;
        let is_on = match self.settings.activation {
            Activation::Off => return Gate::default(),
            Activation::On => true,
            Activation::Tools(least) => self.view.len() - self.view.skills + self.settings.surface.len() >= least,
            Activation::Auto | Activation::Tokens(_) => is_large || self.has_reveals,
            Activation::ContextShare => is_large,
        };
        let is_on = is_on && !self.view.deferred.is_empty();
        Gate { automatic: is_on, always: is_on || self.view.insisting > 0 }
    }

    /// Returns the number of tokens from which tools are deferred: the one that the activation names, or else a share
    /// of the context window, or `None` if the window is unknown. The order of operations matters: for a window of 100,
    /// a share of 0.29 is 28 tokens, not 29.
    pub(super) fn threshold_tokens(&self) -> Option<u64> {
        let AssemblySettings { activation, context_share, context_window, .. } = *self.settings;
        match activation {
            Activation::Auto => Some(BREAK_EVEN_TOKENS),
            Activation::Tokens(tokens) => Some(tokens),
            _ => context_window.map(|window| (window as f64 * context_share).trunc() as u64),
        }
    }

    /// Returns the tokens of the deferrable tools, in the format that decides.
    pub(super) fn deferrable_tokens(&self) -> Result<u64> {
        Ok(self.sums(Format::OpenAi)?.deferred.cost().tokens)
    }

    /// Returns the cost of all tools of the view in a format.
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
            let (mut all, deferred) = (sum(&view.sent, false)?, sum(&view.deferred, false)?);
            all.add(deferred);
            all.add(sum(&view.deferred, true)?);
            Ok(Sums { all, deferred })
        })
    }

    /// Renders a tool in full.
    pub(super) fn render(&self, tool: &Tool, format: Format) -> Result<Rendered> {
        self.renders.of(tool, (format, Form::Full), "", self.counter)
    }
}
