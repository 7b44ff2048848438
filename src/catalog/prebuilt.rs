//! How do tools travel? One after the other, in the order of the catalog, each as the host meant it and the model knows it.

use std::rc::Rc;

use crate::error::{Error, ErrorCode, Result};
use crate::prebuilt::{Reader, Writer, digest};

use super::effect::Effect;
use super::names::{self, NamePolicy};
use super::registry::{Catalog, name_reserved};
use super::schema::Schema;
use super::tool::{Deferral, Tool, ToolId, ToolKey};

/// Values of [`Deferral`], and of [`Tool::effect_code`]: one number holds both.
const DEFERRALS: u32 = Deferral::ALL.len() as u32;
const EFFECT_CODES: u32 = 5;

impl Tool {
    fn write(&self, to: &mut Writer) {
        to.number(self.deferral as u32 + DEFERRALS * self.effect_code());
        to.count(8 + self.tags.len());
        for text in [&*self.key.name, &*self.model_name, &*self.description, self.parameters.kept_text()] {
            to.text(text);
        }
        for label in [self.server(), self.title.as_deref(), self.category.as_deref(), self.search_hint.as_deref()] {
            to.label(label);
        }
        self.tags.iter().for_each(|tag| to.text(tag));
    }

    fn read(from: &mut Reader<'_>, id: usize) -> Option<Self> {
        let code = from.below((DEFERRALS * EFFECT_CODES) as usize)?;
        let (_, deferral) = Deferral::ALL[(code % DEFERRALS) as usize];
        let texts = from.texts()?;
        let [name, model_name, description, parameters, server, title, category, search_hint, tags @ ..] = &texts[..]
        else {
            return None;
        };
        names::model_name(model_name, NamePolicy::Any).ok()?;
        let label = |label: &str| label.strip_prefix('+').map(str::to_owned);
        Some(Tool {
            id: ToolId(id as u64),
            key: ToolKey { server: server.strip_prefix('+').map(Rc::from), name: Rc::from(*name) },
            model_name: Rc::from(*model_name),
            description: (*description).to_owned(),
            parameters: Schema::kept(parameters)?,
            title: label(title),
            category: label(category),
            search_hint: label(search_hint),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            deferral,
            effect: match code / DEFERRALS {
                0 => Effect::of_name(name),
                1 => Effect::Unknown,
                2 => Effect::Read,
                3 => Effect::Write,
                _ => Effect::Destroy,
            },
        })
    }

    /// A number for an effect that the annotations say; 0 where the name says the same, as nearly always.
    fn effect_code(&self) -> u32 {
        if self.effect == Effect::of_name(&self.key.name) {
            return 0;
        }
        match self.effect {
            Effect::Unknown => 1,
            Effect::Read => 2,
            Effect::Write => 3,
            Effect::Destroy => 4,
        }
    }
}

impl Catalog {
    pub(crate) fn write(&self, to: &mut Writer) {
        to.count(self.tools.len());
        self.tools.iter().for_each(|tool| tool.write(to));
    }

    /// Takes the tools of an index into an empty catalog.
    ///
    /// # Errors
    /// `catalog_full`, `name_reserved`; `index_invalid` where they are none, or two are the same.
    pub(crate) fn load(&mut self, from: &mut Reader<'_>) -> Result<()> {
        let count = from.count().ok_or_else(|| from.fault())?;
        if count > self.most {
            let message = format!("the index holds {count} tools; at most {}", self.most);
            return Err(Error::new(ErrorCode::CatalogFull, message));
        }
        for id in 0..count {
            let tool = Tool::read(from, id).ok_or_else(|| from.fault())?;
            self.tools.push(Rc::new(tool));
        }
        self.find_places();
        if self.by_key.len() < count || self.by_name.len() < count {
            return Err(from.fault());
        }
        self.next_id = count as u64;
        self.revision = u64::from(count > 0);
        (0..count).try_for_each(|at| self.rename(at))
    }

    /// Gives a tool another name where a discovery tool has it, as registering it beside that would have.
    fn rename(&mut self, at: usize) -> Result<()> {
        let (name, server) = (self.tools[at].model_name.clone(), self.tools[at].server());
        if !self.reserved.contains(&*name) {
            return Ok(());
        }
        if server.is_none() {
            return Err(name_reserved(&name));
        }
        let free = self.free_name(&name, server, NamePolicy::Strict);
        if let Some(tool) = Rc::get_mut(&mut self.tools[at]) {
            tool.model_name = free.into();
        }
        self.find_places();
        Ok(())
    }

    /// 64 bits for what the tools say and are called, whatever their order and however they came in.
    pub(crate) fn digest(&self) -> u64 {
        let mut sum = 0u64;
        for tool in &self.tools {
            let mut bytes = Writer::default();
            tool.write(&mut bytes);
            // A sum does not mind the order.
            sum = sum.wrapping_add(digest(&bytes.into_bytes()));
        }
        sum
    }
}
