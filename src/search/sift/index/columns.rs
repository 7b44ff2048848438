//! The columns of an index, one value per slot: everything that the index knows of a tool beside its postings.

use std::sync::Arc;

use crate::catalog::{Effect, Owner, Tool};
use crate::limits;
use crate::map::Map;
use crate::search::lists::Lists;
use crate::search::sift::index::fields::FIELDS;
use crate::search::vocabulary::Term;

/// Columns by slot.
#[derive(Debug, Default)]
pub(in crate::search::sift) struct Columns {
    /// How many words each field has.
    pub lengths: Vec<[u16; FIELDS]>,
    /// Every term of the tool, once.
    pub terms: Lists<Term>,
    /// The terms of the name, each once, without stop words.
    pub names: Lists<Term>,
    /// The terms of the name and the lead, as they stand.
    pub leads: Lists<Term>,
    /// The number of the server; 0 for none.
    pub servers: Vec<u32>,
    /// What a call of the tool does.
    pub effects: Vec<Effect>,
}

impl Columns {
    /// Adds a row.
    pub(in crate::search::sift) fn push(&mut self, row: Row, effect: Effect) {
        self.lengths.push(row.lengths);
        self.names.push(row.name);
        self.leads.push(row.lead);
        self.servers.push(row.server);
        self.effects.push(effect);
    }
}

/// What the columns hold of one tool.
#[derive(Debug, Default)]
pub(in crate::search::sift) struct Row {
    pub lengths: [u16; FIELDS],
    /// The terms of the name, each once, without stop words.
    pub name: Vec<Term>,
    pub lead: Vec<Term>,
    pub server: u32,
}

/// Servers by number. Number 0 stands for tools without a server.
#[derive(Debug)]
pub(in crate::search::sift) struct Servers {
    /// By owner and name: servers of several owners may have the same name.
    numbers: Map<(Owner, Arc<str>), u32>,
    /// The terms of each server's name.
    pub terms: Lists<Term>,
    /// How many terms the tools of each server brought into the vocabulary.
    added: Vec<usize>,
}

impl Default for Servers {
    fn default() -> Self {
        let mut terms = Lists::default();
        terms.push([]);
        Servers { numbers: Map::default(), terms, added: vec![0] }
    }
}

impl Servers {
    /// The number of the server of a tool; `terms` gives the terms of its name where it is new.
    pub(in crate::search::sift) fn number(&mut self, tool: &Tool, terms: impl FnOnce() -> Vec<Term>) -> u32 {
        let Some(server) = &tool.key.server else { return 0 };
        let key = (tool.owner, server.clone());
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = self.added.len() as u32;
        self.numbers.insert(key, number);
        self.terms.push(terms());
        self.added.push(0);
        number
    }

    /// Whether the tools of a tool's server may bring more terms into the vocabulary.
    pub(in crate::search::sift) fn may_add(&self, tool: &Tool) -> bool {
        let known = |server: &Arc<str>| self.numbers.get(&(tool.owner, server.clone())).copied();
        let number = tool.key.server.as_ref().map_or(Some(0), known);
        number.is_none_or(|number| self.added[number as usize] < limits::VOCABULARY)
    }

    /// Notes that a tool of a server brought so many terms into the vocabulary.
    pub(in crate::search::sift) fn add(&mut self, number: u32, terms: usize) {
        self.added[number as usize] += terms;
    }

    /// How many numbers there are.
    pub(in crate::search::sift) fn len(&self) -> usize {
        self.added.len()
    }
}
