//! What does a search answer? Each published system answers in a shape of its own, and each shape is a file; what is
//! searched, and what a search reveals, is the same for all and decided here.

mod bridge;
mod load;
mod names;
mod ranked;
mod restore;
mod schemas;
mod told;
mod worth;

use std::rc::Rc;

use serde::Serialize;
use serde_json::value::RawValue;

use crate::catalog::Tool;
use crate::error::{Error, ErrorCode, Result};
use crate::json::{self, Object};
use crate::search::{Corpus, Explained, Found, Hit, Search, Stage, Universe};
use crate::session::{Session, ToolState};

use super::call::{Context, Outcome};
use super::surface::Reveal;

/// The shape of an answer, and of the arguments that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Names and descriptions.
    Names,
    /// Names, scores, descriptions and schemas, or what is missing.
    Schemas,
    /// What was loaded.
    Load,
    /// Schemas that stubs stood for, or the names of all tools.
    Restore,
    /// What was loaded, what else there is, and how sure that is.
    Ranked,
    /// Names with their sources and the beginning of their descriptions.
    Bridge,
}

/// Where a search loads what it finds, it must not load the whole catalog because somebody searched for `.*`.
/// Five is what one of the published systems that load on search settled on.
const REVEALED_BY_SEARCH: usize = 5;

/// A call of a tool that searches.
pub(super) fn call(answer: Answer, context: &Context<'_>, session: &mut Session, arguments: &Object) -> Outcome {
    let outcome = match answer {
        Answer::Names => names::call(context, session, arguments),
        Answer::Schemas => schemas::call(context, session, arguments),
        Answer::Load => load::call(context, session, arguments),
        Answer::Restore => restore::call(context, session, arguments),
        Answer::Ranked => ranked::call(context, session, arguments),
        Answer::Bridge => bridge::call(context, session, arguments),
    };
    outcome.unwrap_or_else(|error| Outcome::wrong(&error))
}

/// The tools that a session may search, in catalog order.
pub(super) fn searchable<'c>(context: &Context<'c>, session: &Session) -> Vec<&'c Rc<Tool>> {
    let is_searched = |tool: &&Rc<Tool>| context.settings.search.universe.holds(context.state(tool, session));
    context.catalog.tools().iter().filter(is_searched).collect()
}

impl Universe {
    /// Whether a tool that stands so is searched.
    pub(crate) fn holds(self, state: ToolState) -> bool {
        match state {
            ToolState::Hidden => false,
            ToolState::Deferred | ToolState::Revealed => true,
            ToolState::Pinned => self != Universe::Deferred,
            ToolState::Eager => self == Universe::All,
        }
    }
}

/// How many tools are searched, and which of them a query finds; at most `most` of these.
fn found_for(context: &Context<'_>, session: &Session, query: &str, most: usize) -> Result<(usize, Found)> {
    let universe = searchable(context, session);
    let positions = universe.iter().filter_map(|tool| context.catalog.position(tool));
    let corpus = &Corpus::new(positions.map(|position| position as u32).collect());
    let explained = Explained { first: 0, tool: None };
    let (settings, index, texts, catalog) = (&context.settings.search, context.index, context.texts, context.catalog);
    let found = Search { settings, index, texts, catalog, corpus, most, explained }.find(query)?;
    Ok((universe.len(), found))
}

/// What a search found: the tools that are shown, best first, and how many were searched.
struct Finds<'c> {
    tools: Vec<(&'c Rc<Tool>, Hit)>,
    searched: usize,
}

impl<'c> Finds<'c> {
    /// Searches for a query that the model wrote, for as many hits as it asked for.
    fn of(context: &Context<'c>, session: &Session, query: &str, asked: Option<usize>) -> Result<Self> {
        let settings = &context.settings.search;
        let loads = context.settings.reveal == Reveal::OnSearch && settings.hits.is_none() && asked.is_none();
        let asked = if loads { Some(REVEALED_BY_SEARCH) } else { asked };
        let (searched, found) = found_for(context, session, query, settings.shown(Stage::Sift, asked))?;
        let shown = settings.shown(found.stage, asked);
        let tools = found.hits.into_iter().take(shown).map(|hit| (&context.catalog.tools()[hit.index], hit)).collect();
        Ok(Finds { tools, searched })
    }

    /// Reveals what was found, where a search does that.
    fn reveal(&self, context: &Context<'_>, session: &mut Session) -> Vec<Rc<str>> {
        reveal(context, session, self.tools.iter().map(|(tool, _)| *tool))
    }
}

/// Reveals tools, where a search does that, as far as the session has room. Returns those that were not there before.
fn reveal<'t>(context: &Context<'_>, session: &mut Session, tools: impl Iterator<Item = &'t Rc<Tool>>) -> Vec<Rc<str>> {
    if context.settings.reveal != Reveal::OnSearch {
        return Vec::new();
    }
    let mut names = Vec::new();
    for tool in tools {
        let is_new = context.state(tool, session) == ToolState::Deferred;
        if is_new && session.reveal(tool, &context.settings.bounds, context.catalog).is_ok() {
            names.push(tool.model_name.clone());
        }
    }
    names
}

/// Counts a search against the session's allowance.
fn admit(context: &Context<'_>, session: &mut Session) -> Result<()> {
    let most = context.settings.searches_per_minute;
    let (Some(now), true) = (context.turn.now, most > 0) else { return Ok(()) };
    if session.may_search(now, most) {
        return Ok(());
    }
    let message = format!("{} has searched {most} times within a minute, its limit; wait a little", session.id());
    Err(Error::new(ErrorCode::RateLimited, message))
}

/// A tool as answers show it that carry schemas.
#[derive(Serialize)]
struct Described<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<serde_json::Number>,
    description: &'a str,
    parameters: Box<RawValue>,
}

impl<'a> Described<'a> {
    fn of(tool: &'a Tool) -> Self {
        Described {
            name: &tool.model_name,
            score: None,
            description: &tool.description,
            parameters: raw(tool.parameters.as_str()),
        }
    }

    /// With a score, written as a whole number where it is one.
    fn scored(tool: &'a Tool, score: f64) -> Self {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let is_whole = score.fract() == 0.0 && score.abs() < EXACT;
        let score = if is_whole { Some((score as i64).into()) } else { serde_json::Number::from_f64(score) };
        Described { score, ..Described::of(tool) }
    }
}

/// JSON text as it is, to be written into an answer.
pub(super) fn raw(json: &str) -> Box<RawValue> {
    json::raw(json).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// JSON on several lines, for a reader: the same text with two blanks for every level. A second writer for every
/// answer would weigh some KB of wasm.
pub(super) fn pretty(value: &impl Serialize) -> String {
    indent(&compact(value))
}

fn indent(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let (mut level, mut in_string, mut escaped) = (0usize, false, false);
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            out.push(c);
            continue;
        }
        let closes = chars.peek().is_some_and(|next| matches!(next, '}' | ']'));
        match c {
            '{' | '[' => {
                out.push(c);
                level += usize::from(!closes);
                if !closes {
                    line(&mut out, level);
                } else if let Some(close) = chars.next() {
                    out.push(close);
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                line(&mut out, level);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, level);
            }
            ':' => out.push_str(": "),
            c => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

fn line(out: &mut String, level: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", level));
}

/// JSON on one line.
pub(super) fn compact(value: &impl Serialize) -> String {
    // What answers are made of can all be written.
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn indented_json_is_what_serde_writes() {
        let value =
            serde_json::json!({ "a": [], "b": {}, "c": [1, "x\"]}, {: \\"], "d": { "e": [{ "f": null }, []] } });
        assert_eq!(Ok(super::pretty(&value)), serde_json::to_string_pretty(&value).map_err(|_| ()));
    }
}
