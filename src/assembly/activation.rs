//! Defines the setting that decides when tools are deferred, and its result for a session (the gate).

use crate::catalog::Deferral;

/// When tools are deferred.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Activation {
    /// Always.
    On,
    /// Never.
    Off,
    /// If the model would otherwise be sent at least this number of tools, discovery tools included.
    Tools(usize),
    /// If the deferrable definitions take so many tokens that search is cheaper than sending them all. As with
    /// [`Activation::Tokens`], a session that has loaded a tool keeps tools deferred.
    Auto,
    /// If the deferrable definitions take at least this number of tokens, or if the session has loaded a tool: a
    /// catalog that shrinks a little in the middle of a conversation does not change every later request.
    Tokens(u64),
    /// If the deferrable definitions take at least a share of the context window.
    ContextShare,
}

/// The threshold in tokens if the context window is unknown: a tenth of a window of 200,000, as in the published
/// system.
pub(super) const TOKENS_WITHOUT_WINDOW: u64 = 20_000;

/// Below this number of tokens of definitions it is cheaper to send all of them. `npm run simulate` finds 2,263 with
/// the queries of the golden sets and 3,962 with those of five large public sets. This is the larger number, rounded
/// up: between the two, search may cost more than it saves.
pub(crate) const BREAK_EVEN_TOKENS: u64 = 4_000;

/// The deferral policies that apply to a session now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    /// True if tools of [`Deferral::Automatic`] are deferred.
    pub automatic: bool,
    /// True if tools of [`Deferral::Always`] are deferred.
    pub always: bool,
}

impl Gate {
    /// Returns true if any policy defers tools.
    pub fn is_active(self) -> bool {
        self.automatic || self.always
    }

    /// Returns true if every deferrable tool is deferred.
    pub(super) fn holds_all(self) -> bool {
        self.automatic && self.always
    }

    /// Returns true if deferrable tools of this policy are deferred.
    pub fn holds(self, deferral: Deferral) -> bool {
        if deferral == Deferral::Always { self.always } else { self.automatic }
    }
}
