//! Reads answers and arguments, which hosts and vendors wrap in objects, lists and texts.

use std::borrow::Cow;

use crate::json::{Fields, checked, items, text_of};

/// The keys under which hosts and vendors wrap answers. Keys of our own answers with texts of tools are not among them.
const WRAPPERS: &[&str] = &["text", "content", "output", "result", "value", "error", "message", "tool_references"];
/// The maximum nesting that is read: our own answers are not nested deeper.
const DEPTH: usize = 8;
/// The part of a text that is checked for a refusal: a real tool's answer may have any length.
const REFUSAL_CHARS: usize = 1_000;

/// A text or an object within an answer.
pub enum Part<'p> {
    Text(&'p str),
    Object(&'p Fields<'p>),
}

/// Visits every text and every object, from the outside to the inside, until `at` returns false. A text that is JSON is
/// visited as that JSON.
pub fn visit(json: &str, at: &mut dyn FnMut(Part<'_>) -> bool) {
    inside(json, DEPTH, DEPTH, at);
}

fn inside(json: &str, depth: usize, texts: usize, at: &mut dyn FnMut(Part<'_>) -> bool) -> bool {
    match json.as_bytes().first() {
        Some(b'"') => {
            let Some(Ok(text)) = text_of(json) else { return true };
            let is_json = texts > 0 && text.trim_start().starts_with(['"', '[', '{']);
            match is_json.then(|| checked(&text)) {
                Some(Ok(inner)) => inside(inner, DEPTH, texts - 1, at),
                _ => at(Part::Text(&text)),
            }
        }
        Some(b'[') if depth > 0 => {
            items(json).unwrap_or_default().into_iter().all(|item| inside(item, depth - 1, texts, at))
        }
        Some(b'{') if depth > 0 => {
            let Ok(fields) = Fields::read(json) else { return true };
            at(Part::Object(&fields))
                && WRAPPERS.iter().filter_map(|key| fields.get(key)).all(|inner| inside(inner, depth - 1, texts, at))
        }
        _ => true,
    }
}

/// Visits the beginnings of the texts of an answer, until `at` returns false.
pub fn texts(answer: &str, at: &mut dyn FnMut(&str) -> bool) {
    visit(answer, &mut |part| match part {
        Part::Text(text) => at(text.char_indices().nth(REFUSAL_CHARS).map_or(text, |(end, _)| &text[..end])),
        Part::Object(_) => true,
    });
}

/// Returns the names of the tools that an answer refers to. References inside a text are ignored: a stranger may have
/// written them.
pub fn references(answer: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut note = |name: Option<Cow<'_, str>>| names.extend(name.map(Cow::into_owned));
    inside(answer, DEPTH, 0, &mut |part| {
        let Part::Object(fields) = part else { return true };
        if fields.text("type").as_deref() == Some("tool_reference") {
            note(fields.text("tool_name").or_else(|| fields.text("toolName")));
        }
        // The form in which hosts that use AI SDK write the same reference.
        let written = fields.object("providerOptions").and_then(|options| options.object("anthropic"));
        let written = written.filter(|fields| fields.text("type").as_deref() == Some("tool-reference"));
        note(written.and_then(|fields| fields.text("toolName")));
        true
    });
    names
}

/// Returns the names that an object lists under a key. A single text counts as a list of one.
pub fn names_at(fields: &Fields<'_>, key: &str) -> Vec<String> {
    let Some(list) = fields.get(key) else { return Vec::new() };
    let listed = if list.starts_with('[') { items(list).unwrap_or_default() } else { vec![list] };
    let name = |item: &str| match Fields::read(item) {
        Ok(fields) => fields.text("name").map(Cow::into_owned),
        Err(_) => text_of(item)?.ok().map(Cow::into_owned),
    };
    listed.into_iter().filter_map(name).collect()
}
