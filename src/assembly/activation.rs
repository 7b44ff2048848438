//! Whether tools are held back: switched on or off, or decided by how many tools there are and what they cost.

use crate::catalog::Deferral;

/// When tools are held back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activation {
    /// Always.
    On,
    /// Never.
    Off,
    /// When the model would be sent at least this number of tools, discovery tools included.
    Tools(usize),
    /// When the deferrable definitions take at least a share of the context window.
    ContextShare,
}

/// Tokens from which on tools are held back when nobody said how large the context window is, as in the published
/// system: a tenth of a window of 200,000.
const TOKENS_WITHOUT_WINDOW: u64 = 20_000;

/// What an activation is decided by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// Tools that the model would be sent, discovery tools included.
    pub tools: usize,
    /// Tools that could be held back.
    pub deferrable: usize,
    /// Their tokens, where tokens decide.
    pub deferrable_tokens: u64,
    /// Tokens from which on they are held back, where tokens decide.
    pub threshold_tokens: u64,
    /// How many of them ask to be held back whatever their number.
    pub insisting: usize,
}

/// What is held back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    /// Tools that leave it to the profile.
    pub automatic: bool,
    /// Tools that ask for it.
    pub always: bool,
}

impl Gate {
    /// Whether anything is.
    pub fn is_active(self) -> bool {
        self.automatic || self.always
    }

    /// Whether a deferrable tool of this policy is.
    pub fn holds(self, deferral: Deferral) -> bool {
        if deferral == Deferral::Always { self.always } else { self.automatic }
    }
}

impl Activation {
    /// What is held back. With nothing to hold back there is nothing to search, whatever the setting; a tool that asks
    /// for it is held back below every threshold.
    pub(super) fn gate(self, load: Load) -> Gate {
        let is_on = match self {
            Activation::Off => return Gate::default(),
            Activation::On => true,
            Activation::Tools(least) => load.tools >= least,
            Activation::ContextShare => load.deferrable_tokens > 0 && load.deferrable_tokens >= load.threshold_tokens,
        };
        let is_on = is_on && load.deferrable > 0;
        Gate { automatic: is_on, always: is_on || load.insisting > 0 }
    }
}

/// The tokens that a share (0 to 1) of the context window is. The order of operations matters: of a window of 100 a
/// share of 0.29 is 28 tokens, not 29.
pub(super) fn threshold_tokens(share: f64, context_window: Option<u64>) -> u64 {
    context_window.map_or(TOKENS_WITHOUT_WINDOW, |window| (window as f64 * share).trunc() as u64)
}
