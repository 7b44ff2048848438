//! Regular expressions in RE2's syntax, matched in linear time, ignoring case unless a pattern says `(?-i)`.
//!
//! A model or an attacker writes the patterns that toolsift searches with, so states and steps must be countable: a
//! search refuses a pattern that is too large for its catalog, and stops a pattern that takes too long. The crate
//! `regex` counts neither, has another dialect, and adds 130 to 270 KB to the compressed wasm; this crate adds 15.
//! Tests compare the matches of both.
//!
//! ```
//! let mut pattern = toolsift_pattern::Pattern::new("issue|ticket", 200)?;
//! assert_eq!(pattern.find("Open a TICKET."), Some("TICKET"));
//! assert!(pattern.steps() > 0);
//! # Ok::<(), toolsift_pattern::PatternError>(())
//! ```

#![warn(missing_docs)]

mod automaton;
mod dialect;

use std::fmt;

use automaton::Automaton;

/// The maximum number of states of a pattern, whatever the caller allows: jumps between states are 16 bits wide.
pub const MAX_STATES: usize = 4_000;

/// A compiled pattern. It remembers what it learnt from earlier texts, so that later ones take less time.
pub struct Pattern(Automaton);

impl Pattern {
    /// Compiles a pattern of at most `max_states` and [`MAX_STATES`] states.
    ///
    /// # Errors
    /// [`PatternError::Invalid`] for a text that RE2 refuses, [`PatternError::TooLarge`] for a pattern with more
    /// states.
    pub fn new(pattern: &str, max_states: usize) -> Result<Self, PatternError> {
        let program = dialect::read(pattern).map_err(PatternError::Invalid)?;
        let states = program.fragment.count();
        if states > max_states.min(MAX_STATES) as u64 {
            return Err(PatternError::TooLarge { states });
        }
        Ok(Pattern(Automaton::new(program)))
    }

    /// Returns the leftmost match in a text; of several matches there, the one that the pattern prefers.
    pub fn find<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        self.0.find(text)
    }

    /// Returns the number of states visited in all texts so far, which is the cost of the search.
    pub fn steps(&self) -> usize {
        self.0.visited
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pattern").field("steps", &self.steps()).finish_non_exhaustive()
    }
}

/// The reason why a pattern cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// The text is not a valid pattern, for this reason.
    Invalid(String),
    /// The pattern has more states than the caller allows.
    TooLarge {
        /// The number of states that it would have.
        states: u64,
    },
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternError::Invalid(reason) => f.write_str(reason),
            PatternError::TooLarge { states } => write!(f, "{states} states are too many"),
        }
    }
}

impl std::error::Error for PatternError {}
