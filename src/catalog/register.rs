//! Registration: definitions become tools of the catalog, one by one.

use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::json::Item;
use crate::map::Set;

use super::enrichment::Enrichment;
use super::import::{self, Draft};
use super::names::{self, NamePolicy};
use super::naming::name_reserved;
use super::registry::Catalog;
use super::report::{EnrichmentReport, RegisterReport, Rejected, Repaired};
use super::sidecar::{Matched, Sidecar};
use super::table::SHARED;
use super::tool::{Deferral, Labels, Tool, ToolId, ToolKey};

/// What holds for every tool of one registration.
///
/// ```
/// use toolsift::{NamePolicy, RegisterOptions};
///
/// let github = RegisterOptions::default().server("github").names(NamePolicy::Alias);
/// assert_eq!(github.server.as_deref(), Some("github"));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RegisterOptions {
    /// The server that they come from. It counts also where a definition names another one.
    pub server: Option<String>,
    /// What names are accepted.
    pub names: NamePolicy,
    /// For tools that say nothing themselves.
    pub deferral: Option<Deferral>,
    /// For tools that say nothing themselves.
    pub category: Option<String>,
    /// What people say who need the tools, beside what definitions say themselves.
    pub enrichment: Option<Arc<Sidecar>>,
}

impl RegisterOptions {
    /// With the server that the tools come from.
    #[must_use]
    pub fn server(mut self, server: impl Into<String>) -> Self {
        self.server = Some(server.into());
        self
    }

    /// With what names are accepted.
    #[must_use]
    pub fn names(mut self, policy: NamePolicy) -> Self {
        self.names = policy;
        self
    }

    /// With what holds for tools that do not say whether they may be held back.
    #[must_use]
    pub fn deferral(mut self, deferral: Deferral) -> Self {
        self.deferral = Some(deferral);
        self
    }

    /// With the category of tools that name none.
    #[must_use]
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.category = Some(category.into());
        self
    }

    /// With what people say who need the tools.
    #[must_use]
    pub fn enrichment(mut self, sidecar: impl Into<Arc<Sidecar>>) -> Self {
        self.enrichment = Some(sidecar.into());
        self
    }
}

/// The same, with texts that all tools of the registration share.
pub(super) struct Source {
    /// Whose tools they become.
    pub owner: u32,
    pub server: Option<Arc<str>>,
    pub names: NamePolicy,
    deferral: Option<Deferral>,
    category: Option<Arc<str>>,
    sidecar: Option<Arc<Sidecar>>,
}

impl Source {
    /// An empty report on the enrichments, where some were given.
    pub(super) fn report(&self) -> Option<EnrichmentReport> {
        self.sidecar.as_ref().map(|_| EnrichmentReport::default())
    }
}

/// A definition that was read, with the identity of its tool.
pub(super) struct Candidate {
    /// The place in the host's list.
    pub index: usize,
    pub key: ToolKey,
    pub draft: Draft,
    /// What was changed to make the definition usable.
    pub repair: Option<String>,
    /// What the sidecar has for it.
    pub matched: Matched,
}

impl Catalog {
    /// Takes a list of definitions one by one, as shared tools or as a session's own.
    ///
    /// # Errors
    /// `not_json` when the text is no list at all, `list_too_large`, `out_of_memory`. A broken tool is no error: it is in
    /// the report.
    pub(crate) fn register_for(&mut self, owner: u32, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        let definitions = import::read_list(list)?;
        let source = self.source(owner, options);
        let mut report = RegisterReport { enrichment: source.report(), ..RegisterReport::default() };
        for (index, definition) in &definitions {
            if let Err(error) = self.take(*index, definition, &source, &mut report) {
                report.rejected.push(Rejected::new(*index, import::name_of(definition), error));
            }
        }
        Ok(report)
    }

    /// Takes one definition, or all that one entry in Google's shape declares, for an owner.
    ///
    /// # Errors
    /// What is wrong with the first broken definition; the catalog has no tool of the entry then.
    pub(crate) fn register_one_for(
        &mut self,
        owner: u32,
        definition: &str,
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        let list = import::as_list(definition)?;
        let definitions = import::read_list(&list)?;
        let (source, first) = (self.source(owner, options), self.next_order);
        let servers = self.own(owner).map(|own| own.room.servers().cloned().collect::<Set<_>>()).unwrap_or_default();
        let mut report = RegisterReport { enrichment: source.report(), ..RegisterReport::default() };
        for (index, definition) in &definitions {
            if let Err(error) = self.take(*index, definition, &source, &mut report) {
                self.remove(owner, &|tool| tool.order >= first);
                if owner != SHARED {
                    self.table_mut(owner).room.retain(|server| servers.contains(server));
                }
                return Err(error);
            }
        }
        Ok(report)
    }

    /// Takes one definition. On an error the catalog is as it was.
    fn take(
        &mut self,
        index: usize,
        definition: &Item<'_>,
        source: &Source,
        report: &mut RegisterReport,
    ) -> Result<()> {
        let candidate = self.candidate(index, definition, source)?;
        if self.has(source.owner, &candidate.key) {
            return Err(duplicate(&candidate.key));
        }
        let matched = candidate.matched;
        let (name, repaired) = self.add(candidate, source)?;
        EnrichmentReport::note(&mut report.enrichment, matched, &name);
        report.repaired.extend(repaired);
        report.registered.push(name);
        self.note_change(source.owner);
        Ok(())
    }

    /// Whether an owner has a tool of an identity.
    pub(super) fn has(&self, owner: u32, key: &ToolKey) -> bool {
        self.table(owner).is_some_and(|table| table.by_key.contains_key(key))
    }

    /// The one copy of the name of an owner's server.
    fn server_name(&self, owner: u32, name: &str) -> Arc<str> {
        self.table(owner).map_or_else(|| name.into(), |table| table.room.server_name(name))
    }

    pub(super) fn source(&self, owner: u32, options: &RegisterOptions) -> Source {
        Source {
            owner,
            server: options.server.as_deref().map(|server| self.server_name(owner, server)),
            names: options.names,
            deferral: options.deferral,
            category: options.category.as_deref().map(Arc::from),
            sidecar: options.enrichment.clone(),
        }
    }

    /// Reads a definition and says whose tool it is. The host's word on the server counts, because scopes rest on it.
    pub(super) fn candidate(&self, index: usize, definition: &Item<'_>, source: &Source) -> Result<Candidate> {
        let mut draft = import::read(definition)?;
        let mut repair = draft.repair.take();
        let server = match (&source.server, &draft.server) {
            (Some(host), Some(own)) if **host != **own => {
                let (own, host_name) = (excerpt(own), excerpt(host));
                let moved = format!("the server of the definition, {own}, was replaced by {host_name}");
                repair = Some(repair.map_or(moved.clone(), |first| format!("{first}; {moved}")));
                Some(host.clone())
            }
            (Some(host), _) => Some(host.clone()),
            (None, own) => own.as_deref().map(|own| self.server_name(source.owner, own)),
        };
        let key = ToolKey { server, name: draft.name.as_str().into() };
        let (matched, words) = match &source.sidecar {
            Some(sidecar) => sidecar.of(&key, &draft.description),
            None => (Matched::Nothing, Enrichment::default()),
        };
        draft.enrichment = std::mem::take(&mut draft.enrichment).joined(&words);
        Ok(Candidate { index, key, draft, repair, matched })
    }

    /// Adds a tool that its owner does not have.
    pub(super) fn add(&mut self, candidate: Candidate, source: &Source) -> Result<(Arc<str>, Option<Repaired>)> {
        let Candidate { key, draft, repair, .. } = candidate;
        if source.owner != SHARED {
            key.server.as_ref().map_or(Ok(()), |server| self.check_own_server(source.owner, server))?;
        }
        let wanted = names::model_name(&draft.name, source.names)?;
        if key.server.is_none() && self.reserved.contains(&wanted) {
            return Err(name_reserved(&wanted));
        }
        let kept = self.table(source.owner).and_then(|table| table.kept.of(&key)).cloned();
        let model_name = kept.unwrap_or_else(|| {
            self.free_name(&wanted, source.owner, (&key, key.server.as_deref()), source.names).into()
        });
        // Most tools are called alike by all, so that one copy of the name serves.
        let model_name = if model_name == key.name { key.name.clone() } else { model_name };
        let mut tool = self.tool(draft, key, model_name.clone(), source);
        self.name_for_google(&mut tool);
        self.push(tool)?;
        Ok((model_name.clone(), repair.map(|repair| Repaired { name: model_name, repair })))
    }

    pub(super) fn tool(&self, draft: Draft, key: ToolKey, model_name: Arc<str>, source: &Source) -> Tool {
        let boxed = |text: Option<String>| text.map(String::into_boxed_str);
        let labels = Labels {
            title: boxed(draft.title),
            category: draft.category.map(Arc::from).or_else(|| source.category.clone()),
            search_hint: boxed(draft.search_hint),
            tags: draft.tags.into_iter().map(String::into_boxed_str).collect(),
            enrichment: draft.enrichment,
            google_name: None,
        };
        let texts = (draft.description, draft.parameters);
        let deferral = draft.deferral.or(source.deferral).unwrap_or_default();
        Tool::new(ToolId(self.next_id), (source.owner, key), model_name, texts, (deferral, draft.hints), labels)
    }
}

pub(super) fn duplicate(key: &ToolKey) -> Error {
    let place = match &key.server {
        Some(server) => format!("server {} already has", excerpt(server)),
        None => "the catalog already has".to_owned(),
    };
    Error::new(ErrorCode::DuplicateTool, format!("{place} a tool named {}", excerpt(&key.name)))
}
