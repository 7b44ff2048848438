//! Decides a call of the model: a discovery tool answers, a real tool is handed to the host, and everything else is refused.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::markers::{DID_NOT_RUN, LOADED_NOW, NOT_LOADED};
use crate::session::ToolState;

use super::arguments::Arguments;
use super::context::Context;
use super::next_step::{reachable, way_to};
use super::outcome::{Facts, Outcome};
use super::surface::{Action, DiscoverySettings, UnrevealedCall};
use super::{add, bridge, browse, find, read_on, skill};

/// The advice to a model that repeats a mistake.
const STOP: &str = "You made exactly this call before and it failed for the same reason: do not repeat it. Change the call as said \
                    here, or go on without this tool.";

/// Decides a call. `arguments` is JSON text.
pub fn call(mut context: Context<'_>, name: &str, arguments: &str) -> Outcome {
    let mut facts = route(&mut context, name, arguments).unwrap_or_else(Facts::refused);
    // A skill is always read, whichever way it is called.
    if let Facts::Dispatched(tool, _) = &facts {
        if let Some(skill) = context.seen(&tool.model_name).filter(|tool| tool.key.is_skill) {
            facts = skill::answer(&mut context, skill);
        }
    }
    if let Facts::Dispatched(tool, _) = &facts {
        context.session.touch(&tool.key);
    }
    let failure = facts.failure().filter(|_| context.settings.stops_repeats);
    let is_repeated = failure.is_some_and(|reason| {
        let failure = [name, arguments, &*reason];
        let times = context.session.failed.get(&failure);
        context.session.failed.set(&failure, times + 1);
        times > 0
    });
    facts.into_outcome(if is_repeated { STOP } else { "" }, context.session.home())
}

/// Returns the real tool that a call through another tool leads to, as [`call`] would decide; `None` if it leads to no
/// tool. This is not a call: it loads nothing, and a refusal does not count as a failure.
pub fn forwarded(context: &Context<'_>, name: &str, arguments: &str) -> Option<Outcome> {
    let Action::Forward(most) = context.settings.tool(name)?.action else { return None };
    let written = Arguments::read(arguments).ok()?;
    let facts = bridge::forward(context, &written, &written.to_map().ok()?, most).ok()?;
    if matches!(&facts, Facts::Dispatched(tool, _) if tool.key.is_skill) {
        return None;
    }
    Some(facts.into_outcome("", context.session.home()))
}

/// Returns the query of a call, if the call is a readable search.
pub fn searched_query(settings: &DiscoverySettings, name: &str, arguments: &str) -> Option<String> {
    match settings.tool(name)?.action {
        Action::Search(answer) => find::searched_query(answer, &Arguments::read(arguments).ok()?.to_map().ok()?),
        _ => None,
    }
}

/// Decides a call. An error in the call of a discovery tool becomes its answer; every other error is a refusal.
fn route(context: &mut Context<'_>, name: &str, arguments: &str) -> Result<Facts> {
    let Some(tool) = context.tool(name) else { return call_of_tool(context, name, arguments) };
    let written = Arguments::read(arguments)?;
    let arguments = written.to_map()?;
    let facts = match tool.action {
        Action::Search(answer) => find::call(answer, context, &arguments),
        Action::Add => add::call(context, &arguments),
        Action::ShowAll => Ok(browse::show_all(context)),
        Action::Browse => Ok(browse::by_server(context, &arguments)),
        Action::Describe => bridge::describe(context, &arguments),
        Action::Forward(most) => bridge::forward(context, &written, &arguments, most),
        Action::ReadOn => read_on::call(context, &arguments),
        Action::ReadSkill => skill::read(context, &arguments),
    };
    Ok(facts.unwrap_or_else(Facts::Misused))
}

/// Decides a call of a real tool by the tool's state.
fn call_of_tool(context: &mut Context<'_>, name: &str, arguments: &str) -> Result<Facts> {
    let tool = reachable(context, name)?;
    if tool.key.is_skill {
        return Ok(Facts::Dispatched(tool.clone(), Arguments::read("")?));
    }
    match context.state(tool) {
        ToolState::Deferred if context.gate.holds(tool.deferral) && !context.session.is_leaving(tool) => {
            call_of_unrevealed(context, tool, arguments)
        }
        _ => Ok(Facts::Dispatched(tool.clone(), Arguments::read(arguments)?)),
    }
}

/// Decides a call of a deferred tool that was not loaded.
fn call_of_unrevealed(context: &mut Context<'_>, tool: &Arc<Tool>, arguments: &str) -> Result<Facts> {
    let name = &tool.model_name;
    let refusal = |message: String| Error::new(ErrorCode::ToolNotRevealed, message);
    match context.settings.unrevealed_call {
        UnrevealedCall::Refuse => {
            let way = way_to(context.settings, tool);
            return Err(refusal(format!("{name}{NOT_LOADED}{DID_NOT_RUN} {way}")));
        }
        UnrevealedCall::RefuseWithSchema => {
            context.reveal(tool)?;
            let error = refusal(format!("{name}{LOADED_NOW}; its parameters are {}", tool.parameters.as_str()));
            return Ok(Facts::Refused { error, is_mended: true });
        }
        UnrevealedCall::Run | UnrevealedCall::Allow => {}
    }
    let arguments = Arguments::read(arguments)?;
    if context.settings.unrevealed_call == UnrevealedCall::Run {
        context.reveal(tool)?;
    }
    Ok(Facts::Dispatched(tool.clone(), arguments))
}
