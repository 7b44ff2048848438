//! Defines the builder methods of [`Settings`], one for each setting.

use crate::assembly::{Activation, Disclosure, StubWhen};
use crate::discovery::{Budget, OutOfScope, Reveal, UnrevealedCall};
use crate::macros::setters;
use crate::search::{Cutoff, Grammar, Ranker, Translations, Universe};
use crate::session::Consent;

use super::settings::Settings;

setters! { Settings:
    /// Sets when tools are deferred.
    activation(activation: Activation) => assembly.activation = activation;
    /// Sets the share of the context window, 0 to 1, from which [`Activation::ContextShare`] defers tools.
    context_share(context_share: f64) => assembly.context_share = context_share;
    /// Sets whether tools without a `deferral` of their own are deferred.
    deferral(deferral: Consent) => eligibility.lists.consent = deferral;
    /// Sets what the model sees of a deferred tool.
    disclosure(disclosure: Disclosure) => assembly.disclosure = disclosure;
    /// Sets when a stub replaces a tool's parameters.
    stub_when(stub_when: StubWhen) => assembly.stub_when = stub_when;
    /// Sets which step loads a tool.
    reveal(reveal: Reveal) => discovery.reveal = reveal;
    /// Sets how much one search may load.
    budget(budget: Budget) => discovery.budget = budget;
    /// Sets the answer to a call of a deferred tool that was not loaded.
    unrevealed_call(unrevealed_call: UnrevealedCall) => discovery.unrevealed_call = unrevealed_call;
    /// Sets the answer about a tool that the session may not see.
    out_of_scope(out_of_scope: OutOfScope) => discovery.out_of_scope = out_of_scope;
    /// Sets the ranker of the search.
    ranker(ranker: Ranker) => discovery.search.ranker = ranker;
    /// Sets how a query is parsed.
    grammar(grammar: Grammar) => discovery.search.grammar = grammar;
    /// Sets which tools are searched.
    universe(universe: Universe) => discovery.search.universe = universe;
    /// Sets which hits are left out.
    cutoff(cutoff: Cutoff) => discovery.search.cutoff = cutoff;
    /// Adds groups of words that mean the same, to those that the ranker knows.
    synonyms(synonyms: Vec<Vec<String>>) => synonyms = synonyms;
    /// Sets a table from everyday words to the words of tool definitions.
    translations(translations: Translations) => translations = translations;
    /// Sets the size of the model's context window, in tokens.
    context_window(tokens: u64) => assembly.context_window = Some(tokens);
}

impl Settings {
    /// Sets the tools that every session starts with and that stay searchable: `server:tool`, `server:*`, or the name
    /// that the model sees.
    #[must_use]
    pub fn pre_discovered<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.eligibility.lists.pre_discovered = tools.into_iter().map(T::into).collect();
        self
    }

    /// Adds tools that are always sent and never searched to those of the profile.
    #[must_use]
    pub fn always_available<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.eligibility.lists.always_available.extend(tools.into_iter().map(T::into));
        self
    }
}
