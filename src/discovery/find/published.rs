//! Writes the answers of the published systems: the hits as JSON, in the shape of each system.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::catalog::Tool;
use crate::discovery::context::{Context, Visible};
use crate::discovery::described::{described, described_definition, indented, scored};
use crate::discovery::next_step::did_you_mean;
use crate::discovery::outcome::Facts;
use crate::discovery::surface::{Action, Reveal};
use crate::error::Result;
use crate::json::{object, quoted};
use crate::map::Set;
use crate::search::Query;
use crate::session::ToolState;

use super::search::{Shown, reveal, shown};

/// Characters of a description in the answer of the bridge.
const DESCRIPTION_CHARS: usize = 400;

/// Answers with names and descriptions of the hits, and the next step; keys are in alphabetical order.
pub(super) fn names(context: &mut Context<'_>, query: &str) -> Result<Facts> {
    let found = shown(context, query, None)?;
    let revealed = reveal(context, found.iter().map(|found| found.tool));
    let settings = context.settings;
    let message = match (settings.reveal, settings.name_of(Action::Add)) {
        _ if found.is_empty() => {
            let all = settings.name_of(Action::ShowAll);
            let all = all.map(|name| format!(", or list every name with {name}")).unwrap_or_default();
            format!("No tool matches. Try a single word or a shorter pattern{all}.")
        }
        (Reveal::OnSearch, _) if !revealed.is_empty() => {
            format!("Loaded now: {}. You can call them from your next step on.", revealed.join(", "))
        }
        (Reveal::OnSearch, _) => "These tools are loaded already.".to_owned(),
        (_, Some(add)) => format!("Nothing is loaded yet. Load what you need with {add}."),
        (_, None) => "These tools match.".to_owned(),
    };
    let line = |found: &Shown<'_>| json!({ "description": *found.tool.description, "name": *found.tool.model_name });
    let tools: Value = found.iter().map(line).collect();
    let answer = json!({ "found": found.len(), "message": message, "tools": tools });
    Ok(Facts::answer(indented(&answer), revealed, found.iter().map(|found| found.tool)))
}

/// Answers with definitions: by name, with the missing names, or ranked, with scores.
pub(super) fn schemas(context: &mut Context<'_>, query: &str, wanted: Option<usize>) -> Result<Facts> {
    let deferred = context.deferred();
    let (kind, matches, tools, missing) = match Query::read(context.settings.search.grammar, query) {
        Query::Select(names) => {
            let (matches, tools, missing) = by_name(context, names);
            ("select", matches, tools, Some(missing))
        }
        _ => {
            let found = shown(context, query, wanted)?;
            let matches = found.iter().map(|found| scored(found.tool, found.score)).collect();
            ("keyword", matches, found.iter().map(|found| found.tool).collect(), None)
        }
    };
    let revealed = reveal(context, tools.iter().copied());
    let entries =
        [("query", quoted(query)), ("query_kind", quoted(kind)), ("total_deferred_tools", deferred.to_string())];
    let missing = missing.map(|missing| ("missing", json!(missing).to_string()));
    let answer = object(entries.into_iter().chain([("matches", list(matches))]).chain(missing));
    Ok(Facts::answer(answer, revealed, tools).with_parameters())
}

fn list(items: Vec<String>) -> String {
    format!("[{}]", items.join(","))
}

/// Returns the tools with these names, each once, deferred or not: their descriptions including discovery tools, those
/// in the catalog, and the unknown names.
fn by_name<'a>(context: &Context<'a>, names: Vec<&'a str>) -> (Vec<String>, Vec<&'a Arc<Tool>>, Vec<&'a str>) {
    let (mut matches, mut tools, mut missing) = (Vec::new(), Vec::new(), Vec::new());
    let mut known = Set::default();
    for name in names {
        if known.contains(name) {
            continue;
        }
        let tool = context.seen(name);
        let discovery = || context.settings.tool(name).map(|tool| described_definition(&tool.definition));
        match tool.map(|tool| described(tool)).or_else(discovery) {
            Some(found) => {
                known.insert(name);
                tools.extend(tool);
                matches.push(found);
            }
            None => missing.push(name),
        }
    }
    (matches, tools, missing)
}

/// Answers with the loaded tools: this search loads what it finds, so that no further step is needed.
pub(super) fn load(context: &mut Context<'_>, query: &str) -> Result<Facts> {
    let mut left_out: Vec<&Arc<Tool>> = Vec::new();
    let mut meant = String::new();
    let tools: Vec<&Arc<Tool>> = match Query::read(context.settings.search.grammar, query) {
        Query::Select(names) => {
            let mut tools: Vec<_> = names.iter().filter_map(|name| context.seen(name)).collect();
            let mut keys = Set::default();
            tools.retain(|tool| keys.insert(tool.key.clone()));
            if let (true, [name]) = (tools.is_empty(), &*names) {
                meant = did_you_mean(context, name);
            }
            left_out = tools.split_off(tools.len().min(context.settings.search.most_hits));
            tools
        }
        _ => shown(context, query, None)?.into_iter().map(|found| found.tool).collect(),
    };
    let revealed = reveal(context, tools.iter().copied());
    let is_loaded = |tool: &&&Arc<Tool>| context.state(tool) == ToolState::Revealed;
    let loaded: Vec<&str> = tools.iter().filter(is_loaded).map(|tool| &*tool.model_name).collect();
    let mut message = match (tools.is_empty(), loaded.is_empty()) {
        (true, _) => format!("No tool matches. Try other words, or fewer of them.{meant}"),
        (false, true) => "These tools need no loading: call them.".to_owned(),
        (false, false) => {
            "Loaded: call them directly, with the parameters that you see from your next step on.".to_owned()
        }
    };
    if !left_out.is_empty() {
        let names: Vec<&str> = left_out.iter().map(|tool| &*tool.model_name).collect();
        let (most, names) = (tools.len(), names.join(", "));
        message.push_str(&format!(" Not loaded, since {most} at once is the limit: {names}."));
    }
    let line = |tool: &&Arc<Tool>| json!({ "name": *tool.model_name, "description": *tool.description });
    let matches: Value = tools.iter().map(line).collect();
    let answer = json!({ "matches": matches, "loaded": loaded, "message": message });
    Ok(Facts::answer(answer.to_string(), revealed, tools.into_iter().chain(left_out)))
}

/// Answers with the schemas of stubs, or with the names of all tools if nothing matches.
pub(super) fn restore(context: &mut Context<'_>, query: &str) -> Result<Facts> {
    let found = shown(context, query, None)?;
    let revealed = reveal(context, found.iter().map(|found| found.tool));
    let tools = list(found.iter().map(|found| described(found.tool)).collect());
    let rest = if found.is_empty() {
        let message = "No tool matches. These are the names of all that there are.";
        [("message", quoted(message)), ("available_tools", json!(available(context)).to_string())]
    } else {
        let loaded: Vec<&str> = found.iter().map(|found| &*found.tool.model_name).collect();
        let message = "Loaded: from your next step on you can call these tools with their full parameters.";
        [("loaded", json!(loaded).to_string()), ("message", quoted(message))]
    };
    let answer = object([("query", quoted(query)), ("tools", tools)].into_iter().chain(rest));
    Ok(Facts::answer(answer, revealed, found.iter().map(|found| found.tool)).with_parameters())
}

/// Returns the names of all tools that are visible in this turn.
fn available<'a>(context: &Context<'a>) -> Vec<&'a str> {
    match &context.turn.visible {
        Visible::Names(names) => {
            // A name that is not in the catalog may be of a tool that only the host knows.
            let is_seen = |name: &&str| match context.named(name) {
                Some(tool) => context.sees(tool),
                None => !context.settings.is_discovery_tool(name),
            };
            names.iter().map(String::as_str).filter(is_seen).collect()
        }
        Visible::All | Visible::Missing => context.all_seen().into_iter().map(|tool| &*tool.model_name).collect(),
    }
}

/// Answers with names, their sources, and the beginnings of their descriptions.
pub(super) fn bridge(context: &mut Context<'_>, query: &str, wanted: Option<usize>) -> Result<Facts> {
    let found = shown(context, query, wanted)?;
    let revealed = reveal(context, found.iter().map(|found| found.tool));
    let matches = found.iter().map(|Shown { tool, .. }| {
        // Tools with a server come from MCP, others from a plugin, which is named by their category.
        let (source, source_name) = match (tool.server(), tool.category()) {
            (Some(server), _) => ("mcp", format!("mcp-{server}")),
            (None, category) => ("plugin", category.unwrap_or("plugin").to_owned()),
        };
        let description: String = tool.description.chars().take(DESCRIPTION_CHARS).collect();
        let name = &*tool.model_name;
        json!({ "name": name, "source": source, "source_name": source_name, "description": description })
    });
    let matches: Value = matches.collect();
    let answer = json!({ "query": query, "total_available": context.corpus.len(), "matches": matches });
    Ok(Facts::answer(answer.to_string(), revealed, found.iter().map(|found| found.tool)))
}
