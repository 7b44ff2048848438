//! Keeps the columns of an index, with one value per document: the data about each tool.

use std::sync::{Arc, OnceLock};

use crate::catalog::{Effect, Owner, Tool};
use crate::limits;
use crate::map::Map;
use crate::search::fields::{FIELDS, Field};
use crate::search::ids::{Doc, Lists, ServerId, Term};
use crate::search::index::analyzer::Occurrence;
use crate::text::normalized;

/// The terms of each sentence of a tool that is compared with requests as a whole.
pub(crate) type Sentences = Box<[Box<[Term]>]>;

/// Columns by document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    /// The number of words in each field.
    pub lengths: Vec<[u16; FIELDS]>,
    /// The occurrences of each term in each field, in the order of terms and fields.
    pub occurrences: Lists<Doc, Occurrence>,
    /// The terms of the name, each once, without stop words.
    pub names: Lists<Doc, Term>,
    /// The terms of the name and the lead, in their order.
    pub leads: Lists<Doc, Term>,
    pub servers: Vec<ServerId>,
    /// The effect of a call of the tool.
    pub effects: Vec<Effect>,
    /// The sentences, read when they are first needed.
    pub sentences: Vec<OnceLock<Sentences>>,
}

impl Columns {
    /// Adds a row.
    pub(crate) fn push(&mut self, row: Row, effect: Effect, occurrences: &[Occurrence]) {
        self.occurrences.push(occurrences.iter().copied());
        self.lengths.push(row.lengths);
        self.names.push(row.name);
        self.leads.push(row.lead);
        self.servers.push(row.server);
        self.effects.push(effect);
        self.sentences.push(OnceLock::new());
    }

    /// Calls back with each term of a tool and its occurrences.
    pub(crate) fn each_term(&self, doc: Doc, mut take: impl FnMut(Term, &[Occurrence])) {
        for same in self.occurrences.row(doc).chunk_by(|a, b| a.term == b.term) {
            take(same[0].term, same);
        }
    }

    /// Returns true if a tool has words of an enrichment.
    pub(crate) fn is_worded(&self, doc: Doc) -> bool {
        Field::ALL.iter().any(|field| field.is_colloquial() && self.lengths[doc][*field as usize] > 0)
    }

    /// Returns the occurrences of a term in a tool.
    pub(crate) fn occurrences_of(&self, doc: Doc, term: Term) -> &[Occurrence] {
        let all = self.occurrences.row(doc);
        let from = all.partition_point(|one| one.term < term);
        &all[from..from + all[from..].partition_point(|one| one.term == term)]
    }
}

/// The values of the columns for one tool.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub lengths: [u16; FIELDS],
    /// The terms of the name, each once, without stop words.
    pub name: Vec<Term>,
    pub lead: Vec<Term>,
    pub server: ServerId,
}

/// The servers of the tools.
#[derive(Clone, Debug)]
pub(crate) struct Servers {
    /// The ids by owner and name: servers of several owners may have the same name.
    ids: Map<(Owner, Arc<str>), ServerId>,
    /// The normalized name of each server.
    pub plain_names: Vec<Box<str>>,
    /// The terms of each server's name.
    pub terms: Lists<ServerId, Term>,
    /// The number of terms that the tools of each server added to the vocabulary.
    added: Vec<usize>,
}

impl Default for Servers {
    fn default() -> Self {
        let mut terms = Lists::default();
        terms.push([]);
        Servers { ids: Map::default(), plain_names: vec![Box::default()], terms, added: vec![0] }
    }
}

impl Servers {
    /// Returns the server of a tool; `terms` returns the terms of its name if it is new.
    pub(crate) fn id(&mut self, tool: &Tool, terms: impl FnOnce() -> Vec<Term>) -> ServerId {
        let Some(server) = &tool.key.server else { return ServerId::NONE };
        let key = (tool.owner, server.clone());
        if let Some(id) = self.ids.get(&key) {
            return *id;
        }
        let id = ServerId::new(self.added.len());
        self.plain_names.push(normalized(server).into());
        self.ids.insert(key, id);
        self.terms.push(terms());
        self.added.push(0);
        id
    }

    /// Returns true if the tools of a tool's server may add more terms to the vocabulary.
    pub(crate) fn may_add(&self, tool: &Tool) -> bool {
        let known = |server: &Arc<str>| self.ids.get(&(tool.owner, server.clone())).copied();
        let id = tool.key.server.as_ref().map_or(Some(ServerId::NONE), known);
        id.is_none_or(|id| self.added[id] < limits::VOCABULARY)
    }

    /// Notes that a tool of a server added this number of terms to the vocabulary.
    pub(crate) fn add(&mut self, server: ServerId, terms: usize) {
        self.added[server] += terms;
    }

    /// Returns the number of ids.
    pub(crate) fn len(&self) -> usize {
        self.added.len()
    }
}
