//! Synchronisation: the tools of one server become exactly those of a list. The whole list is read before the first
//! change, so that what goes makes room for what comes.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::limits;
use crate::map::Set;

use super::import;
use super::register::{Candidate, RegisterOptions, Source, duplicate};
use super::registry::Catalog;
use super::report::{EnrichmentReport, Rejected, Repaired, SyncReport};
use super::table::SHARED;

impl Catalog {
    /// Makes the tools of one server of an owner be exactly this list. Tools that did not change keep their place and their id.
    ///
    /// First the tools go that the list does not have, then changed ones are replaced, then new ones are added. At a limit
    /// new tools are rejected; a tool that stays never has to make room for them.
    ///
    /// # Errors
    /// `not_json` when the text is no list at all, `list_too_large`, `out_of_memory`.
    pub(crate) fn sync_for(
        &mut self,
        owner: u32,
        server: &str,
        list: &str,
        options: &RegisterOptions,
    ) -> Result<SyncReport> {
        let definitions = import::read_list(list)?;
        let source = self.source(owner, &RegisterOptions { server: Some(server.to_owned()), ..options.clone() });
        if let Some(server) = source.server.as_ref().filter(|_| owner != SHARED) {
            self.keep_server(owner, server)?;
        }
        let mut report = SyncReport { enrichment: source.report(), ..SyncReport::default() };
        let mut listed: Set<String> = Set::default();
        let (mut known, mut new) = (Vec::new(), Vec::new());
        for (index, definition) in &definitions {
            let candidate = self.candidate(*index, definition, &source).and_then(|candidate| {
                if listed.insert(candidate.key.name.to_string()) {
                    Ok(candidate)
                } else {
                    Err(duplicate(&candidate.key))
                }
            });
            match candidate {
                Ok(candidate) if self.has(owner, &candidate.key) => known.push(candidate),
                Ok(candidate) => new.push(candidate),
                Err(error) => report.rejected.push(Rejected::new(*index, import::name_of(definition), error)),
            }
        }
        let before = self.revision;
        if known.len() < self.table(owner).map_or(0, |table| table.room.tools_of(server)) {
            report.removed =
                self.remove(owner, &|tool| tool.server() == Some(server) && !listed.contains(&*tool.key.name));
        }
        self.update_all(known, &source, &mut report);
        for candidate in new {
            let (index, name, matched) = (candidate.index, candidate.key.name.clone(), candidate.matched);
            match self.add(candidate, &source) {
                Ok((name, repaired)) => {
                    EnrichmentReport::note(&mut report.enrichment, matched, &name);
                    report.repaired.extend(repaired);
                    report.added.push(name);
                }
                Err(error) => report.rejected.push(rejected(index, &name, error)),
            }
        }
        if !(report.added.is_empty() && report.changed.is_empty() && report.removed.is_empty()) {
            self.revision = before;
            self.note_change(owner);
        }
        report.rejected.sort_by_key(|rejected| rejected.index);
        Ok(report)
    }

    /// Replaces the tools that changed. A version that does not fit is rejected, and the earlier version goes.
    fn update_all(&mut self, known: Vec<Candidate>, source: &Source, report: &mut SyncReport) {
        let mut outgrown: Set<String> = Set::default();
        let mut is_outgrown = false;
        for Candidate { index, key, draft, repair, matched } in known {
            let Some(earlier) = self.table(source.owner).and_then(|table| table.by_key.get(&key)).cloned() else {
                continue;
            };
            let mut tool = self.tool(draft, earlier.key.clone(), earlier.model_name.clone(), source);
            if let Some(name) = earlier.own_google_name() {
                tool.set_google_name(name.clone());
            }
            let name = earlier.model_name.clone();
            if earlier.says_the_same(&tool) {
                report.unchanged += 1;
            } else if let Err(error) = self.replace(&earlier, tool) {
                report.rejected.push(rejected(index, &key.name, error));
                outgrown.insert(key.name.to_string());
                is_outgrown = true;
                continue;
            } else {
                report.changed.push(name.clone());
            }
            EnrichmentReport::note(&mut report.enrichment, matched, &name);
            report.repaired.extend(repair.map(|repair| Repaired { name, repair }));
        }
        if is_outgrown {
            let gone = self
                .remove(source.owner, &|tool| tool.key.server == source.server && outgrown.contains(&*tool.key.name));
            report.removed.extend(gone);
        }
    }
}

fn rejected(index: usize, name: &Arc<str>, error: Error) -> Rejected {
    Rejected::new(index, name.chars().take(limits::ANY_NAME_CHARS).collect(), error)
}
