//! Limits how much a session may have loaded, in tools and in tokens, and selects the tools to evict at a limit.

use std::collections::VecDeque;

use crate::catalog::{Catalog, Owner, Tool};
use crate::macros::choices;

use super::revealed::RevealedTool;

choices! {
    /// The reaction when a session is full.
    pub enum WhenFull {
        /// Nothing more is loaded.
        Refuse = "refuse",
        /// The least recently used tools are evicted, as many as necessary.
        Evict = "evict",
    }
}

/// The limits of the loaded tools of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The maximum number of tools.
    pub tools: usize,
    /// The maximum number of tokens of their definitions, counted by [`Tool::tokens`](crate::catalog::Tool::tokens);
    /// `usize::MAX` means no limit.
    pub tokens: usize,
    /// The reaction at either limit.
    pub when_full: WhenFull,
}

impl Bounds {
    /// Returns the tokens of a tool, or 0 if tokens have no limit: counting is slow for long texts.
    pub(super) fn tokens_of(&self, tool: &Tool) -> usize {
        if self.tokens < usize::MAX { tool.tokens() } else { 0 }
    }
}

/// Selects loaded tools to evict while others are added. The least recently used tools go first; of equal ones, the
/// tool loaded first. Tools that are no longer in the catalog go before all others: they are not in the request, so the
/// prompt cache stays valid.
pub(super) struct Eviction<'a> {
    revealed: &'a [RevealedTool],
    catalog: &'a Catalog,
    owner: Owner,
    /// The tokens of each tool; all 0 if tokens have no limit.
    tokens: Vec<usize>,
    held: usize,
    held_tokens: usize,
    /// The indices of the tools that may be evicted, the first to evict first. `None` until the first eviction needs it.
    order: Option<VecDeque<usize>>,
}

impl<'a> Eviction<'a> {
    pub(super) fn new(revealed: &'a [RevealedTool], catalog: &'a Catalog, owner: Owner, bounds: &Bounds) -> Self {
        let tokens_of =
            |tool: &RevealedTool| catalog.by_key_for(owner, &tool.key()).map_or(0, |tool| bounds.tokens_of(tool));
        let tokens: Vec<usize> = match bounds.tokens {
            usize::MAX => vec![0; revealed.len()],
            _ => revealed.iter().map(tokens_of).collect(),
        };
        let held_tokens = tokens.iter().sum();
        Eviction { revealed, catalog, owner, held: revealed.len(), held_tokens, tokens, order: None }
    }

    /// Counts a tool that was just added. This eviction never selects it.
    pub(super) fn add(&mut self, tokens: usize) {
        self.held += 1;
        self.held_tokens += tokens;
    }

    /// Selects loaded tools to evict so that at most `tools` tools and `tokens` tokens remain. Returns their places, or
    /// `None` if that is not possible.
    pub(super) fn shrink(&mut self, tools: usize, tokens: usize) -> Option<Vec<usize>> {
        let mut evicted = Vec::new();
        if self.held <= tools && self.held_tokens <= tokens {
            return Some(evicted);
        }
        let (revealed, catalog, owner) = (self.revealed, self.catalog, self.owner);
        let order = self.order.get_or_insert_with(|| {
            let is_present = |at: usize| catalog.by_key_for(owner, &revealed[at].key()).is_some();
            let mut order: Vec<usize> = (0..revealed.len()).collect();
            order.sort_by_cached_key(|at| (is_present(*at), revealed[*at].used));
            order.into()
        });
        while self.held > tools || self.held_tokens > tokens {
            // A tool that left the catalog has 0 tokens: its eviction helps only if there are too many tools.
            let next = order.iter().position(|at| self.held > tools || self.tokens[*at] > 0)?;
            let at = order.remove(next)?;
            self.held -= 1;
            self.held_tokens -= self.tokens[at];
            evicted.push(at);
        }
        Some(evicted)
    }
}
