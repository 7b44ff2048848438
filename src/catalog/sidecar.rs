//! Reads sidecars: enrichments of many tools, kept in a file beside the definitions. An entry is matched by the hash of
//! the definition that it was written from, or by name if the list is of the server that the sidecar was written for.

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::{self, Fields};
use crate::limits;
use crate::map::Map;

use super::enrichment::{Enrichment, definition_hash, texts};
use super::names::own_name;
use super::tool::ToolKey;

/// Misspelt keys that are refused, because their words would otherwise be lost silently.
const SLIPS: [(&str, &str); 2] = [("query", "queries"), ("keyword", "keywords")];

/// The minimum number of tools with names of entries for a list to count as the sidecar's server. They must also be
/// half of the list.
const NAMED_TOOLS: usize = 3;

/// Enrichments, by hash and by name of the definition.
#[derive(Debug, Default)]
pub struct Sidecar {
    entries: Vec<Entry>,
    by_hash: Map<Box<str>, Vec<u32>>,
    by_name: Map<Box<str>, Vec<u32>>,
}

/// The enrichment of one tool.
#[derive(Debug)]
struct Entry {
    server: Option<Box<str>>,
    has_hash: bool,
    words: Enrichment,
}

/// The result of looking a tool up in a sidecar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matched {
    /// Search words that fit.
    Words,
    /// Search words that were written from another definition.
    Stale,
    Nothing,
}

impl Sidecar {
    /// Reads a JSON list of entries, or one entry per line: `{ name, server?, hash?, queries?, keywords? }`. Other keys
    /// are ignored.
    ///
    /// # Errors
    /// `enrichment_invalid`, with the wrong entry.
    pub fn read(text: &str) -> Result<Self> {
        if text.len() > limits::REGISTER_BYTES {
            let message = format!("the enrichment takes {} bytes; at most {}", text.len(), limits::REGISTER_BYTES);
            return Err(Error::new(ErrorCode::EnrichmentInvalid, message));
        }
        let text = text.trim_start_matches('\u{feff}');
        let mut sidecar = Sidecar::default();
        if text.trim_start().starts_with('[') {
            let items = json::items(text.trim()).map_err(|e| invalid("is no JSON list", &e.to_string()))?;
            for (at, item) in items.into_iter().enumerate() {
                sidecar.add(&format!("entry {at}"), item)?;
            }
        } else if text.trim().contains('\n') && json::checked(text).is_ok_and(|entry| entry.starts_with('{')) {
            // One object over several lines is a single entry.
            sidecar.add("entry 0", text.trim())?;
        } else {
            for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                sidecar.add(&format!("line {}", at + 1), line.trim())?;
            }
        }
        Ok(sidecar)
    }

    fn add(&mut self, place: &str, entry: &str) -> Result<()> {
        if !entry.starts_with('{') {
            return Err(invalid(place, &format!("it must be an object, got {}", excerpt_json(entry))));
        }
        let checked = json::checked(entry).and_then(Fields::read);
        let fields = checked.map_err(|e| {
            let kind = "entries are a JSON list, or one object a line";
            invalid(place, &format!("{e} in {}; {kind}", excerpt_json(entry)))
        })?;
        let label = |field: &str| -> Result<Option<Box<str>>> {
            let Some(raw) = fields.get(field).filter(|raw| *raw != "null") else { return Ok(None) };
            let text = json::text_of(raw).and_then(|text| text.ok());
            let text = text.filter(|text| text.chars().count() <= limits::LABEL_CHARS).ok_or_else(|| {
                let (got, most) = (excerpt_json(raw), limits::LABEL_CHARS);
                invalid(place, &format!("{field} must be a string of at most {most} characters, got {got}"))
            })?;
            Ok(Some(text.into()))
        };
        let list = |field: &str| texts(field, fields.get(field)).map_err(|e| invalid(place, e.message()));
        let (name, hash) = (label("name")?, label("hash")?);
        let words = Enrichment { queries: list("queries")?, keywords: list("keywords")?, of_server: Box::default() };
        let number = self.entries.len() as u32;
        match (&hash, &name) {
            (None, None) => return Err(invalid(place, "it needs a name or a hash")),
            (Some(hash), _) if !is_hash(hash) => {
                let message = format!("hash must be 16 hexadecimal digits, got {}", excerpt_json(hash));
                return Err(invalid(place, &message));
            }
            (Some(hash), _) => self.by_hash.entry(hash.clone()).or_default().push(number),
            (None, Some(_)) => {}
        }
        if let Some((slip, field)) = SLIPS.iter().find(|(slip, _)| fields.get(slip).is_some()) {
            return Err(invalid(place, &format!("{slip} is no field of an entry; write {field}")));
        }
        if let Some(name) = name {
            self.by_name.entry(name).or_default().push(number);
        }
        self.entries.push(Entry { server: label("server")?, has_hash: hash.is_some(), words });
        Ok(())
    }

    /// Returns true if a list of tools is of the server that this sidecar was written for: at least [`NAMED_TOOLS`]
    /// tools and half of the list have names of entries.
    pub(super) fn knows(&self, keys: impl ExactSizeIterator<Item = ToolKey>) -> bool {
        let tools = keys.len();
        let is_named = |key: &ToolKey| names_of(key).any(|name| self.of_name(name, key).next().is_some());
        let named = keys.filter(is_named).count();
        named >= NAMED_TOOLS && 2 * named >= tools
    }

    /// Looks a tool up: entries written from its definition, and entries of its name without a hash. If there are none
    /// and the list is known, it takes the entries of its name that were written from another definition.
    pub(super) fn of(&self, key: &ToolKey, description: &str, is_known: bool) -> (Matched, Enrichment) {
        let (mut found, mut former): (Option<Enrichment>, Option<Enrichment>) = (None, None);
        let join = |words: &mut Option<Enrichment>, entry: &Entry| {
            *words = Some(words.take().unwrap_or_default().joined(&entry.words));
        };
        for name in names_of(key) {
            for number in self.by_hash.get(&*definition_hash(name, description)).into_iter().flatten() {
                join(&mut found, &self.entries[*number as usize]);
            }
            for entry in self.of_name(name, key) {
                join(if entry.has_hash { &mut former } else { &mut found }, entry);
            }
        }
        match (found, former) {
            (None, Some(_)) if !is_known => (Matched::Stale, Enrichment::default()),
            (Some(words), _) | (None, Some(words)) if !words.is_empty() => (Matched::Words, words),
            _ => (Matched::Nothing, Enrichment::default()),
        }
    }

    /// Returns the entries of a name, except those of another server.
    fn of_name(&self, name: &str, key: &ToolKey) -> impl Iterator<Item = &Entry> {
        let is_here =
            |entry: &&Entry| entry.server.as_deref().is_none_or(|server| key.server.as_deref() == Some(server));
        let numbers = self.by_name.get(name).into_iter().flatten();
        numbers.map(|number| &self.entries[*number as usize]).filter(is_here)
    }
}

/// Returns the names that entries may have for a tool: its own name, and that name without the server's prefix.
fn names_of(key: &ToolKey) -> impl Iterator<Item = &str> {
    let short = Some(own_name(key)).filter(|short| **short != *key.name);
    [&*key.name].into_iter().chain(short)
}

fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn invalid(place: &str, why: &str) -> Error {
    Error::new(ErrorCode::EnrichmentInvalid, format!("the enrichment cannot be read: {place}: {why}"))
}
