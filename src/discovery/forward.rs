//! Calling through the bridge: comes to the real tool, under its own name, before any code of the host runs.

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::{self, Fault, Object};
use crate::session::Session;

use super::arguments::Arguments;
use super::context::Context;
use super::describe::{deferrable, required_name};
use super::outcome::Facts;

pub(super) fn call(context: &Context<'_>, session: &Session, written: &Arguments, arguments: &Object) -> Result<Facts> {
    let name = required_name(arguments)?;
    if context.settings.tool(&name).is_some() {
        let message = format!("{name} belongs to the bridge itself: call it directly");
        return Err(Error::new(ErrorCode::BridgeRecursion, message));
    }
    let passed_on = passed_on(written.field("arguments"))?;
    let tool = deferrable(context, session, &name, |name| {
        Error::new(ErrorCode::OutOfSessionScope, format!("{name} is outside of what this session may use"))
    })?;
    Ok(Facts::Dispatched(tool.clone(), passed_on))
}

/// The arguments for the real tool, as the model wrote them: an object, or JSON text of one; nothing is an empty object.
fn passed_on(value: Option<&str>) -> Result<Arguments> {
    let json = value.unwrap_or("null");
    let is_text = json.starts_with('"');
    let text = if is_text { json::string(json).map_err(|e| not_json(json, e))? } else { json.to_owned() };
    match json::checked(&text).map_err(|e| not_json(&text, e))? {
        "null" if !is_text => Arguments::read("{}"),
        object if object.starts_with('{') => Arguments::read(object),
        other => {
            let message = format!("arguments must be an object, got {}", excerpt_json(other));
            Err(Error::new(ErrorCode::ArgumentsNotObject, message))
        }
    }
}

fn not_json(text: &str, error: Fault) -> Error {
    Error::new(ErrorCode::ArgumentsNotJson, format!("arguments are not JSON: {error} in {}", excerpt_json(text)))
}
