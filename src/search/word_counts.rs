//! Counts how often each ASCII word occurs in the name, the description and the parameter names of a tool: the document that
//! BM25 ranks.

use crate::catalog::Tool;
use crate::sort::sorted;

use super::interner::{Interner, WordId};

/// How often each word occurs in a text, and how long the text is.
#[derive(Debug)]
pub(super) struct WordCounts {
    /// By rising number of the word.
    counts: Vec<(WordId, u32)>,
    pub length: usize,
}

impl WordCounts {
    pub(super) fn of(tool: &Tool, interner: &mut Interner) -> Self {
        let words: Vec<WordId> = tokens(&text(tool)).iter().map(|token| interner.intern(token)).collect();
        let length = words.len();
        let mut counts: Vec<(WordId, u32)> = Vec::new();
        for word in sorted(words, WordId::cmp) {
            match counts.last_mut() {
                Some((last, count)) if *last == word => *count += 1,
                _ => counts.push((word, 1)),
            }
        }
        WordCounts { counts, length }
    }

    /// How often a word occurs, where it does.
    pub(super) fn of_word(&self, word: WordId) -> Option<u32> {
        let at = self.counts.binary_search_by_key(&word, |(word, _)| *word).ok()?;
        Some(self.counts[at].1)
    }
}

/// The text of a tool that is indexed. Separators inside names need no care: they end words.
fn text(tool: &Tool) -> String {
    let mut text = format!("{} {}", tool.model_name, tool.description);
    for name in tool.parameters.property_names() {
        text.push(' ');
        text.push_str(&name);
    }
    text
}

/// The runs of ASCII letters and digits, in lower case.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let runs = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|run| !run.is_empty());
    runs.map(str::to_ascii_lowercase).collect()
}
