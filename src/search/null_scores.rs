//! Scores that arise by chance over a set of tools, as they are kept and as a prebuilt index brings them along.

use crate::prebuilt::{Decoder, digest};

/// Sizes of bags of words that are drawn by chance. Between them chance is interpolated, beyond the last it stays.
pub(crate) const SIZES: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Whose words a request is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Those of definitions.
    Written,
    /// Those that stand in enrichments alone, such as all of another language than that of the definitions. They hardly meet the
    /// names of tools, so that less is found by chance.
    Colloquial,
    /// Those that stand in enrichments alone, in a script without blanks: pairs of characters, each of which few tools have.
    ColloquialInPairs,
    /// Words of definitions. It is used if the best tool has no words of an enrichment and other tools have some. Chance is then
    /// measured among the tools without such words.
    Bare,
}

impl Kind {
    /// How many there are.
    pub(crate) const COUNT: usize = 4;
}

/// What chance finds among some tools, by the size of the bag; each is measured when it is first needed.
pub(crate) type NullScores = [Option<f64>; SIZES.len()];

/// What chance finds among some tools, as a prebuilt index brings it along.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// A digest of the tools' positions.
    tools: u64,
    scores: NullScores,
}

impl Measured {
    /// What chance finds among the tools at these positions, where it was measured among exactly these.
    pub(crate) fn of(&self, positions: &[u32]) -> Option<NullScores> {
        (self.tools == digest_of(positions)).then_some(self.scores)
    }

    pub(crate) fn read(from: &mut Decoder<'_>) -> Option<Self> {
        let (tools, mut scores) = (from.word()?, NullScores::default());
        for chance in &mut scores {
            *chance = Some(Some(f64::from_bits(from.word()?)).filter(|chance| chance.is_finite())?);
        }
        Some(Measured { tools, scores })
    }
}

/// A number for some positions.
pub(crate) fn digest_of(positions: &[u32]) -> u64 {
    digest(&positions.iter().flat_map(|position| position.to_le_bytes()).collect::<Vec<u8>>())
}
