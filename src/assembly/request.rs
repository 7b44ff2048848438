//! What goes into one request? Tools in a stable order, the prompt section, and the account of both.

use std::rc::Rc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::catalog::{Catalog, Tool};
use crate::error::{Error, ErrorCode, Result};
use crate::session::{Eligibility, Sent, Session, ToolState};

use super::activation::{Activation, Load};
use super::cost::{Parts, Prefix, Saved, Size, Tally, TokenCounter};
use super::prompt::{Disclosure, PromptText};
use super::wire::{Definition, Format, Rendered, Renders};

/// How requests are put together.
#[derive(Clone, Debug, PartialEq)]
pub struct AssemblySettings {
    /// When tools are held back.
    pub activation: Activation,
    /// Tokens of the model's context window, where the host has said.
    pub context_window: Option<u64>,
    /// What the model sees of a deferred tool.
    pub disclosure: Disclosure,
    /// The texts of the prompt section.
    pub prompt: PromptText,
    /// The host's lines on what can be searched for.
    pub categories: Vec<String>,
    /// The discovery tools.
    pub surface: Vec<Definition>,
}

/// Tools and prompt text for one model request.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Assembly {
    /// Whether anything is held back.
    pub active: bool,
    /// The JSON list of definitions, as it is to be sent.
    pub tools: Box<RawValue>,
    /// To be appended to the host's system prompt.
    pub system_prompt: String,
    /// What it costs.
    pub size: Size,
}

/// What an assembly is made from.
pub struct Inputs<'a> {
    /// The tools.
    pub catalog: &'a Catalog,
    /// Which of them take part.
    pub eligibility: &'a Eligibility,
    /// How they are shown.
    pub settings: &'a AssemblySettings,
    /// How tokens are counted.
    pub counter: &'a TokenCounter,
    /// Texts that were made before.
    pub renders: &'a mut Renders,
}

/// The tools that take part in a session, with the state of each.
fn visible<'c>(inputs: &Inputs<'c>, session: &Session) -> Vec<(&'c Rc<Tool>, ToolState)> {
    let states = inputs.catalog.tools().iter().map(|tool| (tool, inputs.eligibility.state(tool, Some(session))));
    states.filter(|(_, state)| *state != ToolState::Hidden).collect()
}

/// Whether anything is held back from a session.
///
/// # Errors
/// `counter_failed` when tokens decide and the host's counter fails.
pub fn is_active(inputs: &mut Inputs<'_>, session: &Session) -> Result<bool> {
    let visible = visible(inputs, session);
    let deferrable = visible.iter().filter(|(_, s)| matches!(s, ToolState::Deferred | ToolState::Revealed));
    let mut load = Load { tools: visible.len(), deferrable: deferrable.clone().count(), deferrable_tokens: 0 };
    if matches!(inputs.settings.activation, Activation::ContextShare(_)) {
        let mut tally = Tally::default();
        for (tool, _) in deferrable {
            tally.add(inputs.renders.of(tool, Format::OpenAi, inputs.counter)?.tally);
        }
        load.deferrable_tokens = tally.cost().tokens;
    }
    Ok(inputs.settings.activation.is_on(load, inputs.settings.context_window))
}

/// The next request of a session.
///
/// # Errors
/// `counter_failed` when the host's token counter fails; the session is as it was.
pub fn assemble(inputs: &mut Inputs<'_>, session: &mut Session, format: Format) -> Result<Assembly> {
    inputs.renders.follow(inputs.catalog);
    let active = is_active(inputs, session)?;
    let visible = visible(inputs, session);
    let mut list = List::default();
    let mut full = Tally::default();
    for (tool, _) in &visible {
        full.add(inputs.renders.of(tool, format, inputs.counter)?.tally);
    }
    let mut parts = Parts::default();
    if active {
        parts.discovery = list.add_all(surface(inputs, format))?;
        let pinned = visible.iter().filter(|(_, state)| matches!(state, ToolState::Eager | ToolState::Pinned));
        parts.eager = list.add_all(pinned.map(|(tool, _)| inputs.renders.of(tool, format, inputs.counter)))?;
        let revealed = session.revealed().iter().filter_map(|key| inputs.catalog.by_key(key));
        let revealed = revealed.filter(|tool| inputs.eligibility.state(tool, Some(session)) == ToolState::Revealed);
        let revealed: Vec<Rc<Tool>> = revealed.cloned().collect();
        parts.revealed = list.add_all(revealed.iter().map(|t| inputs.renders.of(t, format, inputs.counter)))?;
    } else {
        parts.eager = list.add_all(visible.iter().map(|(t, _)| inputs.renders.of(t, format, inputs.counter)))?;
    }
    let (section, listing) = if active { prompt(inputs.settings, &visible) } else { Default::default() };
    let section_tally = Tally::of_text(&section, inputs.counter)?;
    let listing_tally = Tally::of_text(&listing, inputs.counter)?;
    parts.prompt = section_tally.cost();
    parts.listing = listing_tally.cost();

    let sent = list.finish(format);
    let tools = RawValue::from_string(sent.concat())
        .map_err(|e| Error::new(ErrorCode::NotJson, format!("the assembled tools are no JSON: {e}")))?;
    let mut request = list.tally;
    request.add_punctuation(tools.get().len() - list.bytes);
    request.add(section_tally);
    request.add(listing_tally);
    full.add_punctuation(punctuation(format, visible.len()));
    let (full, request) = (full.cost(), request.cost());
    let prefix = common_prefix(&session.replace_sent(sent.clone()), &sent);
    let size = Size { full, request, parts, saved: Saved::between(full, request), prefix };
    Ok(Assembly { active, tools, system_prompt: section + &listing, size })
}

fn surface(inputs: &Inputs<'_>, format: Format) -> impl Iterator<Item = Result<Rendered>> {
    let write = move |tool: &Definition| format.write(tool.name, tool.description, tool.parameters);
    inputs.settings.surface.iter().map(move |tool| Rendered::new(write(tool), inputs.counter))
}

fn prompt(settings: &AssemblySettings, visible: &[(&Rc<Tool>, ToolState)]) -> (String, String) {
    let deferred = visible.iter().filter(|(_, state)| *state == ToolState::Deferred || *state == ToolState::Revealed);
    // Revealed tools stay in the listing: taking them out would change the prompt, and with it every cached byte.
    let deferred: Vec<&Tool> = deferred.map(|(tool, _)| &***tool).collect();
    (settings.prompt.section(&settings.categories), settings.prompt.listing(settings.disclosure, &deferred))
}

/// The definitions of a request, in order.
#[derive(Default)]
struct List {
    texts: Vec<Rc<str>>,
    tally: Tally,
    bytes: usize,
}

impl List {
    /// Appends definitions, and returns what they cost together.
    fn add_all(&mut self, tools: impl Iterator<Item = Result<Rendered>>) -> Result<super::Cost> {
        let mut tally = Tally::default();
        for rendered in tools {
            let rendered = rendered?;
            tally.add(rendered.tally);
            self.bytes += rendered.text.len();
            self.texts.push(rendered.text);
        }
        self.tally.add(tally);
        Ok(tally.cost())
    }

    /// The serialized list in pieces: brackets, definitions, and commas between them.
    fn finish(&self, format: Format) -> Sent {
        let (open, close) = format.brackets(self.texts.is_empty());
        let comma: Rc<str> = ",".into();
        let mut sent: Sent = vec![open.into()];
        for text in &self.texts {
            if sent.len() > 1 {
                sent.push(comma.clone());
            }
            sent.push(text.clone());
        }
        sent.push(close.into());
        sent
    }
}

/// Bytes between and around the definitions of a list.
fn punctuation(format: Format, tools: usize) -> usize {
    let (open, close) = format.brackets(tools == 0);
    open.len() + close.len() + tools.saturating_sub(1)
}

/// How far two serialized lists agree from their first byte on.
fn common_prefix(before: &Sent, now: &Sent) -> Prefix {
    let mut bytes = 0;
    for (old, new) in before.iter().zip(now) {
        if Rc::ptr_eq(old, new) || old == new {
            bytes += old.len();
            continue;
        }
        bytes += old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        break;
    }
    let total: usize = before.iter().map(|piece| piece.len()).sum();
    Prefix { bytes, share: if total == 0 { 0.0 } else { bytes as f64 / total as f64 } }
}
