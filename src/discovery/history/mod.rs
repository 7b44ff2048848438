//! Reads the calls of a conversation from its messages, as vendors and frameworks write them. Values stay text until
//! they are needed: an answer of a real tool may have any length.

mod readers;
mod said;

use std::borrow::Cow;
use std::collections::VecDeque;

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::{Fields, Item, items_with_fields};
use crate::macros::choices;
use crate::map::Map;

pub(super) use said::{Part, names_at, references, texts, visit};

choices! {
    /// The format of the messages of a conversation.
    pub enum MessageFormat {
        /// Chat Completions of OpenAI.
        OpenAi = "openai",
        /// Items of OpenAI's Responses API.
        OpenAiResponses = "openai-responses",
        /// Messages of Anthropic.
        Anthropic = "anthropic",
        /// Contents of Google's Gemini.
        Google = "google",
        /// A list of calls `{ name, arguments, result? }`, for an agent with its own message format.
        Mcp = "mcp",
        /// Model messages and UI messages of AI SDK.
        AiSdk = "ai-sdk",
        /// Messages of LangChain, also in the form in which they are stored.
        LangChain = "langchain",
        /// Messages of Bedrock's Converse.
        Bedrock = "bedrock",
        /// Messages of pydantic-ai.
        PydanticAi = "pydantic-ai",
    }
}

/// A call by the model.
pub(super) struct Call<'a> {
    /// The tool's name as the model wrote it; `None` for the vendor's own search, whose answers have only names.
    pub name: Option<Cow<'a, str>>,
    /// The arguments, as JSON.
    pub arguments: Option<&'a str>,
    /// True if it is the first call of a step of the model: calls made together belong to one step.
    pub begins: bool,
    /// The answer, as JSON; `None` if there is none.
    pub answer: Option<Cow<'a, str>>,
    /// True if the answer is marked as an error.
    pub failed: bool,
}

/// Returns the calls of a conversation, in their order.
///
/// # Errors
/// `messages_invalid`; `format_mismatch` if no call has an answer in this format, but some have one in another format.
/// Without this error, all loaded tools would silently be lost.
pub(super) fn calls_of(messages: &str, format: MessageFormat) -> Result<Vec<Call<'_>>> {
    let invalid = |problem: String| Error::new(ErrorCode::MessagesInvalid, problem);
    let items = items_with_fields(messages)
        .map_err(|_| invalid(format!("messages must be a JSON list, got {}", excerpt_json(messages))))?;
    let read = items.into_iter().enumerate().map(|(at, Item { text, fields })| match fields {
        Some(Ok(fields)) => Ok(fields),
        _ if text.starts_with('[') => Ok(Fields::default()),
        _ => Err(invalid(format!("messages.{at} must be an object, got {}", excerpt_json(text)))),
    });
    let messages: Vec<Fields<'_>> = read.collect::<Result<_>>()?;
    let calls = read_as(format, &messages);
    if answered(&calls) > 0 {
        return Ok(calls);
    }
    for (other, reader) in MessageFormat::ALL {
        let found = if *reader == format { 0 } else { answered(&read_as(*reader, &messages)) };
        if found > 0 {
            let format = format.as_str();
            let problem = format!("messages hold no answered call as {format}, but {found} as {other}");
            return Err(Error::new(ErrorCode::FormatMismatch, format!("{problem}: pass format \"{other}\"")));
        }
    }
    Ok(calls)
}

fn read_as<'a>(format: MessageFormat, messages: &[Fields<'a>]) -> Vec<Call<'a>> {
    let mut calls = Calls::default();
    let read = readers::of(format);
    messages.iter().for_each(|message| read(message, &mut calls));
    calls.all
}

fn answered(calls: &[Call<'_>]) -> usize {
    calls.iter().filter(|call| call.answer.is_some()).count()
}

type Text<'a> = Option<Cow<'a, str>>;

/// Collects calls, and matches each answer to its call by id, or else by name and order.
#[derive(Default)]
struct Calls<'a> {
    all: Vec<Call<'a>>,
    /// The places of calls without an answer, by id (true) or by name (false). The key of the vendor's own search is
    /// the empty name, which no tool has.
    open: Map<(bool, Cow<'a, str>), VecDeque<usize>>,
    /// A call before this place that has no id and no answer yet never gets an answer.
    since: usize,
    /// True while calls of one step are being read.
    is_asking: bool,
}

impl<'a> Calls<'a> {
    fn call(&mut self, name: Text<'a>, arguments: Option<&'a str>, id: Text<'a>) {
        if name.is_some() {
            self.asked(name, arguments, id);
        }
    }

    /// Adds a call. A call without a name is the vendor's own search.
    fn asked(&mut self, name: Text<'a>, arguments: Option<&'a str>, id: Text<'a>) {
        let begins = !self.is_asking;
        if begins {
            self.forget();
            self.is_asking = true;
        }
        let key = key(id, name.clone().unwrap_or_default());
        let open = self.open.entry(key).or_default();
        open.push_back(self.all.len());
        self.all.push(Call { name, arguments, begins, answer: None, failed: false });
    }

    /// Adds an answer, which may be empty. An answer that belongs to no call is ignored.
    fn answer(&mut self, answer: Option<&'a str>, id: Text<'a>, name: Text<'a>, failed: bool) {
        // If there is neither id nor name, it would match the vendor's search, which a tool must not answer.
        if name.is_some() || id.as_deref().is_some_and(|id| !id.is_empty()) {
            self.say(answer.unwrap_or("null").into(), id, name, failed);
        }
    }

    fn say(&mut self, answer: Cow<'a, str>, id: Text<'a>, name: Text<'a>, failed: bool) {
        let key = key(id, name.unwrap_or_default());
        let Some(open) = self.open.get_mut(&key) else { return };
        // Some vendors use ids again: the latest call with this id is meant.
        let found = if key.0 {
            open.drain(..).next_back()
        } else {
            open.iter().position(|at| *at >= self.since).and_then(|at| open.drain(..=at).next_back())
        };
        let Some(call) = found.and_then(|at| self.all.get_mut(at)) else { return };
        self.is_asking = false;
        (call.answer, call.failed) = (Some(answer), failed);
    }

    /// Adds names that came without a call.
    fn given(&mut self, answer: Cow<'a, str>) {
        self.all.push(Call { name: None, arguments: None, begins: false, answer: Some(answer), failed: false });
    }

    fn forget(&mut self) {
        self.since = self.all.len();
        self.is_asking = false;
    }
}

fn key<'a>(id: Text<'a>, name: Cow<'a, str>) -> (bool, Cow<'a, str>) {
    id.filter(|id| !id.is_empty()).map_or((false, name), |id| (true, id))
}
