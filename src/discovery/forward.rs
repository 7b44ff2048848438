//! Calling through the bridge: comes to the real tool, under its own name, before any code of the host runs.

use crate::error::{Error, ErrorCode, Result, excerpt_json};
use crate::json::{self, Fault, Fields, Object, closed, push_entry};
use crate::session::Session;

use super::arguments::Arguments;
use super::context::Context;
use super::describe::{deferrable, required_name};
use super::outcome::Facts;
use super::surface::Action;

/// Calls of the bridge within a call of the bridge that are unwrapped.
const NESTED: usize = 4;
/// The parameter that holds the arguments for the real tool.
const ARGUMENTS: &str = "arguments";
/// Other names that models give to it.
const OTHER_NAMES: [&str; 3] = ["args", "input", "parameters"];

pub(super) fn call(context: &Context<'_>, session: &Session, written: &Arguments, arguments: &Object) -> Result<Facts> {
    let mut name = required_name(arguments)?;
    let mut passed_on = passed_on(context, written, &name);
    for _ in 0..NESTED {
        let Some(inner) = nested(context, &name, &passed_on) else { break };
        (name, passed_on) = inner;
    }
    if context.settings.tool(&name).is_some() {
        let message = format!("{name} belongs to the bridge itself: call it directly");
        return Err(Error::new(ErrorCode::BridgeRecursion, message));
    }
    let passed_on = passed_on?;
    let tool = deferrable(context, session, &name, |name| {
        Error::new(ErrorCode::OutOfSessionScope, format!("{name} is outside of what this session may use"))
    })?;
    Ok(Facts::Dispatched(tool.clone(), passed_on))
}

/// The name and the arguments of a call of the bridge within a call of the bridge.
fn nested(context: &Context<'_>, name: &str, arguments: &Result<Arguments>) -> Option<(String, Result<Arguments>)> {
    let is_bridge = context.settings.tool(name)?.action == Action::Forward;
    let inner = arguments.as_ref().ok().filter(|_| is_bridge)?;
    let name = required_name(&inner.to_map().ok()?).ok()?;
    let arguments = passed_on(context, inner, &name);
    Some((name, arguments))
}

/// The arguments for the real tool, as the model wrote them: under their own name, under another one that the tool does not
/// use itself, or beside the tool's name.
fn passed_on(context: &Context<'_>, written: &Arguments, name: &str) -> Result<Arguments> {
    let Ok(fields) = written.fields() else { return Arguments::read("{}") };
    let value = fields.get(ARGUMENTS).unwrap_or("null");
    if !is_nothing(value) {
        return object(value);
    }
    let used = context.named(name).map(|tool| tool.parameters.property_names()).unwrap_or_default();
    let is_other_name = |key: &str| OTHER_NAMES.contains(&key) && !used.iter().any(|used| used == key);
    let mut beside = String::new();
    for (key, value) in fields.entries() {
        match object(value) {
            _ if matches!(&**key, "name" | ARGUMENTS) => {}
            Ok(_) if is_other_name(key) && is_nothing(value) => {}
            Ok(object) if is_other_name(key) => return Ok(object),
            _ => push_entry(&mut beside, key, value),
        }
    }
    if beside.is_empty() { object(value) } else { Arguments::read(&closed(beside)) }
}

/// Whether a value is null or an empty object.
fn is_nothing(value: &str) -> bool {
    value == "null" || Fields::read(value).is_ok_and(|fields| fields.entries().is_empty())
}

/// An object, or JSON text of one; nothing is an empty object.
fn object(json: &str) -> Result<Arguments> {
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
