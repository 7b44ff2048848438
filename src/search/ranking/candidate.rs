//! A tool that holds words of a request, and its score.

use crate::search::ids::{Doc, ServerId};

/// A tool fits too from this share of the best one's score on. With less, places go to tools that are not meant; with more, a
/// server that is written to come first is alone the sooner.
pub(crate) const FITS: f64 = 0.4;

/// A tool and its score, by what that is owed to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Candidate {
    pub doc: Doc,
    pub server: ServerId,
    /// The words of the request, as far as they stand in it: the share of their weight, below 1.
    pub words: f64,
    /// A name that the request covers.
    pub name: f64,
    /// The name of its server that the request covers.
    pub of_server: f64,
    /// A sentence of the tool that fits the request as a whole.
    pub sentence: f64,
    /// A clause of the request that it fits by itself.
    pub intent: f64,
    /// What the host says of it.
    pub host: f64,
}

impl Candidate {
    pub(crate) fn score(&self) -> f64 {
        self.by_words() + self.host
    }

    /// The score without what the host says.
    pub(crate) fn by_words(&self) -> f64 {
        self.words + self.name + self.of_server + self.sentence + self.intent
    }
}
