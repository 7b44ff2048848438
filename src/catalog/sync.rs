//! Synchronises the tools of one server with a list. The whole list is read before the first change, so that removed
//! tools make room for new ones.

use crate::error::Result;
use crate::map::Set;

use super::import;
use super::owners::Usage;
use super::register::{Candidate, RegisterOptions, Source, duplicate};
use super::registry::Catalog;
use super::report::{RegisterReport, Rejected, SyncReport};
use super::tool::{Owner, Tool, ToolKey};

impl Catalog {
    /// Replaces the tools of one server of an owner by those of a list. Unchanged tools keep their place and their id.
    ///
    /// First the tools that are not in the list are removed, then changed ones are replaced, then new ones are added.
    /// At a limit new tools are rejected; a tool that stays never has to make room for them.
    ///
    /// # Errors
    /// `not_json` if the text is not a list, `list_too_large`.
    pub(crate) fn sync_for(
        &mut self,
        owner: Owner,
        server: &str,
        list: &str,
        options: &RegisterOptions,
    ) -> Result<SyncReport> {
        let definitions = import::read_list(list)?;
        self.owners.check_server(owner, server)?;
        let source = self.source(owner, Some(server), options, &definitions)?;
        let is_new_server = self.add_own_server(owner, server);
        let (mut report, mut accepted) = (SyncReport::default(), source.report());
        let mut listed: Set<ToolKey> = Set::default();
        let (mut known, mut new) = (Vec::new(), Vec::new());
        for (index, definition) in &definitions {
            let candidate = self.candidate(*index, definition, &source);
            let candidate = candidate.and_then(|candidate| match listed.insert(candidate.key.clone()) {
                true => Ok(candidate),
                false => Err(duplicate(&candidate.key)),
            });
            match candidate {
                Ok(candidate) if self.has(owner, &candidate.key) => known.push(candidate),
                Ok(candidate) => new.push(candidate),
                Err(error) => report.rejected.push(Rejected::new(*index, &import::name_of(definition), error)),
            }
        }
        report.removed = self.remove(owner, |tool| tool.server() == Some(server) && !listed.contains(&tool.key));
        self.replace_changed(known, &source, &mut report, &mut accepted);
        for candidate in new {
            let (index, name) = (candidate.index, candidate.key.name.clone());
            if let Err(error) = self.add(candidate, &source, &mut accepted) {
                report.rejected.push(Rejected::new(index, &name, error));
            }
        }
        report.added = accepted.registered;
        if is_new_server || !(report.added.is_empty() && report.changed.is_empty() && report.removed.is_empty()) {
            self.note_change(owner);
        }
        report.rejected.sort_by_key(|rejected| rejected.index);
        (report.repaired, report.enrichment) = (accepted.repaired, accepted.enrichment);
        Ok(report)
    }

    /// Adds a server to a session's own, even without tools: it replaces the shared server of the same name.
    fn add_own_server(&mut self, owner: Owner, server: &str) -> bool {
        let servers = &mut self.owners.table_mut(owner).servers;
        let is_new = owner != Owner::SHARED && !servers.contains_key(server);
        if is_new {
            servers.insert(server.into(), Usage::default());
        }
        is_new
    }

    /// Replaces the tools that changed. A new version beyond a limit is rejected, and the earlier version is removed.
    fn replace_changed(
        &mut self,
        known: Vec<Candidate>,
        source: &Source<'_>,
        report: &mut SyncReport,
        accepted: &mut RegisterReport,
    ) {
        let mut outgrown: Set<ToolKey> = Set::default();
        for Candidate { index, key, content, repair, matched } in known {
            let Some(earlier) = self.owners.table(source.owner).and_then(|table| table.by_key.get(&key)).cloned()
            else {
                continue;
            };
            let name = earlier.model_name.clone();
            let tool = Tool::new(source.owner, earlier.key.clone(), name.clone(), content);
            if earlier.says_the_same(&tool) {
                report.unchanged += 1;
            } else if let Err(error) = self.replace(&earlier, tool) {
                report.rejected.push(Rejected::new(index, &key.name, error));
                outgrown.insert(key);
                continue;
            } else {
                report.changed.push(name.clone());
            }
            accepted.accept(&name, repair, matched);
        }
        if !outgrown.is_empty() {
            report.removed.extend(self.remove(source.owner, |tool| outgrown.contains(&tool.key)));
        }
    }
}
