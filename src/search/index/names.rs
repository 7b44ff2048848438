//! Finds tools by their names: by whole names in any case and with any separators, with or without the server; by the
//! words of a name in any order; by its last word; and by the server.

use crate::catalog::{Tool, own_name};
use crate::map::{Map, hash_of};
use crate::search::ids::Doc;
use crate::text::{behind_underscores, name_parts, normalized, singular};

/// The maximum number of forms of a tool's name.
const FORMS: usize = 5;
/// Separates the names of one tool. It is neither a letter nor a digit, so that no normalized name contains it.
const SEPARATOR: char = '\n';

/// Documents by a key, the latest first. Only the hash of a key is kept: the caller compares the key with the tools
/// found.
#[derive(Clone, Debug, Default)]
struct Chains {
    /// The latest document, by the hash of a key.
    latest: Map<u64, Doc>,
    /// By document: the document before it in its chain.
    before: Vec<Option<Doc>>,
}

impl Chains {
    fn push(&mut self, key: Option<&str>) {
        let doc = Doc::new(self.before.len());
        self.before.push(key.and_then(|key| self.latest.insert(hash_of(key), doc)));
    }

    fn of(&self, key: &str) -> impl Iterator<Item = Doc> + use<'_> {
        let latest = self.latest.get(&hash_of(key)).copied();
        std::iter::successors(latest, |doc| self.before[*doc])
    }
}

/// The set of runs of three ASCII characters in a text, in 128 bits, of which some runs share one. It rules out most
/// names that do not contain a text without reading them.
#[derive(Clone, Copy, Debug)]
struct Trigrams(u128);

impl Trigrams {
    fn of(text: &str) -> Self {
        /// The golden ratio as a fraction of 32 bits: its products differ in their upper bits.
        const MULTIPLIER: u32 = 0x9e37_79b9;
        let runs = text.as_bytes().windows(3).filter(|three| three.is_ascii());
        Trigrams(runs.fold(0, |bits, three| {
            let number = u32::from_le_bytes([three[0], three[1], three[2], 0]).wrapping_mul(MULTIPLIER);
            bits | 1 << (number >> 25)
        }))
    }

    /// Returns false if a text with these trigrams cannot contain a text with the other ones.
    fn may_contain(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }
}

/// The names of tools, and their words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// By document: the distinct normalized names of a tool, full ones before others.
    names: Vec<Box<str>>,
    /// By document: the trigrams of these names.
    trigrams: Vec<Trigrams>,
    /// Documents by the first of these names, by the second, and so on.
    forms: [Chains; FORMS],
    /// Documents by the words of a name in alphabetical order.
    sorted: Chains,
    /// Documents by the last word of a name.
    last: Chains,
    servers: Chains,
}

impl Names {
    /// Adds the tool of the next document.
    pub(crate) fn push(&mut self, tool: &Tool) {
        let words = own_words(tool);
        self.sorted.push((!words.is_empty()).then(|| sorted_words(&words)).as_deref());
        self.last.push(words.last().map(String::as_str));
        self.servers.push(tool.server().map(normalized).as_deref());
        let names = forms_of(tool);
        let mut each = names.split(SEPARATOR).filter(|name| !name.is_empty());
        self.forms.iter_mut().for_each(|form| form.push(each.next()));
        self.trigrams.push(Trigrams::of(&names));
        self.names.push(names.into());
    }

    /// Returns the tools that have a normalized name, each with the number of its form.
    pub(crate) fn with_name(&self, name: &str) -> impl Iterator<Item = (Doc, usize)> {
        let is_called = move |(doc, form): &(Doc, usize)| self.names[*doc].split(SEPARATOR).nth(*form) == Some(name);
        let forms = self.forms.iter().enumerate().filter(|_| !name.is_empty());
        forms.flat_map(move |(at, form)| form.of(name).map(move |doc| (doc, at))).filter(is_called)
    }

    /// Returns a function that says whether a normalized text occurs in one of a tool's names.
    pub(crate) fn containing(&self, plain_text: &str) -> impl Fn(Doc) -> bool {
        let trigrams = Trigrams::of(plain_text);
        move |doc| self.trigrams[doc].may_contain(trigrams) && self.names[doc].contains(plain_text)
    }

    /// Returns the tools whose names have these words, in any order. Other tools may be among them.
    pub(crate) fn with_words(&self, words: &[String]) -> impl Iterator<Item = Doc> + use<'_> {
        self.sorted.of(&sorted_words(words))
    }

    /// Returns the tools whose names end in a word. Other tools may be among them.
    pub(crate) fn ending_in(&self, word: &str) -> impl Iterator<Item = Doc> + use<'_> {
        self.last.of(word)
    }

    /// Returns the tools of servers with this normalized name. Other tools may be among them.
    pub(crate) fn of_server(&self, server: &str) -> impl Iterator<Item = Doc> + use<'_> {
        self.servers.of(server)
    }
}

/// Returns the distinct names of a tool, full ones first.
fn forms_of(tool: &Tool) -> String {
    let (server, own) = (tool.server().unwrap_or(""), own_name(&tool.key));
    // Clients that write servers into names put two underscores after them.
    let tail = behind_underscores(own);
    let whole = format!("{server}{own}");
    let names: [&str; FORMS] = [&tool.model_name, &tool.key.name, &whole, own, tail];
    let mut forms = String::new();
    for (form, name) in names.iter().enumerate() {
        // Most tools have the same name in most forms.
        if names[..form].contains(name) {
            continue;
        }
        let name = normalized(name);
        if !name.is_empty() && !forms.split(SEPARATOR).any(|known| known == name) {
            if !forms.is_empty() {
                forms.push(SEPARATOR);
            }
            forms.push_str(&name);
        }
    }
    forms
}

/// Returns the words of a tool's own name in the singular, without the part before its last two underscores.
pub(crate) fn own_words(tool: &Tool) -> Vec<String> {
    singular_words(&name_parts(behind_underscores(own_name(&tool.key))))
}

/// Returns words in the singular.
pub(crate) fn singular_words(words: &[String]) -> Vec<String> {
    words.iter().map(|word| singular(word)).collect()
}

/// Returns words in alphabetical order, as one text.
pub(crate) fn sorted_words(words: &[String]) -> String {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.sort_unstable();
    words.join(" ")
}
