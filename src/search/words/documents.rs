//! The documents that BM25 ranks: the name, the description and the parameter names of each tool, as one text in ASCII words.

use crate::catalog::Tool;
use crate::search::ids::Slot;
use crate::search::postings::Postings;
use crate::search::words::column::Column;

/// Documents by slot.
#[derive(Debug, Default)]
pub(in crate::search) struct Documents {
    /// Where each word stands, as often as it does.
    pub postings: Postings,
    /// How many words each document has.
    lengths: Vec<u32>,
}

impl Documents {
    /// How many words the document in a slot has.
    pub(in crate::search) fn length(&self, slot: Slot) -> u32 {
        self.lengths[slot]
    }
}

impl Column for Documents {
    fn len(&self) -> usize {
        self.lengths.len()
    }

    fn push(&mut self, tool: Option<&Tool>) {
        let slot = Slot::new(self.len());
        let text = tool.map(text).unwrap_or_default();
        let mut length = 0;
        for word in ascii_words(&text) {
            self.postings.add(word, slot, true);
            length += 1;
        }
        self.lengths.push(length);
    }
}

/// The text of a tool that is indexed, in ASCII lower case. Separators inside names need no care: they end words.
fn text(tool: &Tool) -> String {
    let mut text = format!("{} {}", tool.model_name, tool.description);
    for name in tool.parameters.property_names() {
        text.push(' ');
        text.push_str(&name);
    }
    text.make_ascii_lowercase();
    text
}

/// The runs of ASCII letters and digits.
pub(in crate::search) fn ascii_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|run| !run.is_empty())
}
