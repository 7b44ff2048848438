//! Assembles one request: decides which tools are deferred, fills the tool list in a stable order, writes the prompt
//! section, and counts the cost of both.

use std::sync::Arc;

use serde::Serialize;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{self, JsonText};
use crate::session::{Sent, Session, ToolState};

use super::activation::Gate;
use super::cost::{Parts, Prefix, Saved, Size, Tally};
use super::inputs::{Arrangement, Inputs, Presence};
use super::prompt::{Disclosure, StubWhen};
use super::render::{Form, Rendered, stub_parameters};
use super::wire::{Definition, Format};

/// The tools that could be deferred in a session, in the measure that decides about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Deferrable {
    /// The number of tools.
    pub tools: usize,
    /// Tokens of their definitions in the format of Chat Completions.
    pub tokens: u64,
    /// The number of tokens from which these tools are deferred, if tokens decide: the number of the activation, or its
    /// share of the window. It is 0 if there is neither, or if there are no such tools.
    pub threshold_tokens: u64,
}

/// The role of a definition in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// A tool that the model uses to find others.
    Discovery,
    /// A tool that is not deferred, in full.
    Eager,
    /// A deferred tool that was loaded, in full.
    Revealed,
    /// A deferred tool that the list shows: as a stub, or in full if that is not larger.
    Stub,
}

/// Tools and prompt text for one model request.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Assembly {
    /// True if any tool is deferred.
    pub active: bool,
    /// The JSON list of definitions, ready to be sent.
    pub tools: JsonText,
    /// The role of each definition, in the order of the list.
    pub roles: Vec<Role>,
    /// The text to append to the host's system prompt.
    pub system_prompt: String,
    /// The cost of the request.
    pub size: Size,
    /// The tools that could be deferred.
    pub deferrable: Deferrable,
}

/// A deferred tool.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct HeldBack {
    /// The name that the model sees.
    pub name: Arc<str>,
    /// Its definition, ready to be sent.
    pub definition: JsonText,
}

/// Returns the deferred tools of a session with their definitions, loaded ones included.
///
/// # Errors
/// `counter_failed` when the host's token counter fails.
pub fn held_back(inputs: &Inputs<'_>, format: Format) -> Result<Vec<HeldBack>> {
    let gate = inputs.gate()?;
    let Inputs { catalog, view, .. } = *inputs;
    let tools = view.deferred.iter().map(|position| &catalog.tools()[*position as usize]);
    let held = tools.filter(|tool| gate.holds(tool.deferral) && !tool.key.is_skill).map(|tool| {
        let definition = definition(&inputs.render(tool, format)?.text)?;
        Ok(HeldBack { name: tool.model_name.clone(), definition })
    });
    held.collect()
}

/// Assembles the next request of a session. It begins a new turn only if it `is_sent`.
///
/// # Errors
/// `counter_failed` when the host's token counter fails; the session is then unchanged.
pub fn assemble(inputs: &Inputs<'_>, session: &mut Session, format: Format, is_sent: bool) -> Result<Assembly> {
    let tokens = inputs.deferrable_tokens()?;
    let gate = inputs.gate_for(tokens);
    let tools = inputs.view.deferred.len() - inputs.view.skills;
    let threshold_tokens = inputs.threshold_tokens().filter(|_| tools > 0).unwrap_or(0);
    let deferrable = Deferrable { tools, tokens, threshold_tokens };

    let mut full = inputs.sums(format)?.all;
    full.add_punctuation(format.punctuation(inputs.view.len()));

    let mut request = Request { inputs, session, gate, format, list: Vec::new() };
    request.fill()?;
    let list = request.list;
    let (section, mut listing) = prompt(inputs, gate);
    if gate.is_active() {
        listing.push_str(&skills_ahead(inputs, session));
    }
    let section_tally = Tally::of_text(&section, inputs.counter)?;
    let listing_tally = Tally::of_text(&listing, inputs.counter)?;

    let sent = serialized(&list, format);
    let tools = definition(&sent.concat())?;
    let mut total = Tally::default();
    let mut sums = [Tally::default(); 4];
    for (role, rendered) in &list {
        total.add(rendered.tally);
        sums[*role as usize].add(rendered.tally);
    }
    total.add_punctuation(format.punctuation(list.len()));
    total.add(section_tally);
    total.add(listing_tally);
    let [discovery, eager, revealed, stubs] = sums.map(Tally::cost);
    let (listing_cost, prompt) = (listing_tally.cost(), section_tally.cost());
    let parts = Parts { discovery, eager, revealed, stubs, listing: listing_cost, prompt };
    let (full, request) = (full.cost(), total.cost());
    let mut before = Vec::new();
    if is_sent {
        before = session.replace_sent(sent.clone());
        session.begin_turn();
    }
    let prefix = common_prefix(&before, &sent);
    Ok(Assembly {
        active: gate.is_active(),
        tools,
        roles: list.iter().map(|(role, _)| *role).collect(),
        system_prompt: section + &listing,
        size: Size { full, request, parts, saved: Saved::between(full, request), prefix },
        deferrable,
    })
}

/// Returns the section of the prompt, and the listing that follows it.
fn prompt(inputs: &Inputs<'_>, gate: Gate) -> (String, String) {
    let Inputs { catalog, view, totals, settings, .. } = *inputs;
    if !gate.is_active() && settings.presence == Presence::WhenActive {
        return Default::default();
    }
    let section = settings.prompt.section(&settings.categories);
    // Loaded tools stay in the listing: removing them would change the prompt, and no cached byte after it could be
    // reused.
    let mut listing = totals.listing(gate, || {
        let tools = view.deferred.iter().map(|position| &*catalog.tools()[*position as usize]);
        settings.prompt.listing(settings.disclosure, tools.filter(|tool| gate.holds(tool.deferral)).collect())
    });
    if !listing.is_empty() && view.skills > 0 {
        listing.push_str("\nA skill has instructions for one kind of work. Search for one as for a tool.");
    }
    if !section.is_empty() && !listing.is_empty() {
        listing.insert_str(0, "\n\n");
    }
    (section, listing)
}

/// Returns the beginnings of the skills that were found before the first request.
fn skills_ahead(inputs: &Inputs<'_>, session: &Session) -> String {
    let Inputs { catalog, view, settings, .. } = *inputs;
    let tools = session.skills_ahead().filter_map(|key| catalog.by_key_for(session.owner(), &key));
    let seen = tools.filter(|tool| catalog.position(tool).is_some_and(|at| view.state(at) != ToolState::Hidden));
    let reads = Some(settings.reading_skills.name).filter(|_| inputs.reads_skills);
    seen.map(|tool| settings.prompt.skill(tool, reads)).collect()
}

/// Checks that the text of one or more definitions is JSON.
fn definition(text: &str) -> Result<JsonText> {
    let invalid = |e| Error::new(ErrorCode::NotJson, format!("the assembled tools are no JSON: {e}"));
    Ok(json::raw(text).map_err(invalid)?.into())
}

/// A request while its tool list is filled.
struct Request<'r, 'i> {
    inputs: &'r Inputs<'i>,
    session: &'r Session,
    gate: Gate,
    format: Format,
    /// The definitions in order.
    list: Vec<(Role, Rendered)>,
}

impl Request<'_, '_> {
    fn fill(&mut self) -> Result<()> {
        let Inputs { catalog, view, settings, .. } = *self.inputs;
        let has_surface = self.gate.is_active() || settings.presence == Presence::Always;
        let shows_deferred = settings.disclosure.is_in_list();
        let is_held = |tool: &Tool, state, gate: Gate| state == ToolState::Deferred && gate.holds(tool.deferral);
        if has_surface && settings.arrangement == Arrangement::DiscoveryFirst {
            self.add_surface()?;
        }
        if self.gate.holds_all() && !shows_deferred {
            // Deferred tools do not appear in the list, so that their number does not matter here.
            for position in &view.sent {
                self.add(Role::Eager, &catalog.tools()[*position as usize])?;
            }
        } else {
            for (tool, state) in view.visible(catalog).filter(|(tool, _)| !tool.key.is_skill) {
                if !is_held(tool, state, self.gate) {
                    self.add(Role::Eager, tool)?;
                } else if shows_deferred && self.session.is_revealed(&tool.key) {
                    self.add(Role::Revealed, tool)?;
                } else if shows_deferred {
                    self.add_stub(tool)?;
                }
            }
        }
        if has_surface && settings.arrangement == Arrangement::DiscoveryLast {
            self.add_surface()?;
        }
        if !shows_deferred {
            let session = self.session;
            let tools = session.revealed().filter(|key| !key.is_skill);
            for tool in tools.filter_map(|key| catalog.by_key_for(session.owner(), &key)) {
                let state = catalog.position(tool).map(|position| view.state(position));
                if state.is_some_and(|state| is_held(tool, state, self.gate)) {
                    self.add(Role::Revealed, tool)?;
                }
            }
        }
        // This tool is the last one, so that everything before it keeps its place.
        if self.session.cut_answers().next().is_some() {
            self.add_discovery(&settings.reading_on)?;
        }
        Ok(())
    }

    /// Adds a tool in full.
    fn add(&mut self, role: Role, tool: &Tool) -> Result<()> {
        self.list.push((role, self.inputs.render(tool, self.format)?));
        Ok(())
    }

    fn add_surface(&mut self) -> Result<()> {
        let settings = self.inputs.settings;
        let reads = Some(&settings.reading_skills).filter(|_| self.inputs.reads_skills);
        settings.surface.iter().chain(reads).try_for_each(|tool| self.add_discovery(tool))
    }

    fn add_discovery(&mut self, tool: &Definition) -> Result<()> {
        let deferred = self.inputs.view.deferred.len().to_string();
        let description = tool.description.replace("{deferred}", &deferred);
        let text = self.format.write(tool.name, &description, tool.parameters);
        self.list.push((Role::Discovery, Rendered::new(text, self.inputs.counter)?));
        Ok(())
    }

    /// Adds a deferred tool to the list: as a stub, or in full if the settings say so or a stub is not smaller.
    fn add_stub(&mut self, tool: &Tool) -> Result<()> {
        let Inputs { settings, counter, renders, .. } = *self.inputs;
        let is_smaller = || stub_parameters(tool, settings.prompt.stub).len() < tool.parameters.as_str().len();
        let form = match settings.disclosure {
            Disclosure::Full => Form::Full,
            _ if settings.stub_when != StubWhen::Always && !is_smaller() => Form::Full,
            Disclosure::ShortStubs => Form::ShortStub,
            _ => Form::Stub,
        };
        let rendered = renders.of(tool, (self.format, form), settings.prompt.stub, counter)?;
        self.list.push((Role::Stub, rendered));
        Ok(())
    }
}

/// Returns the JSON text in pieces: brackets, definitions, and commas between them.
fn serialized(list: &[(Role, Rendered)], format: Format) -> Sent {
    let (open, close) = format.brackets(list.is_empty());
    let comma: Arc<str> = ",".into();
    let mut sent: Sent = vec![open.into()];
    for (at, (_, rendered)) in list.iter().enumerate() {
        if at > 0 {
            sent.push(comma.clone());
        }
        sent.push(rendered.text.clone());
    }
    sent.push(close.into());
    sent
}

/// Returns the length of the common beginning of two serialized lists.
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
