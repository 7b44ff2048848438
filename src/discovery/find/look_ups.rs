//! Finds tools that look up values for the parameters of a loaded tool: `list_channels` for the parameter `channel_id`.
//! Of 1,130 tools of 44 public servers, 300 require such an id, and for 225 of them there is a tool that looks it up.

use std::sync::Arc;

use crate::catalog::{Effect, Tool, ToolKey, is_verb, without_server};
use crate::discovery::context::Context;
use crate::session::ToolState;
use crate::text::{name_parts, singular};

use super::search;

/// The maximum number of look-up tools in an answer: each takes a line.
const NAMED: usize = 2;
/// The maximum number of parameters for which a look-up is searched: each takes a search.
const PARAMETERS_READ: usize = 4;
/// The number of hits of such a search that are checked.
const HITS_READ: usize = 10;
/// The maximum length of a parameter's name that is checked, in bytes.
const PARAMETER_BYTES: usize = 64;
/// The endings of the names of such parameters.
const ENDINGS: &[&str] = &["code", "gid", "id", "ids", "key", "slug", "uuid"];

/// A tool that looks up the values of a parameter.
pub(super) struct LookUp<'c> {
    pub tool: &'c Arc<Tool>,
    pub parameter: String,
}

/// Returns deferred tools of the same server that look up values of parameters that the loaded tools require.
pub(super) fn for_loaded<'c>(context: &Context<'c>, loaded: &[&Arc<Tool>]) -> Vec<LookUp<'c>> {
    let mut look_ups: Vec<LookUp<'c>> = Vec::new();
    let mut seen: Vec<(&ToolKey, Vec<String>)> = Vec::new();
    for tool in loaded {
        for parameter in tool.parameters.required_names() {
            let Some(thing) = thing_of(&parameter) else { continue };
            if look_ups.len() == NAMED || seen.len() == PARAMETERS_READ {
                return look_ups;
            }
            if seen.iter().any(|(key, other)| key.server == tool.key.server && *other == thing) {
                continue;
            }
            let found = find(context, tool, &thing).filter(|found| context.state(found) == ToolState::Deferred);
            seen.push((&tool.key, thing));
            let is_new = |found: &&Arc<Tool>| look_ups.iter().all(|other| other.tool.key != found.key);
            if let Some(found) = found.filter(is_new) {
                look_ups.push(LookUp { tool: found, parameter });
            }
        }
    }
    look_ups
}

/// Returns the thing that a parameter is the id of, in singular words: `sourcePageIds` gives *source page*.
fn thing_of(parameter: &str) -> Option<Vec<String>> {
    if parameter.len() > PARAMETER_BYTES {
        return None;
    }
    let mut parts: Vec<String> = name_parts(parameter).iter().map(|part| singular(part)).collect();
    let is_id = parts.pop().is_some_and(|last| ENDINGS.contains(&&*last));
    (is_id && !parts.is_empty()).then_some(parts)
}

/// Returns the best hit that looks a thing up.
fn find<'c>(context: &Context<'c>, tool: &Tool, thing: &[String]) -> Option<&'c Arc<Tool>> {
    let server = tool.server().map(parts).unwrap_or_default();
    let query = ["list", &thing.join(" "), &server.join(" ")].join(" ");
    let hits = search::find_among(context, &query, HITS_READ, &[], [context.corpus, context.whole]).ok()?.hits;
    hits.iter().map(|hit| &context.catalog.tools()[hit.index]).find(|found| looks_up(found, tool, thing))
}

/// Returns true if `found` looks up a thing for `tool`: it reads, needs no id of such a thing itself, and its name
/// consists of the thing, a word before it, and words of the other tool's name.
fn looks_up(found: &Tool, tool: &Tool, thing: &[String]) -> bool {
    let noun = thing.last();
    let needs_it = |parameter: &String| thing_of(parameter).is_some_and(|other| other.last() == noun);
    if found.key.server != tool.key.server || found.effect != Effect::Read {
        return false;
    }
    let (name, own) = (parts(&found.key.name), parts(&tool.key.name));
    let server = tool.server().map(parts).unwrap_or_default();
    let Some(at) = name.iter().rposition(|part| Some(part) == noun) else { return false };
    let is_known = |part: &String| thing.contains(part) || own.contains(part) || server.contains(part) || is_verb(part);
    let is_only_thing = name[at + 1..].iter().all(|part| is_verb(part) || part == "all")
        && name[..at.saturating_sub(1)].iter().all(is_known);
    is_only_thing && !found.parameters.required_names().iter().any(needs_it)
}

/// Returns the words of a name in singular.
fn parts(name: &str) -> Vec<String> {
    name_parts(without_server(name)).iter().map(|part| singular(part)).collect()
}
