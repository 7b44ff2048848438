//! Where are the tools kept? In registration order, found by identity and by the name that the model sees.

use std::rc::Rc;

use serde::Serialize;

use crate::error::{Error, ErrorCode, Result, excerpt, excerpt_json};
use crate::json;
use crate::limits;
use crate::map::{Map, Set};

use super::import::{self, Draft};
use super::names::{self, NamePolicy};
use super::tool::{Deferral, Tool, ToolId, ToolKey};

/// What holds for every tool of one registration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegisterOptions {
    /// The server that they come from.
    pub server: Option<String>,
    /// What names are accepted.
    pub names: NamePolicy,
    /// For tools that say nothing themselves.
    pub deferral: Option<Deferral>,
    /// For tools that say nothing themselves.
    pub category: Option<String>,
}

/// A broken tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rejected {
    /// Its place in the list.
    pub index: usize,
    /// Its name as far as it could be read.
    pub name: String,
    /// What is wrong with it.
    pub code: ErrorCode,
    /// The same in a sentence.
    pub message: String,
    /// For a refused name: one that every vendor accepts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

/// A tool that was taken, but not as it stood.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Repaired {
    /// The name that the model sees.
    pub name: Rc<str>,
    /// What was changed.
    pub repair: &'static str,
}

/// What a registration did. Names are those that the model sees.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RegisterReport {
    /// The tools that were taken, in order.
    pub registered: Vec<Rc<str>>,
    /// The tools that were not.
    pub rejected: Vec<Rejected>,
    /// Those that were taken with a repair.
    pub repaired: Vec<Repaired>,
}

/// What a synchronisation did. Names are those that the model sees.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SyncReport {
    /// New tools.
    pub added: Vec<Rc<str>>,
    /// Tools whose definition is another one now.
    pub changed: Vec<Rc<str>>,
    /// Tools that are gone.
    pub removed: Vec<Rc<str>>,
    /// How many stayed as they were.
    pub unchanged: usize,
    /// Tools that could not be taken; an earlier version of such a tool is gone.
    pub rejected: Vec<Rejected>,
    /// Those that were taken with a repair.
    pub repaired: Vec<Repaired>,
}

/// Every tool that the host registered, in that order.
#[derive(Debug)]
pub struct Catalog {
    pub(super) tools: Vec<Rc<Tool>>,
    pub(super) by_key: Map<ToolKey, usize>,
    pub(super) by_name: Map<Rc<str>, usize>,
    pub(super) reserved: Set<String>,
    pub(super) most: usize,
    pub(super) next_id: u64,
    pub(super) revision: u64,
}

impl Catalog {
    /// An empty catalog of at most `most` tools, in which `reserved` names (the discovery tools') are never given out.
    pub fn new(most: usize, reserved: impl IntoIterator<Item = String>) -> Self {
        Catalog {
            tools: Vec::new(),
            by_key: Map::default(),
            by_name: Map::default(),
            reserved: reserved.into_iter().collect(),
            most,
            next_id: 0,
            revision: 0,
        }
    }

    /// The tools in registration order.
    pub fn tools(&self) -> &[Rc<Tool>] {
        &self.tools
    }

    /// A number that changes whenever the catalog does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The tool that the model knows by this name.
    pub fn by_name(&self, model_name: &str) -> Option<&Rc<Tool>> {
        self.by_name.get(model_name).map(|at| &self.tools[*at])
    }

    /// The tool of this identity.
    pub fn by_key(&self, key: &ToolKey) -> Option<&Rc<Tool>> {
        self.by_key.get(key).map(|at| &self.tools[*at])
    }

    /// Where a tool stands in registration order.
    pub fn position(&self, tool: &Tool) -> Option<usize> {
        self.by_key.get(&tool.key).copied()
    }

    /// Takes a list of definitions one by one.
    ///
    /// # Errors
    /// `not_json` when the text is no list at all. A broken tool is no error: it is in the report.
    pub fn register(&mut self, list: &str, options: &RegisterOptions) -> Result<RegisterReport> {
        let mut report = RegisterReport::default();
        for (index, raw) in read_list(list)? {
            match self.register_one(raw, options) {
                Ok((name, repair)) => {
                    report.repaired.extend(repair.map(|repair| Repaired { name: name.clone(), repair }));
                    report.registered.push(name);
                }
                Err(error) => report.rejected.push(rejected(index, raw, error)),
            }
        }
        Ok(report)
    }

    /// Takes one definition. On an error the catalog is as it was.
    ///
    /// # Errors
    /// What is wrong with the tool: see [`import::read`], [`names::model_name`]; `duplicate_tool`, `name_reserved`,
    /// `catalog_full`.
    pub fn register_one(&mut self, raw: &str, options: &RegisterOptions) -> Result<(Rc<str>, Option<&'static str>)> {
        let draft = import::read(raw)?;
        let repair = draft.repair;
        let key = key_of(&draft, options);
        if self.by_key.contains_key(&key) {
            return Err(duplicate(&key));
        }
        let tool = self.build(draft, key, options)?;
        let name = tool.model_name.clone();
        self.push(tool);
        self.revision += 1;
        Ok((name, repair))
    }

    /// Makes the tools of one server be exactly this list. Tools that did not change keep their place and their id.
    ///
    /// # Errors
    /// `not_json` when the text is no list at all.
    pub fn sync(&mut self, server: &str, list: &str, options: &RegisterOptions) -> Result<SyncReport> {
        let options = RegisterOptions { server: Some(server.to_owned()), ..options.clone() };
        let list = read_list(list)?;
        let mut report = SyncReport::default();
        let mut seen: Map<ToolKey, usize> = Map::default();
        for (index, raw) in list {
            match self.sync_one(raw, &options, &mut seen, &mut report) {
                Ok(()) => {}
                Err(error) => report.rejected.push(rejected(index, raw, error)),
            }
        }
        report.removed = self.remove(|tool| tool.server() == Some(server) && !seen.contains_key(&tool.key));
        if !(report.added.is_empty() && report.changed.is_empty()) {
            self.revision += 1;
        }
        Ok(report)
    }

    fn sync_one(
        &mut self,
        raw: &str,
        options: &RegisterOptions,
        seen: &mut Map<ToolKey, usize>,
        report: &mut SyncReport,
    ) -> Result<()> {
        let draft = import::read(raw)?;
        let repair = draft.repair;
        let key = ToolKey { server: options.server.as_deref().map(Rc::from), ..key_of(&draft, options) };
        if seen.contains_key(&key) {
            return Err(duplicate(&key));
        }
        let known = self.by_key.get(&key).copied();
        let tool = match known {
            Some(at) => self.rebuild(draft, &self.tools[at].clone(), options),
            None => self.build(draft, key.clone(), options)?,
        };
        let name = tool.model_name.clone();
        match known {
            Some(at) if self.tools[at].says_the_same(&tool) => report.unchanged += 1,
            Some(at) => {
                self.tools[at] = Rc::new(tool);
                self.next_id += 1;
                report.changed.push(name.clone());
            }
            None => {
                self.push(tool);
                report.added.push(name.clone());
            }
        }
        report.repaired.extend(repair.map(|repair| Repaired { name, repair }));
        let place = seen.len();
        seen.insert(key, place);
        Ok(())
    }

    /// Removes the tools that fit, and returns the names by which the model knew them.
    pub fn remove(&mut self, fits: impl Fn(&Tool) -> bool) -> Vec<Rc<str>> {
        let gone: Vec<Rc<str>> = self.tools.iter().filter(|t| fits(t)).map(|t| t.model_name.clone()).collect();
        if !gone.is_empty() {
            self.tools.retain(|tool| !fits(tool));
            self.find_places();
            self.revision += 1;
        }
        gone
    }

    /// Learns anew where each tool stands.
    pub(super) fn find_places(&mut self) {
        self.by_key = self.tools.iter().enumerate().map(|(at, tool)| (tool.key.clone(), at)).collect();
        self.by_name = self.tools.iter().enumerate().map(|(at, tool)| (tool.model_name.clone(), at)).collect();
    }

    /// A tool for a new place in the catalog.
    fn build(&self, draft: Draft, key: ToolKey, options: &RegisterOptions) -> Result<Tool> {
        if self.tools.len() >= self.most {
            let message = format!("the catalog holds {} tools; at most {}", self.tools.len(), self.most);
            return Err(Error::new(ErrorCode::CatalogFull, message));
        }
        let wanted = names::model_name(&draft.name, options.names)?;
        if key.server.is_none() && self.reserved.contains(&wanted) {
            return Err(name_reserved(&wanted));
        }
        let model_name = self.free_name(&wanted, key.server.as_deref(), options.names);
        Ok(self.tool(draft, key, model_name.into(), options))
    }

    /// A name that neither a tool nor a discovery tool has.
    pub(super) fn free_name(&self, wanted: &str, server: Option<&str>, policy: NamePolicy) -> String {
        let is_taken = |name: &str| self.by_name.contains_key(name) || self.reserved.contains(name);
        names::unique(wanted, server, policy, is_taken)
    }

    /// A new version of a tool, in its place and under its name.
    fn rebuild(&self, draft: Draft, old: &Tool, options: &RegisterOptions) -> Tool {
        self.tool(draft, old.key.clone(), old.model_name.clone(), options)
    }

    fn tool(&self, draft: Draft, key: ToolKey, model_name: Rc<str>, options: &RegisterOptions) -> Tool {
        Tool {
            id: ToolId(self.next_id),
            key,
            model_name,
            description: draft.description,
            parameters: draft.parameters,
            title: draft.title,
            category: draft.category.or_else(|| options.category.clone()),
            search_hint: draft.search_hint,
            tags: draft.tags,
            deferral: draft.deferral.or(options.deferral).unwrap_or_default(),
            effect: draft.effect,
        }
    }

    fn push(&mut self, tool: Tool) {
        let at = self.tools.len();
        self.by_key.insert(tool.key.clone(), at);
        self.by_name.insert(tool.model_name.clone(), at);
        self.tools.push(Rc::new(tool));
        self.next_id += 1;
    }
}

fn key_of(draft: &Draft, options: &RegisterOptions) -> ToolKey {
    let server = draft.server.as_deref().or(options.server.as_deref());
    ToolKey { server: server.map(Rc::from), name: draft.name.as_str().into() }
}

pub(super) fn name_reserved(name: &str) -> Error {
    Error::new(ErrorCode::NameReserved, format!("{} is the name of a discovery tool", excerpt(name)))
}

fn duplicate(key: &ToolKey) -> Error {
    let place = match &key.server {
        Some(server) => format!("server {} already has", excerpt(server)),
        None => "the catalog already has".to_owned(),
    };
    Error::new(ErrorCode::DuplicateTool, format!("{place} a tool named {}", excerpt(&key.name)))
}

fn rejected(index: usize, raw: &str, error: Error) -> Rejected {
    Rejected {
        index,
        name: import::name_of(raw),
        code: error.code(),
        message: error.message().to_owned(),
        alias: error.alias().map(str::to_owned),
    }
}

/// The definitions in a list, each with its place; Google's entries that declare several tools are taken apart.
fn read_list(list: &str) -> Result<Vec<(usize, &str)>> {
    if list.len() > limits::REGISTER_BYTES {
        let message = format!("a list of tools takes {} bytes; at most {}", list.len(), limits::REGISTER_BYTES);
        return Err(Error::new(ErrorCode::NotJson, message));
    }
    let entries = json::items(list).map_err(|e| {
        Error::new(ErrorCode::NotJson, format!("tools must be a JSON list: {e} in {}", excerpt_json(list.trim_start())))
    })?;
    Ok(entries
        .into_iter()
        .enumerate()
        .flat_map(|(index, raw)| import::entries(raw).into_iter().map(move |entry| (index, entry)))
        .collect())
}
