//! Changes settings by type, one axis at a time.

use crate::assembly::{Activation, Disclosure, StubWhen};
use crate::discovery::{Budget, OutOfScope, Reveal, UnrevealedCall};
use crate::search::{Cutoff, Grammar, Ranker, Universe};
use crate::session::Consent;

use super::settings::Settings;

impl Settings {
    /// When tools are held back.
    #[must_use]
    pub fn activation(mut self, activation: Activation) -> Self {
        self.assembly.activation = activation;
        self
    }

    /// Tokens of the model's context window.
    #[must_use]
    pub fn context_window(mut self, tokens: u64) -> Self {
        self.assembly.context_window = Some(tokens);
        self
    }

    /// The share of the context window, 0 to 1, from which on [`Activation::ContextShare`] holds tools back.
    #[must_use]
    pub fn context_share(mut self, share: f64) -> Self {
        self.assembly.context_share = share;
        self
    }

    /// Whether tools that say nothing of themselves are held back.
    #[must_use]
    pub fn deferral(mut self, consent: Consent) -> Self {
        self.eligibility.lists.consent = consent;
        self
    }

    /// What the model sees of a deferred tool.
    #[must_use]
    pub fn disclosure(mut self, disclosure: Disclosure) -> Self {
        self.assembly.disclosure = disclosure;
        self
    }

    /// When a stub takes the place of a tool's parameters.
    #[must_use]
    pub fn stub_when(mut self, when: StubWhen) -> Self {
        self.assembly.stub_when = when;
        self
    }

    /// What loads a tool.
    #[must_use]
    pub fn reveal(mut self, reveal: Reveal) -> Self {
        self.discovery.reveal = reveal;
        self
    }

    /// How much one search may load.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.discovery.budget = budget;
        self
    }

    /// What happens on a call to a deferred tool that was not loaded.
    #[must_use]
    pub fn unrevealed_call(mut self, call: UnrevealedCall) -> Self {
        self.discovery.unrevealed_call = call;
        self
    }

    /// What the model learns of a tool that the session may not see.
    #[must_use]
    pub fn out_of_scope(mut self, out_of_scope: OutOfScope) -> Self {
        self.discovery.out_of_scope = out_of_scope;
        self
    }

    /// How tools are found.
    #[must_use]
    pub fn ranker(mut self, ranker: Ranker) -> Self {
        self.discovery.search.ranker = ranker;
        self
    }

    /// How a query is read.
    #[must_use]
    pub fn grammar(mut self, grammar: Grammar) -> Self {
        self.discovery.search.grammar = grammar;
        self
    }

    /// Which tools are searched.
    #[must_use]
    pub fn universe(mut self, universe: Universe) -> Self {
        self.discovery.search.universe = universe;
        self
    }

    /// Which hits are left out.
    #[must_use]
    pub fn cutoff(mut self, cutoff: Cutoff) -> Self {
        self.discovery.search.cutoff = cutoff;
        self
    }

    /// Tools that every session starts with and that stay searchable: `server:tool`, `server:*`, or the name that the model
    /// sees.
    #[must_use]
    pub fn pre_discovered<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.eligibility.lists.pre_discovered = tools.into_iter().map(T::into).collect();
        self
    }

    /// Tools that are always sent and never searched, beside those of the profile.
    #[must_use]
    pub fn always_available<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.eligibility.lists.always_available.extend(tools.into_iter().map(T::into));
        self
    }

    /// Groups of words that mean the same, beside those that the ranker knows.
    #[must_use]
    pub fn synonyms(mut self, groups: Vec<Vec<String>>) -> Self {
        self.synonyms = groups;
        self
    }
}
