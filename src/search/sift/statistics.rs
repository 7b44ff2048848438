//! Statistics over exactly the tools that are searched: which slots they have, how long their fields are on average, in
//! how many of them a term stands. What a session may not see does not count, so that no score tells of it.

use std::sync::{Mutex, OnceLock};

use crate::lock::lock;
use crate::map::Map;
use crate::search::number::idf;
use crate::search::places::Places;
use crate::search::slots::Slot;

use super::chances::Chances;
use super::fields::FIELDS;
use super::index::{Index, Posting};
use super::meanings::Meanings;
use crate::search::vocabulary::Term;

/// The part of a list, which rises by slot, that stands in a stretch of slots.
fn within<T>(list: &[T], slot: fn(&T) -> Slot, (first, last): (Slot, Slot)) -> &[T] {
    let from = list.partition_point(|item| slot(item) < first);
    &list[from..list.partition_point(|item| slot(item) <= last)]
}

/// Slots of other tools within a stretch; fewer are cheaper to pass over than to look up.
const GAP: Slot = 64;
/// Stretches at the most: the last one holds all further slots.
const STRETCHES: usize = 16;

/// What is known of the tools that are searched. It holds for one state of the catalog.
#[derive(Debug)]
pub(crate) struct Statistics {
    pub(super) places: Places,
    /// The first and the last slot of each stretch of slots in which there are such tools, rising. The tools of other users
    /// stand between: a search that passed over each of them would cost as much as there are users.
    stretches: Vec<(Slot, Slot)>,
    /// How many words each field has, over the tools that have the field at all: most tools have no hint, and many no
    /// parameters.
    pub(super) averages: [f64; FIELDS],
    /// In how many tools a term stands, and its idf, as far as that was asked for.
    frequencies: Mutex<Map<Term, (u32, f64)>>,
    /// What words mean among them.
    pub(super) meanings: Mutex<Meanings>,
    /// The terms of these tools, in alphabetical order.
    terms: OnceLock<Vec<Term>>,
    /// By place: the sum of the idf of the name's terms.
    names: OnceLock<Vec<f64>>,
    /// What chance finds among them.
    pub(super) chances: Mutex<Chances>,
}

impl Statistics {
    /// Statistics over the tools at some positions of the catalog, in rising order.
    pub(crate) fn of(index: &Index, positions: &[u32]) -> Self {
        let places = Places::of(&index.slots, positions);
        let (mut sums, mut having) = ([0u64; FIELDS], [0u64; FIELDS]);
        for slot in &places.slots {
            for (field, length) in index.columns.lengths[*slot as usize].into_iter().enumerate() {
                sums[field] += u64::from(length);
                having[field] += u64::from(length > 0);
            }
        }
        let mut stretches: Vec<(Slot, Slot)> = Vec::new();
        let mut slots = places.slots.clone();
        slots.sort_unstable();
        for slot in slots {
            let is_last = stretches.len() == STRETCHES;
            match stretches.last_mut() {
                Some((_, last)) if is_last || slot - *last <= GAP => *last = slot,
                _ => stretches.push((slot, slot)),
            }
        }
        let averages = std::array::from_fn(|field| (sums[field] as f64 / having[field].max(1) as f64).max(1.0));
        let chances = index.measured.as_ref().and_then(|measured| measured.of(positions));
        Statistics {
            places,
            stretches,
            averages,
            frequencies: Mutex::default(),
            meanings: Mutex::default(),
            terms: OnceLock::new(),
            names: OnceLock::new(),
            chances: Mutex::new(chances.unwrap_or_default()),
        }
    }

    /// How many tools are searched.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The place of a tool among those that are searched.
    pub(super) fn place(&self, slot: Slot) -> Option<u32> {
        self.places.place(slot)
    }

    /// The parts of a list, which rises by slot, in which tools stand that are searched. Others may stand between them.
    pub(super) fn parts<'l, T>(&self, list: &'l [T], slot: fn(&T) -> Slot) -> impl Iterator<Item = &'l [T]> {
        self.stretches.iter().map(move |stretch| within(list, slot, *stretch))
    }

    /// Gives each place of a tool that is searched and in which a term stands, with where it stands there.
    pub(super) fn each_posting(&self, index: &Index, term: Term, found: &mut dyn FnMut(u32, &Posting)) {
        for part in self.parts(index.postings(term), |posting| posting.slot) {
            for posting in part {
                if let Some(place) = self.place(posting.slot) {
                    found(place, posting);
                }
            }
        }
    }

    /// Gives the places and slots of the tools that are searched and have a term in their names.
    pub(super) fn each_name(&self, index: &Index, term: Term, found: &mut dyn FnMut(u32, Slot)) {
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
    pub(super) fn starting_with<'s>(&'s self, index: &Index, prefix: &str) -> &'s [Term] {
        let vocabulary = &index.vocabulary;
        let terms = self.terms.get_or_init(|| {
            let mut is_there = vec![false; vocabulary.len()];
            for slot in &self.places.slots {
                index.columns.terms.row(*slot).iter().for_each(|term| is_there[*term as usize] = true);
            }
            vocabulary.sorted().iter().copied().filter(|term| is_there[*term as usize]).collect()
        });
        vocabulary.starting_with(terms, prefix)
    }

    /// The terms in the names and leads of the tools that are searched, rising. What others brought into the vocabulary is
    /// not looked at, but for a mark.
    pub(super) fn lead_terms(&self, index: &Index) -> Vec<Term> {
        let mut is_there = vec![false; index.vocabulary.len()];
        for slot in &self.places.slots {
            index.columns.leads.row(*slot).iter().for_each(|term| is_there[*term as usize] = true);
        }
        (0..is_there.len() as Term).filter(|term| is_there[*term as usize]).collect()
    }

    /// The document frequency of a term: in how many tools it stands.
    pub(super) fn frequency(&self, index: &Index, term: Term) -> u32 {
        self.known(index, term).0
    }

    /// The inverse document frequency of a term.
    pub(super) fn idf_of(&self, index: &Index, term: Term) -> f64 {
        self.known(index, term).1
    }

    fn known(&self, index: &Index, term: Term) -> (u32, f64) {
        if let Some(known) = lock(&self.frequencies).get(&term) {
            return *known;
        }
        let (mut frequency, mut last) = (0, None);
        self.each_posting(index, term, &mut |place, _| {
            if last != Some(place) {
                frequency += 1;
                last = Some(place);
            }
        });
        let known = (frequency, idf(frequency, self.len()));
        lock(&self.frequencies).insert(term, known);
        known
    }

    /// The term of a stem, where a tool has it.
    pub(super) fn term(&self, index: &Index, stem: &str) -> Option<Term> {
        index.vocabulary.term(stem).filter(|term| self.frequency(index, *term) > 0)
    }

    /// By place: the sum of the idf of the terms in the tool's name.
    pub(super) fn name_sums(&self, index: &Index) -> &[f64] {
        self.names.get_or_init(|| {
            let mut sums = vec![0.0; self.len()];
            for term in self.lead_terms(index) {
                let mut idf = None;
                self.each_name(index, term, &mut |place, _| {
                    sums[place as usize] += *idf.get_or_insert_with(|| self.idf_of(index, term));
                });
            }
            sums
        })
    }

    /// About how many bytes this takes.
    pub(crate) fn bytes(&self) -> usize {
        let known = lock(&self.frequencies).len() * 2 * size_of::<(Term, (u32, f64))>();
        let sums = self.names.get().map_or(0, Vec::len) * size_of::<f64>();
        let terms = self.terms.get().map_or(0, Vec::len) * size_of::<Term>();
        size_of::<Self>() + self.places.bytes() + known + terms + sums + lock(&self.meanings).bytes()
    }
}
