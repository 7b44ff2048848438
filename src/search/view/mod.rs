//! Keeps a view of the searched tools: their postings and document frequencies, counted over exactly these tools. Tools
//! that a session may not see are not counted, so that no score gives them away.
//!
//! If few of many tools have changed, a view is an earlier view with changes: tools that left are skipped, and the
//! postings of new tools are kept beside the earlier ones. Weights then use the average lengths of the earlier view.

pub(crate) mod idf;
mod lengths;
mod postings;

use std::sync::{Arc, Mutex, OnceLock};

use crate::map::Map;
use crate::search::ids::{Doc, ServerId, Term};
use crate::search::index::Index;
use crate::search::null_scores::{Kind, NullScores};
use crate::search::ranker_options::Weights;

pub(crate) use idf::idf;
pub(crate) use lengths::Lengths;
pub(crate) use postings::NamePosting;
use postings::{Posting, Postings};

/// With fewer tools, everything is counted again after every change, which takes about a millisecond, so that answers
/// do not depend on earlier states of the catalog.
const KEPT_FROM: usize = 2_000;
/// A view follows changes until one of this many tools has changed.
const CHANGED_SHARE: usize = 50;
/// The document frequencies for which the idf is computed in advance; few terms have a higher one.
const IDFS: usize = 4_096;

/// The searched tools. A view is valid for one state of the catalog.
#[derive(Debug)]
pub(crate) struct View {
    /// See [`Index::epoch`].
    epoch: u64,
    /// The documents of the searched tools in catalog order.
    order: Vec<Doc>,
    pub lengths: Arc<Lengths>,
    postings: Arc<Postings>,
    /// The changes since the postings were made.
    changes: Option<Changes>,
    /// The idf by number of a term in the postings.
    idfs: Vec<f64>,
    /// The servers of the tools, each once.
    distinct_servers: Vec<ServerId>,
    /// The servers that have a term in their names.
    servers_with: Map<Term, Vec<ServerId>>,
    /// The terms of these tools in alphabetical order.
    terms: OnceLock<Vec<Term>>,
    /// See [`View::are_some_unenriched`].
    are_some_unenriched: OnceLock<bool>,
    /// The null scores, by the kind of a request.
    pub null_scores: Mutex<[NullScores; Kind::COUNT]>,
}

/// The changes of a view relative to an earlier one.
#[derive(Debug)]
struct Changes {
    base: Arc<View>,
    by_term: Map<Term, Change>,
    /// By document: whether its tool is searched. The postings of the earlier view also have other tools.
    live: Vec<bool>,
}

/// The changes of a term.
#[derive(Debug, Default)]
struct Change {
    /// The number of documents with the term that are not searched any more.
    gone: u32,
    /// The new documents with the term.
    postings: Vec<Posting>,
    /// The new documents that have the term in their names.
    names: Vec<NamePosting>,
    is_defined: bool,
}

impl View {
    /// Makes the view of the tools at these positions of the catalog, in ascending order. `before` is the view of an
    /// earlier state, which is reused as far as possible.
    pub(crate) fn of(index: &Index, positions: &[u32], before: Option<Arc<View>>, weights: Weights) -> Self {
        let order: Vec<Doc> = positions.iter().map(|position| index.versions.at(*position as usize)).collect();
        let base = before.map(|before| before.changes.as_ref().map(|changes| changes.base.clone()).unwrap_or(before));
        let changes = base.and_then(|base| Changes::of(index, &order, base));
        let known: Vec<f64> =
            (0..IDFS.min(order.len() + 1)).map(|frequency| idf(frequency as u32, order.len())).collect();
        let idf_of =
            |frequency: u32| known.get(frequency as usize).copied().unwrap_or_else(|| idf(frequency, order.len()));
        let (lengths, postings) = match &changes {
            Some(Changes { base, .. }) => (base.lengths.clone(), base.postings.clone()),
            None => {
                let lengths = Lengths::of(index, &order, weights);
                let postings = Postings::of(index, &order, &lengths, idf_of);
                (Arc::new(lengths), Arc::new(postings))
            }
        };
        let mut idfs: Vec<f64> = postings.document_frequencies().map(idf_of).collect();
        for (term, change) in changes.iter().flat_map(|changes| &changes.by_term) {
            if let Some(number) = postings.number(*term) {
                idfs[number] = idf_of(change.frequency(postings.document_frequency(*term)));
            }
        }
        let measured = index.measured.as_ref().filter(|_| changes.is_none());
        let mut null_scores = [NullScores::default(); Kind::COUNT];
        null_scores[Kind::Written as usize] = measured.and_then(|measured| measured.of(positions)).unwrap_or_default();
        let distinct_servers = distinct_servers(index, &order);
        View {
            epoch: index.epoch,
            idfs,
            order,
            lengths,
            postings,
            changes,
            servers_with: by_term(index, &distinct_servers),
            distinct_servers,
            terms: OnceLock::new(),
            are_some_unenriched: OnceLock::new(),
            null_scores: Mutex::new(null_scores),
        }
    }

    /// Returns true if some of these tools have an enrichment, and others have none.
    pub(crate) fn are_some_unenriched(&self, index: &Index) -> bool {
        let find = || {
            let worded = self.order.iter().filter(|doc| index.columns.is_worded(**doc)).count();
            worded > 0 && worded < self.len()
        };
        *self.are_some_unenriched.get_or_init(find)
    }

    /// Returns the view whose null scores are used for this one. They do not depend on earlier requests.
    pub(crate) fn for_null_scores(&self) -> &View {
        self.changes.as_ref().map_or(self, |changes| &changes.base)
    }

    /// Returns the number of searched tools.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// Returns the documents of the searched tools in catalog order.
    pub(crate) fn in_order(&self) -> &[Doc] {
        &self.order
    }

    /// Returns, by document, whether its tool is searched, if the postings also have other tools.
    pub(crate) fn live(&self) -> Option<&[bool]> {
        self.changes.as_ref().map(|changes| &changes.live[..])
    }

    /// Returns the servers of the searched tools, each once.
    pub(crate) fn distinct_servers(&self) -> &[ServerId] {
        &self.distinct_servers
    }

    /// Returns the postings of a term; see [`View::live`].
    pub(crate) fn postings(&self, term: Term) -> [&[Posting]; 2] {
        [self.postings.row(term), self.change(term).map_or(&[], |change| &change.postings)]
    }

    /// Returns the documents that have a term in their names; see [`View::live`].
    pub(crate) fn names(&self, term: Term) -> [&[NamePosting]; 2] {
        [self.postings.names(term), self.change(term).map_or(&[], |change| &change.names)]
    }

    fn change(&self, term: Term) -> Option<&Change> {
        self.changes.as_ref()?.by_term.get(&term)
    }

    /// Returns the servers that have a term in their names.
    pub(crate) fn servers_with(&self, term: Term) -> &[ServerId] {
        self.servers_with.get(&term).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of tools that have a term.
    pub(crate) fn document_frequency(&self, term: Term) -> u32 {
        let counted = self.postings.document_frequency(term);
        self.change(term).map_or(counted, |change| change.frequency(counted))
    }

    /// Returns the inverse document frequency of a term.
    pub(crate) fn idf(&self, term: Term) -> f64 {
        let known = self.postings.number(term).map(|number| self.idfs[number]);
        known.unwrap_or_else(|| idf(self.document_frequency(term), self.len()))
    }

    /// Returns true if the definition of any tool has a term; false if only enrichments have it.
    pub(crate) fn is_defined(&self, term: Term) -> bool {
        self.postings.is_defined(term) || self.change(term).is_some_and(|change| change.is_defined)
    }

    /// Returns the term of a stem, if a tool has it.
    pub(crate) fn term(&self, index: &Index, stem: &str) -> Option<Term> {
        index.vocabulary.term(stem).filter(|term| self.document_frequency(*term) > 0)
    }

    /// Returns the terms that begin with a prefix, in alphabetical order. Words of other tools are not included, so
    /// that they take no part of a limited search.
    pub(crate) fn starting_with<'s>(&'s self, index: &Index, prefix: &str) -> &'s [Term] {
        let vocabulary = &index.vocabulary;
        let occurs = |term: &Term| self.document_frequency(*term) > 0;
        let terms = self.terms.get_or_init(|| vocabulary.sorted().iter().copied().filter(occurs).collect());
        vocabulary.starting_with(terms, prefix)
    }
}

impl Change {
    /// Returns the document frequency of the term, from the earlier one.
    fn frequency(&self, earlier: u32) -> u32 {
        earlier + self.postings.len() as u32 - self.gone
    }
}

impl Changes {
    /// Computes the changes from the view `base` to the documents in `order`; `None` if there are too many.
    #[inline(never)]
    fn of(index: &Index, order: &[Doc], base: Arc<View>) -> Option<Self> {
        // After a rebuild, the documents are other tools.
        if base.epoch != index.epoch || order.len() < KEPT_FROM {
            return None;
        }
        let (was, live) = (index.mask(base.order.iter().copied()), index.mask(order.iter().copied()));
        let gone = base.order.iter().filter(|doc| !live[**doc]);
        let new = order.iter().filter(|doc| !was[**doc]);
        if gone.clone().count().max(new.clone().count()).saturating_mul(CHANGED_SHARE) > order.len() {
            return None;
        }
        let (columns, lengths) = (&index.columns, &base.lengths);
        let mut by_term: Map<Term, Change> = Map::default();
        for doc in gone {
            columns.each_term(*doc, |term, occurrences| {
                by_term.entry(term).or_default().gone += u32::from(lengths.counts(occurrences));
            });
        }
        for doc in new.copied() {
            columns.each_term(doc, |term, occurrences| {
                if !lengths.counts(occurrences) {
                    return;
                }
                let change = by_term.entry(term).or_default();
                let frequency = lengths.frequency(occurrences, &columns.lengths[doc]) as f32;
                change.postings.push(Posting { doc, frequency });
                change.is_defined |= occurrences.iter().any(|one| !one.field.is_colloquial());
            });
            let name = columns.names.row(doc);
            let all = name.iter().fold(0.0, |sum, term| sum + base.idf(*term)) as f32;
            for term in name {
                by_term.entry(*term).or_default().names.push(NamePosting { doc, all });
            }
        }
        Some(Changes { base, by_term, live })
    }
}

/// Returns the servers of some documents, each once.
fn distinct_servers(index: &Index, docs: &[Doc]) -> Vec<ServerId> {
    let mut seen = vec![false; index.servers.len()];
    let servers = docs.iter().map(|doc| index.columns.servers[*doc]);
    servers.filter(|server| !std::mem::replace(&mut seen[*server], true)).collect()
}

/// Returns the servers by the terms of their names.
fn by_term(index: &Index, servers: &[ServerId]) -> Map<Term, Vec<ServerId>> {
    let mut with: Map<Term, Vec<ServerId>> = Map::default();
    for server in servers {
        index.servers.terms.row(*server).iter().for_each(|term| with.entry(*term).or_default().push(*server));
    }
    with
}
