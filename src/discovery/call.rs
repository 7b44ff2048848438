//! What does a call of the model come to? An answer, a real tool to run, or a refusal that names the way out.

use std::rc::Rc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::assembly::Gate;
use crate::catalog::{Catalog, Tool, ToolKey};
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::json::{self, Fields};
use crate::search::{Grammar, Index, Texts};
use crate::session::{Eligibility, Session, ToolState};
use crate::text::nearest;

use super::arguments::Arguments;
use super::surface::{Action, DiscoverySettings};
use super::{add, browse, describe, find, forward, show};

/// What happens on a call to a deferred tool that was not loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnrevealedCall {
    /// It is refused, with the way to load it.
    Refuse,
    /// It is refused with its schema in the message, and revealed, so that the next attempt is right.
    RefuseWithSchema,
    /// It is revealed and run.
    Run,
    /// It is run, and revealed no more than before.
    Allow,
}

impl UnrevealedCall {
    /// Every value with its text form.
    pub const ALL: &[(&str, UnrevealedCall)] = &[
        ("refuse", UnrevealedCall::Refuse),
        ("refuse-with-schema", UnrevealedCall::RefuseWithSchema),
        ("run", UnrevealedCall::Run),
        ("allow", UnrevealedCall::Allow),
    ];
}

/// What the host says of the turn in which a call is made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// The host's clock in milliseconds; without one no rate is limited.
    pub now: Option<f64>,
    /// The tools that are visible.
    pub visible: Visible,
}

/// The tools that are visible in a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Visible {
    /// All that the session may see.
    #[default]
    All,
    /// Those of these names, in this order.
    Names(Vec<String>),
    /// The host meant to say, and has lost the list.
    Missing,
}

/// What a call is decided by.
pub struct Context<'a> {
    /// The tools.
    pub catalog: &'a Catalog,
    /// Which of them take part.
    pub eligibility: &'a Eligibility,
    /// What the model may do.
    pub settings: &'a DiscoverySettings,
    /// Their words.
    pub index: &'a Index,
    /// Their texts.
    pub texts: &'a Texts,
    /// What is held back.
    pub gate: Gate,
    /// What the host says of this turn.
    pub turn: &'a Turn,
}

impl Context<'_> {
    /// Where a tool stands in this turn of a session.
    pub(super) fn state(&self, tool: &Tool, session: &Session) -> ToolState {
        let is_visible = match &self.turn.visible {
            Visible::All | Visible::Missing => true,
            Visible::Names(names) => names.iter().any(|name| **name == *tool.model_name),
        };
        if is_visible { self.eligibility.state(tool, Some(session)) } else { ToolState::Hidden }
    }
}

/// What a call comes to.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Outcome {
    /// A discovery tool ran.
    #[serde(rename_all = "camelCase")]
    Result {
        /// What the model is to read.
        content: String,
        /// Whether the call was wrong.
        is_error: bool,
        /// What was wrong with it.
        error_code: Option<ErrorCode>,
        /// The tools that it revealed.
        revealed: Vec<Rc<str>>,
    },
    /// A real tool is to be run.
    #[serde(rename_all = "camelCase")]
    Dispatch {
        /// The name under which the host registered it.
        name: Rc<str>,
        /// The server that it was registered with.
        server: Option<Rc<str>>,
        /// The name that the model used.
        model_name: Rc<str>,
        /// The arguments as the model wrote them.
        arguments: Box<RawValue>,
    },
    /// Nothing is to be run.
    Refused {
        /// Why not.
        error: Refusal,
    },
}

/// Why a call was refused.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refusal {
    /// The kind of reason.
    pub code: ErrorCode,
    /// The reason and the way out, for the model.
    pub message: String,
}

impl Outcome {
    /// What went wrong, if anything did: a code, or what the answer says where nothing was found that was named.
    fn failure(&self) -> Option<String> {
        match self {
            Outcome::Result { error_code: Some(code), .. } => Some(code.as_str().to_owned()),
            Outcome::Result { content, .. } => content.starts_with(add::NOT_FOUND).then(|| content.clone()),
            Outcome::Refused { error } => Some(error.code.as_str().to_owned()),
            Outcome::Dispatch { .. } => None,
        }
    }

    /// The same, with the advice not to try again.
    fn told_to_stop(self) -> Self {
        match self {
            Outcome::Refused { error } => {
                Outcome::Refused { error: Refusal { message: ended(error.message) + STOP, ..error } }
            }
            Outcome::Result { content, error_code: Some(code), .. } => {
                let told = Fields::read(&content).ok().and_then(|fields| json::string(fields.get("error")?).ok());
                Outcome::wrong(&Error::new(code, ended(told.unwrap_or(content)) + STOP))
            }
            Outcome::Result { content, revealed, .. } => Outcome::answer(ended(content) + STOP, revealed),
            other => other,
        }
    }

    /// What a discovery tool says, and what it revealed.
    pub(super) fn answer(content: String, revealed: Vec<Rc<str>>) -> Self {
        Outcome::Result { content, is_error: false, error_code: None, revealed }
    }

    /// What a discovery tool says when its call was wrong: `{"error": …}`.
    pub(super) fn wrong(error: &Error) -> Self {
        let content = format!("{{\"error\":{}}}", json::quoted(error.message()));
        Outcome::Result { content, is_error: true, error_code: Some(error.code()), revealed: Vec::new() }
    }

    fn refused(error: &Error) -> Self {
        Outcome::Refused { error: Refusal { code: error.code(), message: error.message().to_owned() } }
    }
}

/// Decides a call. `arguments` is JSON text.
pub fn call(context: &Context<'_>, session: &mut Session, name: &str, arguments: &str) -> Outcome {
    let outcome = match route(context, session, name, arguments) {
        Ok(outcome) => outcome,
        Err(error) => Outcome::refused(&error),
    };
    if let Outcome::Dispatch { name, server, .. } = &outcome {
        session.touch(&ToolKey { server: server.clone(), name: name.clone() });
    }
    match outcome.failure() {
        // What comes too soon is right later.
        Some(reason) if context.settings.stops_repeats && reason != ErrorCode::RateLimited.as_str() => {
            if session.fail(name, arguments, &reason) > 0 { outcome.told_to_stop() } else { outcome }
        }
        _ => outcome,
    }
}

/// A text that ends as sentences do.
fn ended(text: String) -> String {
    if text.ends_with('.') { text } else { text + "." }
}

/// What a model is told that makes the same mistake again.
const STOP: &str = " You made exactly this call before and it failed for the same reason: do not repeat it. Change the \
                    call as said here, or go on without this tool.";

fn route(context: &Context<'_>, session: &mut Session, name: &str, arguments: &str) -> Result<Outcome> {
    if let Some(tool) = context.settings.tool(name) {
        let written = Arguments::read(arguments)?;
        let arguments = written.to_map()?;
        let outcome = match tool.action {
            Action::Search(answer) => Ok(find::call(answer, context, session, &arguments)),
            Action::Add => add::call(context, session, &arguments),
            Action::ShowAll => Ok(show::call(context, session)),
            Action::Browse => Ok(browse::call(context, session, &arguments)),
            Action::Describe => describe::call(context, session, &arguments),
            Action::Forward => forward::call(context, session, &written, &arguments),
        };
        return Ok(outcome.unwrap_or_else(|error| Outcome::wrong(&error)));
    }
    let tool = context.catalog.by_name(name).ok_or_else(|| unknown(context, session, name))?;
    match context.state(tool, session) {
        ToolState::Hidden => {
            let message = format!("{} is not available in this session.", excerpt(name));
            Err(Error::new(ErrorCode::ToolOutOfScope, message))
        }
        ToolState::Deferred if context.gate.holds(tool.deferral) && !session.is_leaving(tool) => {
            unrevealed(context, session, tool, arguments)
        }
        _ => Ok(dispatch(tool, Arguments::read(arguments)?)),
    }
}

/// A real tool, to be run by the host.
pub(super) fn dispatch(tool: &Tool, arguments: Arguments) -> Outcome {
    Outcome::Dispatch {
        name: tool.key.name.clone(),
        server: tool.key.server.clone(),
        model_name: tool.model_name.clone(),
        arguments: arguments.into_raw(),
    }
}

fn unrevealed(context: &Context<'_>, session: &mut Session, tool: &Tool, arguments: &str) -> Result<Outcome> {
    let name = &tool.model_name;
    let message = match context.settings.unrevealed_call {
        UnrevealedCall::Allow => return Ok(dispatch(tool, Arguments::read(arguments)?)),
        UnrevealedCall::Run => {
            let arguments = Arguments::read(arguments)?;
            session.reveal(tool, &context.settings.bounds, context.catalog)?;
            return Ok(dispatch(tool, arguments));
        }
        UnrevealedCall::RefuseWithSchema => {
            session.reveal(tool, &context.settings.bounds, context.catalog)?;
            let schema = tool.parameters.as_str();
            format!("{name} was not loaded, so this call did not run. It is loaded now; its parameters are {schema}")
        }
        UnrevealedCall::Refuse => format!("{name} is not loaded, so this call did not run. {}", way_to(context, name)),
    };
    Err(Error::new(ErrorCode::ToolNotRevealed, message))
}

/// How the model gets to a tool that is held back.
fn way_to(context: &Context<'_>, name: &str) -> String {
    let settings = context.settings;
    if let Some(add) = settings.name_of(Action::Add) {
        return format!("Load it first: {add}({{\"tool_names\": [\"{name}\"]}}).");
    }
    if let Some(forward) = settings.name_of(Action::Forward) {
        return format!("Call it through {forward}: {forward}({{\"name\": \"{name}\", \"arguments\": {{...}}}}).");
    }
    match settings.search_name() {
        Some(search) if settings.search.grammar == Grammar::Commands => {
            format!("Load it first: {search}({{\"query\": \"select:{name}\"}}).")
        }
        Some(search) => format!("Load it first: {search}({{\"query\": \"{name}\"}})."),
        None => "It cannot be loaded here.".to_owned(),
    }
}

fn unknown(context: &Context<'_>, session: &Session, name: &str) -> Error {
    let surface = context.settings.surface.iter().map(|tool| tool.definition.name);
    let tools = context.catalog.tools().iter();
    let seen = tools.filter(|tool| context.state(tool, session) != ToolState::Hidden);
    let meant = nearest(name, surface.chain(seen.map(|tool| &*tool.model_name)));
    let meant = meant.map(|name| format!(" Did you mean {name}?")).unwrap_or_default();
    let search = context.settings.search_name().filter(|_| context.gate.is_active());
    let way = search.map(|search| format!(" Find tools with {search}.")).unwrap_or_default();
    Error::new(ErrorCode::ToolUnknown, format!("There is no tool named {}.{meant}{way}", excerpt(name)))
}
