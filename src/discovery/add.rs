//! Loads tools by name, forgiving about spelling styles, and reports the result for each name.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Object, Value};
use crate::limits;
use crate::markers::{ADDED, AVAILABLE};
use crate::search::NameIndex;
use crate::session::ToolState;
use crate::text::snake_case;

use super::context::Context;
use super::next_step::{FIND_TOOLS, did_you_mean, one_of};
use super::outcome::{Answered, Facts};
use super::skill;

/// The maximum number of names of one call for which similar names are looked up.
const SUGGESTED: usize = 5;

/// The results for the names of one call.
#[derive(Default)]
struct Report<'c> {
    added: Vec<Arc<str>>,
    available: Vec<String>,
    /// The tools of the `available` names.
    known: Vec<Arc<str>>,
    missing: Vec<String>,
    /// The missing names, each with the name that was probably meant.
    unknown: Vec<String>,
    /// Names that several tools have.
    ambiguous: Vec<String>,
    /// The ambiguous names with their tools.
    fitting: Vec<String>,
    refused: Vec<Arc<str>>,
    /// The skills to load.
    skills: Vec<&'c Arc<Tool>>,
    /// The reason why the first of `refused` was refused.
    reason: String,
}

pub(super) fn call(context: &mut Context<'_>, arguments: &Object) -> Result<Facts> {
    let takes_any_form = context.settings.reads_calls_loosely;
    let mut names = names(arguments, takes_any_form);
    if takes_any_form {
        names.retain(|name| !name.trim().is_empty());
    }
    if names.is_empty() {
        let message = "tool_names is required: a list of one or more names";
        return Err(Error::new(ErrorCode::ToolNamesRequired, message));
    }
    if names.len() > limits::ADD_NAMES {
        let message = format!("tool_names has {} names; at most {} at once", names.len(), limits::ADD_NAMES);
        return Err(Error::new(ErrorCode::LimitOutOfRange, message));
    }
    let mut report = Report::default();
    let index = context.names();
    names.into_iter().for_each(|name| report.add(context, &index, name));
    let loaded = skill::load(context, &report.skills);
    let notes: String = loaded.skills.iter().map(|(skill, note)| report.take(skill, note)).collect();
    report.added.extend(loaded.revealed.iter().cloned());
    for (name, reason) in &loaded.refused {
        report.refused.push(name.clone());
        report.reason = format!(" ({reason})");
    }
    let mut content = report.text();
    if let Some(search) = context.settings.search_name().filter(|_| takes_any_form && !report.missing.is_empty()) {
        content.push_str(&format!(".{FIND_TOOLS}{search}."));
    }
    content.push_str(&notes);
    content.push_str(&loaded.text());
    let is_failure = report.added.is_empty() && report.available.is_empty();
    let not_found = if is_failure { [report.missing, report.ambiguous].concat() } else { Vec::new() };
    let skills = loaded.names();
    let is_tool = |name: &Arc<str>| !skills.contains(name);
    let found = [&*report.added, &report.known].concat().into_iter().filter(is_tool).collect();
    report.added.retain(is_tool);
    let answer = Answered { content, revealed: report.added, found, not_found, ..loaded.answer() };
    Ok(Facts::Answered(answer))
}

/// Reads a list under `tool_names`, or else a single name under `tool_name`; if `takes_one`, also a single name under
/// `tool_names`. Values that are not strings are ignored.
fn names(arguments: &Object, takes_one: bool) -> Vec<&str> {
    match (arguments.get("tool_names"), arguments.get("tool_name")) {
        (Some(Value::Array(list)), _) => list.iter().filter_map(Value::as_str).collect(),
        (Some(Value::String(name)), _) if takes_one && !name.is_empty() => vec![name],
        (_, Some(Value::String(name))) if !name.is_empty() => vec![name],
        _ => Vec::new(),
    }
}

impl<'c> Report<'c> {
    /// Adds the tool with this name. If calls are read loosely, the name may have any form.
    fn add(&mut self, context: &mut Context<'c>, index: &NameIndex<'c>, name: &str) {
        // The name as it was given, cut at the maximum length of names.
        let given = || name.chars().take(limits::ANY_NAME_CHARS).collect::<String>();
        let snake = snake_case(name);
        let takes_any_form = context.settings.reads_calls_loosely;
        let spellings = [
            Some(name),
            Some(&*snake).filter(|_| !takes_any_form),
            context.settings.aliases.get(&snake).map(String::as_str),
        ];
        let mut tools: Vec<&Arc<Tool>> =
            spellings.into_iter().flatten().filter_map(|name| context.seen(name)).collect();
        let is_exact = !tools.is_empty();
        if !is_exact && takes_any_form {
            tools = context.meant(index, name);
            if tools.len() > 1 {
                self.ambiguous.push(given());
                self.fitting.push(format!("{} ({})", given(), one_of(&tools)));
                return;
            }
        }
        if let Some(skill) = tools.iter().find(|tool| tool.key.is_skill) {
            return self.skills.push(skill);
        }
        if tools.iter().any(|tool| context.state(tool) != ToolState::Deferred) {
            self.known.push(tools[0].model_name.clone());
            self.available.push(if is_exact { given() } else { tools[0].model_name.to_string() });
            return;
        }
        // If several spellings name different tools, the tool registered first is meant.
        let Some(tool) = tools.into_iter().min_by_key(|tool| context.catalog.position(tool)) else {
            let meant = if takes_any_form && self.missing.len() < SUGGESTED {
                did_you_mean(context, name)
            } else {
                String::new()
            };
            self.unknown.push(if meant.is_empty() { given() } else { [&given(), " (", meant.trim(), ")"].concat() });
            return self.missing.push(given());
        };
        match context.reveal(tool) {
            Ok(()) => self.added.push(tool.model_name.clone()),
            Err(error) => {
                if self.refused.is_empty() {
                    self.reason = format!(" ({})", error.message());
                }
                self.refused.push(tool.model_name.clone());
            }
        }
    }

    /// Notes that a skill is loaded, and returns a line that describes it.
    fn take(&mut self, skill: &Tool, note: &str) -> String {
        self.added.push(skill.model_name.clone());
        format!("\n{} is a skill{note}.", skill.model_name)
    }

    fn text(&self) -> String {
        let lines = [
            (ADDED, self.added.join(", ")),
            (AVAILABLE, self.available.join(", ")),
            ("Several tools fit; add the one that you mean: ", self.fitting.join("; ")),
            ("Not found: ", self.unknown.join(", ")),
            ("Not added: ", self.refused.join(", ") + &self.reason),
        ];
        let lines = lines.iter().filter(|(_, names)| !names.is_empty());
        lines.map(|(heading, names)| format!("{heading}{names}")).collect::<Vec<_>>().join("\n")
    }
}
