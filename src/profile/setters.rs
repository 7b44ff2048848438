//! Builder methods of [`Settings`], one for each setting.

use crate::assembly::{Activation, Disclosure, StubWhen};
use crate::discovery::{Budget, OutOfScope, Reveal, UnrevealedCall};
use crate::macros::setters;
use crate::search::{Cutoff, Grammar, Ranker, Translations, Universe};
use crate::session::Consent;

use super::settings::Settings;

setters! { Settings:
    /// When tools are deferred.
    activation(activation: Activation) => assembly.activation = activation;
    /// [`Activation::ContextShare`] defers tools if they take at least this share of the context window, 0 to 1.
    context_share(context_share: f64) => assembly.context_share = context_share;
    /// Whether a tool without a `deferral` of its own is deferred.
    deferral(deferral: Consent) => eligibility.lists.consent = deferral;
    /// What the model sees of a deferred tool.
    disclosure(disclosure: Disclosure) => assembly.disclosure = disclosure;
    /// When a stub takes the place of a tool's parameters.
    stub_when(stub_when: StubWhen) => assembly.stub_when = stub_when;
    /// What loads a tool.
    reveal(reveal: Reveal) => discovery.reveal = reveal;
    /// How much one search may load.
    budget(budget: Budget) => discovery.budget = budget;
    /// What happens on a call to a deferred tool that was not loaded.
    unrevealed_call(unrevealed_call: UnrevealedCall) => discovery.unrevealed_call = unrevealed_call;
    /// What the model learns of a tool that the session may not see.
    out_of_scope(out_of_scope: OutOfScope) => discovery.out_of_scope = out_of_scope;
    /// How tools are found.
    ranker(ranker: Ranker) => discovery.search.ranker = ranker;
    /// How a query is read.
    grammar(grammar: Grammar) => discovery.search.grammar = grammar;
    /// Which tools are searched.
    universe(universe: Universe) => discovery.search.universe = universe;
    /// Which hits are left out.
    cutoff(cutoff: Cutoff) => discovery.search.cutoff = cutoff;
    /// Groups of words that mean the same, beside those that the ranker knows.
    synonyms(synonyms: Vec<Vec<String>>) => synonyms = synonyms;
    /// A table from everyday words to the words of tool definitions.
    translations(translations: Translations) => translations = translations;
    /// Tokens of the model's context window.
    context_window(tokens: u64) => assembly.context_window = Some(tokens);
}

impl Settings {
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
}
