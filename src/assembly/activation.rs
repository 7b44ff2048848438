//! Decides whether tools are held back: switched on or off, or by the number of tools, or their cost.

use crate::catalog::Deferral;

/// When tools are held back.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Activation {
    /// Always.
    On,
    /// Never.
    Off,
    /// When the model would be sent at least this number of tools, discovery tools included.
    Tools(usize),
    /// When the deferrable definitions take so many tokens that search is cheaper than all of them. The session counts as
    /// in [`Activation::Tokens`].
    Auto,
    /// When the deferrable definitions take at least this number of tokens, or the session has revealed a tool: a catalog
    /// that becomes a little smaller in the middle of a conversation does not change every request from then on.
    Tokens(u64),
    /// When the deferrable definitions take at least a share of the context window.
    ContextShare,
}

/// The threshold in tokens when the context window is unknown: a tenth of a window of 200,000, as in the published system.
const TOKENS_WITHOUT_WINDOW: u64 = 20_000;

/// Tokens of definitions below which it is cheaper to send all of them. `npm run simulate` finds 2,263 with the queries of
/// the golden sets and 3,962 with those of five large public sets. This is the larger one, rounded up: in between, search
/// may cost more than it saves.
pub(crate) const BREAK_EVEN_TOKENS: u64 = 4_000;

/// The figures that decide an activation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// Tools that the model would be sent, discovery tools included.
    pub tools: usize,
    /// Tools that could be held back.
    pub deferrable: usize,
    /// Their tokens, where tokens decide.
    pub deferrable_tokens: u64,
    /// The number of tokens from which they are held back, where tokens decide.
    pub threshold_tokens: u64,
    /// See [`Session::has_reveals`](crate::session::Session::has_reveals).
    pub has_reveals: bool,
    /// How many of them have the policy [`Deferral::Always`].
    pub insisting: usize,
}

/// Which policies hold tools back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    /// Whether tools of [`Deferral::Automatic`] are held back.
    pub automatic: bool,
    /// Whether tools of [`Deferral::Always`] are held back.
    pub always: bool,
}

impl Gate {
    /// Whether any policy holds tools back.
    pub fn is_active(self) -> bool {
        self.automatic || self.always
    }

    /// Whether deferrable tools of this policy are held back.
    pub fn holds(self, deferral: Deferral) -> bool {
        if deferral == Deferral::Always { self.always } else { self.automatic }
    }
}

impl Activation {
    /// Decides what is held back. Without deferrable tools nothing is, whatever the setting. Tools of
    /// [`Deferral::Always`] are held back below every threshold.
    pub(super) fn gate(self, load: Load) -> Gate {
        let is_large = load.deferrable_tokens > 0 && load.deferrable_tokens >= load.threshold_tokens;
        let is_on = match self {
            Activation::Off => return Gate::default(),
            Activation::On => true,
            Activation::Tools(least) => load.tools >= least,
            Activation::Auto | Activation::Tokens(_) => is_large || load.has_reveals,
            Activation::ContextShare => is_large,
        };
        let is_on = is_on && load.deferrable > 0;
        Gate { automatic: is_on, always: is_on || load.insisting > 0 }
    }

    /// The number of tokens that this value itself names.
    pub(super) fn own_threshold(self) -> Option<u64> {
        match self {
            Activation::Auto => Some(BREAK_EVEN_TOKENS),
            Activation::Tokens(tokens) => Some(tokens),
            Activation::On | Activation::Off | Activation::Tools(_) | Activation::ContextShare => None,
        }
    }
}

/// A share (0 to 1) of the context window in tokens. The order of operations matters: of a window of 100 a
/// share of 0.29 is 28 tokens, not 29.
pub(super) fn threshold_tokens(share: f64, context_window: Option<u64>) -> u64 {
    context_window.map_or(TOKENS_WITHOUT_WINDOW, |window| (window as f64 * share).trunc() as u64)
}
