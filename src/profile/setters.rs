//! Changes settings by type, one axis at a time.

use crate::assembly::{Activation, Disclosure, StubWhen};
use crate::discovery::{Budget, OutOfScope, Reveal, UnrevealedCall};
use crate::search::{Cutoff, Grammar, Ranker, Translations, Universe};
use crate::session::Consent;

use super::settings::Settings;

/// Writes a method for each setting, which puts a value of a type into its place.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty => $($place:ident).+;)*) => {
        impl Settings { $(
            $(#[$doc])*
            #[must_use]
            pub fn $name(mut self, $name: $type) -> Self {
                self.$($place).+ = $name;
                self
            }
        )* }
    };
}

setters! {
    /// When tools are held back.
    activation: Activation => assembly.activation;
    /// The share of the context window, 0 to 1, from which on [`Activation::ContextShare`] holds tools back.
    context_share: f64 => assembly.context_share;
    /// Whether tools that say nothing of themselves are held back.
    deferral: Consent => eligibility.lists.consent;
    /// What the model sees of a deferred tool.
    disclosure: Disclosure => assembly.disclosure;
    /// When a stub takes the place of a tool's parameters.
    stub_when: StubWhen => assembly.stub_when;
    /// What loads a tool.
    reveal: Reveal => discovery.reveal;
    /// How much one search may load.
    budget: Budget => discovery.budget;
    /// What happens on a call to a deferred tool that was not loaded.
    unrevealed_call: UnrevealedCall => discovery.unrevealed_call;
    /// What the model learns of a tool that the session may not see.
    out_of_scope: OutOfScope => discovery.out_of_scope;
    /// How tools are found.
    ranker: Ranker => discovery.search.ranker;
    /// How a query is read.
    grammar: Grammar => discovery.search.grammar;
    /// Which tools are searched.
    universe: Universe => discovery.search.universe;
    /// Which hits are left out.
    cutoff: Cutoff => discovery.search.cutoff;
    /// Groups of words that mean the same, beside those that the ranker knows.
    synonyms: Vec<Vec<String>> => synonyms;
    /// What people say for the words of tools.
    translations: Translations => translations;
}

impl Settings {
    /// Tokens of the model's context window.
    #[must_use]
    pub fn context_window(mut self, tokens: u64) -> Self {
        self.assembly.context_window = Some(tokens);
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
}
