//! A tool that holds words of a request, and the parts of its score.

use crate::search::ids::{ServerId, Slot};

/// A tool and its score, by what that is owed to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::search) struct Candidate {
    pub slot: Slot,
    /// Its server.
    pub server_number: ServerId,
    /// The words of the request, as far as they stand in it: the share of their weight, below 1.
    pub words: f64,
    /// A name that the request covers.
    pub name: f64,
    /// A server that the request names.
    pub server: f64,
    /// A clause of the request that it fits by itself.
    pub intent: f64,
    /// What the host says of it.
    pub host: f64,
}

impl Candidate {
    pub(in crate::search::sift) fn score(&self) -> f64 {
        self.by_words() + self.host
    }

    /// The score without what the host says.
    pub(in crate::search::sift) fn by_words(&self) -> f64 {
        self.words + self.name + self.server + self.intent
    }
}
