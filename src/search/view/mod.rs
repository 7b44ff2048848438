//! A view of the tools that are searched: their postings and document frequencies, counted over exactly these tools. What a
//! session may not see does not count, so that no score tells of it.
//!
//! A view of many tools of which few have changed is an earlier view with changes: tools that left are passed over, and the
//! postings of those that came stand beside the earlier ones. Weights rest on the average lengths of the earlier view then.

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

/// Among fewer tools everything is counted anew after every change, which takes about a millisecond, so that answers do not
/// depend on what the catalog was before.
const KEPT_FROM: usize = 2_000;
/// A view follows changes until one tool in so many has changed.
const CHANGED_SHARE: usize = 50;
/// Document frequencies for which the idf is worked out beforehand; few terms have a higher one.
const IDFS: usize = 4_096;

/// The tools that are searched. It holds for one state of the catalog.
#[derive(Debug)]
pub(crate) struct View {
    /// See [`Index::epoch`].
    epoch: u64,
    /// The documents of the searched tools in catalog order.
    order: Vec<Doc>,
    pub lengths: Arc<Lengths>,
    postings: Arc<Postings>,
    /// What changed since the postings were made.
    changes: Option<Changes>,
    /// By number of a term in the postings.
    idfs: Vec<f64>,
    /// The servers of the tools, each once.
    distinct_servers: Vec<ServerId>,
    /// The servers that have a term in their names.
    servers_with: Map<Term, Vec<ServerId>>,
    /// The terms of these tools in alphabetical order.
    terms: OnceLock<Vec<Term>>,
    /// See [`View::are_some_bare`].
    are_some_bare: OnceLock<bool>,
    /// The scores that random queries reach, by the kind of a request.
    pub null_scores: Mutex<[NullScores; Kind::COUNT]>,
}

/// What a view has changed of an earlier one.
#[derive(Debug)]
struct Changes {
    base: Arc<View>,
    by_term: Map<Term, Change>,
    /// By document: whether its tool is searched. The postings of the earlier view have others too.
    live: Vec<bool>,
}

/// What changed of a term.
#[derive(Debug, Default)]
struct Change {
    /// How many documents that had it are not searched any more.
    gone: u32,
    /// The documents that came with it.
    postings: Vec<Posting>,
    /// Those that have it in their names.
    names: Vec<NamePosting>,
    is_defined: bool,
}

impl View {
    /// The view of the tools at some positions of the catalog, in rising order. `before` is the view of an earlier state, of
    /// which this one keeps what it can.
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
            are_some_bare: OnceLock::new(),
            null_scores: Mutex::new(null_scores),
        }
    }

    /// Whether some of these tools have words of an enrichment, and others have none.
    pub(crate) fn are_some_bare(&self, index: &Index) -> bool {
        let find = || {
            let worded = self.order.iter().filter(|doc| index.columns.is_worded(**doc)).count();
            worded > 0 && worded < self.len()
        };
        *self.are_some_bare.get_or_init(find)
    }

    /// The view whose null scores count for this one. They do not depend on what was asked before.
    pub(crate) fn for_null_scores(&self) -> &View {
        self.changes.as_ref().map_or(self, |changes| &changes.base)
    }

    /// How many tools are searched.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The documents of the searched tools in catalog order.
    pub(crate) fn in_order(&self) -> &[Doc] {
        &self.order
    }

    /// By document: whether its tool is searched, where postings have others too.
    pub(crate) fn live(&self) -> Option<&[bool]> {
        self.changes.as_ref().map(|changes| &changes.live[..])
    }

    /// The servers of the searched tools, each once.
    pub(crate) fn distinct_servers(&self) -> &[ServerId] {
        &self.distinct_servers
    }

    /// The postings of a term; see [`View::live`].
    pub(crate) fn postings(&self, term: Term) -> [&[Posting]; 2] {
        [self.postings.row(term), self.change(term).map_or(&[], |change| &change.postings)]
    }

    /// The documents that have a term in their names; see [`View::live`].
    pub(crate) fn names(&self, term: Term) -> [&[NamePosting]; 2] {
        [self.postings.names(term), self.change(term).map_or(&[], |change| &change.names)]
    }

    fn change(&self, term: Term) -> Option<&Change> {
        self.changes.as_ref()?.by_term.get(&term)
    }

    /// The servers that have a term in their names.
    pub(crate) fn servers_with(&self, term: Term) -> &[ServerId] {
        self.servers_with.get(&term).map_or(&[], Vec::as_slice)
    }

    /// In how many tools a term stands.
    pub(crate) fn document_frequency(&self, term: Term) -> u32 {
        let counted = self.postings.document_frequency(term);
        self.change(term).map_or(counted, |change| change.frequency(counted))
    }

    /// The inverse document frequency of a term.
    pub(crate) fn idf(&self, term: Term) -> f64 {
        let known = self.postings.number(term).map(|number| self.idfs[number]);
        known.unwrap_or_else(|| idf(self.document_frequency(term), self.len()))
    }

    /// Whether the definition of any tool has a term, rather than enrichments alone.
    pub(crate) fn is_defined(&self, term: Term) -> bool {
        self.postings.is_defined(term) || self.change(term).is_some_and(|change| change.is_defined)
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

impl Change {
    /// The document frequency of the term, from the earlier one.
    fn frequency(&self, earlier: u32) -> u32 {
        earlier + self.postings.len() as u32 - self.gone
    }
}

impl Changes {
    /// What makes the view `base` one of the documents in `order`, where that is little.
    fn of(index: &Index, order: &[Doc], base: Arc<View>) -> Option<Self> {
        // Documents are other tools where everything was read anew.
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

/// The servers of some documents, each once.
fn distinct_servers(index: &Index, docs: &[Doc]) -> Vec<ServerId> {
    let mut seen = vec![false; index.servers.len()];
    let servers = docs.iter().map(|doc| index.columns.servers[*doc]);
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
