//! Describes and calls tools for the model. A call through the bridge (a discovery tool that calls other tools) becomes
//! a call of the real tool under its own name, before any code of the host runs.

use std::sync::Arc;

use crate::catalog::{Effect, Tool};
use crate::error::{Error, ErrorCode, Result, excerpt, excerpt_json};
use crate::json::{self, Fault, Fields, Object, closed, push_entry};
use crate::session::ToolState;

use super::arguments::{Arguments, is_nothing, loose_text};
use super::context::Context;
use super::described::described;
use super::next_step::{did_you_mean, reachable};
use super::outcome::Facts;
use super::surface::{Action, OutOfScope};

/// The maximum number of nested bridge calls that are unwrapped.
const NESTED: usize = 4;
/// The parameter with the arguments for the real tool.
const ARGUMENTS: &str = "arguments";
/// Other names that models use for it.
const OTHER_NAMES: [&str; 3] = ["args", "input", "parameters"];

/// Returns the description and the parameters of one tool in full. It loads nothing.
pub(super) fn describe(context: &Context<'_>, arguments: &Object) -> Result<Facts> {
    let name = required_name(arguments)?;
    let tool = deferrable(context, &name, (ErrorCode::NotCurrentlyAvailable, "is not available in this session"))?;
    Ok(Facts::answer(described(tool), Vec::new(), [tool]).with_parameters())
}

/// Decides a call of a real tool. `written` has the arguments of the bridge as text, `arguments` as values. `most` is
/// the strongest effect that the tool may have.
pub(super) fn forward(context: &Context<'_>, written: &Arguments, arguments: &Object, most: Effect) -> Result<Facts> {
    let is_loose = context.settings.reads_calls_loosely;
    let mut name = required_name(arguments)?;
    let mut passed_on = if is_loose { found_in(context, written, &name) } else { given_in(written) };
    for _ in 0..if is_loose { NESTED } else { 0 } {
        let Some(inner) = nested(context, &name, &passed_on) else { break };
        (name, passed_on) = inner;
    }
    if context.settings.is_discovery_tool(&name) {
        let message = format!("{name} belongs to the bridge itself: call it directly");
        return Err(Error::new(ErrorCode::BridgeRecursion, message));
    }
    let passed_on = passed_on?;
    let tool = if is_loose {
        in_any_form(context, &name)?
    } else {
        deferrable(context, &name, (ErrorCode::OutOfSessionScope, "is outside of what this session may use"))?
    };
    if tool.key.is_skill {
        return Ok(Facts::Dispatched(tool.clone(), passed_on));
    }
    match context.settings.caller_of(tool.declared_effect()) {
        Some(right) if tool.declared_effect() > most => {
            let message = format!(
                "{} may do more than this tool stands for, so this call did not run. Call it with {right}.",
                tool.model_name
            );
            Err(Error::new(ErrorCode::WrongCaller, message))
        }
        _ => Ok(Facts::Dispatched(tool.clone(), passed_on)),
    }
}

/// Returns the tool of a name in any form, if the session may see it.
fn in_any_form<'c>(context: &Context<'c>, name: &str) -> Result<&'c Arc<Tool>> {
    if context.named(name).is_none() {
        if let [tool] = *context.meant(&context.names(), name) {
            return Ok(tool);
        }
    }
    reachable(context, name)
}

/// Returns the name of the tool that a bridge call is for.
fn required_name(arguments: &Object) -> Result<String> {
    let name = loose_text(arguments.get("name"));
    if name.is_empty() {
        return Err(Error::new(ErrorCode::NameRequired, "name is required: the exact name of a tool"));
    }
    Ok(name)
}

/// Returns the tool of a name, if it is searchable and the session may see it: deferred, or sent from the start but
/// searchable. If the settings reveal that a tool is outside the scope, the error has the given code and text.
fn deferrable<'c>(context: &Context<'c>, name: &str, (code, out_of_scope): (ErrorCode, &str)) -> Result<&'c Arc<Tool>> {
    let tool = context.named(name);
    match tool.filter(|tool| context.eligibility.lists.state(tool) != ToolState::Eager) {
        Some(tool) if context.sees(tool) => Ok(tool),
        Some(_) if context.settings.out_of_scope == OutOfScope::Tell => {
            Err(Error::new(code, format!("{} {out_of_scope}", excerpt(name))))
        }
        _ => Err(Error::new(
            ErrorCode::NotDeferrable,
            format!(
                "{} is no tool that is held back: if you see it among your tools, call it directly, otherwise check the \
                 spelling.{}",
                excerpt(name),
                did_you_mean(context, name)
            ),
        )),
    }
}

/// Returns the name and the arguments of a bridge call inside a bridge call.
fn nested(context: &Context<'_>, name: &str, arguments: &Result<Arguments>) -> Option<(String, Result<Arguments>)> {
    let is_bridge = matches!(context.settings.tool(name)?.action, Action::Forward(_));
    let inner = arguments.as_ref().ok().filter(|_| is_bridge)?;
    let name = required_name(&inner.to_map().ok()?).ok()?;
    let arguments = found_in(context, inner, &name);
    Some((name, arguments))
}

/// Returns the arguments for the real tool from their own parameter, as the published system does.
fn given_in(written: &Arguments) -> Result<Arguments> {
    let Ok(fields) = written.fields() else { return Arguments::read("{}") };
    object(fields.get(ARGUMENTS).unwrap_or("null"))
}

/// Returns the arguments for the real tool from any place where models write them: in their own parameter, in one of
/// another name that the tool does not use itself, or next to the tool's name.
fn found_in(context: &Context<'_>, written: &Arguments, name: &str) -> Result<Arguments> {
    let Ok(fields) = written.fields() else { return Arguments::read("{}") };
    let value = fields.get(ARGUMENTS).unwrap_or("null");
    if !is_empty(value) {
        return object(value);
    }
    let used = context.named(name).map(|tool| tool.parameters.property_names()).unwrap_or_default();
    let is_other_name = |key: &str| OTHER_NAMES.contains(&key) && !used.iter().any(|used| used == key);
    let mut beside = String::new();
    for (key, value) in fields.entries() {
        match object(value) {
            _ if matches!(&**key, "name" | ARGUMENTS) => {}
            _ if is_other_name(key) && is_empty(value) => {}
            Ok(object) if is_other_name(key) => return Ok(object),
            _ => push_entry(&mut beside, key, value),
        }
    }
    Arguments::read(&closed(beside))
}

/// Returns true if a value means that there are no arguments: null, an empty object, or the text of either.
fn is_empty(value: &str) -> bool {
    let text = json::text_of(value).and_then(std::result::Result::ok);
    let text = text.as_deref().unwrap_or(value);
    is_nothing(text) || Fields::read(text).is_ok_and(|fields| fields.entries().is_empty())
}

/// Reads an object, or JSON text of one; null counts as an empty object.
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
