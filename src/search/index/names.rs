//! The names by which tools are called: in any case and with any separators, with or without the server.

use hashbrown::HashTable;

use crate::catalog::{Tool, own_name};
use crate::map::hash_of;
use crate::search::ids::Slot;
use crate::search::index::name_keys::NameKeys;
use crate::text::{behind_underscores, normalized};

/// How many names a tool may have.
const FORMS: usize = 5;
/// Separates the names of one tool. It is neither a letter nor a digit, of which names consist here.
const SEPARATOR: char = '\n';
/// Where a chain of names ends.
const END: u32 = u32::MAX;

/// What the tools may be called, in small letters and digits only; full names before others.
#[derive(Debug, Default)]
pub(in crate::search) struct Names {
    /// Their words.
    pub(in crate::search) keys: NameKeys,
    /// By slot: the distinct names of a tool.
    forms: Vec<Box<str>>,
    /// The first name of each chain of equal names. A name is numbered by slot and form.
    chains: HashTable<u32>,
    /// By name: the next one of its chain.
    next: Vec<[u32; FORMS]>,
}

impl Names {
    /// Adds the tool in the next slot.
    pub(in crate::search) fn push(&mut self, tool: &Tool) {
        self.keys.push(tool);
        let slot = Slot::new(self.forms.len());
        self.forms.push(forms_of(tool).into());
        self.next.push([END; FORMS]);
        let Names { forms, chains, next, .. } = self;
        for (form, name) in forms[slot].split(SEPARATOR).enumerate().filter(|(_, name)| !name.is_empty()) {
            let number = slot.0 * FORMS as u32 + form as u32;
            let hash = hash_of(name);
            match chains.find_mut(hash, |first| name_of(forms, *first) == name) {
                Some(first) => next[slot][form] = std::mem::replace(first, number),
                None => _ = chains.insert_unique(hash, number, |first| hash_of(name_of(forms, *first))),
            }
        }
    }

    /// The tools that have a name, in small letters and digits only, each with the number of the form that it is.
    pub(in crate::search) fn with_name(&self, name: &str) -> impl Iterator<Item = (Slot, u32)> {
        let first = self.chains.find(hash_of(name), |first| name_of(&self.forms, *first) == name);
        let first = first.copied().filter(|_| !name.is_empty());
        let next = |number: &u32| self.next[*number as usize / FORMS][*number as usize % FORMS];
        let numbers = std::iter::successors(first, move |number| Some(next(number)).filter(|next| *next != END));
        numbers.map(|number| (Slot(number / FORMS as u32), number % FORMS as u32))
    }

    /// Whether a text, in small letters and digits only, stands in one of the names of a tool.
    pub(in crate::search) fn contain(&self, slot: Slot, plain_text: &str) -> bool {
        self.forms[slot].contains(plain_text)
    }
}

/// The name of a number.
fn name_of(forms: &[Box<str>], number: u32) -> &str {
    let (slot, form) = (number as usize / FORMS, number as usize % FORMS);
    forms[slot].split(SEPARATOR).nth(form).unwrap_or("")
}

/// The distinct names of a tool, full ones first.
fn forms_of(tool: &Tool) -> String {
    let (server, own) = (tool.server().unwrap_or(""), own_name(&tool.key));
    // Clients that write servers into names put two underscores behind them.
    let tail = behind_underscores(own);
    let whole = format!("{server}{own}");
    let names: [&str; FORMS] = [&tool.model_name, &tool.key.name, &whole, own, tail];
    let mut forms = String::new();
    for (form, name) in names.iter().enumerate() {
        // Most tools are called alike in most forms.
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
