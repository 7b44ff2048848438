//! Is anything held back? Switched on, off, or decided by how much there is.

use serde::Serialize;

/// When tool search is on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Activation {
    /// Always.
    On,
    /// Never.
    Off,
    /// From this number of tools on.
    Tools(usize),
    /// When the deferrable definitions take at least this share (0 to 1) of the context window.
    ContextShare(f64),
}

/// What an activation is decided by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Load {
    /// Tools that the session may see.
    pub tools: usize,
    /// Those of them that could be held back.
    pub deferrable: usize,
    /// Their tokens.
    pub deferrable_tokens: u64,
}

impl Activation {
    /// Whether tools are held back. With nothing to hold back there is nothing to search, whatever the setting.
    pub(super) fn is_on(self, load: Load, context_window: Option<u64>) -> bool {
        load.deferrable > 0
            && match self {
                Activation::On => true,
                Activation::Off => false,
                Activation::Tools(least) => load.tools >= least,
                Activation::ContextShare(share) => {
                    let window = context_window.unwrap_or(0) as f64;
                    load.deferrable_tokens >= (window * share).trunc() as u64
                }
            }
    }
}
