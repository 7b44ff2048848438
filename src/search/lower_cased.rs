//! The name and description of a tool in lower case, ready to be searched for words.

use crate::case::lower;
use crate::catalog::Tool;

use super::hit::{How, Match, SearchedField};
use super::passage::{Needle, Passage};

/// Name and description in lower case.
#[derive(Debug)]
pub(super) struct LowerCased {
    pub name: Passage,
    pub description: Passage,
}

impl LowerCased {
    pub(super) fn of(tool: &Tool) -> Self {
        LowerCased { name: Passage::new(lower(&tool.model_name)), description: Passage::new(lower(&tool.description)) }
    }

    /// Where a word of a query stands, in the name or in so many bytes of the description, and what that adds.
    pub(super) fn find<'q>(
        &self,
        word: &'q Needle,
        in_name: f64,
        in_description: f64,
        most_bytes: usize,
    ) -> Option<Match<'q>> {
        let (field, contribution) = if self.name.holds(word) {
            (SearchedField::Name, in_name)
        } else if self.description.holds_within(word, most_bytes) {
            (SearchedField::Description, in_description)
        } else {
            return None;
        };
        Some(Match { field, term: word.text(), matched: word.text(), how: How::Inside, contribution })
    }
}
