//! Adding: reveals tools by name, forgiving about spelling styles, and says what became of each name.

use std::sync::Arc;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{Object, Value};
use crate::limits;
use crate::markers::{ADDED, AVAILABLE};
use crate::search::{Grammar, NameIndex};
use crate::session::{Session, ToolState};
use crate::text::{joined, snake_case};

use super::context::Context;
use super::meant::one_of;
use super::outcome::{Answered, Facts};

/// What became of the names of one call.
#[derive(Default)]
struct Report {
    added: Vec<Arc<str>>,
    available: Vec<String>,
    missing: Vec<String>,
    /// Names that several tools have.
    open: Vec<String>,
    /// These names with their tools.
    fitting: Vec<String>,
    refused: Vec<Arc<str>>,
    /// Why the first of them was refused.
    reason: String,
}

pub(super) fn call(context: &Context<'_>, session: &mut Session, arguments: &Object) -> Result<Facts> {
    let names = names(arguments, context.settings.takes_one_name);
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
    for name in names {
        add((context, &index), session, name, &mut report);
    }
    Ok(Facts::Answered(report.answer()))
}

/// A list under `tool_names`, or else a single name under `tool_name`; where `takes_one`, also a single name under
/// `tool_names`. Values that are no strings are ignored.
fn names(arguments: &Object, takes_one: bool) -> Vec<&str> {
    match (arguments.get("tool_names"), arguments.get("tool_name")) {
        (Some(Value::Array(list)), _) => list.iter().filter_map(Value::as_str).collect(),
        (Some(Value::String(name)), _) if takes_one && !name.is_empty() => vec![name],
        (_, Some(Value::String(name))) if !name.is_empty() => vec![name],
        _ => Vec::new(),
    }
}

/// Adds the tool of a name. Where queries are read in the full dialect, a name may have any form.
fn add<'c>((context, index): (&Context<'c>, &NameIndex<'c>), session: &mut Session, name: &str, report: &mut Report) {
    let snake = snake_case(name);
    let alias = context.settings.alias(&snake);
    let takes_any_form = context.settings.search.grammar == Grammar::Full;
    let candidates = [Some(name), Some(&*snake).filter(|_| !takes_any_form), alias];
    let mut spelt = name;
    let mut known: Vec<(&Arc<Tool>, ToolState)> = candidates
        .into_iter()
        .flatten()
        .filter_map(|candidate| context.named(candidate))
        .map(|tool| (tool, context.state(tool, session)))
        .filter(|(_, state)| *state != ToolState::Hidden)
        .collect();
    if known.is_empty() && takes_any_form {
        let meant = context.meant(index, name, session);
        if meant.len() > 1 {
            report.open.push(echo(name));
            report.fitting.push(format!("{} ({})", echo(name), one_of(&meant)));
            return;
        }
        spelt = meant.first().map_or(name, |tool| &tool.model_name);
        known.extend(meant.into_iter().map(|tool| (tool, context.state(tool, session))));
    }
    if known.iter().any(|(_, s)| matches!(s, ToolState::Eager | ToolState::Pinned | ToolState::Revealed)) {
        report.available.push(echo(spelt));
        return;
    }
    // Where several spellings name several tools, the one registered first is meant.
    let deferred = known.iter().filter(|(_, state)| *state == ToolState::Deferred);
    match deferred.min_by_key(|(tool, _)| context.catalog.position(tool)) {
        None => report.missing.push(echo(name)),
        Some((tool, _)) => match session.reveal(tool, &context.settings.bounds, context.catalog) {
            Ok(()) => report.added.push(tool.model_name.clone()),
            Err(error) => {
                if report.refused.is_empty() {
                    report.reason = format!(" ({})", error.message());
                }
                report.refused.push(tool.model_name.clone());
            }
        },
    }
}

/// A name as it was given, cut at the length that names may have.
fn echo(name: &str) -> String {
    name.chars().take(limits::ANY_NAME_CHARS).collect()
}

impl Report {
    fn answer(self) -> Answered {
        let content = self.text();
        let is_failure = self.added.is_empty() && self.available.is_empty();
        let not_found = if is_failure { [self.missing, self.open].concat() } else { Vec::new() };
        Answered { content, revealed: self.added, not_found }
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        let mut line = |heading: &str, names: String, advice: &str| {
            if !names.is_empty() {
                lines.push(format!("{heading}{names}{advice}"));
            }
        };
        line(ADDED, joined(&self.added, ", "), "");
        line(AVAILABLE, joined(&self.available, ", "), "");
        line("Several tools fit; add the one that you mean: ", joined(&self.fitting, "; "), "");
        line("Not found: ", joined(&self.missing, ", "), "");
        line("Not added: ", joined(&self.refused, ", "), &self.reason);
        joined(&lines, "\n")
    }
}
