//! The setting that says when tools are held back, and the gate that follows from it for a session.

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
pub(super) const TOKENS_WITHOUT_WINDOW: u64 = 20_000;

/// Tokens of definitions below which it is cheaper to send all of them. `npm run simulate` finds 2,263 with the queries of
/// the golden sets and 3,962 with those of five large public sets. This is the larger one, rounded up: in between, search
/// may cost more than it saves.
pub(crate) const BREAK_EVEN_TOKENS: u64 = 4_000;

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

    /// Whether every deferrable tool is held back.
    pub(super) fn holds_all(self) -> bool {
        self.automatic && self.always
    }

    /// Whether deferrable tools of this policy are held back.
    pub fn holds(self, deferral: Deferral) -> bool {
        if deferral == Deferral::Always { self.always } else { self.automatic }
    }
}

impl Activation {
    /// The number of tokens from which tools are held back, where tokens decide: the one that this value names, or else a
    /// share (0 to 1) of the context window; none where neither is known. The order of operations matters: of a window of
    /// 100 a share of 0.29 is 28 tokens, not 29.
    pub(super) fn threshold_tokens(self, share: f64, context_window: Option<u64>) -> Option<u64> {
        match self {
            Activation::Auto => Some(BREAK_EVEN_TOKENS),
            Activation::Tokens(tokens) => Some(tokens),
            Activation::On | Activation::Off | Activation::Tools(_) | Activation::ContextShare => {
                context_window.map(|window| (window as f64 * share).trunc() as u64)
            }
        }
    }
}
