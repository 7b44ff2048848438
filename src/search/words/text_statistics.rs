//! Statistics over exactly the tools that are searched, for the rankers that read a [`TextIndex`](super::TextIndex): their
//! places, how long their texts are, in how many of them a term stands.

use std::sync::{Mutex, OnceLock};

use crate::catalog::Catalog;
use crate::lock::lock;
use crate::map::Map;
use crate::search::ids::Term;
use crate::search::number::idf;
use crate::search::places::Places;
use crate::search::slots::Slots;
use crate::search::words::documents::Documents;
use crate::search::words::fuzzy_words::FuzzyWords;

/// Names are at least counted as so many bytes.
const NAME_BYTES: usize = 32;

/// What is known of the tools that are searched. It holds for one revision of the catalog.
#[derive(Debug)]
pub(in crate::search) struct TextStatistics {
    pub places: Places,
    /// Bytes of all descriptions together.
    pub description_bytes: usize,
    /// How many words a document has.
    average: OnceLock<f64>,
    /// By term: its document frequency and its idf, as far as that was asked for.
    frequencies: Mutex<Map<Term, (u32, f64)>>,
    /// The words that are compared letter by letter, each once.
    in_turn: OnceLock<Vec<Term>>,
}

impl TextStatistics {
    /// Statistics over the tools at some positions of the catalog, in rising order.
    pub(in crate::search) fn of(slots: &Slots, catalog: &Catalog, positions: &[u32]) -> Self {
        let tools = catalog.tools();
        TextStatistics {
            places: Places::of(slots, positions),
            description_bytes: positions.iter().map(|position| tools[*position as usize].description.len()).sum(),
            average: OnceLock::new(),
            frequencies: Mutex::default(),
            in_turn: OnceLock::new(),
        }
    }

    /// About how many bytes the names and descriptions have together.
    pub(in crate::search) fn text_bytes(&self) -> usize {
        self.description_bytes + NAME_BYTES * self.places.len()
    }

    /// How many words a document has on average, at least 1.
    pub(in crate::search) fn average_length(&self, documents: &Documents) -> f64 {
        *self.average.get_or_init(|| {
            let all: usize = self.places.slots.iter().map(|slot| documents.length(*slot) as usize).sum();
            (all as f64 / (self.places.len() as f64).max(1.0)).max(1.0)
        })
    }

    /// The inverse document frequency of a term.
    pub(in crate::search) fn idf_of(&self, documents: &Documents, term: Term) -> f64 {
        if let Some((_, idf)) = lock(&self.frequencies).get(&term) {
            return *idf;
        }
        let mut having = 0;
        for same in documents.postings.counted(term) {
            having += u32::from(self.places.has(same[0]));
        }
        let idf = idf(having, self.places.len());
        lock(&self.frequencies).insert(term, (having, idf));
        idf
    }

    /// The first word of every tool that is compared letter by letter, then the second of every tool, and so on, each once. If
    /// the letters that may be compared run out, the same number of words was compared for every tool.
    pub(in crate::search) fn in_turn(&self, fuzzy_words: &FuzzyWords) -> &[Term] {
        self.in_turn.get_or_init(|| {
            let rows: Vec<&[Term]> = self.places.slots.iter().map(|slot| fuzzy_words.row(*slot)).collect();
            let mut seen = vec![false; fuzzy_words.postings.vocabulary.len()];
            let mut order = Vec::new();
            for at in 0..rows.iter().map(|row| row.len()).max().unwrap_or(0) {
                for term in rows.iter().filter_map(|row| row.get(at)) {
                    if !std::mem::replace(&mut seen[*term], true) {
                        order.push(*term);
                    }
                }
            }
            order
        })
    }

    /// About how many bytes this takes.
    pub(in crate::search) fn bytes(&self) -> usize {
        let in_turn = self.in_turn.get().map_or(0, Vec::len) * size_of::<Term>();
        in_turn + self.places.bytes() + lock(&self.frequencies).len() * 2 * size_of::<(Term, (u32, f64))>()
    }
}
