//! How much may a session hold? So many tools and so many tokens of them. Where something else is wanted and nothing is
//! left, it is refused, or what was used the longest ago makes room.

use serde::Serialize;

use crate::catalog::{Catalog, ToolKey};
use crate::sort::sorted;

/// What happens when a session is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// Nothing more is loaded.
    Refuse,
    /// What was used the longest ago is deferred again, as far as it is in the way.
    Evict,
}

impl WhenFull {
    /// Every value with its text form.
    pub const ALL: &[(&str, WhenFull)] = &[("refuse", WhenFull::Refuse), ("evict", WhenFull::Evict)];
}

/// What a session may hold revealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Tools.
    pub tools: usize,
    /// Tokens of their definitions, as [`Tool::tokens`](crate::catalog::Tool::tokens) counts them; `usize::MAX` for any
    /// number.
    pub tokens: usize,
    /// What happens at either bound.
    pub when_full: WhenFull,
}

/// A revealed tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reveal {
    /// Who it is.
    #[serde(flatten)]
    pub key: ToolKey,
    /// The turn of its last use: of its reveal, or of a call.
    pub used: u64,
}

/// Which of some reveals, by their places, have to go for the others to be at most so many tools of so many tokens: those
/// used the longest ago, of these the ones revealed first. Tools that have left the catalog go before all others, since
/// they are not sent, and cost no cache when they go.
pub(super) fn surplus(reveals: &[Reveal], catalog: &Catalog, tools: usize, tokens: usize) -> Vec<usize> {
    if reveals.len() <= tools && tokens == usize::MAX {
        return Vec::new();
    }
    // Without a bound nothing is counted: texts are long.
    let weigh = |key: &ToolKey| match catalog.by_key(key) {
        Some(tool) if tokens < usize::MAX => tool.tokens(),
        _ => 0,
    };
    let weights: Vec<usize> = reveals.iter().map(|reveal| weigh(&reveal.key)).collect();
    let (mut held, mut weight) = (reveals.len(), weights.iter().sum::<usize>());
    let age = |at: &usize| (catalog.by_key(&reveals[*at].key).is_some(), reveals[*at].used, *at);
    let mut going = Vec::new();
    for at in sorted((0..reveals.len()).collect(), |a, b| age(a).cmp(&age(b))) {
        if held > tools || (weight > tokens && weights[at] > 0) {
            held -= 1;
            weight -= weights[at];
            going.push(at);
        }
    }
    going
}
