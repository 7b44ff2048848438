//! Counts bytes and tokens of texts, and adds them up by part.

use std::fmt;

use serde::Serialize;

use crate::catalog::Unreached;
use crate::error::{Error, ErrorCode, Result};
use crate::json::number_text;
use crate::running::Running;

/// Characters of one token where the host has no better count: what vendors give as a rule of thumb for English.
/// On real tool definitions it says about 12 % more than their tokenizers do.
const CHARS_PER_TOKEN: usize = 4;

/// A host's own count of the tokens of a text, or why it could not count.
type HostCounter = Box<dyn Fn(&str) -> std::result::Result<f64, String> + Send + Sync>;

/// How tokens are counted.
#[derive(Default)]
#[non_exhaustive]
pub enum TokenCounter {
    /// `ceil(characters / 4)` of everything that is added up.
    #[default]
    Characters,
    /// The host's own counter.
    Host(HostCounter),
}

impl TokenCounter {
    /// What the host's counter says of a text; none where characters are counted.
    ///
    /// # Errors
    /// `counter_failed`.
    fn count(&self, text: &str) -> Result<Option<u64>> {
        match self {
            TokenCounter::Characters => Ok(None),
            TokenCounter::Host(_) if text.is_empty() => Ok(Some(0)),
            TokenCounter::Host(count) => {
                let _running = Running::start(self).ok_or_else(is_running)?;
                checked(count(text)).map(Some)
            }
        }
    }

    /// Checks that the host's counter does not run on this thread. It counts for a session that waits for it, or for the catalog.
    ///
    /// # Errors
    /// `counter_failed`.
    pub(crate) fn check_is_over(&self) -> Result<()> {
        if Running::is_running(self) { Err(is_running()) } else { Ok(()) }
    }
}

impl fmt::Debug for TokenCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TokenCounter::Characters => "Characters",
            TokenCounter::Host(_) => "Host",
        })
    }
}

/// Sizes that add up: characters are kept apart, so that rounding to tokens happens once, at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    tools: usize,
    bytes: usize,
    chars: usize,
    host_tokens: Option<u64>,
}

impl Tally {
    /// The size of a text that defines no tool.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter does.
    pub fn of_text(text: &str, counter: &TokenCounter) -> Result<Self> {
        let host_tokens = counter.count(text)?;
        Ok(Tally { tools: 0, bytes: text.len(), chars: text.chars().count(), host_tokens })
    }

    /// The size of a text that defines one tool.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter does.
    pub fn of_tool(text: &str, counter: &TokenCounter) -> Result<Self> {
        Ok(Tally { tools: 1, ..Tally::of_text(text, counter)? })
    }

    /// Adds another size.
    pub fn add(&mut self, other: Tally) {
        self.tools += other.tools;
        self.bytes += other.bytes;
        self.chars += other.chars;
        self.host_tokens = match (self.host_tokens, other.host_tokens) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        };
    }

    /// Adds punctuation, which is ASCII and too short for a counter of its own.
    pub(super) fn add_punctuation(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.chars += bytes;
    }

    /// What the same costs as its server sends it, with the parts of schemas that no parameter reaches.
    pub fn as_sent(mut self, unreached: impl IntoIterator<Item = Unreached>) -> TextCost {
        for Unreached { bytes, chars } in unreached {
            self.bytes += bytes as usize;
            self.chars += chars as usize;
            self.host_tokens =
                self.host_tokens.map(|tokens| tokens + u64::from(chars.div_ceil(CHARS_PER_TOKEN as u32)));
        }
        let Cost { bytes, tokens, .. } = self.cost();
        TextCost { bytes, tokens }
    }

    /// The sum, in tokens.
    pub fn cost(self) -> Cost {
        let tokens = self.host_tokens.unwrap_or(self.chars.div_ceil(CHARS_PER_TOKEN) as u64);
        Cost { tools: self.tools, bytes: self.bytes, tokens }
    }
}

fn is_running() -> Error {
    let message = "countTokens must neither use sessions nor count tokens with the ToolSift that it counts for";
    Error::new(ErrorCode::CounterFailed, message)
}

fn checked(count: std::result::Result<f64, String>) -> Result<u64> {
    /// The largest count that a JavaScript number holds exactly.
    const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;
    let failed = |why: String| Error::new(ErrorCode::CounterFailed, format!("countTokens {why}"));
    match count {
        Ok(count) if (0.0..=MAX_SAFE_INTEGER).contains(&count) => Ok(count.ceil() as u64),
        Ok(count) => Err(failed(format!("returned {}; a count is 0 or more", number_text(count)))),
        Err(why) => Err(failed(why)),
    }
}

/// What some tools or texts cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Cost {
    /// How many tools are described.
    pub tools: usize,
    /// UTF-8 bytes.
    pub bytes: usize,
    /// Tokens, as the host counts them.
    pub tokens: u64,
}

/// What a text costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TextCost {
    /// UTF-8 bytes.
    pub bytes: usize,
    /// Tokens of the same; what a host's counter never saw counts as characters / 4.
    pub tokens: u64,
}

/// What a request consists of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Parts {
    /// The discovery tools.
    pub discovery: Cost,
    /// Tools that are sent from the start.
    pub eager: Cost,
    /// Tools that were revealed.
    pub revealed: Cost,
    /// Deferred tools as far as the tool list shows them.
    pub stubs: Cost,
    /// Deferred tools as far as the prompt lists them.
    pub listing: Cost,
    /// The rest of the prompt section.
    pub prompt: Cost,
}

/// What is saved against sending everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Saved {
    /// UTF-8 bytes; negative where tool search costs more.
    pub bytes: i64,
    /// Tokens; negative where tool search costs more.
    pub tokens: i64,
    /// The saved tokens as a share of the tokens of everything.
    pub share: f64,
}

impl Saved {
    pub(super) fn between(full: Cost, request: Cost) -> Self {
        // The host's counts may add up to more than 63 bits.
        let signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        let tokens = signed(full.tokens) - signed(request.tokens);
        let share = if full.tokens == 0 { 0.0 } else { tokens as f64 / full.tokens as f64 };
        Saved { bytes: full.bytes as i64 - request.bytes as i64, tokens, share }
    }
}

/// What a vendor's prompt cache can keep of the previous request's tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Prefix {
    /// Bytes from the first on that are unchanged.
    pub bytes: usize,
    /// The unchanged bytes as a share of the previous request's.
    pub share: f64,
}

/// What a request costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Size {
    /// Every tool that the session may see, sent in full.
    pub full: Cost,
    /// This request: its tools and its prompt section.
    pub request: Cost,
    /// What it consists of. The punctuation between definitions belongs to no part.
    pub parts: Parts,
    /// The difference.
    pub saved: Saved,
    /// What repeats the request before.
    pub prefix: Prefix,
}

/// What the tools of one server cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ServerSize {
    /// The server, or none for the host's own tools.
    pub server: Option<String>,
    /// How many tools it has.
    pub tools: usize,
    /// UTF-8 bytes of their definitions.
    pub bytes: usize,
    /// Tokens of the same.
    pub tokens: u64,
    /// What they cost as their servers send them, with the parts of schemas that no parameter reaches.
    pub sent: TextCost,
}

/// What everything in a catalog costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CatalogSize {
    /// How many tools there are.
    pub tools: usize,
    /// UTF-8 bytes of their definitions.
    pub bytes: usize,
    /// Tokens of the same.
    pub tokens: u64,
    /// What they cost as their servers send them, with the parts of schemas that no parameter reaches.
    pub sent: TextCost,
    /// By server, in order of first registration.
    pub servers: Vec<ServerSize>,
}
