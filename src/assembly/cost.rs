//! Counts bytes and tokens of texts, and adds them up by part.

use std::fmt;

use serde::Serialize;

use crate::catalog::Unreached;
use crate::error::{Error, ErrorCode, Result};
use crate::json::number_text;
use crate::running::Running;

/// Characters per token if the host has no counter of its own: the rule of thumb that vendors give for English. For
/// real tool definitions its count is about 12 % higher than that of their tokenizers.
const CHARS_PER_TOKEN: usize = 4;

/// The host's function that counts the tokens of a text, or says why it could not.
type HostCounter = Box<dyn Fn(&str) -> std::result::Result<f64, String> + Send + Sync>;

/// The way tokens are counted.
#[derive(Default)]
#[non_exhaustive]
pub enum TokenCounter {
    /// `ceil(characters / 4)` of the whole sum.
    #[default]
    Characters,
    /// The host's own counter.
    Host(HostCounter),
}

impl TokenCounter {
    /// Returns the host's count for a text, or `None` if characters are counted.
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

    /// Checks that the host's counter is not running on this thread: the session or catalog that it counts for waits
    /// for it.
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

/// A size that can be summed. Characters are kept apart, so that the sum is rounded to tokens once, at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    tools: usize,
    bytes: usize,
    chars: usize,
    host_tokens: Option<u64>,
}

impl Tally {
    /// Returns the size of a text that defines no tool.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter fails.
    pub fn of_text(text: &str, counter: &TokenCounter) -> Result<Self> {
        let host_tokens = counter.count(text)?;
        Ok(Tally { tools: 0, bytes: text.len(), chars: text.chars().count(), host_tokens })
    }

    /// Returns the size of a text that defines one tool.
    ///
    /// # Errors
    /// `counter_failed` when the host's token counter fails.
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

    /// Adds punctuation. It is ASCII, and too short to be given to the host's counter.
    pub(super) fn add_punctuation(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.chars += bytes;
    }

    /// Returns the cost as the server sends the tool, with the parts of schemas that no parameter refers to.
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

    /// Returns the sum, with characters rounded up to tokens.
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

/// The cost of some tools or texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Cost {
    /// The number of tools described.
    pub tools: usize,
    /// UTF-8 bytes.
    pub bytes: usize,
    /// Tokens, by the host's counter or as characters / 4.
    pub tokens: u64,
}

/// The cost of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TextCost {
    /// UTF-8 bytes.
    pub bytes: usize,
    /// Tokens; text that the host's counter was not given counts as characters / 4.
    pub tokens: u64,
}

/// The cost of each part of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Parts {
    /// The discovery tools.
    pub discovery: Cost,
    /// Tools that are not deferred.
    pub eager: Cost,
    /// Deferred tools that were loaded.
    pub revealed: Cost,
    /// Deferred tools that the tool list shows.
    pub stubs: Cost,
    /// Deferred tools that the prompt lists.
    pub listing: Cost,
    /// The rest of the prompt section.
    pub prompt: Cost,
}

/// The savings compared with sending every tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Saved {
    /// UTF-8 bytes; negative if tool search costs more.
    pub bytes: i64,
    /// Tokens; negative if tool search costs more.
    pub tokens: i64,
    /// The saved tokens as a share of the tokens of all tools, at most 1.
    pub share: f64,
}

impl Saved {
    pub(super) fn between(full: Cost, request: Cost) -> Self {
        // The host's counts may add up to a number of more than 63 bits.
        let signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        let tokens = signed(full.tokens) - signed(request.tokens);
        let share = if full.tokens == 0 { 0.0 } else { tokens as f64 / full.tokens as f64 };
        Saved { bytes: full.bytes as i64 - request.bytes as i64, tokens, share }
    }
}

/// The part of the previous request's tools that a vendor's prompt cache can reuse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Prefix {
    /// The number of unchanged bytes at the beginning.
    pub bytes: usize,
    /// The unchanged bytes as a share of the previous request's bytes.
    pub share: f64,
}

/// The cost of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Size {
    /// The cost of sending every tool that the session may see in full.
    pub full: Cost,
    /// The cost of this request: its tools and its prompt section.
    pub request: Cost,
    /// The cost of each part. The punctuation between definitions belongs to no part.
    pub parts: Parts,
    /// The difference between `full` and `request`.
    pub saved: Saved,
    /// The beginning that is the same as in the request before.
    pub prefix: Prefix,
}

/// The cost of the tools of one server.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ServerSize {
    /// The server; `None` for the host's own tools.
    pub server: Option<String>,
    /// The number of its tools.
    pub tools: usize,
    /// UTF-8 bytes of their definitions.
    pub bytes: usize,
    /// Tokens of their definitions.
    pub tokens: u64,
    /// The cost as the servers send them, with the parts of schemas that no parameter refers to.
    pub sent: TextCost,
}

/// The cost of all tools in a catalog.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CatalogSize {
    /// The number of tools.
    pub tools: usize,
    /// UTF-8 bytes of their definitions.
    pub bytes: usize,
    /// Tokens of their definitions.
    pub tokens: u64,
    /// The cost as the servers send them, with the parts of schemas that no parameter refers to.
    pub sent: TextCost,
    /// The cost by server, in order of first registration.
    pub servers: Vec<ServerSize>,
}
