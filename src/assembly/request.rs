//! One request: tools in a stable order, the prompt section, and the size of both.

use std::rc::Rc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::catalog::{Catalog, Deferral, Tool};
use crate::error::{Error, ErrorCode, Result};
use crate::json;
use crate::session::{Eligibility, Sent, Session, ToolState};
use crate::text::joined;

use super::activation::{Activation, Gate, Load, threshold_tokens};
use super::cost::{Cost, Parts, Prefix, Saved, Size, Tally, TokenCounter};
use super::prompt::{Disclosure, PromptText, StubWhen};
use super::stub;
use super::wire::{Definition, Form, Format, Rendered, Renders};

/// In which order tools are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Discovery tools, then the catalog's, then what was revealed, in the order of its reveal.
    DiscoveryFirst,
    /// The catalog's, then the discovery tools, then what was revealed.
    DiscoveryLast,
}

/// When discovery tools and their prompt section are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// While anything is held back.
    WhenActive,
    /// Always: a tool list that does not change keeps its cache.
    Always,
}

/// How requests are put together.
#[derive(Clone, Debug, PartialEq)]
pub struct AssemblySettings {
    /// When tools are held back.
    pub activation: Activation,
    /// Tokens of the model's context window, where the host has said.
    pub context_window: Option<u64>,
    /// The share of it (0 to 1) that deferrable definitions may take before they are held back.
    pub context_share: f64,
    /// What the model sees of a deferred tool.
    pub disclosure: Disclosure,
    /// When a stub is used.
    pub stub_when: StubWhen,
    /// In which order tools are sent.
    pub arrangement: Arrangement,
    /// When discovery tools are sent.
    pub presence: Presence,
    /// The texts of the prompt section.
    pub prompt: PromptText,
    /// The host's lines on what can be searched for.
    pub categories: Vec<String>,
    /// The discovery tools; `{deferred}` in a description is the number of deferred tools.
    pub surface: Vec<Definition>,
}

/// What could be held back from a session, in the measure that decides whether it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deferrable {
    /// How many tools.
    pub tools: usize,
    /// Tokens of their definitions in the format of Chat Completions.
    pub tokens: u64,
    /// Tokens from which on they are held back where tokens decide; 0 without a known window, or without such tools.
    pub threshold_tokens: u64,
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
    /// What could be held back.
    pub deferrable: Deferrable,
}

/// A tool that is held back unless it is revealed.
#[derive(Clone, Debug, Serialize)]
pub struct HeldBack {
    /// The name that the model sees.
    pub name: Rc<str>,
    /// Its definition, as it is to be sent.
    pub definition: Box<RawValue>,
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

type Visible<'c> = Vec<(&'c Rc<Tool>, ToolState)>;

/// The tools that take part in a session, with the state of each.
fn visible<'c>(inputs: &Inputs<'c>, session: &Session) -> Visible<'c> {
    let states = inputs.catalog.tools().iter().map(|tool| (tool, inputs.eligibility.state(tool, Some(session))));
    states.filter(|(_, state)| *state != ToolState::Hidden).collect()
}

fn is_deferrable(state: ToolState) -> bool {
    matches!(state, ToolState::Deferred | ToolState::Revealed)
}

/// What is held back from a session.
///
/// # Errors
/// `counter_failed` when tokens decide and the host's counter fails.
pub fn gate(inputs: &mut Inputs<'_>, session: &Session) -> Result<Gate> {
    let visible = visible(inputs, session);
    let tokens =
        if inputs.settings.activation == Activation::ContextShare { deferrable_tokens(inputs, &visible)? } else { 0 };
    Ok(gate_of(inputs, &visible, tokens))
}

/// The tools that are held back from a session unless they are revealed, and the definition of each.
///
/// # Errors
/// `counter_failed` when the host's token counter fails.
pub fn held_back(inputs: &mut Inputs<'_>, session: &Session, format: Format) -> Result<Vec<HeldBack>> {
    inputs.renders.follow(inputs.catalog);
    let gate = gate(inputs, session)?;
    let visible = visible(inputs, session);
    let held = visible.iter().filter(|(tool, state)| is_deferrable(*state) && gate.holds(tool.deferral));
    held.map(|(tool, _)| {
        let text = inputs.renders.of(tool, format, inputs.counter)?.text;
        let definition = json::raw(&text)
            .map_err(|e| Error::new(ErrorCode::NotJson, format!("the definition of a tool is no JSON: {e}")))?;
        Ok(HeldBack { name: tool.model_name.clone(), definition })
    })
    .collect()
}

fn gate_of(inputs: &Inputs<'_>, visible: &Visible<'_>, deferrable_tokens: u64) -> Gate {
    let deferrable = visible.iter().filter(|(_, state)| is_deferrable(*state));
    let load = Load {
        tools: visible.len() + inputs.settings.surface.len(),
        deferrable: deferrable.clone().count(),
        deferrable_tokens,
        threshold_tokens: threshold_tokens(inputs.settings.context_share, inputs.settings.context_window),
        insisting: deferrable.filter(|(tool, _)| tool.deferral == Deferral::Always).count(),
    };
    inputs.settings.activation.gate(load)
}

fn deferrable_tokens(inputs: &mut Inputs<'_>, visible: &Visible<'_>) -> Result<u64> {
    let mut tally = Tally::default();
    for (tool, _) in visible.iter().filter(|(_, state)| is_deferrable(*state)) {
        tally.add(inputs.renders.of(tool, Format::OpenAi, inputs.counter)?.tally);
    }
    Ok(tally.cost().tokens)
}

/// The next request of a session.
///
/// # Errors
/// `counter_failed` when the host's token counter fails; the session is as it was.
pub fn assemble(inputs: &mut Inputs<'_>, session: &mut Session, format: Format) -> Result<Assembly> {
    inputs.renders.follow(inputs.catalog);
    let visible = visible(inputs, session);
    let tokens = deferrable_tokens(inputs, &visible)?;
    let gate = gate_of(inputs, &visible, tokens);
    let tools = visible.iter().filter(|(_, state)| is_deferrable(*state)).count();
    let window = inputs.settings.context_window.filter(|_| tools > 0);
    let threshold_tokens = window.map_or(0, |_| threshold_tokens(inputs.settings.context_share, window));
    let deferrable = Deferrable { tools, tokens, threshold_tokens };

    let mut full = Tally::default();
    for (tool, _) in &visible {
        full.add(inputs.renders.of(tool, format, inputs.counter)?.tally);
    }
    full.add_punctuation(punctuation(format, visible.len()));

    let request = Request { gate, format, deferred: deferrable.tools };
    let mut list = List::default();
    request.fill(&mut list, inputs, session, &visible)?;
    let (section, mut listing) = request.prompt(inputs.settings, &visible);
    if !section.is_empty() && !listing.is_empty() {
        listing.insert_str(0, "\n\n");
    }
    let section_tally = Tally::of_text(&section, inputs.counter)?;
    let listing_tally = Tally::of_text(&listing, inputs.counter)?;

    let sent = list.finish(format);
    let tools = json::raw(&joined(&sent, ""))
        .map_err(|e| Error::new(ErrorCode::NotJson, format!("the assembled tools are no JSON: {e}")))?;
    let mut total = list.total();
    total.add_punctuation(tools.get().len() - list.bytes);
    total.add(section_tally);
    total.add(listing_tally);
    let parts = Parts { prompt: section_tally.cost(), listing: listing_tally.cost(), ..list.parts() };
    let (full, request) = (full.cost(), total.cost());
    let prefix = common_prefix(&session.replace_sent(sent.clone()), &sent);
    session.begin_turn();
    let size = Size { full, request, parts, saved: Saved::between(full, request), prefix };
    Ok(Assembly { active: gate.is_active(), tools, system_prompt: section + &listing, size, deferrable })
}

/// How one request is made.
struct Request {
    gate: Gate,
    format: Format,
    deferred: usize,
}

impl Request {
    fn fill(&self, list: &mut List, inputs: &mut Inputs<'_>, session: &Session, visible: &Visible<'_>) -> Result<()> {
        let settings = inputs.settings;
        let has_surface = self.gate.is_active() || settings.presence == Presence::Always;
        if has_surface && settings.arrangement == Arrangement::DiscoveryFirst {
            self.add_surface(list, inputs)?;
        }
        for (tool, state) in visible {
            let is_held = is_deferrable(*state) && self.gate.holds(tool.deferral);
            match (is_held, state) {
                (false, _) => list.add(Part::Eager, self.full(tool, inputs)?),
                (true, _) if !settings.disclosure.is_in_list() => {}
                (true, ToolState::Revealed) => list.add(Part::Revealed, self.full(tool, inputs)?),
                (true, _) => self.add_stub(list, tool, inputs)?,
            }
        }
        if has_surface && settings.arrangement == Arrangement::DiscoveryLast {
            self.add_surface(list, inputs)?;
        }
        if !settings.disclosure.is_in_list() {
            let revealed = session.revealed().filter_map(|key| inputs.catalog.by_key(key));
            let is_sent = |tool: &&Rc<Tool>| {
                let state = inputs.eligibility.state(tool, Some(session));
                state == ToolState::Revealed && self.gate.holds(tool.deferral)
            };
            for tool in revealed.filter(is_sent).cloned().collect::<Vec<_>>() {
                list.add(Part::Revealed, self.full(&tool, inputs)?);
            }
        }
        Ok(())
    }

    fn full(&self, tool: &Tool, inputs: &mut Inputs<'_>) -> Result<Rendered> {
        inputs.renders.of(tool, self.format, inputs.counter)
    }

    fn add_surface(&self, list: &mut List, inputs: &Inputs<'_>) -> Result<()> {
        for tool in &inputs.settings.surface {
            let description = tool.description.replace("{deferred}", &self.deferred.to_string());
            let text = self.format.write(tool.name, &description, tool.parameters);
            list.add(Part::Discovery, Rendered::new(text, inputs.counter)?);
        }
        Ok(())
    }

    /// A deferred tool in the list: as a stub, or in full where that is wanted or not larger.
    fn add_stub(&self, list: &mut List, tool: &Tool, inputs: &mut Inputs<'_>) -> Result<()> {
        let settings = inputs.settings;
        let form = match settings.disclosure {
            Disclosure::ShortStubs => Form::ShortStub,
            _ => Form::Stub,
        };
        let stub = || stub::write(tool, self.format, form, &settings.prompt, settings.stub_when);
        let rendered = match settings.disclosure {
            Disclosure::Full => None,
            _ => stub(),
        };
        let rendered = match rendered {
            Some(text) => inputs.renders.kept(tool, self.format, form, inputs.counter, || text)?,
            None => self.full(tool, inputs)?,
        };
        list.add(Part::Stubs, rendered);
        Ok(())
    }

    /// The section, and the listing that stands behind it.
    fn prompt(&self, settings: &AssemblySettings, visible: &Visible<'_>) -> (String, String) {
        if !self.gate.is_active() && settings.presence == Presence::WhenActive {
            return Default::default();
        }
        // Revealed tools stay in the listing: taking them out would change the prompt, and with it every cached byte.
        let held = visible.iter().filter(|(tool, state)| is_deferrable(*state) && self.gate.holds(tool.deferral));
        let held: Vec<&Tool> = held.map(|(tool, _)| &***tool).collect();
        (settings.prompt.section(&settings.categories), settings.prompt.listing(settings.disclosure, held))
    }
}

/// What a definition is sent as.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Discovery,
    Eager,
    Revealed,
    Stubs,
}

/// The definitions of a request, in order.
#[derive(Default)]
struct List {
    texts: Vec<Rc<str>>,
    tallies: Vec<(Part, Tally)>,
    bytes: usize,
}

impl List {
    fn add(&mut self, part: Part, rendered: Rendered) {
        self.bytes += rendered.text.len();
        self.texts.push(rendered.text);
        self.tallies.push((part, rendered.tally));
    }

    fn sum(&self, counts: impl Fn(Part) -> bool) -> Tally {
        let mut sum = Tally::default();
        self.tallies.iter().filter(|(part, _)| counts(*part)).for_each(|(_, tally)| sum.add(*tally));
        sum
    }

    fn total(&self) -> Tally {
        self.sum(|_| true)
    }

    /// The parts that stand in the tool list.
    fn parts(&self) -> Parts {
        let cost = |wanted: Part| -> Cost { self.sum(|part| part == wanted).cost() };
        Parts {
            discovery: cost(Part::Discovery),
            eager: cost(Part::Eager),
            revealed: cost(Part::Revealed),
            stubs: cost(Part::Stubs),
            ..Parts::default()
        }
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
