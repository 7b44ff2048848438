//! What does a call of the model come to? An answer, a real tool to run, or a refusal that names the way out.

use std::rc::Rc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::catalog::{Catalog, Tool};
use crate::error::{Error, ErrorCode, excerpt};
use crate::session::{Eligibility, Session, ToolState};
use crate::text::nearest;

use super::arguments::Arguments;
use super::surface::{Action, DiscoverySettings};
use super::{add, find, show};

/// What happens on a call to a deferred tool that was not loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnrevealedCall {
    /// It is refused, with the way to load it.
    Refuse,
    /// It is refused with its schema in the message, and revealed, so that the next attempt is right.
    RefuseWithSchema,
    /// It is revealed and run.
    Run,
}

impl UnrevealedCall {
    /// Every value with its text form.
    pub const ALL: &[(&str, UnrevealedCall)] = &[
        ("refuse", UnrevealedCall::Refuse),
        ("refuse-with-schema", UnrevealedCall::RefuseWithSchema),
        ("run", UnrevealedCall::Run),
    ];
}

/// What a call is decided by.
pub struct Context<'a> {
    /// The tools.
    pub catalog: &'a Catalog,
    /// Which of them take part.
    pub eligibility: &'a Eligibility,
    /// What the model may do.
    pub settings: &'a DiscoverySettings,
    /// Whether anything is held back.
    pub active: bool,
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
    pub(super) fn answer(content: String) -> Self {
        Outcome::Result { content, is_error: false, revealed: Vec::new() }
    }

    /// What a discovery tool says when its call was wrong: `{"error": …}`.
    pub(super) fn wrong(message: &str) -> Self {
        let content = serde_json::json!({ "error": message }).to_string();
        Outcome::Result { content, is_error: true, revealed: Vec::new() }
    }

    fn refused(error: &Error) -> Self {
        Outcome::Refused { error: Refusal { code: error.code(), message: error.message().to_owned() } }
    }
}

/// Decides a call. `arguments` is JSON text.
pub fn call(context: &Context<'_>, session: &mut Session, name: &str, arguments: &str) -> Outcome {
    match route(context, session, name, arguments) {
        Ok(outcome) => outcome,
        Err(error) => Outcome::refused(&error),
    }
}

fn route(context: &Context<'_>, session: &mut Session, name: &str, arguments: &str) -> Result<Outcome, Error> {
    if let Some(tool) = context.settings.surface.iter().find(|tool| tool.definition.name == name) {
        let arguments = Arguments::read(arguments)?.to_map()?;
        return Ok(match tool.action {
            Action::Search => find::call(context, session, &arguments),
            Action::Add => add::call(context, session, &arguments),
            Action::ShowAll => show::call(context, session),
        });
    }
    let tool = context.catalog.by_name(name).ok_or_else(|| unknown(context, session, name))?;
    match context.eligibility.state(tool, Some(session)) {
        ToolState::Hidden => {
            let message = format!("{} is not available in this session.", excerpt(name));
            Err(Error::new(ErrorCode::ToolOutOfScope, message))
        }
        ToolState::Deferred if context.active => unrevealed(context, session, tool, arguments),
        _ => dispatch(tool, arguments),
    }
}

fn dispatch(tool: &Tool, arguments: &str) -> Result<Outcome, Error> {
    Ok(Outcome::Dispatch {
        name: tool.key.name.clone(),
        server: tool.key.server.clone(),
        model_name: tool.model_name.clone(),
        arguments: Arguments::read(arguments)?.into_raw(),
    })
}

fn unrevealed(context: &Context<'_>, session: &mut Session, tool: &Tool, arguments: &str) -> Result<Outcome, Error> {
    let name = &tool.model_name;
    let message = match context.settings.unrevealed_call {
        UnrevealedCall::Run => {
            session.reveal(&tool.key, context.settings.most_revealed)?;
            return dispatch(tool, arguments);
        }
        UnrevealedCall::RefuseWithSchema => {
            session.reveal(&tool.key, context.settings.most_revealed)?;
            let schema = tool.parameters.as_str();
            format!("{name} was not loaded, so this call did not run. It is loaded now; its parameters are {schema}")
        }
        UnrevealedCall::Refuse => {
            let way = match (context.settings.name_of(Action::Add), context.settings.name_of(Action::Search)) {
                (Some(add), _) => format!("Load it first: {add}({{\"tool_names\": [\"{name}\"]}})."),
                (None, Some(search)) => format!("Load it first with {search}."),
                (None, None) => "It cannot be loaded here.".to_owned(),
            };
            format!("{name} is not loaded, so this call did not run. {way}")
        }
    };
    Err(Error::new(ErrorCode::ToolNotRevealed, message))
}

fn unknown(context: &Context<'_>, session: &Session, name: &str) -> Error {
    let surface = context.settings.surface.iter().map(|tool| tool.definition.name);
    let tools = context.catalog.tools().iter();
    let seen = tools.filter(|tool| context.eligibility.state(tool, Some(session)) != ToolState::Hidden);
    let meant = nearest(name, surface.chain(seen.map(|tool| &*tool.model_name)));
    let meant = meant.map(|name| format!(" Did you mean {name}?")).unwrap_or_default();
    let search = context.settings.name_of(Action::Search).filter(|_| context.active);
    let way = search.map(|search| format!(" Find tools with {search}.")).unwrap_or_default();
    Error::new(ErrorCode::ToolUnknown, format!("There is no tool named {}.{meant}{way}", excerpt(name)))
}
