//! Holds the definitions of one request in order, with their cost and the part that repeats the request before.

use std::sync::Arc;

use serde::Serialize;

use crate::session::Sent;

use super::cost::{Parts, Prefix, Tally};
use super::render::Rendered;
use super::wire::Format;

/// The role of a definition in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// A tool that the model uses to find others.
    Discovery,
    /// A tool that is not deferred, in full.
    Eager,
    /// A deferred tool that was loaded, in full.
    Revealed,
    /// A deferred tool that the list shows: as a stub, or in full if that is not larger.
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

    /// Returns the cost of the definitions, without the punctuation between them.
    pub(super) fn total(&self) -> Tally {
        let mut sum = Tally::default();
        self.0.iter().for_each(|(_, rendered)| sum.add(rendered.tally));
        sum
    }

    /// Returns the cost of each part that is in the tool list.
    pub(super) fn parts(&self) -> Parts {
        let mut sums = [Tally::default(); 4];
        self.0.iter().for_each(|(role, rendered)| sums[*role as usize].add(rendered.tally));
        let [discovery, eager, revealed, stubs] = sums.map(Tally::cost);
        Parts { discovery, eager, revealed, stubs, ..Parts::default() }
    }

    /// Returns the JSON text in pieces: brackets, definitions, and commas between them.
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

/// Returns the length of the common beginning of two serialized lists.
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
