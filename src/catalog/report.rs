//! Defines the reports of a registration and of a synchronisation: which tools were accepted, which were not, and why.

use std::sync::Arc;

use serde::Serialize;

use crate::error::{Error, ErrorCode};
use crate::limits;

use super::schema::SchemaChange;
use super::sidecar::Matched;

/// A tool that was not accepted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Rejected {
    /// Its position in the list.
    pub index: usize,
    /// Its name, if it could be read.
    pub name: String,
    /// The kind of the error.
    pub code: ErrorCode,
    /// The error, in a sentence.
    pub message: String,
    /// For a refused name: a name that every vendor accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

impl Rejected {
    pub(super) fn new(index: usize, name: &str, error: Error) -> Self {
        let name = name.chars().take(limits::ANY_NAME_CHARS).collect();
        let (message, alias) = (error.message().to_owned(), error.alias().map(str::to_owned));
        Rejected { index, name, code: error.code(), message, alias }
    }

    pub(super) fn into_error(self) -> Error {
        let error = Error::new(self.code, self.message);
        self.alias.into_iter().fold(error, Error::with_alias)
    }
}

/// A tool that was accepted after changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Repaired {
    /// The name that the model sees.
    pub name: Arc<str>,
    /// A description of the changes, separated by `; `.
    pub repair: String,
    /// Changes of its parameters: the first ones, and at least one by each rule.
    pub changes: Vec<SchemaChange>,
}

/// The result of matching the given enrichment with the tools.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EnrichmentReport {
    /// The number of tools that got search words.
    pub enriched: usize,
    /// Tools whose search words were written from another definition, and are left out.
    pub stale: Vec<Arc<str>>,
}

/// The result of a registration. Names are those that the model sees.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RegisterReport {
    /// The accepted tools, in order.
    pub registered: Vec<Arc<str>>,
    /// The tools that were not accepted.
    pub rejected: Vec<Rejected>,
    /// The accepted tools that were changed.
    pub repaired: Vec<Repaired>,
    /// The use of the enrichment, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enrichment: Option<EnrichmentReport>,
}

impl RegisterReport {
    /// Notes that a tool was accepted, with the changes that made it usable.
    pub(super) fn accept(&mut self, name: &Arc<str>, repair: Option<Repaired>, matched: Matched) {
        self.repaired.extend(repair.map(|repair| Repaired { name: name.clone(), ..repair }));
        match (matched, &mut self.enrichment) {
            (Matched::Words, Some(report)) => report.enriched += 1,
            (Matched::Stale, Some(report)) => report.stale.push(name.clone()),
            _ => {}
        }
    }
}

/// The result of a synchronisation. Names are those that the model sees.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SyncReport {
    /// New tools.
    pub added: Vec<Arc<str>>,
    /// Tools with a new definition.
    pub changed: Vec<Arc<str>>,
    /// Removed tools.
    pub removed: Vec<Arc<str>>,
    /// The number of unchanged tools.
    pub unchanged: usize,
    /// Tools that were not accepted; an earlier version of such a tool is removed.
    pub rejected: Vec<Rejected>,
    /// The accepted tools that were changed.
    pub repaired: Vec<Repaired>,
    /// The use of the enrichment, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enrichment: Option<EnrichmentReport>,
}
