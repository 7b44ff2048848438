//! Finds tools by the words of their names: by the words in any order, by the last word, and by the server.

use crate::catalog::{Tool, own_name};
use crate::map::{Map, hash_of};
use crate::order::order;
use crate::search::ids::Slot;
use crate::text::{behind_underscores, joined, name_parts, normalized, singular};

/// Slots by a key, of which only the hash is kept: whoever looks a key up compares what is found with the tool.
#[derive(Debug, Default)]
struct Chains {
    /// By the hash of a key: the latest slot.
    latest: Map<u64, Slot>,
    /// By slot: the slot before it in its chain.
    before: Vec<Option<Slot>>,
}

impl Chains {
    fn push(&mut self, key: Option<&str>) {
        let slot = Slot::new(self.before.len());
        self.before.push(key.and_then(|key| self.latest.insert(hash_of(key), slot)));
    }

    fn of(&self, key: &str) -> impl Iterator<Item = Slot> + use<'_> {
        let latest = self.latest.get(&hash_of(key)).copied();
        std::iter::successors(latest, |slot| self.before[*slot])
    }
}

/// Slots by words of names, the latest first. Other tools may be among those of a key.
#[derive(Debug, Default)]
pub(in crate::search) struct NameKeys {
    sorted: Chains,
    last: Chains,
    servers: Chains,
}

impl NameKeys {
    /// Adds the tool in the next slot.
    pub(in crate::search) fn push(&mut self, tool: &Tool) {
        let words = own_words(tool);
        self.sorted.push((!words.is_empty()).then(|| sorted_words(&words)).as_deref());
        self.last.push(words.last().map(String::as_str));
        self.servers.push(tool.server().map(normalized).as_deref());
    }

    /// The tools whose names have these words, in any order.
    pub(in crate::search) fn with_words(&self, words: &[String]) -> impl Iterator<Item = Slot> + use<'_> {
        self.sorted.of(&sorted_words(words))
    }

    /// The tools whose names end in a word.
    pub(in crate::search) fn ending_in(&self, word: &str) -> impl Iterator<Item = Slot> + use<'_> {
        self.last.of(word)
    }

    /// The tools of the servers of a name, in small letters and digits only.
    pub(in crate::search) fn of_server(&self, server: &str) -> impl Iterator<Item = Slot> + use<'_> {
        self.servers.of(server)
    }
}

/// The words of a tool's own name in the singular, without what stands before its last two underscores.
pub(in crate::search) fn own_words(tool: &Tool) -> Vec<String> {
    singular_words(&name_parts(behind_underscores(own_name(&tool.key))))
}

/// Words in the singular.
pub(in crate::search) fn singular_words(words: &[String]) -> Vec<String> {
    words.iter().map(|word| singular(word)).collect()
}

/// Words in alphabetical order, as one text.
pub(in crate::search) fn sorted_words(words: &[String]) -> String {
    let order = order(words.len(), &|a, b| words[a].cmp(&words[b]));
    joined(&order.iter().map(|at| &*words[*at]).collect::<Vec<&str>>(), " ")
}
