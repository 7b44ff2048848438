//! What did the host ask for? Options read from plain values over the settings of a profile.
//!
//! Every reader refuses what it does not know, names the value and what would have been allowed, and changes nothing
//! on an error.

mod reader;
mod value;

use std::collections::HashMap;

use crate::assembly::{Activation, Disclosure, Format};
use crate::catalog::{Deferral, NamePolicy, RegisterOptions, Selection};
use crate::discovery::{Reveal, UnrevealedCall};
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::profile::{PROFILES, Settings};
use crate::session::Scope;

use reader::Reader;
pub use value::Value;

/// Reads the options of a new [`ToolSift`](crate::ToolSift).
///
/// # Errors
/// `option_unknown`, `option_invalid`, `limit_out_of_range`, `alias_invalid`, `context_window_missing`.
pub fn settings(value: &Value) -> Result<Settings> {
    const KEYS: &[&str] = &[
        "profile",
        "contextWindow",
        "activation",
        "disclosure",
        "reveal",
        "unrevealedCall",
        "searchLimit",
        "preDiscovered",
        "alwaysAvailable",
        "specialCategories",
        "aliases",
        "categories",
        "selection",
        "limits",
    ];
    let options = Reader::new("options", value);
    options.keys(KEYS)?;
    let names: Vec<(&str, &'static crate::Profile)> = PROFILES.iter().map(|p| (p.name, p)).collect();
    let mut settings = match options.get("profile") {
        Some(profile) => profile.choice(&names)?.settings(),
        None => Settings::default(),
    };
    let assembly = &mut settings.assembly;
    if let Some(window) = options.get("contextWindow") {
        assembly.context_window = Some(window.number(1.0..=limits::CONTEXT_WINDOW_CEILING)? as u64);
    }
    if let Some(activation) = options.get("activation") {
        assembly.activation = read_activation(&activation)?;
    }
    if let (Activation::ContextShare(_), None) = (assembly.activation, assembly.context_window) {
        let message = "activation by a share of the context needs contextWindow, the tokens of the model's window";
        return Err(Error::new(ErrorCode::ContextWindowMissing, message));
    }
    if let Some(disclosure) = options.get("disclosure") {
        assembly.disclosure = disclosure.choice(Disclosure::ALL)?;
    }
    if let Some(categories) = options.get("categories") {
        assembly.categories = categories.labels()?;
    }
    let discovery = &mut settings.discovery;
    if let Some(reveal) = options.get("reveal") {
        discovery.reveal = reveal.choice(Reveal::ALL)?;
    }
    if let Some(call) = options.get("unrevealedCall") {
        discovery.unrevealed_call = call.choice(UnrevealedCall::ALL)?;
    }
    if let Some(limit) = options.get("searchLimit") {
        discovery.search.limit = Some(limit.count(1, limits::TOOLS_CEILING)?);
    }
    if let Some(aliases) = options.get("aliases") {
        discovery.aliases = read_aliases(&aliases)?;
    }
    let eligibility = &mut settings.eligibility;
    if let Some(names) = options.get("preDiscovered") {
        eligibility.lists.pre_discovered = names.labels()?.into_iter().collect();
    }
    if let Some(names) = options.get("alwaysAvailable") {
        eligibility.lists.always_available.extend(names.labels()?);
    }
    if let Some(categories) = options.get("specialCategories") {
        eligibility.rules.exempt = categories.labels()?;
        eligibility.lists.special_categories = eligibility.rules.exempt.iter().cloned().collect();
    }
    if let Some(selection) = options.get("selection") {
        let (servers, tools) = servers_and_tools(&selection)?;
        eligibility.selection = Selection::new(&servers, &tools);
    }
    if let Some(bounds) = options.get("limits") {
        bounds.keys(&["tools", "sessions", "revealed"])?;
        if let Some(tools) = bounds.get("tools") {
            settings.most_tools = tools.count(1, limits::TOOLS_CEILING)?;
        }
        if let Some(sessions) = bounds.get("sessions") {
            settings.most_sessions = sessions.count(1, limits::SESSIONS_CEILING)?;
        }
        if let Some(revealed) = bounds.get("revealed") {
            settings.discovery.most_revealed = revealed.count(1, limits::REVEALED_CEILING)?;
        }
    }
    Ok(settings)
}

/// Reads the options of a registration.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn register(value: &Value) -> Result<RegisterOptions> {
    let options = Reader::new("options", value);
    options.keys(&["server", "names", "deferral", "category"])?;
    Ok(RegisterOptions {
        server: options.get("server").map(|server| server.label()).transpose()?,
        names: options.get("names").map_or(Ok(NamePolicy::default()), |names| names.choice(NamePolicy::ALL))?,
        deferral: options.get("deferral").map(|deferral| deferral.choice(Deferral::ALL)).transpose()?,
        category: options.get("category").map(|category| category.label()).transpose()?,
    })
}

/// Reads which tools to unregister: all of a server, or those of some model-facing names, or both at once.
///
/// # Errors
/// `option_unknown`, `option_invalid`; also when neither is given, since that would be everything.
pub fn which(value: &Value) -> Result<(Option<String>, Option<Vec<String>>)> {
    let options = Reader::new("which", value);
    options.keys(&["server", "names"])?;
    let server = options.get("server").map(|server| server.label()).transpose()?;
    let names = options.get("names").map(|names| names.labels()).transpose()?;
    if server.is_none() && names.is_none() {
        return Err(Error::new(ErrorCode::OptionInvalid, "which needs a server or names"));
    }
    Ok((server, names))
}

/// Reads the options of a session.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn session(value: &Value) -> Result<Option<Scope>> {
    let options = Reader::new("options", value);
    options.keys(&["scope"])?;
    let Some(scope) = options.get("scope") else { return Ok(None) };
    let (servers, tools) = servers_and_tools(&scope)?;
    Ok(Some(Scope::new(&servers, &tools)))
}

/// Reads the options of an assembly.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn assemble(value: &Value) -> Result<Format> {
    let options = Reader::new("options", value);
    options.keys(&["format"])?;
    options.get("format").map_or(Ok(Format::default()), |format| format.choice(Format::ALL))
}

/// Reads the options of a search: the most hits, and the session whose tools are searched.
///
/// # Errors
/// `option_unknown`, `option_invalid`, `limit_out_of_range`.
pub fn search(value: &Value) -> Result<(Option<usize>, Option<String>)> {
    let options = Reader::new("options", value);
    options.keys(&["limit", "session"])?;
    let limit = options.get("limit").map(|limit| limit.count(1, limits::TOOLS_CEILING)).transpose()?;
    Ok((limit, options.get("session").map(|session| session.text().map(str::to_owned)).transpose()?))
}

/// Reads a list of names.
///
/// # Errors
/// `option_invalid`.
pub fn names(value: &Value) -> Result<Vec<String>> {
    Reader::new("names", value).labels()
}

fn servers_and_tools(selection: &Reader<'_>) -> Result<(Vec<String>, Vec<String>)> {
    selection.keys(&["servers", "tools"])?;
    let list = |key| selection.get(key).map_or(Ok(Vec::new()), |list| list.labels());
    Ok((list("servers")?, list("tools")?))
}

fn read_activation(activation: &Reader<'_>) -> Result<Activation> {
    if !activation.is_map() {
        return activation.choice(&[("on", Activation::On), ("off", Activation::Off)]);
    }
    activation.keys(&["tools", "contextShare"])?;
    match (activation.get("tools"), activation.get("contextShare")) {
        (Some(tools), None) => Ok(Activation::Tools(tools.count(0, limits::TOOLS_CEILING)?)),
        (None, Some(share)) => Ok(Activation::ContextShare(share.number(0.0..=1.0)?)),
        _ => Err(activation.invalid("one of { tools } and { contextShare }")),
    }
}

fn read_aliases(aliases: &Reader<'_>) -> Result<HashMap<String, String>> {
    let mut all = HashMap::new();
    for (alias, name) in aliases.entries()? {
        let name = name.label()?;
        if alias.is_empty() || alias == name {
            let message = format!("alias {alias:?} for {name:?}: an alias is another, non-empty name");
            return Err(Error::new(ErrorCode::AliasInvalid, message));
        }
        all.insert(alias.to_owned(), name);
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
