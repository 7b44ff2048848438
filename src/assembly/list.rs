//! The definitions of one request, in order: their texts, what they cost together, and how far they repeat the request before.

use std::sync::Arc;

use serde::Serialize;

use crate::session::Sent;

use super::cost::{Parts, Prefix, Tally};
use super::render::Rendered;
use super::wire::Format;

/// What a definition is sent as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// One of the tools by which the model finds others.
    Discovery,
    /// A tool that is not held back, in full.
    Eager,
    /// A tool that was held back and is revealed, in full.
    Revealed,
    /// A tool that is held back and shown in the list nevertheless: as a stub, or in full where that is not larger.
    Stub,
}

/// The definitions of a request, in order.
#[derive(Default)]
pub(super) struct List(Vec<(Role, Rendered)>);

impl List {
    pub(super) fn add(&mut self, role: Role, rendered: Rendered) {
        self.0.push((role, rendered));
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn roles(&self) -> Vec<Role> {
        self.0.iter().map(|(role, _)| *role).collect()
    }

    /// What the definitions cost, without the punctuation between them.
    pub(super) fn total(&self) -> Tally {
        let mut sum = Tally::default();
        self.0.iter().for_each(|(_, rendered)| sum.add(rendered.tally));
        sum
    }

    /// The parts of a request that the tool list holds.
    pub(super) fn parts(&self) -> Parts {
        let mut sums = [Tally::default(); 4];
        self.0.iter().for_each(|(role, rendered)| sums[*role as usize].add(rendered.tally));
        let [discovery, eager, revealed, stubs] = sums.map(Tally::cost);
        Parts { discovery, eager, revealed, stubs, ..Parts::default() }
    }

    /// The JSON text in pieces: brackets, definitions, and commas between them.
    pub(super) fn serialized(&self, format: Format) -> Sent {
        let (open, close) = format.brackets(self.0.is_empty());
        let comma: Arc<str> = ",".into();
        let mut sent: Sent = vec![open.into()];
        for (at, (_, rendered)) in self.0.iter().enumerate() {
            if at > 0 {
                sent.push(comma.clone());
            }
            sent.push(rendered.text.clone());
        }
        sent.push(close.into());
        sent
    }
}

/// How far two serialized lists agree from their first byte on.
pub(super) fn common_prefix(before: &Sent, now: &Sent) -> Prefix {
    let mut bytes = 0;
    for (old, new) in before.iter().zip(now) {
        if Arc::ptr_eq(old, new) || old == new {
            bytes += old.len();
            continue;
        }
        bytes += old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        break;
    }
    let total: usize = before.iter().map(|piece| piece.len()).sum();
    Prefix { bytes, share: if total == 0 { 0.0 } else { bytes as f64 / total as f64 } }
}
