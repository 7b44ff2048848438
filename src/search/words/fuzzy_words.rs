//! The words of tools that the fuzzy ranker compares with the words of a query letter by letter.

use crate::catalog::Tool;
use crate::search::ids::Slot;
use crate::search::ids::Term;
use crate::search::lists::Lists;
use crate::search::postings::Postings;
use crate::search::words::column::Column;
use crate::text::{name_parts, words};

/// Words of a description that are compared letter by letter; it bounds the cost of one tool.
const DESCRIPTION_WORDS: usize = 64;

/// The words of tools that are compared letter by letter.
#[derive(Debug, Default)]
pub(in crate::search) struct FuzzyWords {
    pub postings: Postings,
    /// By slot: the words of the name, then those of the description.
    rows: Lists<Slot, Term>,
    /// By slot: how many are of the name.
    of_name: Vec<u32>,
}

impl FuzzyWords {
    /// The words of a tool: those of the name, then those of the description.
    pub(in crate::search) fn row(&self, slot: Slot) -> &[Term] {
        self.rows.row(slot)
    }

    /// How many words are of the name.
    pub(in crate::search) fn of_name(&self, slot: Slot) -> usize {
        self.of_name[slot] as usize
    }
}

impl Column for FuzzyWords {
    fn len(&self) -> usize {
        self.of_name.len()
    }

    fn push(&mut self, tool: Option<&Tool>) {
        let slot = Slot::new(self.len());
        let mut row = Vec::new();
        let mut of_name = 0;
        if let Some(tool) = tool {
            let (parts, description) = (name_parts(&tool.model_name), tool.description.to_lowercase());
            of_name = parts.len();
            for word in parts.iter().map(String::as_str).chain(words(&description).take(DESCRIPTION_WORDS)) {
                row.push(self.postings.add(word, slot, false));
            }
        }
        self.rows.push(row);
        self.of_name.push(of_name as u32);
    }
}
