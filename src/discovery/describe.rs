//! Describing: the description and the parameters of one tool, in full. It loads nothing.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result, excerpt};
use crate::json::Object;
use crate::session::{Session, ToolState};

use super::context::Context;
use super::json_text::{compact, raw};
use super::loose;
use super::meant::did_you_mean;
use super::outcome::Facts;
use super::surface::OutOfScope;

#[derive(Serialize)]
struct Described<'a> {
    name: &'a str,
    description: &'a str,
    parameters: Box<RawValue>,
}

pub(super) fn call(context: &Context<'_>, session: &Session, arguments: &Object) -> Result<Facts> {
    let name = required_name(arguments)?;
    let tool = deferrable(context, session, &name, |name| {
        Error::new(ErrorCode::NotCurrentlyAvailable, format!("{name} is not available in this session"))
    })?;
    let answer =
        Described { name: &tool.model_name, description: &tool.description, parameters: raw(tool.parameters.as_str()) };
    Ok(Facts::answer(compact(&answer), Vec::new()))
}

/// The name that a call of the bridge is about.
pub(super) fn required_name(arguments: &Object) -> Result<String> {
    let name = loose::text(arguments.get("name"));
    if name.is_empty() {
        return Err(Error::new(ErrorCode::NameRequired, "name is required: the exact name of a tool"));
    }
    Ok(name)
}

/// The tool of a name, if it can be searched and the session may see it: it is held back, or every session starts with it. `out_of_scope` is the error of one that the
/// session may not see, where the settings tell of such tools.
pub(super) fn deferrable<'c>(
    context: &Context<'c>,
    session: &Session,
    name: &str,
    out_of_scope: impl Fn(&str) -> Error,
) -> Result<&'c Arc<Tool>> {
    let tool = context.named(name);
    let tool = tool.filter(|tool| context.eligibility.lists.state(tool) != ToolState::Eager);
    let is_hidden = tool.is_some_and(|tool| context.state(tool, session) == ToolState::Hidden);
    match tool {
        Some(tool) if !is_hidden => Ok(tool),
        Some(_) if context.settings.out_of_scope == OutOfScope::Tell => Err(out_of_scope(&excerpt(name))),
        _ => Err(Error::new(
            ErrorCode::NotDeferrable,
            format!(
                "{} is no tool that is held back: if you see it among your tools, call it directly, otherwise check the \
                 spelling.{}",
                excerpt(name),
                did_you_mean(context, session, name)
            ),
        )),
    }
}
