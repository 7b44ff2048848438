//! Cuts long answers of real tools for the model, and lets it read on in them.

use std::iter;

use crate::catalog::{SkillBlock, Tool};
use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::{Object, Value};
use crate::limits;
use crate::session::{CutAnswers, Session};

use super::arguments::loose_text;
use super::context::Context;
use super::definitions::READ_CUT_ANSWER;
use super::outcome::Facts;

/// The advice about an answer that is too long.
const AGAIN: &str = "call the tool again for less at once: with a filter, a page, a range, or fewer fields.";

/// Returns the text, or its beginning and a note about the rest. The result has at most `most` characters. If `text` is only the
/// beginning of a longer text, `length` is the length of the whole, and the rest is lost. Otherwise a `session` keeps the whole
/// for reading on.
pub fn cut(text: &str, length: usize, most: usize, session: Option<(&mut Session, &CutAnswers)>) -> String {
    let given = text.chars().count();
    if given.max(length) <= most {
        return text.to_owned();
    }
    let is_whole = length <= given;
    let number = session.filter(|_| is_whole).and_then(|(session, all)| session.keep_answer(text, None, most, all));
    beginning(None, text, most, |kept| {
        let way = match number {
            Some(number) => format!("{}, or {AGAIN}", how(number, kept)),
            None => format!("To read the rest, {AGAIN}"),
        };
        format!("\n\n[Cut: these are the first {kept} of {} characters. {way}]", given.max(length))
    })
}

/// Returns the text of a skill: all of it, or its beginning and how to read on.
pub fn cut_skill(block: &SkillBlock, session: &mut Session, all: &CutAnswers) -> String {
    let (tag, text, whole) = (Some(&*block.tag), &*block.text, block.to_string());
    if whole.chars().count() <= limits::SKILL_CHARS {
        return whole;
    }
    let given = text.chars().count();
    let way = session.keep_answer(text, tag, limits::SKILL_CHARS, all);
    beginning(tag, text, limits::SKILL_CHARS, |kept| {
        let way = way.map(|number| format!(" {}.", how(number, kept))).unwrap_or_default();
        format!("\n\n[Cut: these are the first {kept} of {given} characters.{way}]")
    })
}

/// Answers a call that reads on.
pub(super) fn call(context: &Context<'_>, arguments: &Object) -> Result<Facts> {
    let invalid = |message: String| Error::new(ErrorCode::ArgumentsInvalid, message);
    let id = loose_text(arguments.get("id"));
    let kept = context.session.cut_answers().find(|answer| name_of(answer.number) == id);
    let answer = kept.ok_or_else(|| {
        invalid(format!(
            "There is no answer {} to read on in. Call the tool again for less at once.",
            excerpt_json(&id)
        ))
    })?;
    let (length, page) = (answer.text.chars().count(), answer.page);
    let from = match arguments.get("from") {
        None | Some(Value::Null) => Some(0),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value.as_u64().map(|from| from as usize),
    };
    let from = from.filter(|from| *from < length).ok_or_else(|| {
        let given = excerpt_json(&arguments.get("from").map(Value::to_string).unwrap_or_default());
        invalid(format!("from is {given}; it must be a whole number from 0 to {}", length - 1))
    })?;
    let start = answer.text.char_indices().nth(from).map_or(0, |(at, _)| at);
    let rest = &answer.text[start..];
    let note = |kept: usize| {
        let to = from + kept;
        format!("\n\n[These are the characters from {from} to {to} of {length}. {}.]", how(answer.number, to))
    };
    let tag = answer.tag.as_deref();
    let whole = within(tag, rest);
    let content = if whole.chars().count() <= page { whole } else { beginning(tag, rest, page, note) };
    Ok(Facts::answer(content, Vec::new(), iter::empty::<&Tool>()))
}

/// Writes how to read on.
fn how(number: usize, from: usize) -> String {
    let name = READ_CUT_ANSWER.definition.name;
    format!(r#"To read on, call {name}({{"id":"{}","from":{from}}})"#, name_of(number))
}

fn name_of(number: usize) -> String {
    format!("r{number}")
}

/// Returns the beginning of a text, wrapped in the element of `tag`, and a note with the length of this beginning; at
/// most `most` characters.
fn beginning(tag: Option<&str>, text: &str, most: usize, note: impl Fn(usize) -> String) -> String {
    let kept = most.saturating_sub(note(most).chars().count() + within(tag, "").chars().count());
    let end = text.char_indices().nth(kept).map_or(text.len(), |(at, _)| at);
    within(tag, &text[..end]) + &note(kept)
}

fn within(tag: Option<&str>, text: &str) -> String {
    tag.map_or_else(|| text.to_owned(), |tag| SkillBlock::within(tag, text))
}
