//! Assembles one request: tools in a stable order, the prompt section, and the size of both.

use std::sync::Arc;

use serde::Serialize;

use crate::catalog::{Catalog, Tool};
use crate::error::{Error, ErrorCode, Result};
use crate::json::{self, JsonText};
use crate::session::{Sent, Session, ToolState, View};
use crate::text::joined;

use super::activation::{Activation, Gate, Load, threshold_tokens};
use super::cost::{Parts, Prefix, Saved, Size, Tally, TokenCounter};
use super::prompt::{Disclosure, PromptText, StubWhen};
use super::stub;
use super::totals::{Sums, Totals};
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
#[non_exhaustive]
pub struct Deferrable {
    /// How many tools.
    pub tools: usize,
    /// Tokens of their definitions in the format of Chat Completions.
    pub tokens: u64,
    /// Tokens from which on they are held back where tokens decide: those that the activation names, or its share of the
    /// window; 0 without either, or without such tools.
    pub threshold_tokens: u64,
}

/// Tools and prompt text for one model request.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Assembly {
    /// Whether anything is held back.
    pub active: bool,
    /// The JSON list of definitions, as it is to be sent.
    pub tools: JsonText,
    /// What each definition is sent as, in their order.
    pub roles: Vec<Role>,
    /// To be appended to the host's system prompt.
    pub system_prompt: String,
    /// What it costs.
    pub size: Size,
    /// What could be held back.
    pub deferrable: Deferrable,
}

/// A tool that is held back unless it is revealed.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct HeldBack {
    /// The name that the model sees.
    pub name: Arc<str>,
    /// Its definition, as it is to be sent.
    pub definition: JsonText,
}

/// What an assembly is made from.
pub struct Inputs<'a> {
    /// The tools.
    pub catalog: &'a Catalog,
    /// Where they stand for the session.
    pub view: &'a View,
    /// What they cost together.
    pub totals: &'a Totals,
    /// How they are shown.
    pub settings: &'a AssemblySettings,
    /// How tokens are counted.
    pub counter: &'a TokenCounter,
    /// Texts that were made before.
    pub renders: &'a mut Renders,
    /// See [`Session::has_reveals`].
    pub has_reveals: bool,
}

/// What is held back from a session.
///
/// # Errors
/// `counter_failed` when tokens decide and the host's counter fails.
pub fn gate(inputs: &mut Inputs<'_>) -> Result<Gate> {
    let tokens = match inputs.settings.activation {
        Activation::Auto | Activation::Tokens(_) | Activation::ContextShare => deferrable_tokens(inputs)?,
        Activation::On | Activation::Off | Activation::Tools(_) => 0,
    };
    Ok(gate_of(inputs, tokens))
}

/// The tools that are held back from a session unless they are revealed, and the definition of each.
///
/// # Errors
/// `counter_failed` when the host's token counter fails.
pub fn held_back(inputs: &mut Inputs<'_>, format: Format) -> Result<Vec<HeldBack>> {
    let gate = gate(inputs)?;
    let mut held = Vec::new();
    for position in inputs.view.deferred() {
        let tool = &inputs.catalog.tools()[*position as usize];
        if !gate.holds(tool.deferral) {
            continue;
        }
        let text = inputs.renders.of(tool, format, inputs.counter)?.text;
        let definition = json::raw(&text)
            .map_err(|e| Error::new(ErrorCode::NotJson, format!("the definition of a tool is no JSON: {e}")))?;
        held.push(HeldBack { name: tool.model_name.clone(), definition: definition.into() });
    }
    Ok(held)
}

fn gate_of(inputs: &Inputs<'_>, deferrable_tokens: u64) -> Gate {
    let AssemblySettings { activation, context_share, context_window, .. } = *inputs.settings;
    let share = || threshold_tokens(context_share, context_window);
    let load = Load {
        tools: inputs.view.len() + inputs.settings.surface.len(),
        deferrable: inputs.view.deferred().len(),
        deferrable_tokens,
        threshold_tokens: activation.own_threshold().unwrap_or_else(share),
        insisting: inputs.view.insisting(),
        has_reveals: inputs.has_reveals,
    };
    activation.gate(load)
}

fn sums(inputs: &mut Inputs<'_>, format: Format) -> Result<Sums> {
    let Inputs { catalog, view, totals, counter, renders, .. } = inputs;
    totals.of((view, catalog), format, (renders, counter))
}

fn deferrable_tokens(inputs: &mut Inputs<'_>) -> Result<u64> {
    Ok(sums(inputs, Format::OpenAi)?.deferred.cost().tokens)
}

/// The next request of a session.
///
/// # Errors
/// `counter_failed` when the host's token counter fails; the session is as it was.
pub fn assemble(inputs: &mut Inputs<'_>, session: &mut Session, format: Format) -> Result<Assembly> {
    let tokens = deferrable_tokens(inputs)?;
    let gate = gate_of(inputs, tokens);
    let tools = inputs.view.deferred().len();
    let AssemblySettings { activation, context_share, context_window, .. } = *inputs.settings;
    let share = || context_window.map(|_| threshold_tokens(context_share, context_window));
    let named = activation.own_threshold().or_else(share).filter(|_| tools > 0);
    let threshold_tokens = named.unwrap_or(0);
    let deferrable = Deferrable { tools, tokens, threshold_tokens };

    let mut full = sums(inputs, format)?.all;
    full.add_punctuation(punctuation(format, inputs.view.len()));

    let request = Request { gate, format, deferred: deferrable.tools };
    let mut list = List::default();
    request.fill(&mut list, inputs, session)?;
    let (section, mut listing) = request.prompt(inputs);
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
    let roles = list.tallies.iter().map(|(role, _)| *role).collect();
    let prefix = common_prefix(&session.replace_sent(sent.clone()), &sent);
    session.begin_turn();
    let size = Size { full, request, parts, saved: Saved::between(full, request), prefix };
    Ok(Assembly {
        active: gate.is_active(),
        tools: tools.into(),
        roles,
        system_prompt: section + &listing,
        size,
        deferrable,
    })
}

/// How one request is made.
struct Request {
    gate: Gate,
    format: Format,
    deferred: usize,
}

impl Request {
    fn fill(&self, list: &mut List, inputs: &mut Inputs<'_>, session: &Session) -> Result<()> {
        let (catalog, view, settings) = (inputs.catalog, inputs.view, inputs.settings);
        let has_surface = self.gate.is_active() || settings.presence == Presence::Always;
        if has_surface && settings.arrangement == Arrangement::DiscoveryFirst {
            self.add_surface(list, inputs)?;
        }
        if self.gate.holds_all() && !settings.disclosure.is_in_list() {
            // What is held back does not show in the list, however much there is of it.
            for position in view.sent() {
                list.add(Role::Eager, self.full(&catalog.tools()[*position as usize], inputs)?);
            }
        } else {
            for (tool, state) in view.visible(catalog) {
                let is_held = state == ToolState::Deferred && self.gate.holds(tool.deferral);
                match is_held {
                    false => list.add(Role::Eager, self.full(tool, inputs)?),
                    true if !settings.disclosure.is_in_list() => {}
                    true if session.is_revealed(&tool.key) => list.add(Role::Revealed, self.full(tool, inputs)?),
                    true => self.add_stub(list, tool, inputs)?,
                }
            }
        }
        if has_surface && settings.arrangement == Arrangement::DiscoveryLast {
            self.add_surface(list, inputs)?;
        }
        if !settings.disclosure.is_in_list() {
            for tool in session.revealed().filter_map(|key| catalog.by_key_for(session.owner(), key)) {
                let state = catalog.position(tool).map(|position| view.state(position));
                if state == Some(ToolState::Deferred) && self.gate.holds(tool.deferral) {
                    list.add(Role::Revealed, self.full(tool, inputs)?);
                }
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
            list.add(Role::Discovery, Rendered::new(text, inputs.counter)?);
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
        list.add(Role::Stub, rendered);
        Ok(())
    }

    /// The section, and the listing that stands behind it.
    fn prompt(&self, inputs: &Inputs<'_>) -> (String, String) {
        let settings = inputs.settings;
        if !self.gate.is_active() && settings.presence == Presence::WhenActive {
            return Default::default();
        }
        // Revealed tools stay in the listing: taking them out would change the prompt, and with it every cached byte.
        let tools = (inputs.view, inputs.catalog);
        let listing = inputs.totals.listing(tools, (&settings.prompt, settings.disclosure), self.gate);
        (settings.prompt.section(&settings.categories), listing)
    }
}

/// What a definition is sent as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// One of the tools by which the model finds others.
    Discovery,
    /// A tool that is not held back, in full.
    Eager,
    /// A tool that was held back and is revealed, in full.
    Revealed,
    /// A tool that is held back and stands in the list nevertheless: as a stub, or in full where that is not larger.
    Stub,
}

/// The definitions of a request, in order.
#[derive(Default)]
struct List {
    texts: Vec<Arc<str>>,
    tallies: Vec<(Role, Tally)>,
    bytes: usize,
}

impl List {
    fn add(&mut self, role: Role, rendered: Rendered) {
        self.bytes += rendered.text.len();
        self.texts.push(rendered.text);
        self.tallies.push((role, rendered.tally));
    }

    fn total(&self) -> Tally {
        let mut sum = Tally::default();
        self.tallies.iter().for_each(|(_, tally)| sum.add(*tally));
        sum
    }

    /// The parts that stand in the tool list.
    fn parts(&self) -> Parts {
        let mut sums = [Tally::default(); 4];
        self.tallies.iter().for_each(|(role, tally)| sums[*role as usize].add(*tally));
        let [discovery, eager, revealed, stubs] = sums.map(Tally::cost);
        Parts { discovery, eager, revealed, stubs, ..Parts::default() }
    }

    /// The serialized list in pieces: brackets, definitions, and commas between them.
    fn finish(&self, format: Format) -> Sent {
        let (open, close) = format.brackets(self.texts.is_empty());
        let comma: Arc<str> = ",".into();
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
        if Arc::ptr_eq(old, new) || old == new {
            bytes += old.len();
            continue;
        }
        bytes += old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
        break;
    }
    let total: usize = before.iter().map(|piece| piece.len()).sum();
    Prefix { bytes, share: if total == 0 { 0.0 } else { bytes as f64 / total as f64 } }
}
