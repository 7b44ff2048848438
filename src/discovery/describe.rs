//! What is one tool? Its description and its parameters, in full; nothing is loaded by looking.

use std::rc::Rc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::json::Object;
use crate::session::{Session, Standing, ToolState};

use super::call::{Context, Outcome};
use super::find::{compact, raw};
use super::loose;

#[derive(Serialize)]
struct Described<'a> {
    name: &'a str,
    description: &'a str,
    parameters: Box<RawValue>,
}

pub(super) fn call(context: &Context<'_>, session: &Session, arguments: &Object) -> Result<Outcome> {
    let name = required_name(arguments)?;
    let tool = deferrable(context, &name)?;
    if context.state(tool, session) == ToolState::Hidden {
        let message = format!("{} is not available in this session", excerpt(&name));
        return Err(Error::new(ErrorCode::NotCurrentlyAvailable, message));
    }
    let answer =
        Described { name: &tool.model_name, description: &tool.description, parameters: raw(tool.parameters.as_str()) };
    Ok(Outcome::answer(compact(&answer), Vec::new()))
}

/// The name that a call of the bridge is about.
pub(super) fn required_name(arguments: &Object) -> Result<String> {
    let name = loose::text(arguments.get("name"));
    if name.is_empty() {
        return Err(Error::new(ErrorCode::NameRequired, "name is required: the exact name of a tool"));
    }
    Ok(name)
}

/// The tool of a name, if it is one that can be held back.
pub(super) fn deferrable<'c>(context: &Context<'c>, name: &str) -> Result<&'c Rc<Tool>> {
    let tool = context.catalog.by_name(name);
    let tool = tool.filter(|tool| context.eligibility.lists.standing(tool) == Standing::Deferred);
    tool.ok_or_else(|| {
        let message = format!(
            "{} is no tool that is held back: if you see it among your tools, call it directly, otherwise check the \
             spelling",
            excerpt(name)
        );
        Error::new(ErrorCode::NotDeferrable, message)
    })
}
