//! The route of a call: to the discovery tool of its name, or else to the real tool.

use crate::error::Result;
use crate::session::Session;

use super::arguments::Arguments;
use super::context::Context;
use super::outcome::{Facts, Outcome};
use super::surface::{Action, DiscoverySettings};
use super::{add, browse, describe, find, forward, policy, show};

/// Decides a call. `arguments` is JSON text.
pub fn call(context: &Context<'_>, session: &mut Session, name: &str, arguments: &str) -> Outcome {
    let facts = route(context, session, name, arguments).unwrap_or_else(Facts::refused);
    if let Facts::Dispatched(tool, _) = &facts {
        session.touch(&tool.key);
    }
    let advice = policy::advice(context, session, (name, arguments), &facts);
    facts.into_outcome(advice, session.id())
}

/// The query that a call searches for, where it is a search and can be read.
pub fn searched_query(settings: &DiscoverySettings, name: &str, arguments: &str) -> Option<String> {
    match settings.tool(name)?.action {
        Action::Search(_) => find::query(&Arguments::read(arguments).ok()?.to_map().ok()?),
        _ => None,
    }
}

/// What the call of a discovery tool does wrong is part of its answer; every other error is a refusal.
fn route(context: &Context<'_>, session: &mut Session, name: &str, arguments: &str) -> Result<Facts> {
    let Some(tool) = context.settings.tool(name) else {
        return policy::call_of_tool(context, session, (name, arguments));
    };
    let written = Arguments::read(arguments)?;
    let arguments = written.to_map()?;
    let facts = match tool.action {
        Action::Search(answer) => find::call(answer, context, session, &arguments),
        Action::Add => add::call(context, session, &arguments),
        Action::ShowAll => Ok(show::call(context)),
        Action::Browse => Ok(browse::call(context, &arguments)),
        Action::Describe => describe::call(context, session, &arguments),
        Action::Forward => forward::call(context, session, &written, &arguments),
    };
    Ok(facts.unwrap_or_else(Facts::Misused))
}
