//! Defines null scores: scores that random words reach over a set of tools, in memory and in a prebuilt index.

use crate::error::Result;
use crate::prebuilt::{contradiction, digest, take};

/// The sizes of random bags of words. Between them the null score is interpolated; above the last one it is constant.
pub(crate) const SIZES: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// The kind of words that a request consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Words of definitions.
    Written,
    /// Words that occur only in enrichments, such as all words of another language than that of the definitions. They
    /// hardly ever occur in names, so that the null score is lower.
    Colloquial,
    /// Words that occur only in enrichments, in a script without blanks: pairs of characters, each of which few tools
    /// have.
    ColloquialInPairs,
    /// Words of definitions, measured only among tools without an enrichment. It is used if the best tool has no
    /// enrichment and other tools have one.
    Unenriched,
}

impl Kind {
    /// The number of kinds.
    pub(crate) const COUNT: usize = 4;
}

/// The null scores by bag size; each is measured when it is first needed.
pub(crate) type NullScores = [Option<f64>; SIZES.len()];

/// Null scores from a prebuilt index.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// A digest of the tools' positions.
    tools: u64,
    scores: NullScores,
}

impl Measured {
    /// Returns the null scores if they were measured over exactly the tools at these positions.
    pub(crate) fn of(&self, positions: &[u32]) -> Option<NullScores> {
        (self.tools == digest_of(positions)).then_some(self.scores)
    }

    pub(crate) fn read(from: &mut &[u8]) -> Result<Self> {
        let (tools, scores): (u64, [f64; SIZES.len()]) = take(from)?;
        if !scores.iter().all(|score| score.is_finite()) {
            return Err(contradiction());
        }
        Ok(Measured { tools, scores: scores.map(Some) })
    }
}

/// Returns a digest of positions.
pub(crate) fn digest_of(positions: &[u32]) -> u64 {
    digest(&positions.iter().flat_map(|position| position.to_le_bytes()).collect::<Vec<u8>>())
}
