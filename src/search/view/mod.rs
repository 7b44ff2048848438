//! A view of the tools that are searched: their postings and document frequencies, counted over exactly these tools. What a
//! session may not see does not count, so that no score tells of it.
//!
//! A view of many tools of which few have changed is an earlier view with changes: tools that left are tombstones, and the
//! postings of those that came stand beside the earlier ones. Weights rest on the average lengths of the earlier view then.

pub(crate) mod idf;
mod lengths;
mod postings;

use std::sync::{Arc, Mutex, OnceLock};

use crate::catalog::Effect;
use crate::map::Map;
use crate::search::fields::Field;
use crate::search::ids::{Doc, ServerId, Slot, Term};
use crate::search::index::Index;
use crate::search::null_scores::{Kind, NullScores};
use crate::search::ranker_options::Weights;

pub(crate) use idf::idf;
pub(crate) use lengths::Lengths;
use postings::{Posting, Postings};

/// Among fewer tools everything is counted anew after every change, which takes about a millisecond, so that answers do not
/// depend on what the catalog was before.
const KEPT_FROM: usize = 2_000;
/// A view follows changes until one tool in so many has changed.
const CHANGED_SHARE: usize = 50;
/// Document frequencies for which the idf is worked out beforehand; few terms have a higher one.
const IDFS: usize = 4_096;
/// The position of a tombstone.
const GONE: u32 = u32::MAX;

/// The tools that are searched, as documents. It holds for one state of the catalog.
#[derive(Debug)]
pub(crate) struct View {
    /// See [`Index::epoch`].
    epoch: u64,
    /// By document.
    slots: Vec<Slot>,
    /// By document: the tool's position in the catalog, or [`GONE`].
    positions: Vec<u32>,
    effects: Vec<Effect>,
    servers: Vec<ServerId>,
    /// By document: the sum of the idf of the name's terms, as of when the postings were made.
    name_sums: Vec<f32>,
    /// By document: the sum of the idf of each of its sentences' terms, once they were needed.
    sentence_sums: Vec<OnceLock<Box<[f64]>>>,
    /// The documents of the searched tools in catalog order.
    order: Vec<Doc>,
    pub lengths: Arc<Lengths>,
    postings: Arc<Postings>,
    /// What changed since the postings were made, by term.
    changes: Map<Term, Change>,
    /// The idf of a term by its document frequency, of the first [`IDFS`].
    idfs: Vec<f64>,
    /// The servers of the tools, each once.
    distinct_servers: Vec<ServerId>,
    /// The servers that have a term in their names.
    servers_with: Map<Term, Vec<ServerId>>,
    /// The terms of these tools in alphabetical order.
    terms: OnceLock<Vec<Term>>,
    /// See [`View::bare`].
    bare: OnceLock<Option<Vec<bool>>>,
    /// The scores that random queries reach, by the kind of a request.
    pub null_scores: Mutex<[NullScores; Kind::COUNT]>,
    /// The view that this one is with changes.
    base: Option<Arc<View>>,
}

/// What changed of a term.
#[derive(Debug, Default)]
struct Change {
    /// How many documents that had it are tombstones.
    gone: u32,
    /// The documents that came with it.
    postings: Vec<Posting>,
    /// Those that have it in their names.
    names: Vec<Doc>,
    is_defined: bool,
}

impl View {
    /// The view of the tools at some positions of the catalog, in rising order. `before` is the view of an earlier state, of
    /// which this one keeps what it can.
    pub(crate) fn of(index: &Index, positions: &[u32], before: Option<Arc<View>>, weights: Weights) -> Self {
        let slots: Vec<Slot> = positions.iter().map(|position| index.slots.at(*position as usize)).collect();
        let earlier = before.map(|before| before.base.clone().unwrap_or(before));
        let changed = earlier.and_then(|base| View::with_changes(index, positions, &slots, base));
        changed.unwrap_or_else(|| View::counted_anew(index, positions, slots, weights))
    }

    fn counted_anew(index: &Index, positions: &[u32], slots: Vec<Slot>, weights: Weights) -> Self {
        let lengths = Arc::new(Lengths::of(index, &slots, weights));
        let distinct_servers = distinct_servers(index, &slots);
        let measured = index.measured.as_ref().and_then(|measured| measured.of(positions));
        let mut null_scores = [NullScores::default(); Kind::COUNT];
        null_scores[Kind::Written as usize] = measured.unwrap_or_default();
        let mut view = View {
            epoch: index.epoch,
            positions: positions.to_vec(),
            effects: slots.iter().map(|slot| index.columns.effects[*slot]).collect(),
            servers: slots.iter().map(|slot| index.columns.servers[*slot]).collect(),
            order: (0..slots.len()).map(Doc::new).collect(),
            postings: Arc::new(Postings::of(index, &slots, &lengths)),
            lengths,
            changes: Map::default(),
            idfs: idfs(slots.len()),
            servers_with: by_term(index, &distinct_servers),
            distinct_servers,
            terms: OnceLock::new(),
            bare: OnceLock::new(),
            null_scores: Mutex::new(null_scores),
            base: None,
            name_sums: Vec::new(),
            sentence_sums: vec![OnceLock::new(); slots.len()],
            slots,
        };
        view.name_sums = view.slots.iter().map(|slot| view.name_sum(index, *slot)).collect();
        view
    }

    fn name_sum(&self, index: &Index, slot: Slot) -> f32 {
        index.columns.names.row(slot).iter().fold(0.0, |sum, term| sum + self.idf(*term)) as f32
    }

    /// The view `base` with changes, where there are few.
    fn with_changes(index: &Index, positions: &[u32], wanted: &[Slot], base: Arc<View>) -> Option<Self> {
        // Slots mean other tools where everything was read anew.
        if base.epoch != index.epoch || wanted.len() < KEPT_FROM {
            return None;
        }
        let mut docs: Vec<Option<Doc>> = vec![None; index.slots.len()];
        base.slots.iter().enumerate().for_each(|(doc, slot)| docs[*slot] = Some(Doc::new(doc)));
        let (mut slots, mut new_positions) = (base.slots.clone(), vec![GONE; base.slots.len()]);
        let order = wanted.iter().zip(positions).map(|(slot, position)| {
            let doc = docs[*slot].unwrap_or_else(|| {
                slots.push(*slot);
                new_positions.push(GONE);
                Doc::new(slots.len() - 1)
            });
            new_positions[doc] = *position;
            doc
        });
        let order: Vec<Doc> = order.collect();
        let new = base.slots.len()..slots.len();
        let gone = new_positions.iter().filter(|position| **position == GONE).count();
        if gone.max(new.len()).saturating_mul(CHANGED_SHARE) > wanted.len() {
            return None;
        }
        let mut changes: Map<Term, Change> = Map::default();
        for doc in (0..new.start).map(Doc::new).filter(|doc| new_positions[*doc] == GONE) {
            index.columns.each_term(slots[doc], |term, occurrences| {
                changes.entry(term).or_default().gone += u32::from(base.lengths.counts(occurrences));
            });
        }
        for doc in new.clone().map(Doc::new) {
            let slot = slots[doc];
            index.columns.each_term(slot, |term, occurrences| {
                if !base.lengths.counts(occurrences) {
                    return;
                }
                let change = changes.entry(term).or_default();
                let frequency = base.lengths.frequency(occurrences, &index.columns.lengths[slot]) as f32;
                change.postings.push(Posting { doc, frequency });
                change.is_defined |= occurrences.iter().any(|one| !one.field.is_colloquial());
            });
            for term in index.columns.names.row(slot) {
                changes.entry(*term).or_default().names.push(doc);
            }
        }
        let came = &slots[new];
        let effects = base.effects.iter().copied().chain(came.iter().map(|slot| index.columns.effects[*slot]));
        let servers = base.servers.iter().copied().chain(came.iter().map(|slot| index.columns.servers[*slot]));
        let name_sums = base.name_sums.iter().copied().chain(came.iter().map(|slot| base.name_sum(index, *slot)));
        let distinct_servers = distinct_servers(index, wanted);
        Some(View {
            epoch: index.epoch,
            positions: new_positions,
            effects: effects.collect(),
            servers: servers.collect(),
            name_sums: name_sums.collect(),
            idfs: idfs(order.len()),
            order,
            postings: base.postings.clone(),
            lengths: base.lengths.clone(),
            changes,
            servers_with: by_term(index, &distinct_servers),
            distinct_servers,
            terms: OnceLock::new(),
            bare: OnceLock::new(),
            null_scores: Mutex::default(),
            base: Some(base),
            sentence_sums: vec![OnceLock::new(); slots.len()],
            slots,
        })
    }

    /// Whether a tool has words of an enrichment.
    pub(crate) fn is_worded(&self, index: &Index, doc: Doc) -> bool {
        let lengths = &index.columns.lengths[self.slot(doc)];
        Field::ALL.iter().any(|field| field.is_colloquial() && lengths[*field as usize] > 0)
    }

    /// By document: whether a tool has no words of an enrichment, where others of these tools have some.
    pub(crate) fn bare(&self, index: &Index) -> Option<&[bool]> {
        let find = || {
            let bare: Vec<bool> = (0..self.docs()).map(|doc| !self.is_worded(index, Doc::new(doc))).collect();
            (bare.contains(&true) && bare.contains(&false)).then_some(bare)
        };
        self.bare.get_or_init(find).as_deref()
    }

    /// The view whose null scores count for this one. They do not depend on what was asked before.
    pub(crate) fn for_null_scores(&self) -> &View {
        self.base.as_deref().unwrap_or(self)
    }

    /// How many tools are searched.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// How many documents there are, with tombstones.
    pub(crate) fn docs(&self) -> usize {
        self.slots.len()
    }

    /// The documents of the searched tools in catalog order.
    pub(crate) fn in_order(&self) -> &[Doc] {
        &self.order
    }

    /// The slot of a document in the index.
    pub(crate) fn slot(&self, doc: Doc) -> Slot {
        self.slots[doc]
    }

    /// The position of a document's tool in the catalog. That of a tombstone comes after all others.
    pub(crate) fn position(&self, doc: Doc) -> usize {
        self.positions[doc] as usize
    }

    /// Whether a document's tool is searched: it is no tombstone.
    pub(crate) fn is_live(&self, doc: Doc) -> bool {
        self.positions[doc] != GONE
    }

    /// By document: whether its tool is searched.
    pub(crate) fn live(&self) -> Vec<bool> {
        self.positions.iter().map(|position| *position != GONE).collect()
    }

    /// Whether there are tombstones.
    pub(crate) fn has_tombstones(&self) -> bool {
        self.order.len() < self.slots.len()
    }

    /// The document of the tool at a position of the catalog.
    pub(crate) fn doc_at(&self, position: usize) -> Option<Doc> {
        let at = self.order.binary_search_by_key(&position, |doc| self.position(*doc)).ok()?;
        Some(self.order[at])
    }

    /// What a document's tool does when it is called.
    pub(crate) fn effect(&self, doc: Doc) -> Effect {
        self.effects[doc]
    }

    /// The server of a document's tool.
    pub(crate) fn server(&self, doc: Doc) -> ServerId {
        self.servers[doc]
    }

    /// The servers of the searched tools, each once.
    pub(crate) fn distinct_servers(&self) -> &[ServerId] {
        &self.distinct_servers
    }

    /// By document: whether its tool is at one of these positions, which rise.
    pub(crate) fn mask(&self, positions: &[u32]) -> Vec<bool> {
        let mut wanted = positions.iter().map(|position| *position as usize).peekable();
        let mut mask = vec![false; self.docs()];
        for doc in &self.order {
            mask[*doc] = wanted.next_if_eq(&self.position(*doc)).is_some();
        }
        mask
    }

    /// The sum of the idf of the terms in a document's name.
    pub(crate) fn sum_of_name(&self, doc: Doc) -> f64 {
        self.name_sums[doc].into()
    }

    /// The sums of the idf of the terms in a document's sentences, as `sums` makes them the first time.
    pub(crate) fn sums_of_sentences(&self, doc: Doc, sums: impl FnOnce() -> Box<[f64]>) -> &[f64] {
        self.sentence_sums[doc].get_or_init(sums)
    }

    /// The postings of a term; tombstones are among them.
    pub(crate) fn postings(&self, term: Term) -> [&[Posting]; 2] {
        [self.postings.row(term), self.changes.get(&term).map_or(&[], |change| &change.postings)]
    }

    /// The documents that have a term in their names; tombstones are among them.
    pub(crate) fn names(&self, term: Term) -> [&[Doc]; 2] {
        [self.postings.names(term), self.changes.get(&term).map_or(&[], |change| &change.names)]
    }

    /// The servers that have a term in their names.
    pub(crate) fn servers_with(&self, term: Term) -> &[ServerId] {
        self.servers_with.get(&term).map_or(&[], Vec::as_slice)
    }

    /// In how many tools a term stands.
    pub(crate) fn document_frequency(&self, term: Term) -> u32 {
        let counted = self.postings.document_frequency(term);
        if self.changes.is_empty() {
            return counted;
        }
        self.changes.get(&term).map_or(counted, |change| counted + change.postings.len() as u32 - change.gone)
    }

    /// The inverse document frequency of a term.
    pub(crate) fn idf(&self, term: Term) -> f64 {
        let frequency = self.document_frequency(term);
        self.idfs.get(frequency as usize).copied().unwrap_or_else(|| idf(frequency, self.len()))
    }

    /// Whether the definition of any tool has a term, rather than enrichments alone.
    pub(crate) fn is_defined(&self, term: Term) -> bool {
        self.postings.is_defined(term) || self.changes.get(&term).is_some_and(|change| change.is_defined)
    }

    /// The term of a stem, where a tool has it.
    pub(crate) fn term(&self, index: &Index, stem: &str) -> Option<Term> {
        index.vocabulary.term(stem).filter(|term| self.document_frequency(*term) > 0)
    }

    /// The terms that begin with a prefix, in alphabetical order. Words that only other tools have are not among them, so that
    /// they take no part of a bounded search.
    pub(crate) fn starting_with<'s>(&'s self, index: &Index, prefix: &str) -> &'s [Term] {
        let vocabulary = &index.vocabulary;
        let occurs = |term: &Term| self.document_frequency(*term) > 0;
        let terms = self.terms.get_or_init(|| vocabulary.sorted().iter().copied().filter(occurs).collect());
        vocabulary.starting_with(terms, prefix)
    }
}

/// The idf of the first document frequencies among so many tools.
fn idfs(tools: usize) -> Vec<f64> {
    (0..IDFS.min(tools + 1)).map(|frequency| idf(frequency as u32, tools)).collect()
}

/// The servers of the tools in some slots, each once.
fn distinct_servers(index: &Index, slots: &[Slot]) -> Vec<ServerId> {
    let mut seen = vec![false; index.servers.len()];
    let servers = slots.iter().map(|slot| index.columns.servers[*slot]);
    servers.filter(|server| !std::mem::replace(&mut seen[*server], true)).collect()
}

/// Servers by the terms of their names.
fn by_term(index: &Index, servers: &[ServerId]) -> Map<Term, Vec<ServerId>> {
    let mut with: Map<Term, Vec<ServerId>> = Map::default();
    for server in servers {
        index.servers.terms.row(*server).iter().for_each(|term| with.entry(*term).or_default().push(*server));
    }
    with
}
