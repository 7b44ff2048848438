//! Bounds what a session may hold revealed, in tools and in tokens, and selects the tools to evict at a bound.

use std::collections::VecDeque;

use crate::catalog::{Catalog, Tool};

use super::revealed::RevealedTool;

/// What happens when a session is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhenFull {
    /// Nothing more is loaded.
    Refuse,
    /// The least recently used tools are evicted, as many as are in the way.
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

impl Bounds {
    /// The tokens of a tool, or 0 where tokens have no bound: counting is slow for long texts.
    pub(super) fn tokens_of(&self, tool: &Tool) -> usize {
        if self.tokens < usize::MAX { tool.tokens() } else { 0 }
    }
}

/// Selects reveals to evict while others are added. Least recently used tools go first, of equals the one revealed first.
/// Tools that have left the catalog go before all others: they are not sent, so that evicting them costs no prompt cache.
pub(super) struct Room<'a> {
    tools: &'a [RevealedTool],
    catalog: &'a Catalog,
    /// The opening of the session.
    opening: u32,
    /// Tokens of each tool; all 0 where tokens have no bound.
    tokens: Vec<usize>,
    held: usize,
    held_tokens: usize,
    /// The places of the tools that may go, made when something has to go first.
    candidates: Option<Candidates>,
}

struct Candidates {
    absent: VecDeque<usize>,
    present: VecDeque<usize>,
}

impl<'a> Room<'a> {
    pub(super) fn new(tools: &'a [RevealedTool], (catalog, opening): (&'a Catalog, u32), bounds: &Bounds) -> Self {
        let tokens_of =
            |tool: &RevealedTool| catalog.by_key_for(opening, &tool.key).map_or(0, |tool| bounds.tokens_of(tool));
        let tokens: Vec<usize> = match bounds.tokens {
            usize::MAX => vec![0; tools.len()],
            _ => tools.iter().map(tokens_of).collect(),
        };
        let held_tokens = tokens.iter().sum();
        Room { tools, catalog, opening, held: tools.len(), held_tokens, tokens, candidates: None }
    }

    /// Adds a tool of so many tokens. It is never evicted again.
    pub(super) fn add(&mut self, tokens: usize) {
        self.held += 1;
        self.held_tokens += tokens;
    }

    /// Evicts until at most so many tools of so many tokens are left. Returns the places of what goes, or nothing where
    /// too much would be left even so.
    pub(super) fn shrink(&mut self, tools: usize, tokens: usize) -> Option<Vec<usize>> {
        let mut going = Vec::new();
        if self.held <= tools && self.held_tokens <= tokens {
            return Some(going);
        }
        let Candidates { absent, present } =
            self.candidates.get_or_insert_with(|| Candidates::of(self.tools, (self.catalog, self.opening)));
        while self.held > tools {
            let at = absent.pop_front().or_else(|| present.pop_front())?;
            self.held -= 1;
            self.held_tokens -= self.tokens[at];
            going.push(at);
        }
        while self.held_tokens > tokens {
            let at = present.pop_front()?;
            self.held -= 1;
            self.held_tokens -= self.tokens[at];
            going.push(at);
        }
        Some(going)
    }
}

impl Candidates {
    fn of(tools: &[RevealedTool], (catalog, opening): (&Catalog, u32)) -> Self {
        let mut by_age: Vec<(u64, usize)> = tools.iter().map(|tool| tool.used).zip(0..).collect();
        by_age.sort_unstable();
        let is_present = |at: &usize| catalog.by_key_for(opening, &tools[*at].key).is_some();
        let (present, absent) = by_age.into_iter().map(|(_, at)| at).partition(is_present);
        Candidates { absent, present }
    }
}
