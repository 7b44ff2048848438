//! The names and descriptions of tools in lower case, ready to be searched for words.

use crate::catalog::Tool;
use crate::search::hit::{How, Match, SearchedField};
use crate::search::ids::Slot;
use crate::search::words::accumulator::Accumulator;
use crate::search::words::column::Column;
use crate::search::words::text_column::TextColumn;
use crate::search::words::text_statistics::TextStatistics;
use crate::text::beginning;

/// Names and descriptions in lower case.
#[derive(Debug, Default)]
pub(in crate::search) struct LowerCased {
    pub names: TextColumn,
    descriptions: TextColumn,
}

/// What a word adds to a score that stands in the name, and what it adds in so many bytes of the description only.
#[derive(Clone, Copy)]
pub(in crate::search) struct Weights {
    pub name: f64,
    pub description: f64,
    pub most_bytes: usize,
}

impl LowerCased {
    /// Adds to the scores of tools in which a word of a query stands.
    pub(in crate::search) fn add(
        &self,
        word: &str,
        weights: Weights,
        tools: &TextStatistics,
        scores: &mut Accumulator<'_>,
    ) {
        scores.begin();
        self.names.holding(word, tools, usize::MAX, &mut |slot| scores.add(slot, weights.name));
        let found = &mut |slot| scores.add(slot, weights.description);
        self.descriptions.holding(word, tools, weights.most_bytes, found);
    }

    /// Where a word of a query stands in one tool, and what that adds.
    pub(in crate::search) fn find<'q>(&self, slot: Slot, word: &'q str, weights: Weights) -> Option<Match<'q>> {
        let (field, contribution) = if self.names.text(slot).contains(word) {
            (SearchedField::Name, weights.name)
        } else if beginning(self.descriptions.text(slot), weights.most_bytes).contains(word) {
            (SearchedField::Description, weights.description)
        } else {
            return None;
        };
        Some(Match { field, term: word, matched: word, how: How::Inside, contribution })
    }

    /// Drops the texts of the tool in a slot, which has left the catalog.
    pub(in crate::search) fn forget(&mut self, slot: Slot) {
        self.names.forget(slot);
        self.descriptions.forget(slot);
    }
}

impl Column for LowerCased {
    fn len(&self) -> usize {
        self.names.len()
    }

    fn push(&mut self, tool: Option<&Tool>) {
        self.names.push(tool.map(|tool| tool.model_name.to_lowercase()).unwrap_or_default());
        self.descriptions.push(tool.map(|tool| tool.description.to_lowercase()).unwrap_or_default());
    }
}
