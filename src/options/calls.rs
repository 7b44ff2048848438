//! Reads the options of the methods of a [`ToolSift`](crate::ToolSift) and of its sessions.

use std::sync::Arc;

use crate::assembly::Format;
use crate::catalog::{Deferral, NamePolicy, RegisterOptions, Sidecar};
use crate::discovery::{Budget, MessageFormat, Turn, Visible};
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::macros::setters;
use crate::session::Scope;

use super::OptionValue;
use super::reader::{Fields, Reader};

/// Reads `{ now?, visible?, scores? }`. If `visible` is `null`, the host has lost its list of visible tools. If it is
/// missing, all tools are visible.
pub fn turn(value: &OptionValue) -> Result<Turn> {
    let options = Reader::new("options", value).fields()?;
    let turn = Turn {
        now: options.get("now").map(|now| now.number(0.0..=f64::MAX)).transpose()?,
        visible: match options.get_any("visible") {
            None => Visible::All,
            Some(visible) if visible.is_null() => Visible::Missing,
            Some(visible) => Visible::Names(visible.labels()?),
        },
        scores: scores(&options)?,
    };
    options.finish()?;
    Ok(turn)
}

/// Reads `{ server?, names?, deferral?, category?, enrichment? }`.
pub fn register(value: &OptionValue) -> Result<RegisterOptions> {
    let options = Reader::new("options", value).fields()?;
    let mut read = RegisterOptions::default();
    options.set("server", &mut read.server, |server| server.label().map(Some))?;
    options.set_choice("names", &mut read.names, NamePolicy::ALL)?;
    options.set("deferral", &mut read.deferral, |deferral| deferral.choice(Deferral::ALL).map(Some))?;
    options.set("category", &mut read.category, |category| category.label().map(Some))?;
    options.set("enrichment", &mut read.enrichment, |text| Ok(Some(Arc::new(Sidecar::read(text.text()?)?))))?;
    options.finish()?;
    Ok(read)
}

/// Reads which tools to unregister: all tools of a server, the tools with these model-facing names, or both conditions
/// together. An empty object is refused, since it would mean all tools.
pub fn which(value: &OptionValue) -> Result<(Option<String>, Option<Vec<String>>)> {
    let options = Reader::new("which", value).fields()?;
    let server = options.get("server").map(|server| server.label()).transpose()?;
    let names = options.get("names").map(|names| names.labels()).transpose()?;
    options.finish()?;
    check_which(server.as_deref(), names.as_deref())?;
    Ok((server, names))
}

/// Checks that a server or names are given. Their absence must not mean all tools.
///
/// # Errors
/// `option_invalid` when there is neither a server nor names.
pub fn check_which(server: Option<&str>, names: Option<&[String]>) -> Result<()> {
    if server.is_some() || names.is_some() {
        return Ok(());
    }
    Err(Error::new(ErrorCode::OptionInvalid, "which needs a server or names"))
}

/// Reads `"all"`, or `{ servers?, tools? }`.
pub fn scope(value: &OptionValue) -> Result<Scope> {
    read_scope(Reader::new("scope", value))
}

fn read_scope(scope: Reader<'_>) -> Result<Scope> {
    if !scope.is_map() {
        return match scope.text() {
            Ok("all") => Ok(Scope::All),
            _ => Err(scope.invalid("an object of servers and tools, or \"all\"")),
        };
    }
    let (servers, tools) = servers_and_tools(scope)?;
    Ok(Scope::new(&servers, &tools))
}

/// Reads the lists of a scope or a selection.
pub(super) fn servers_and_tools(options: Reader<'_>) -> Result<(Vec<String>, Vec<String>)> {
    let options = options.fields()?;
    let (mut servers, mut tools) = (Vec::new(), Vec::new());
    options.set("servers", &mut servers, |list| list.labels())?;
    options.set("tools", &mut tools, |list| list.labels())?;
    options.finish()?;
    Ok((servers, tools))
}

/// Reads the options of a session.
pub fn session(value: &OptionValue) -> Result<Option<Scope>> {
    let options = Reader::new("options", value).fields()?;
    let scope = scope_in(&options)?;
    options.finish()?;
    Ok(scope)
}

fn scope_in(options: &Fields<'_>) -> Result<Option<Scope>> {
    let help = "leave the key out or say \"all\" where everything may be seen";
    options.get_narrowing("scope", help)?.map(read_scope).transpose()
}

/// Options for opening a session from a snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RestoreOptions {
    /// The scope, as for [`ToolSift::session`](crate::ToolSift::session). A snapshot does not hold one.
    pub scope: Option<Scope>,
    /// If a session of this id is open: true replaces its loaded tools by those of the snapshot, false adds them.
    pub replace: bool,
}

setters! { RestoreOptions:
    /// Sets the scope of the session.
    scope(scope: Scope) => scope = Some(scope);
    /// Sets whether the snapshot's tools replace those of an open session.
    replace(replace: bool) => replace = replace;
}

/// Reads the options of a restoration.
pub fn restore(value: &OptionValue) -> Result<RestoreOptions> {
    let options = Reader::new("options", value).fields()?;
    let mut read = RestoreOptions { scope: scope_in(&options)?, replace: false };
    options.set("replace", &mut read.replace, |flag| flag.flag())?;
    options.finish()?;
    Ok(read)
}

/// Reads the limits of an eviction: how many tools, and how many tokens of definitions, may remain. One of the two is
/// required.
pub fn evict(value: &OptionValue) -> Result<(usize, usize)> {
    let Budget { tools, tokens } = budget(value, Budget { tools: usize::MAX, tokens: usize::MAX })?;
    if (tools, tokens) == (usize::MAX, usize::MAX) {
        return Err(Error::new(ErrorCode::OptionInvalid, "options need tools or tokens: what is to be left at most"));
    }
    Ok((tools, tokens))
}

/// Reads how much a request of the user may load.
pub fn prefetch(value: &OptionValue) -> Result<Budget> {
    budget(value, Budget::AHEAD)
}

fn budget(value: &OptionValue, mut budget: Budget) -> Result<Budget> {
    let options = Reader::new("options", value).fields()?;
    options.set_count("tools", &mut budget.tools, (0, limits::REVEALED_CEILING))?;
    options.set_count("tokens", &mut budget.tokens, (0, limits::BUDGET_CEILING))?;
    options.finish()?;
    Ok(budget)
}

/// Reads the options of an assembly.
pub fn assemble(value: &OptionValue) -> Result<Format> {
    let options = Reader::new("options", value).fields()?;
    let mut format = Format::default();
    options.set_choice("format", &mut format, Format::ALL)?;
    options.finish()?;
    Ok(format)
}

/// Reads the format of messages, `{ format }`.
pub fn replay(value: &OptionValue) -> Result<MessageFormat> {
    let options = Reader::new("options", value).fields()?;
    let missing = Reader::new("options.format", &OptionValue::Null);
    let format = options.get_any("format").unwrap_or(missing).choice(MessageFormat::ALL)?;
    options.finish()?;
    Ok(format)
}

/// Reads a list of names.
pub fn names(value: &OptionValue) -> Result<Vec<String>> {
    Reader::new("names", value).labels()
}

/// The options of a search by the host: see [`SearchRequest`](crate::SearchRequest).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchOptions {
    /// The maximum number of hits.
    pub limit: Option<usize>,
    /// The id of the session whose tools are searched.
    pub session: Option<String>,
    /// True if hits come with their reasons.
    pub reasons: bool,
    /// The host's own scores of tools, from 0 to 1, by the names that the model sees.
    pub scores: Vec<(String, f64)>,
}

/// Reads `{ limit?, session?, reasons?, scores? }`.
pub fn search(value: &OptionValue) -> Result<SearchOptions> {
    let options = Reader::new("options", value).fields()?;
    let mut read = SearchOptions { scores: scores(&options)?, ..SearchOptions::default() };
    options.set("limit", &mut read.limit, |limit| limit.count(1, limits::TOOLS_CEILING).map(Some))?;
    if let Some(session) = options.get_narrowing("session", "leave the key out to search as the host")? {
        read.session = Some(session.text()?.to_owned());
    }
    options.set("reasons", &mut read.reasons, |flag| flag.flag())?;
    options.finish()?;
    Ok(read)
}

/// Reads numbers from 0 to 1 by names.
fn scores(options: &Fields<'_>) -> Result<Vec<(String, f64)>> {
    let Some(scores) = options.get("scores") else { return Ok(Vec::new()) };
    let entries = scores.entries()?;
    entries.into_iter().map(|(name, score)| Ok((name.to_owned(), score.number(0.0..=1.0)?))).collect()
}
