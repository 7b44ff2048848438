//! Writes and reads the tools in a prebuilt index, in the order of the catalog, each with its definition and both
//! names.

use std::sync::Arc;

use crate::error::{Error, ErrorCode, Result};
use crate::prebuilt::{Decoder, Encoder, digest};

use super::effect::HINT_NUMBERS;
use super::enrichment::Enrichment;
use super::names::{self, NamePolicy};
use super::naming::name_reserved;
use super::registry::Catalog;
use super::schema::Schema;
use super::skill::Skill;
use super::tool::{Content, Deferral, Labels, Owner, Tool, ToolKey};

/// The number of [`Deferral`] values. One number encodes the deferral, the [hints](super::effect::Hints) and the kind
/// of skill.
const DEFERRALS: usize = Deferral::ALL.len();
/// Added to that number for a skill; added twice for a skill with files.
const SKILL: usize = DEFERRALS * HINT_NUMBERS;

impl Tool {
    fn write(&self, to: &mut Encoder) {
        let skill = self.skill().map_or(0, |skill| SKILL * (1 + usize::from(skill.is_readable)));
        to.number((self.deferral as usize + DEFERRALS * self.hints + skill) as u32);
        to.count(8 + self.tags().count());
        for text in [&*self.key.name, &*self.model_name, &*self.description, self.parameters.kept_text()] {
            to.text(text);
        }
        for label in [self.server(), self.title(), self.category(), self.search_hint()] {
            to.label(label);
        }
        self.tags().for_each(|tag| to.text(tag));
        for texts in [self.queries(), self.keywords(), self.words_of_server()] {
            to.count(texts.len());
            texts.iter().for_each(|text| to.text(text));
        }
        if let Some(skill) = self.skill() {
            to.count(1 + skill.tools.len());
            skill.texts().for_each(|text| to.text(text));
        }
    }
}

impl Catalog {
    pub(crate) fn write(&self, to: &mut Encoder) {
        to.count(self.tools.len());
        self.tools.iter().for_each(|tool| tool.write(to));
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
    pub(crate) fn load(&mut self, from: &mut Decoder<'_>) -> Result<()> {
        if !self.tools.is_empty() {
            return Err(Error::new(ErrorCode::IndexInvalid, "an index is loaded into an empty catalog only"));
        }
        let count = from.count().ok_or_else(|| from.fault())?;
        if count > self.limits.tools {
            let message = format!("the index holds {count} tools; at most {}", self.limits.tools);
            return Err(Error::new(ErrorCode::CatalogFull, message));
        }
        for _ in 0..count {
            let tool = self.read(from).ok_or_else(|| from.fault())?;
            if self.has(Owner::SHARED, &tool.key) || self.owners.shared.named(&tool.model_name).is_some() {
                return Err(from.fault());
            }
            self.push(tool)?;
        }
        if count > 0 {
            self.note_change(Owner::SHARED);
        }
        (0..count).try_for_each(|at| self.rename(at))
    }

    /// Reads one tool.
    fn read(&self, from: &mut Decoder<'_>) -> Option<Tool> {
        let code = from.below(3 * SKILL)? as usize;
        let (code, kind) = (code % SKILL, code / SKILL);
        let (_, deferral) = Deferral::ALL[code % DEFERRALS];
        let texts = from.texts()?;
        let [name, model_name, description, parameters, server, title, category, search_hint, tags @ ..] = &texts[..]
        else {
            return None;
        };
        names::model_name(model_name, NamePolicy::Any).ok()?;
        let mut words = || Some(from.texts()?.into_iter().map(Box::from).collect());
        let enrichment = Enrichment { queries: words()?, keywords: words()?, of_server: words()? };
        let skill = match kind {
            0 => None,
            _ => {
                let texts = from.texts()?;
                let (text, tools) = texts.split_first()?;
                let tools = tools.iter().map(|name| Box::from(*name)).collect();
                Some(Skill { text: Arc::from(*text), tools, is_readable: kind == 2 })
            }
        };
        let label = |label: &str| label.strip_prefix('+').map(Box::from);
        let labels = Labels {
            title: label(title),
            category: category.strip_prefix('+').map(Arc::from),
            search_hint: label(search_hint),
            tags: tags.iter().map(|tag| Box::from(*tag)).collect(),
            enrichment,
            skill,
        };
        let server = server.strip_prefix('+').map(|server| self.owners.shared.server_name(server));
        let key = ToolKey { server, name: Arc::from(*name), is_skill: kind > 0 };
        let model_name = if model_name == name { key.name.clone() } else { Arc::from(*model_name) };
        let content = Content {
            description: Arc::from(*description),
            parameters: Schema::kept(parameters)?,
            deferral: Some(deferral),
            hints: code / DEFERRALS,
            labels,
        };
        Some(Tool::new(Owner::SHARED, key, model_name, content))
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
            let mut bytes = Encoder::default();
            tool.write(&mut bytes);
            // A sum does not depend on the order of its terms.
            sum = sum.wrapping_add(digest(&bytes.into_bytes()));
        }
        sum
    }
}
