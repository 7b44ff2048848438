//! Statistics over exactly the tools that are searched: which slots they have, how long their fields are on average, in
//! how many of them a term stands. What a session may not see does not count, so that no score tells of it.

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, OnceLock};

use crate::lru::Lru;
use crate::search::fields::{FIELDS, Field};
use crate::search::ids::{Place, ServerId, Slot, Term};
use crate::search::index::{Index, Posting};
use crate::search::query::meanings::Meaning;
use crate::search::view::frequencies::Frequencies;
use crate::search::view::idf::idf;
use crate::search::view::null_scores::{Chances, Kind};
use crate::search::view::places::Places;

/// Slots of other tools within a range; fewer are cheaper to pass over than to look up.
const GAP: u32 = 64;
/// Ranges at most: the last one holds all further slots.
const RANGES: usize = 16;

/// A change of more than one tool in so many is no small one: everything is counted anew then.
const SMALL: usize = 8;
/// What chance finds is kept until one tool in so many has changed since it was measured: drawing other words changes it more.
const CHANCE_HOLDS: usize = 50;
/// Among fewer tools it is measured after every change, which takes about a millisecond, so that answers do not depend on what
/// the catalog was before.
const FEW: usize = 2_000;

/// Lengths of fields for which the norm is worked out beforehand; few fields are longer.
pub(crate) const NORMS: usize = 64;

/// Document frequencies for which the idf is worked out beforehand; few terms have a higher one.
const IDFS: usize = 512;

/// What is known of the tools that are searched. It holds for one state of the catalog.
#[derive(Debug)]
pub(crate) struct Statistics {
    /// See [`Index::epoch`].
    epoch: u64,
    pub(crate) places: Places,
    /// The servers of these tools, each once.
    pub(crate) servers: Vec<ServerId>,
    /// The ranges of slots in which there are such tools, rising. Slots of other users' tools lie between them: a search that
    /// passed over each of these would cost as much as there are users.
    ranges: Vec<RangeInclusive<Slot>>,
    lengths: Lengths,
    /// How many words each field has, over the tools that have the field at all: most tools have no hint, and many no
    /// parameters.
    pub(crate) averages: [f64; FIELDS],
    frequencies: Frequencies,
    /// The idf of a term by its document frequency, of the first [`IDFS`].
    idfs: Vec<f64>,
    /// See [`Statistics::bare`].
    bare: OnceLock<Option<Vec<bool>>>,
    /// By field and length: what an occurrence counts.
    pub(crate) norms: OnceLock<Vec<[f64; NORMS]>>,
    /// What words mean among them.
    pub(crate) meanings: Mutex<Lru<String, Arc<Meaning>>>,
    /// The terms of these tools, in alphabetical order.
    terms: OnceLock<Vec<Term>>,
    /// By place: the sum of the idf of the name's terms.
    names: Vec<f64>,
    /// What chance finds among them, by the kind of a request.
    pub(crate) chances: Mutex<[Chances; Kind::COUNT]>,
    /// The tools of an earlier state, among which chance is measured instead, and how many tools have changed since.
    base: Option<Arc<Statistics>>,
    changed: usize,
}

/// The lengths of fields, summed over some tools.
#[derive(Clone, Copy, Debug, Default)]
struct Lengths {
    sums: [u64; FIELDS],
    /// How many tools have the field.
    tools: [u64; FIELDS],
}

impl Lengths {
    fn add(&mut self, lengths: &[u16; FIELDS]) {
        for (field, length) in lengths.iter().enumerate() {
            self.sums[field] += u64::from(*length);
            self.tools[field] += u64::from(*length > 0);
        }
    }

    fn subtract(&mut self, lengths: &[u16; FIELDS]) {
        for (field, length) in lengths.iter().enumerate() {
            self.sums[field] -= u64::from(*length);
            self.tools[field] -= u64::from(*length > 0);
        }
    }

    fn averages(&self) -> [f64; FIELDS] {
        std::array::from_fn(|field| (self.sums[field] as f64 / self.tools[field].max(1) as f64).max(1.0))
    }
}

impl Statistics {
    /// Statistics over the tools at some positions of the catalog, in rising order. `before` is what was known of the tools
    /// that were searched in an earlier state: where few have changed since, only these are counted.
    pub(crate) fn of(index: &Index, positions: &[u32], before: Option<Arc<Statistics>>) -> Self {
        let places = Places::of(&index.slots, positions);
        let counted = before.as_ref().and_then(|before| before.counted_on(index, &places));
        let (lengths, frequencies, changed) = counted.unwrap_or_else(|| count(index, &places));
        let measured = index.measured.as_ref().and_then(|measured| measured.of(positions));
        let is_close = places.len() >= FEW && changed.saturating_mul(CHANCE_HOLDS) <= places.len();
        let base =
            before.filter(|_| measured.is_none() && is_close).map(|before| before.base.clone().unwrap_or(before));
        let idfs = (0..IDFS.min(places.len() + 1)).map(|frequency| idf(frequency as u32, places.len())).collect();
        let mut statistics = Statistics {
            epoch: index.epoch,
            ranges: ranges(&places.slots),
            servers: servers(index, &places.slots),
            averages: lengths.averages(),
            lengths,
            frequencies,
            idfs,
            bare: OnceLock::new(),
            norms: OnceLock::new(),
            meanings: Mutex::default(),
            terms: OnceLock::new(),
            names: Vec::new(),
            places,
            chances: Mutex::new([
                measured.unwrap_or_default(),
                Chances::default(),
                Chances::default(),
                Chances::default(),
            ]),
            changed: if base.is_some() { changed } else { 0 },
            base,
        };
        let sum = |terms: &[Term]| terms.iter().fold(0.0, |sum, term| sum + statistics.idf_of(*term));
        statistics.names = statistics.places.slots.iter().map(|slot| sum(index.columns.names.row(*slot))).collect();
        statistics
    }

    /// These counts, brought to other places where few tools differ, and how many tools have changed since chance was measured.
    fn counted_on(&self, index: &Index, places: &Places) -> Option<(Lengths, Frequencies, usize)> {
        // Slots mean other tools where everything was read anew.
        if self.epoch != index.epoch {
            return None;
        }
        let gone: Vec<Slot> = self.places.slots.iter().copied().filter(|slot| !places.has(*slot)).collect();
        let come: Vec<Slot> = places.slots.iter().copied().filter(|slot| !self.places.has(*slot)).collect();
        if (gone.len() + come.len()).saturating_mul(SMALL) > places.len() {
            return None;
        }
        let (mut lengths, mut frequencies) = (self.lengths, self.frequencies.clone());
        for slot in &gone {
            lengths.subtract(&index.columns.lengths[*slot]);
            frequencies.subtract(index.columns.terms.row(*slot));
        }
        for slot in &come {
            lengths.add(&index.columns.lengths[*slot]);
            frequencies.add(index.columns.terms.row(*slot));
        }
        Some((lengths, frequencies, self.changed + gone.len().max(come.len())))
    }

    /// By place: whether a tool has no words of an enrichment, where others of these tools have some.
    pub(crate) fn bare(&self, index: &Index) -> Option<&[bool]> {
        let find = || {
            let is_bare = |slot: &Slot| {
                let lengths = &index.columns.lengths[*slot];
                [Field::Keyword, Field::Query].iter().all(|field| lengths[*field as usize] == 0)
            };
            let bare: Vec<bool> = self.places.slots.iter().map(is_bare).collect();
            (bare.contains(&true) && bare.contains(&false)).then_some(bare)
        };
        self.bare.get_or_init(find).as_deref()
    }

    /// The statistics among whose tools chance is measured. It does not depend on what was asked before.
    pub(crate) fn for_chance(&self) -> &Statistics {
        self.base.as_deref().unwrap_or(self)
    }

    /// How many tools are searched.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The place of a tool among those that are searched.
    pub(crate) fn place(&self, slot: Slot) -> Option<Place> {
        self.places.place(slot)
    }

    /// The parts of a list, which rises by slot, in which there are tools that are searched, among others.
    pub(crate) fn parts<'l, T>(&self, list: &'l [T], slot: fn(&T) -> Slot) -> impl Iterator<Item = &'l [T]> {
        self.ranges.iter().map(move |range| {
            let from = list.partition_point(|item| slot(item) < *range.start());
            &list[from..list.partition_point(|item| slot(item) <= *range.end())]
        })
    }

    /// Calls back with each posting of a term in the tools that are searched, and the tool's place.
    pub(crate) fn each_posting(&self, index: &Index, term: Term, mut found: impl FnMut(Place, &Posting)) {
        for part in self.parts(index.postings(term), |posting| posting.slot) {
            for posting in part {
                if let Some(place) = self.place(posting.slot) {
                    found(place, posting);
                }
            }
        }
    }

    /// Calls back with the places and slots of the tools that are searched and have a term in their names.
    pub(crate) fn each_name(&self, index: &Index, term: Term, mut found: impl FnMut(Place, Slot)) {
        for part in self.parts(index.names_with(term), |slot| *slot) {
            for slot in part {
                if let Some(place) = self.place(*slot) {
                    found(place, *slot);
                }
            }
        }
    }

    /// The terms of the tools that are searched which begin with a prefix, in alphabetical order. Words that only other tools
    /// have are not among them, so that they take no part of a bounded search.
    pub(crate) fn starting_with<'s>(&'s self, index: &Index, prefix: &str) -> &'s [Term] {
        let vocabulary = &index.vocabulary;
        let is_there = |term: &Term| self.frequency(*term) > 0;
        let terms = self.terms.get_or_init(|| vocabulary.sorted().iter().copied().filter(is_there).collect());
        vocabulary.starting_with(terms, prefix)
    }

    /// The document frequency of a term: in how many tools it stands.
    pub(crate) fn frequency(&self, term: Term) -> u32 {
        self.frequencies.of(term)
    }

    /// The inverse document frequency of a term.
    pub(crate) fn idf_of(&self, term: Term) -> f64 {
        let frequency = self.frequency(term);
        let known = self.idfs.get(frequency as usize);
        known.copied().unwrap_or_else(|| idf(frequency, self.len()))
    }

    /// The term of a stem, where a tool has it.
    pub(crate) fn term(&self, index: &Index, stem: &str) -> Option<Term> {
        index.vocabulary.term(stem).filter(|term| self.frequency(*term) > 0)
    }

    /// The sum of the idf of the terms in the name of the tool at a place.
    pub(crate) fn name_sum(&self, place: Place) -> f64 {
        self.names[place]
    }
}

/// The ranges of some slots.
fn ranges(slots: &[Slot]) -> Vec<RangeInclusive<Slot>> {
    let mut ranges: Vec<RangeInclusive<Slot>> = Vec::new();
    let mut slots = slots.to_vec();
    slots.sort_unstable();
    for slot in slots {
        let is_last = ranges.len() == RANGES;
        match ranges.last_mut() {
            Some(last) if is_last || slot.0 - last.end().0 <= GAP => *last = *last.start()..=slot,
            _ => ranges.push(slot..=slot),
        }
    }
    ranges
}

/// The servers of some slots, each once.
fn servers(index: &Index, slots: &[Slot]) -> Vec<ServerId> {
    let mut servers: Vec<ServerId> = Vec::new();
    let mut known = vec![false; index.servers.len()];
    for slot in slots {
        let server = index.columns.servers[*slot];
        if !std::mem::replace(&mut known[server], true) {
            servers.push(server);
        }
    }
    servers
}

/// Counts all tools.
fn count(index: &Index, places: &Places) -> (Lengths, Frequencies, usize) {
    let terms = places.slots.iter().map(|slot| index.columns.terms.row(*slot).len()).sum();
    let (mut lengths, mut frequencies) = (Lengths::default(), Frequencies::new(terms, index.vocabulary.len()));
    for slot in &places.slots {
        lengths.add(&index.columns.lengths[*slot]);
        frequencies.add(index.columns.terms.row(*slot));
    }
    (lengths, frequencies, places.len())
}
