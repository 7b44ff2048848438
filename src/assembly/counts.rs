//! Runs what counts tokens so that the host's counter is called while nothing is locked: it may take long, and use the
//! `ToolSift`.
//!
//! An attempt notes the texts that are not counted yet, and fails. The host counts them, and it is tried again.

use std::cell::RefCell;

use crate::error::{Error, ErrorCode, Result};
use crate::map::Map;
use crate::running::Running;

use super::cost::TokenCounter;

/// Attempts of one operation. One takes at most three of its own; each other one is due to a change of the catalog.
const ATTEMPTS: usize = 100;

/// The texts of one operation that a host's counter has counted, and those that it is to count.
pub struct Counts {
    /// None where characters are counted.
    counted: Option<Map<String, u64>>,
    wanted: RefCell<Vec<String>>,
}

impl Counts {
    /// The tokens of a text, or none where characters are counted.
    ///
    /// # Errors
    /// An error that no host sees, where the text is not counted yet.
    pub(super) fn of(&self, text: &str) -> Result<Option<u64>> {
        let Some(counted) = &self.counted else { return Ok(None) };
        if text.is_empty() {
            return Ok(Some(0));
        }
        if let Some(tokens) = counted.get(text) {
            return Ok(Some(*tokens));
        }
        self.wanted.borrow_mut().push(text.to_owned());
        Err(Error::new(ErrorCode::CounterFailed, "not counted yet"))
    }
}

impl TokenCounter {
    /// Runs something that counts tokens. It may run several times, so that it changes nothing before everything is counted,
    /// and takes its locks itself.
    ///
    /// # Errors
    /// What `run` says; `counter_failed` when the host's counter fails.
    pub fn counting<T>(&self, mut run: impl FnMut(&Counts) -> Result<T>) -> Result<T> {
        let counted = matches!(self, TokenCounter::Host(_)).then(Map::default);
        let mut counts = Counts { counted, wanted: RefCell::default() };
        for _ in 0..ATTEMPTS {
            let done = run(&counts);
            let (wanted, Some(counted)) = (counts.wanted.take(), &mut counts.counted) else { return done };
            if wanted.is_empty() {
                return done;
            }
            let _running = Running::start(self).ok_or_else(|| {
                let message = "countTokens must not count tokens with the ToolSift that it counts for";
                Error::new(ErrorCode::CounterFailed, message)
            })?;
            for text in wanted {
                if !counted.contains_key(&text) {
                    let tokens = self.ask(&text)?;
                    counted.insert(text, tokens);
                }
            }
        }
        Err(Error::new(ErrorCode::CounterFailed, "the catalog changed whenever countTokens had counted it"))
    }
}

/// Adds up what can be counted.
///
/// # Errors
/// The last error. Everything is tried, so that the host counts all texts at once.
pub(crate) fn try_all<T>(results: impl IntoIterator<Item = Result<T>>, mut each: impl FnMut(T)) -> Result<()> {
    let mut done = Ok(());
    for result in results {
        match result {
            Ok(value) => each(value),
            Err(error) => done = Err(error),
        }
    }
    done
}
