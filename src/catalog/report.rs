//! The reports of a registration and of a synchronisation: what was taken, what was not, and why.

use std::sync::Arc;

use serde::Serialize;

use crate::error::{Error, ErrorCode};

use super::schema::SchemaChange;
use super::sidecar::Matched;

/// A broken tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Rejected {
    /// Its place in the list.
    pub index: usize,
    /// Its name as far as it could be read.
    pub name: String,
    /// What is wrong with it.
    pub code: ErrorCode,
    /// What is wrong with it, in a sentence.
    pub message: String,
    /// For a refused name: one that every vendor accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

impl Rejected {
    pub(super) fn new(index: usize, name: String, error: Error) -> Self {
        let (message, alias) = (error.message().to_owned(), error.alias().map(str::to_owned));
        Rejected { index, name, code: error.code(), message, alias }
    }

    pub(super) fn into_error(self) -> Error {
        let error = Error::new(self.code, self.message);
        self.alias.into_iter().fold(error, Error::with_alias)
    }
}

/// A tool that was taken, but not as it stood.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Repaired {
    /// The name that the model sees.
    pub name: Arc<str>,
    /// What was changed; several changes are separated by `; `.
    pub repair: String,
    /// Changes of its parameters: the first ones, and one at least by each rule.
    pub changes: Vec<SchemaChange>,
}

/// What was changed of a definition.
pub(super) struct Repair {
    pub text: String,
    pub changes: Vec<SchemaChange>,
}

/// What became of the enrichments that were given beside the tools.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct EnrichmentReport {
    /// How many tools got words.
    pub enriched: usize,
    /// Tools whose words were written from another definition, and are left out.
    pub stale: Vec<Arc<str>>,
}

/// What both reports say of the tools that were taken.
pub(super) struct Notes {
    pub repaired: Vec<Repaired>,
    pub enrichment: Option<EnrichmentReport>,
}

impl Notes {
    pub(super) fn new(has_enrichment: bool) -> Self {
        Notes { repaired: Vec::new(), enrichment: has_enrichment.then(EnrichmentReport::default) }
    }

    /// Notes that a tool was taken.
    pub(super) fn add(&mut self, name: &Arc<str>, repair: Option<Repair>, matched: Matched) {
        self.repaired.extend(repair.map(|Repair { text, changes }| Repaired {
            name: name.clone(),
            repair: text,
            changes,
        }));
        match (matched, &mut self.enrichment) {
            (Matched::Words, Some(report)) => report.enriched += 1,
            (Matched::Stale, Some(report)) => report.stale.push(name.clone()),
            _ => {}
        }
    }
}

/// What a registration did. Names are those that the model sees.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RegisterReport {
    /// The tools that were taken, in order.
    pub registered: Vec<Arc<str>>,
    /// The tools that were not.
    pub rejected: Vec<Rejected>,
    /// Those that were taken with a repair.
    pub repaired: Vec<Repaired>,
    /// What became of the enrichments, where some were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enrichment: Option<EnrichmentReport>,
}

/// What a synchronisation did. Names are those that the model sees.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SyncReport {
    /// New tools.
    pub added: Vec<Arc<str>>,
    /// Tools whose definition is another one now.
    pub changed: Vec<Arc<str>>,
    /// Tools that are gone.
    pub removed: Vec<Arc<str>>,
    /// How many stayed as they were.
    pub unchanged: usize,
    /// Tools that could not be taken; an earlier version of such a tool is gone.
    pub rejected: Vec<Rejected>,
    /// Those that were taken with a repair.
    pub repaired: Vec<Repaired>,
    /// What became of the enrichments, where some were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enrichment: Option<EnrichmentReport>,
}
