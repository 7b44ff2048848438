//! Registers definitions as tools of the catalog, one by one.

use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::json::Item;
use crate::limits;
use crate::macros::setters;
use crate::map::Set;

use super::enrichment::Enrichment;
use super::import;
use super::names::{self, NamePolicy};
use super::naming::name_reserved;
use super::registry::Catalog;
use super::report::{EnrichmentReport, RegisterReport, Rejected, Repaired};
use super::sidecar::{Matched, Sidecar};
use super::tool::{Content, Deferral, Owner, Tool, ToolKey};

/// Options for every tool of one registration.
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
    /// The server of the tools. It takes precedence over a server named in a definition.
    pub server: Option<String>,
    /// The rule for which names are accepted.
    pub names: NamePolicy,
    /// The deferral of tools that do not state one.
    pub deferral: Option<Deferral>,
    /// The category of tools that do not state one.
    pub category: Option<String>,
    /// Search words for the tools, added to those in their definitions.
    pub enrichment: Option<Arc<Sidecar>>,
}

setters! { RegisterOptions:
    /// Sets the server of the tools.
    server(server: impl Into<String>) => server = Some(server.into());
    /// Sets which names are accepted.
    names(policy: NamePolicy) => names = policy;
    /// Sets the deferral of tools that do not state one.
    deferral(deferral: Deferral) => deferral = Some(deferral);
    /// Sets the category of tools that do not state one.
    category(category: impl Into<String>) => category = Some(category.into());
    /// Sets search words for the tools.
    enrichment(sidecar: impl Into<Arc<Sidecar>>) => enrichment = Some(sidecar.into());
}

/// The options of a registration, with the texts that all of its tools share.
pub(super) struct Source<'o> {
    /// The owner of the tools.
    pub owner: Owner,
    options: &'o RegisterOptions,
    server: Option<Arc<str>>,
    category: Option<Arc<str>>,
    /// True if the list is of the server that the sidecar was written for.
    is_known: bool,
}

impl Source<'_> {
    /// Starts the report.
    pub(super) fn report(&self) -> RegisterReport {
        let enrichment = self.options.enrichment.as_ref().map(|_| EnrichmentReport::default());
        RegisterReport { enrichment, ..RegisterReport::default() }
    }
}

/// A definition that was read, with the identity of its tool.
pub(super) struct Candidate {
    /// The position in the host's list.
    pub index: usize,
    pub key: ToolKey,
    pub content: Content,
    /// The changes that made the definition usable.
    pub repair: Option<Repaired>,
    /// The result of the look-up in the sidecar.
    pub matched: Matched,
}

impl Catalog {
    /// Registers a list of definitions as an owner's tools, one by one.
    ///
    /// # Errors
    /// `not_json` if the text is not a list, `list_too_large`. A broken tool is not an error: it is in the report.
    pub(crate) fn register_for(
        &mut self,
        owner: Owner,
        list: &str,
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        let definitions = import::read_list(list)?;
        let source = self.source(owner, options.server.as_deref(), options, &definitions)?;
        let mut report = source.report();
        for (index, definition) in &definitions {
            let added = self.candidate(*index, definition, &source).and_then(|candidate| {
                match self.has(owner, &candidate.key) {
                    true => Err(duplicate(&candidate.key)),
                    false => self.add(candidate, &source, &mut report),
                }
            });
            if let Err(error) = added {
                report.rejected.push(Rejected::new(*index, &import::name_of(definition), error));
            }
        }
        if !report.registered.is_empty() {
            self.note_change(owner);
        }
        Ok(report)
    }

    /// Registers one definition as an owner's tool. In Google's shape, one entry may declare several tools.
    ///
    /// # Errors
    /// The error of the first broken definition; then no tool of the entry is registered.
    pub(crate) fn register_one_for(
        &mut self,
        owner: Owner,
        definition: &str,
        options: &RegisterOptions,
    ) -> Result<RegisterReport> {
        let list = import::as_list(definition)?;
        let first = self.next_order;
        // Removing tools keeps a session's own servers, so that new servers are removed separately.
        let servers = (owner != Owner::SHARED).then(|| self.owners.table_mut(owner).servers.keys().cloned().collect());
        let servers: Option<Set<Arc<str>>> = servers;
        let mut report = self.register_for(owner, &list, options)?;
        if report.rejected.is_empty() {
            return Ok(report);
        }
        if !report.registered.is_empty() {
            self.remove(owner, |tool| tool.order >= first);
            self.note_change(owner);
        }
        if let Some(servers) = servers {
            self.owners.table_mut(owner).servers.retain(|server, _| servers.contains(server));
        }
        Err(report.rejected.swap_remove(0).into_error())
    }

    pub(super) fn source<'o>(
        &self,
        owner: Owner,
        server: Option<&str>,
        options: &'o RegisterOptions,
        definitions: &[(usize, Item<'_>)],
    ) -> Result<Source<'o>> {
        if server.is_some_and(|name| name.trim().is_empty() || name.chars().count() > limits::LABEL_CHARS) {
            let message = format!("server must be a string of 1 to {} characters", limits::LABEL_CHARS);
            return Err(Error::new(ErrorCode::OptionInvalid, message));
        }
        let server = server.map(|server| self.server_name(owner, server));
        let key = |(_, definition): &(usize, Item<'_>)| ToolKey {
            server: server.clone(),
            name: import::name_of(definition).into(),
            ..ToolKey::default()
        };
        let is_known = options.enrichment.as_ref().is_some_and(|sidecar| sidecar.knows(definitions.iter().map(key)));
        Ok(Source { owner, options, server, category: options.category.as_deref().map(Arc::from), is_known })
    }

    fn server_name(&self, owner: Owner, name: &str) -> Arc<str> {
        self.owners.table(owner).map_or_else(|| name.into(), |table| table.server_name(name))
    }

    /// Reads a definition and determines its server. The host's server takes precedence, because scopes depend on it.
    pub(super) fn candidate(&self, index: usize, definition: &Item<'_>, source: &Source<'_>) -> Result<Candidate> {
        let draft = import::read(definition)?;
        let mut content = draft.content;
        let (changes, mut text) = draft.changes.told();
        let server = match (&source.server, &draft.server) {
            (Some(host), Some(own)) if **host != **own => {
                let (own, host_name) = (excerpt(own), excerpt(host));
                let moved = format!("the server of the definition, {own}, was replaced by {host_name}");
                text = Some(text.map_or(moved.clone(), |first| format!("{first}; {moved}")));
                Some(host.clone())
            }
            (Some(host), _) => Some(host.clone()),
            (None, own) => own.as_deref().map(|own| self.server_name(source.owner, own)),
        };
        let key = ToolKey { server, name: draft.name.into(), is_skill: content.labels.skill.is_some() };
        let repair = text.map(|repair| Repaired { name: key.name.clone(), repair, changes });
        let (matched, words) = match &source.options.enrichment {
            Some(sidecar) => sidecar.of(&key, &content.description, source.is_known),
            None => (Matched::Nothing, Enrichment::default()),
        };
        let labels = &mut content.labels;
        labels.enrichment = std::mem::take(&mut labels.enrichment).joined(&words);
        labels.category = labels.category.take().or_else(|| source.category.clone());
        content.deferral = content.deferral.or(source.options.deferral);
        Ok(Candidate { index, key, content, repair, matched })
    }

    /// Adds a tool that its owner does not have yet. After an error the catalog is unchanged.
    pub(super) fn add(&mut self, candidate: Candidate, source: &Source<'_>, report: &mut RegisterReport) -> Result<()> {
        let Candidate { key, content, repair, matched, .. } = candidate;
        let owner = source.owner;
        if let Some(server) = &key.server {
            self.owners.check_server(owner, server)?;
        }
        let wanted = names::model_name(&key.name, source.options.names)?;
        if key.server.is_none() && self.reserved.contains(&wanted) {
            return Err(name_reserved(&wanted));
        }
        let kept = self.owners.table(owner).and_then(|table| table.kept_name(&key)).cloned();
        let model_name = kept.unwrap_or_else(|| self.free_name(&wanted, owner, &key, source.options.names).into());
        // Most tools have the same name for server and model, so that one copy of it is enough.
        let model_name = if model_name == key.name { key.name.clone() } else { model_name };
        self.push(Tool::new(owner, key, model_name.clone(), content))?;
        report.accept(&model_name, repair, matched);
        report.registered.push(model_name);
        Ok(())
    }
}

pub(super) fn duplicate(key: &ToolKey) -> Error {
    let place = match &key.server {
        Some(server) => format!("server {} already has", excerpt(server)),
        None => "the catalog already has".to_owned(),
    };
    Error::new(ErrorCode::DuplicateTool, format!("{place} a tool named {}", excerpt(&key.name)))
}
