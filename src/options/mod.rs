//! Reads the host's options from plain values, over the settings of a profile.
//!
//! Every reader refuses what it does not know, names the value and what would have been allowed, and changes nothing
//! on an error.
//!
//! Rust programs use [`Settings::from_options`] and its like. The module is public, though no part of what the crate promises,
//! for programs of this repository that carry out for a Rust program what the package does for JavaScript.

mod conflicts;
mod from_options;
mod own_config;
mod reader;
mod value;

use std::sync::Arc;

use crate::assembly::{Activation, Disclosure, Format, StubWhen};
use crate::catalog::{Deferral, NamePolicy, RegisterOptions, Selection, Sidecar};
use crate::discovery::{OutOfScope, Reveal, Turn, UnrevealedCall, Visible};
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::profile::{PROFILES, Profile, Settings};
use crate::search::{Cutoff, Grammar, Ingredient, Ranker, SearchSettings, Universe, Without};
use crate::session::{Consent, Scope, WhenFull};
use crate::text::snake_case;

use reader::Reader;
pub use value::OptionValue;

/// Reads the options of a new [`ToolSift`](crate::ToolSift).
///
/// # Errors
/// `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`, `alias_invalid`.
pub fn settings(value: &OptionValue) -> Result<Settings> {
    const KEYS: &[&str] = &[
        "profile",
        "config",
        "contextWindow",
        "activation",
        "deferral",
        "disclosure",
        "stubWhen",
        "reveal",
        "budget",
        "unrevealedCall",
        "outOfScope",
        "search",
        "searchesPerMinute",
        "synonyms",
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
    let names: Vec<(&str, &'static Profile)> = PROFILES.iter().map(|p| (p.name, p)).collect();
    let mut settings = match options.get("profile") {
        Some(profile) => profile.choice(&names)?.settings(),
        None => Settings::default(),
    };
    if let Some(config) = options.get_any("config") {
        own_config::read(&config, &mut settings)?;
    }
    read_assembly(&options, &mut settings)?;
    read_discovery(&options, &mut settings)?;
    read_eligibility(&options, &mut settings)?;
    options.set("synonyms", &mut settings.synonyms, |groups| groups.each(|group| group.labels()))?;
    if let Some(bounds) = options.get("limits") {
        bounds.keys(&["tools", "bytes", "serverBytes", "sessions", "revealed", "revealedTokens", "whenFull"])?;
        bounds.set_count("tools", &mut settings.most_tools, (1, limits::TOOLS_CEILING))?;
        bounds.set_count("bytes", &mut settings.most_bytes, (1, limits::CATALOG_BYTES_CEILING))?;
        bounds.set_count("serverBytes", &mut settings.most_server_bytes, (1, limits::CATALOG_BYTES_CEILING))?;
        bounds.set_count("sessions", &mut settings.most_sessions, (1, limits::SESSIONS_CEILING))?;
        let revealed = &mut settings.discovery.bounds;
        bounds.set_count("revealed", &mut revealed.tools, (1, limits::REVEALED_CEILING))?;
        bounds.set_count("revealedTokens", &mut revealed.tokens, (1, limits::BUDGET_CEILING))?;
        bounds.set_choice("whenFull", &mut revealed.when_full, WhenFull::ALL)?;
    }
    conflicts::check(&settings)?;
    Ok(settings)
}

fn read_assembly(options: &Reader<'_>, settings: &mut Settings) -> Result<()> {
    let assembly = &mut settings.assembly;
    options.set("contextWindow", &mut assembly.context_window, |window| {
        Ok(Some(window.number(1.0..=limits::CONTEXT_WINDOW_CEILING)? as u64))
    })?;
    if let Some(activation) = options.get("activation") {
        let (activation, share) = read_activation(&activation)?;
        assembly.activation = activation;
        assembly.context_share = share.unwrap_or(assembly.context_share);
    }
    options.set_choice("disclosure", &mut assembly.disclosure, Disclosure::ALL)?;
    options.set_choice("stubWhen", &mut assembly.stub_when, StubWhen::ALL)?;
    options.set("categories", &mut assembly.categories, |v| v.labels())
}

fn read_discovery(options: &Reader<'_>, settings: &mut Settings) -> Result<()> {
    let discovery = &mut settings.discovery;
    options.set_choice("reveal", &mut discovery.reveal, Reveal::ALL)?;
    if let Some(budget) = options.get("budget") {
        budget.keys(&["tools", "tokens"])?;
        budget.set_count("tools", &mut discovery.budget.tools, (0, limits::TOOLS_CEILING))?;
        budget.set_count("tokens", &mut discovery.budget.tokens, (0, limits::BUDGET_CEILING))?;
    }
    options.set_choice("unrevealedCall", &mut discovery.unrevealed_call, UnrevealedCall::ALL)?;
    options.set_choice("outOfScope", &mut discovery.out_of_scope, OutOfScope::ALL)?;
    options.set("aliases", &mut discovery.aliases, read_aliases)?;
    options.set_count("searchesPerMinute", &mut discovery.searches_per_minute, (0, limits::RATE_CEILING))?;
    match options.get("search") {
        Some(search) => read_search(&search, &mut discovery.search),
        None => Ok(()),
    }
}

fn read_search(options: &Reader<'_>, search: &mut SearchSettings) -> Result<()> {
    options.keys(&["ranker", "grammar", "universe", "cutoff", "hits", "maxHits", "without"])?;
    options.set_choice("ranker", &mut search.ranker, Ranker::ALL)?;
    options.set_choice("grammar", &mut search.grammar, Grammar::ALL)?;
    options.set_choice("universe", &mut search.universe, Universe::ALL)?;
    options.set_choice("cutoff", &mut search.cutoff, Cutoff::ALL)?;
    options.set("hits", &mut search.hits, |v| v.count(1, limits::TOOLS_CEILING).map(Some))?;
    options.set_count("maxHits", &mut search.most_hits, (1, limits::TOOLS_CEILING))?;
    options.set("without", &mut search.without, |list| {
        let ingredients = list.each(|ingredient| ingredient.choice(Ingredient::ALL))?;
        Ok(ingredients.into_iter().fold(Without::NONE, Without::and))
    })
}

fn read_eligibility(options: &Reader<'_>, settings: &mut Settings) -> Result<()> {
    let eligibility = &mut settings.eligibility;
    options.set_choice("deferral", &mut eligibility.lists.consent, Consent::ALL)?;
    options.set("preDiscovered", &mut eligibility.lists.pre_discovered, |v| Ok(v.labels()?.into_iter().collect()))?;
    if let Some(names) = options.get("alwaysAvailable") {
        eligibility.lists.always_available.extend(names.labels()?);
    }
    if let Some(categories) = options.get("specialCategories") {
        eligibility.rules.exempt = categories.labels()?;
        eligibility.lists.special_categories = eligibility.rules.exempt.iter().cloned().collect();
    }
    if let Some(selection) = options.get_narrowing("selection", "leave the key out where every tool takes part")? {
        let (servers, tools) = servers_and_tools(&selection)?;
        eligibility.selection = Selection::new(&servers, &tools);
    }
    Ok(())
}

/// Reads what the host says of one turn: its clock, the tools that are visible, and how well tools fit. A list of `null` is one that the
/// host has lost, which is not the same as none.
///
/// # Errors
/// `option_unknown`, `option_invalid`, `limit_out_of_range`.
pub fn turn(value: &OptionValue) -> Result<Turn> {
    let options = Reader::new("options", value);
    options.keys(&["now", "visible", "scores"])?;
    let mut turn = Turn::default();
    options.set("now", &mut turn.now, |now| Ok(Some(now.number(0.0..=f64::MAX)?)))?;
    turn.visible = match options.get_any("visible") {
        None => Visible::All,
        Some(visible) if visible.is_null() => Visible::Missing,
        Some(visible) => Visible::Names(visible.labels()?),
    };
    turn.scores = scores(&options)?;
    Ok(turn)
}

/// Reads the options of a registration.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn register(value: &OptionValue) -> Result<RegisterOptions> {
    let options = Reader::new("options", value);
    options.keys(&["server", "names", "deferral", "category", "enrichment"])?;
    Ok(RegisterOptions {
        server: options.get("server").map(|server| server.label()).transpose()?,
        names: options.get("names").map_or(Ok(NamePolicy::default()), |names| names.choice(NamePolicy::ALL))?,
        deferral: options.get("deferral").map(|deferral| deferral.choice(Deferral::ALL)).transpose()?,
        category: options.get("category").map(|category| category.label()).transpose()?,
        enrichment: options.get("enrichment").map(|text| Sidecar::read(text.text()?)).transpose()?.map(Arc::new),
    })
}

/// Reads which tools to unregister: all of a server, or those of some model-facing names, or both at once.
///
/// # Errors
/// `option_unknown`, `option_invalid`; also when neither is given, since that would be everything.
pub fn which(value: &OptionValue) -> Result<(Option<String>, Option<Vec<String>>)> {
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
pub fn session(value: &OptionValue) -> Result<Option<Scope>> {
    let options = Reader::new("options", value);
    options.keys(&["scope"])?;
    scope_in(&options)
}

/// Reads a scope: `"all"`, or an object of servers and tools.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn scope(value: &OptionValue) -> Result<Scope> {
    read_scope(&Reader::new("scope", value))
}

fn scope_in(options: &Reader<'_>) -> Result<Option<Scope>> {
    options.get_narrowing("scope", ALL)?.map(|scope| read_scope(&scope)).transpose()
}

/// How a host says that nothing is left out.
const ALL: &str = "leave the key out or say \"all\" where everything may be seen";

fn read_scope(scope: &Reader<'_>) -> Result<Scope> {
    if !scope.is_map() {
        return match scope.text() {
            Ok("all") => Ok(Scope::All),
            _ => Err(scope.invalid("an object of servers and tools, or \"all\"")),
        };
    }
    let (servers, tools) = servers_and_tools(scope)?;
    Ok(Scope::new(&servers, &tools))
}

/// Reads the options of a restoration: those of a session, and whether its reveals take the place of what there is.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn restore(value: &OptionValue) -> Result<(Option<Scope>, bool)> {
    let options = Reader::new("options", value);
    options.keys(&["scope", "replace"])?;
    let mut replace = false;
    options.set("replace", &mut replace, |v| v.flag())?;
    Ok((scope_in(&options)?, replace))
}

/// Reads what an eviction leaves at most: tools, and tokens of their definitions.
///
/// # Errors
/// `option_unknown`, `option_invalid`, `limit_out_of_range`; also when neither is said.
pub fn evict(value: &OptionValue) -> Result<(usize, usize)> {
    let options = Reader::new("options", value);
    options.keys(&["tools", "tokens"])?;
    let most = |key, ceiling| options.get(key).map(|most| most.count(0, ceiling)).transpose();
    match (most("tools", limits::REVEALED_CEILING)?, most("tokens", limits::BUDGET_CEILING)?) {
        (None, None) => {
            Err(Error::new(ErrorCode::OptionInvalid, "options need tools or tokens: what is to be left at most"))
        }
        (tools, tokens) => Ok((tools.unwrap_or(usize::MAX), tokens.unwrap_or(usize::MAX))),
    }
}

/// Reads the options of an assembly.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn assemble(value: &OptionValue) -> Result<Format> {
    let options = Reader::new("options", value);
    options.keys(&["format"])?;
    options.get("format").map_or(Ok(Format::default()), |format| format.choice(Format::ALL))
}

/// What a host asks of a search.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SearchOptions {
    /// Hits at the most.
    pub limit: Option<usize>,
    /// The session whose tools are searched.
    pub session: Option<String>,
    /// Whether hits come with their reasons.
    pub reasons: bool,
    /// How well tools fit in the host's opinion, by the names that the model sees: from 0 to 1.
    pub scores: Vec<(String, f64)>,
}

impl SearchOptions {
    /// With at most so many hits.
    #[must_use]
    pub fn limit(mut self, hits: usize) -> Self {
        self.limit = Some(hits);
        self
    }

    /// In a session, by its id.
    #[must_use]
    pub fn session(mut self, id: impl Into<String>) -> Self {
        self.session = Some(id.into());
        self
    }

    /// With or without the reasons of hits.
    #[must_use]
    pub fn reasons(mut self, reasons: bool) -> Self {
        self.reasons = reasons;
        self
    }

    /// With how well tools fit in the host's opinion, from 0 to 1, by the names that the model sees.
    #[must_use]
    pub fn scores(mut self, scores: Vec<(String, f64)>) -> Self {
        self.scores = scores;
        self
    }
}

/// Reads the options of a search.
///
/// # Errors
/// `option_unknown`, `option_invalid`, `limit_out_of_range`.
pub fn search(value: &OptionValue) -> Result<SearchOptions> {
    let options = Reader::new("options", value);
    options.keys(&["limit", "session", "reasons", "scores"])?;
    let limit = options.get("limit").map(|limit| limit.count(1, limits::TOOLS_CEILING)).transpose()?;
    let session = options.get_narrowing("session", "leave the key out to search as the host")?;
    let session = session.map(|session| session.text().map(str::to_owned)).transpose()?;
    let mut reasons = false;
    options.set("reasons", &mut reasons, |v| v.flag())?;
    Ok(SearchOptions { limit, session, reasons, scores: scores(&options)? })
}

/// Numbers from 0 to 1 by names.
fn scores(options: &Reader<'_>) -> Result<Vec<(String, f64)>> {
    let Some(scores) = options.get("scores") else { return Ok(Vec::new()) };
    let entries = scores.entries()?;
    entries.into_iter().map(|(name, score)| Ok((name.to_owned(), score.number(0.0..=1.0)?))).collect()
}

/// Reads a list of names.
///
/// # Errors
/// `option_invalid`.
pub fn names(value: &OptionValue) -> Result<Vec<String>> {
    Reader::new("names", value).labels()
}

fn servers_and_tools(selection: &Reader<'_>) -> Result<(Vec<String>, Vec<String>)> {
    selection.keys(&["servers", "tools"])?;
    let list = |key| selection.get(key).map_or(Ok(Vec::new()), |list| list.labels());
    Ok((list("servers")?, list("tools")?))
}

/// When tools are held back, and the share of the context window where that decides.
fn read_activation(activation: &Reader<'_>) -> Result<(Activation, Option<f64>)> {
    if !activation.is_map() {
        let choices = [("on", Activation::On), ("off", Activation::Off), ("auto", Activation::Auto)];
        return Ok((activation.choice(&choices)?, None));
    }
    activation.keys(&["tools", "tokens", "contextShare"])?;
    match (activation.get("tools"), activation.get("tokens"), activation.get("contextShare")) {
        (Some(tools), None, None) => Ok((Activation::Tools(tools.count(0, limits::TOOLS_CEILING)?), None)),
        (None, Some(tokens), None) => Ok((Activation::Tokens(tokens.count(0, limits::BUDGET_CEILING)? as u64), None)),
        (None, None, Some(share)) => Ok((Activation::ContextShare, Some(share.number(0.0..=1.0)?))),
        _ => Err(activation.invalid("one of { tools }, { tokens } and { contextShare }")),
    }
}

/// Aliases in snake case and in alphabetical order, each with its name. Of aliases that are the same so, the first counts.
fn read_aliases(aliases: &Reader<'_>) -> Result<Vec<(String, String)>> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (alias, name) in aliases.entries()? {
        let name = name.label()?;
        if alias.is_empty() || alias == name {
            let message = format!("alias {alias:?} for {name:?}: an alias is another, non-empty name");
            return Err(Error::new(ErrorCode::AliasInvalid, message));
        }
        let alias = snake_case(alias);
        if let Err(at) = all.binary_search_by(|(known, _)| known.cmp(&alias)) {
            all.insert(at, (alias, name));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests;
