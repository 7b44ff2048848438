//! Decides about a call that cannot simply run: of a tool that is not loaded, of one that the session may not see, of
//! one that does not exist, and of a call that fails again.

use std::sync::Arc;

use crate::assembly::Gate;
use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::markers::{
    CALL_THROUGH, DID_NOT_RUN, FIND_TOOLS, ITS_PARAMETERS, LOAD_FIRST, LOADED_NOW, NEVER_LOADED, NO_TOOL,
    NOT_IN_SESSION, NOT_LOADED, STOP,
};
use crate::search::Grammar;
use crate::session::{Session, ToolState};

use super::arguments::Arguments;
use super::context::Context;
use super::meant::did_you_mean;
use super::outcome::{Facts, Failure, Refused};
use super::surface::{Action, OutOfScope, UnrevealedCall};

/// The advice that ends the answer to a call, which is remembered if it failed.
pub(super) fn advice(
    context: &Context<'_>,
    session: &mut Session,
    (name, arguments): (&str, &str),
    facts: &Facts,
) -> &'static str {
    match facts.failure() {
        // A search that comes too soon is right later.
        Some(Failure { code: ErrorCode::RateLimited, .. }) | None => "",
        Some(_) if !context.settings.stops_repeats => "",
        Some(Failure { code, names }) => {
            let mut reason = code.as_str().to_owned();
            names.iter().for_each(|name| reason.extend([" ", name]));
            if session.fail(name, arguments, &reason) > 0 { STOP } else { "" }
        }
    }
}

/// A call of a real tool, by where the tool stands.
pub(super) fn call_of_tool(
    context: &Context<'_>,
    session: &mut Session,
    (name, arguments): (&str, &str),
) -> Result<Facts> {
    let Some(tool) = context.named(name) else { return Err(unknown(context, session, name)) };
    match context.state(tool, session) {
        ToolState::Hidden => Err(match context.settings.out_of_scope {
            OutOfScope::Conceal => unknown(context, session, name),
            OutOfScope::Tell => {
                let message = format!("{}{NOT_IN_SESSION}.", excerpt(name));
                Error::new(ErrorCode::ToolOutOfScope, message)
            }
        }),
        ToolState::Deferred if is_held(&context.gate, tool) && !session.is_leaving(tool) => {
            not_loaded(context, session, tool, arguments)
        }
        _ => Ok(Facts::Dispatched(tool.clone(), Arguments::read(arguments)?)),
    }
}

fn is_held(gate: &Gate, tool: &Tool) -> bool {
    gate.holds(tool.deferral)
}

/// A call of a tool that is held back and was not loaded.
fn not_loaded(context: &Context<'_>, session: &mut Session, tool: &Arc<Tool>, arguments: &str) -> Result<Facts> {
    let name = &tool.model_name;
    let refusal = |message: String| Error::new(ErrorCode::ToolNotRevealed, message);
    match context.settings.unrevealed_call {
        UnrevealedCall::Allow => Ok(Facts::Dispatched(tool.clone(), Arguments::read(arguments)?)),
        UnrevealedCall::Run => {
            let arguments = Arguments::read(arguments)?;
            session.reveal(tool, &context.settings.bounds, context.catalog)?;
            Ok(Facts::Dispatched(tool.clone(), arguments))
        }
        UnrevealedCall::RefuseWithSchema => {
            session.reveal(tool, &context.settings.bounds, context.catalog)?;
            let schema = tool.parameters.as_str();
            let error = refusal(format!("{name}{LOADED_NOW}{ITS_PARAMETERS}{schema}"));
            Ok(Facts::Refused(Refused { error, is_mended: true }))
        }
        UnrevealedCall::Refuse => {
            let way = way_to(context, name);
            Err(refusal(format!("{name}{NOT_LOADED}{DID_NOT_RUN}. {way}")))
        }
    }
}

/// How the model gets to a tool that is held back.
fn way_to(context: &Context<'_>, name: &str) -> String {
    let settings = context.settings;
    if let Some(add) = settings.name_of(Action::Add) {
        return format!("{LOAD_FIRST}{add}({{\"tool_names\": [\"{name}\"]}}).");
    }
    if let Some(forward) = settings.name_of(Action::Forward) {
        return format!("{CALL_THROUGH}{forward}: {forward}({{\"name\": \"{name}\", \"arguments\": {{...}}}}).");
    }
    match settings.search_name() {
        Some(search) if settings.search.grammar == Grammar::Commands => {
            format!("{LOAD_FIRST}{search}({{\"query\": \"select:{name}\"}}).")
        }
        Some(search) => format!("{LOAD_FIRST}{search}({{\"query\": \"{name}\"}})."),
        None => NEVER_LOADED.to_owned(),
    }
}

/// The error of a name that is of no tool. It suggests only names that the session may see.
fn unknown(context: &Context<'_>, session: &Session, name: &str) -> Error {
    let meant = did_you_mean(context, session, name);
    let search = context.settings.search_name().filter(|_| context.gate.is_active());
    let way = search.map(|search| format!("{FIND_TOOLS}{search}.")).unwrap_or_default();
    Error::new(ErrorCode::ToolUnknown, format!("{NO_TOOL}{}.{meant}{way}", excerpt(name)))
}
