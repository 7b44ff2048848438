//! The words of a tool that the fuzzy ranker compares with the words of a query letter by letter.

use crate::catalog::Tool;
use crate::text::{name_parts, words};

use super::interner::{Interner, WordId};
use super::lower_cased::LowerCased;

/// Words of a description that are compared letter by letter; it bounds the cost of one tool.
const DESCRIPTION_WORDS: usize = 64;

/// The words of a tool that are compared letter by letter.
#[derive(Debug)]
pub(super) struct FuzzyWords {
    /// Those of the name, then those of the description.
    pub all: Vec<WordId>,
    /// How many are of the name.
    pub of_name: usize,
}

impl FuzzyWords {
    pub(super) fn of(tool: &Tool, lower_cased: &LowerCased, interner: &mut Interner) -> Self {
        let mut all: Vec<WordId> = name_parts(&tool.model_name).iter().map(|part| interner.intern(part)).collect();
        let of_name = all.len();
        let description = words(lower_cased.description.text()).take(DESCRIPTION_WORDS);
        all.extend(description.map(|word| interner.intern(word)));
        FuzzyWords { all, of_name }
    }
}
