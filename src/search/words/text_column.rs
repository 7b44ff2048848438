//! A column of texts by slot that are searched for words many times. A word stands inside a text if it stands inside a word
//! of the text, or if it is longer than one: so the distinct words of all texts are searched, which are far fewer.

use crate::limits;
use crate::search::ids::Slot;
use crate::search::postings::Postings;
use crate::search::words::text_statistics::TextStatistics;
use crate::text::{beginning, words};

/// Texts by slot, and where the words of each stand.
#[derive(Debug, Default)]
pub(in crate::search) struct TextColumn {
    texts: Vec<Box<str>>,
    postings: Postings,
    /// Texts whose words are not in the postings, because the vocabulary is full.
    unread: Vec<Slot>,
}

impl TextColumn {
    /// Adds the text of the next slot.
    pub(in crate::search) fn push(&mut self, text: String) {
        let slot = Slot::new(self.len());
        if self.postings.vocabulary.len() < limits::VOCABULARY {
            for word in words(&text) {
                self.postings.add(word, slot, false);
            }
        } else {
            self.unread.push(slot);
        }
        self.texts.push(text.into());
    }

    /// How many slots there are.
    pub(in crate::search) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The text in a slot.
    pub(in crate::search) fn text(&self, slot: Slot) -> &str {
        &self.texts[slot]
    }

    /// Drops the text in a slot, if there is one.
    pub(in crate::search) fn forget(&mut self, slot: Slot) {
        if let Some(text) = self.texts.get_mut(slot.index()) {
            *text = Box::default();
        }
    }

    /// Calls `found` with the slots of those tools in whose text a word or phrase stands, within so many bytes of the
    /// beginning. A slot may come several times; it may also be of a tool that is not searched.
    pub(in crate::search) fn holding(
        &self,
        needle: &str,
        tools: &TextStatistics,
        most_bytes: usize,
        found: &mut dyn FnMut(Slot),
    ) {
        let holds = |slot: &Slot| beginning(self.text(*slot), most_bytes).contains(needle);
        let mut longest = "";
        for word in words(needle) {
            longest = if word.len() > longest.len() { word } else { longest };
        }
        let mut seen = vec![false; self.len()];
        let mut read = |slots: &[Slot], is_sure: bool| {
            for slot in slots {
                let mut is_new = || tools.places.has(*slot) && !std::mem::replace(&mut seen[*slot], true);
                if is_sure || (is_new() && holds(slot)) {
                    found(*slot);
                }
            }
        };
        // Few tools are read faster than the words of all.
        if longest.is_empty() || most_bytes < usize::MAX || self.postings.vocabulary.bytes() > tools.text_bytes() {
            return read(&tools.places.slots, false);
        }
        self.postings.containing(longest, &mut |slots| read(slots, longest.len() == needle.len()));
        read(&self.unread, false);
    }
}
