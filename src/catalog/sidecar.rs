//! Sidecars: enrichments of many tools, kept beside their definitions and matched by a hash of what they were written
//! from. Where a definition has changed, they count the less the more it has, and not at all where it says something else.

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::{self, Fields};
use crate::limits;
use crate::map::Map;

use super::enrichment::{Enrichment, definition_hash, gist, likeness, texts};
use super::names::own_name;
use super::tool::ToolKey;

/// What somebody writes in place of the fields that hold words, whose words would be lost without a sign.
const SLIPS: [(&str, &str); 2] = [("query", "queries"), ("keyword", "keywords")];

/// Words of a definition that is so like the one of today are used still.
const ALIKE: f64 = 0.5;

/// Enrichments by what they were written from.
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
    /// What it was written from, where it was another definition.
    gist: Option<Box<str>>,
    words: Enrichment,
}

/// What a sidecar has for a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matched {
    /// Words that fit.
    Words,
    /// Words that were written from an earlier definition, which was like the one of today.
    Aged,
    /// Words that were written from another definition.
    Stale,
    Nothing,
}

impl Sidecar {
    /// Reads a JSON list of entries, or one entry a line: `{ name, server?, hash?, gist?, queries?, keywords? }`. Other keys are
    /// left to those who write such files.
    ///
    /// # Errors
    /// `enrichment_invalid`, with the entry that is wrong.
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
            // One object over several lines is an entry by itself.
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
        self.entries.push(Entry { server: label("server")?, has_hash: hash.is_some(), gist: label("gist")?, words });
        Ok(())
    }

    /// What it has for a tool: entries that were written from its definition, and entries without a hash of its name; where
    /// there are none, the entry of its name that was written from the definition most like it. An entry may have the tool's
    /// name without that of the server in front.
    pub(super) fn of(&self, key: &ToolKey, description: &str) -> (Matched, Enrichment) {
        let mut found: Option<Enrichment> = None;
        let mut join = |number: u32| {
            found = Some(found.take().unwrap_or_default().joined(&self.entries[number as usize].words));
        };
        let (mut aged, mut most, mut own) = (None, 0.0, None);
        let short = Some(own_name(key)).filter(|short| **short != *key.name);
        for name in [&*key.name].into_iter().chain(short) {
            let of_hash = self.by_hash.get(&*definition_hash(name, description));
            of_hash.into_iter().flatten().for_each(|number| join(*number));
            for number in self.by_name.get(name).into_iter().flatten() {
                let entry = &self.entries[*number as usize];
                let is_here = entry.server.as_deref().is_none_or(|server| key.server.as_deref() == Some(server));
                if !is_here {
                    continue;
                }
                if !entry.has_hash {
                    join(*number);
                    continue;
                }
                let own = own.get_or_insert_with(|| gist(description));
                let like = entry.gist.as_deref().map_or(0.0, |gist| likeness(gist, own));
                if aged.is_none() || like > most {
                    (aged, most) = (Some(entry), like);
                }
            }
        }
        match (found, aged) {
            (Some(words), _) if !words.is_empty() => (Matched::Words, words),
            (None, Some(entry)) if most >= ALIKE => (Matched::Aged, entry.words.clone()),
            (None, Some(_)) => (Matched::Stale, Enrichment::default()),
            _ => (Matched::Nothing, Enrichment::default()),
        }
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn invalid(place: &str, why: &str) -> Error {
    Error::new(ErrorCode::EnrichmentInvalid, format!("the enrichment cannot be read: {place}: {why}"))
}
