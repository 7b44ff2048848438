//! Writes and reads the tools in a prebuilt index, in the order of the catalog, each with its definition and both
//! names.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorCode, Result};
use crate::prebuilt::{contradiction, digest, put, take};

use super::effect::HINT_NUMBERS;
use super::enrichment::Enrichment;
use super::names::{self, NamePolicy};
use super::naming::name_reserved;
use super::registry::Catalog;
use super::schema::Schema;
use super::skill::Skill;
use super::tool::{Content, Deferral, Labels, Owner, Tool, ToolKey};

/// A tool as it is written.
#[derive(Deserialize, Serialize)]
struct Written<'t> {
    name: &'t str,
    model_name: &'t str,
    description: &'t str,
    parameters: &'t str,
    server: Option<&'t str>,
    title: Option<&'t str>,
    category: Option<&'t str>,
    search_hint: Option<&'t str>,
    #[serde(borrow)]
    tags: Vec<&'t str>,
    enrichment: Enrichment,
    skill: Option<Skill>,
    /// The position in [`Deferral::ALL`].
    deferral: usize,
    hints: usize,
}

impl<'t> Written<'t> {
    fn of(tool: &'t Tool) -> Self {
        Written {
            name: &tool.key.name,
            model_name: &tool.model_name,
            description: &tool.description,
            parameters: tool.parameters.kept_text(),
            server: tool.server(),
            title: tool.title(),
            category: tool.category(),
            search_hint: tool.search_hint(),
            tags: tool.tags().collect(),
            enrichment: tool.enrichment(),
            skill: tool.skill().cloned(),
            deferral: tool.deferral as usize,
            hints: tool.hints,
        }
    }

    /// Returns the tool, or `None` if no tool is so.
    fn tool(self, catalog: &Catalog) -> Option<Tool> {
        names::model_name(self.model_name, NamePolicy::Any).ok()?;
        let (_, deferral) = Deferral::ALL.get(self.deferral)?;
        let labels = Labels {
            title: self.title.map(Box::from),
            category: self.category.map(Arc::from),
            search_hint: self.search_hint.map(Box::from),
            tags: self.tags.into_iter().map(Box::from).collect(),
            enrichment: self.enrichment,
            skill: self.skill,
        };
        let content = Content {
            description: self.description.into(),
            parameters: Schema::kept(self.parameters)?,
            deferral: Some(*deferral),
            hints: Some(self.hints).filter(|hints| *hints < HINT_NUMBERS)?,
            labels,
        };
        let server = self.server.map(|server| catalog.owners.shared.server_name(server));
        let key = ToolKey { server, name: self.name.into(), is_skill: content.labels.skill.is_some() };
        let model_name = if self.model_name == self.name { key.name.clone() } else { self.model_name.into() };
        Some(Tool::new(Owner::SHARED, key, model_name, content))
    }
}

impl Catalog {
    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        put(self.tools.len(), to);
        self.tools.iter().for_each(|tool| put(Written::of(tool), to));
    }

    /// Returns a catalog of the shared tools alone, to be written.
    pub(crate) fn of_shared(&self) -> Catalog {
        Catalog { tools: self.tools_for(Owner::SHARED).into_iter().cloned().collect(), ..Catalog::default() }
    }

    /// Reads the tools of an index into an empty catalog.
    ///
    /// # Errors
    /// `catalog_full`, `skills_full`, `catalog_too_large`, `server_too_large`, `name_reserved`; `index_invalid` if the
    /// bytes are not tools, two tools are the same, or the catalog is not empty.
    pub(crate) fn load(&mut self, from: &mut &[u8]) -> Result<()> {
        if !self.tools.is_empty() {
            return Err(Error::new(ErrorCode::IndexInvalid, "an index is loaded into an empty catalog only"));
        }
        let count: usize = take(from)?;
        if count > self.limits.tools {
            let message = format!("the index holds {count} tools; at most {}", self.limits.tools);
            return Err(Error::new(ErrorCode::CatalogFull, message));
        }
        for _ in 0..count {
            let tool = take::<Written<'_>>(from)?.tool(self).ok_or_else(contradiction)?;
            if self.has(Owner::SHARED, &tool.key) || self.owners.shared.named(&tool.model_name).is_some() {
                return Err(contradiction());
            }
            self.push(tool)?;
        }
        if count > 0 {
            self.note_change(Owner::SHARED);
        }
        (0..count).try_for_each(|at| self.rename(at))
    }

    /// Gives a loaded tool another model-facing name, as registration here would, if a discovery tool has its name.
    fn rename(&mut self, at: usize) -> Result<()> {
        let earlier = self.tools[at].clone();
        if !self.reserved.contains(&*earlier.model_name) {
            return Ok(());
        }
        if earlier.server().is_none() {
            return Err(name_reserved(&earlier.model_name));
        }
        self.leave(&earlier);
        let mut tool = (*earlier).clone();
        tool.model_name = self.free_name(&tool.model_name, Owner::SHARED, &tool.key, NamePolicy::Strict).into();
        let tool = Arc::new(tool);
        self.enter(&tool);
        self.tools[at] = tool;
        Ok(())
    }

    /// Returns a hash of 64 bits of the shared tools' definitions and names. It does not depend on their order or on
    /// how they were registered.
    pub(crate) fn digest(&self) -> u64 {
        let mut sum = 0u64;
        for tool in self.tools_for(Owner::SHARED) {
            let mut bytes = Vec::new();
            put(Written::of(tool), &mut bytes);
            // A sum does not depend on the order of its terms.
            sum = sum.wrapping_add(digest(&bytes));
        }
        sum
    }
}
