//! Reads the options of the methods of a [`ToolSift`](crate::ToolSift) and of its sessions.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::assembly::Format;
use crate::catalog::{Deferral, NamePolicy, RegisterOptions, Sidecar};
use crate::discovery::{Turn, Visible};
use crate::error::{Error, ErrorCode, Result};
use crate::limits::{BUDGET_CEILING, REVEALED_CEILING, TOOLS_CEILING};
use crate::session::Scope;

use super::OptionValue;
use super::path::read;
use super::types::{Count, Entries, Label, Labels, Share, Time, given, scope_or_refusal, session_or_refusal};

/// Reads what the host says of one turn: its clock, the tools that are visible, and how well tools fit. If the list of
/// visible tools is `null`, the host has lost it, which is not the same as no list.
///
/// # Errors
/// `option_unknown`, `option_invalid`, `limit_out_of_range`.
pub fn turn(value: &OptionValue) -> Result<Turn> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Options {
        now: Option<Time>,
        #[serde(default, deserialize_with = "given")]
        visible: Option<Option<Labels>>,
        scores: Option<Entries<Share>>,
    }
    let options: Options = read("options", value)?;
    Ok(Turn {
        now: options.now.map(|now| now.0),
        visible: match options.visible {
            None => Visible::All,
            Some(None) => Visible::Missing,
            Some(Some(Labels(names))) => Visible::Names(names),
        },
        scores: scores(options.scores),
    })
}

/// Reads the options of a registration.
///
/// # Errors
/// `option_unknown`, `option_invalid`, `enrichment_invalid`.
pub fn register(value: &OptionValue) -> Result<RegisterOptions> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Options {
        server: Option<Label>,
        names: Option<NamePolicy>,
        deferral: Option<Deferral>,
        category: Option<Label>,
        enrichment: Option<String>,
    }
    let options: Options = read("options", value)?;
    Ok(RegisterOptions {
        server: options.server.map(|server| server.0),
        names: options.names.unwrap_or_default(),
        deferral: options.deferral,
        category: options.category.map(|category| category.0),
        enrichment: options.enrichment.map(|text| Sidecar::read(&text)).transpose()?.map(Arc::new),
    })
}

/// Reads which tools to unregister: all of a server, or those of some model-facing names, or both at once.
///
/// # Errors
/// `option_unknown`, `option_invalid`; also when neither is given, since that would be everything.
pub fn which(value: &OptionValue) -> Result<(Option<String>, Option<Vec<String>>)> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Which {
        server: Option<Label>,
        names: Option<Labels>,
    }
    let which: Which = read("which", value)?;
    if which.server.is_none() && which.names.is_none() {
        return Err(Error::new(ErrorCode::OptionInvalid, "which needs a server or names"));
    }
    Ok((which.server.map(|server| server.0), which.names.map(|names| names.0)))
}

/// Reads the options of a session.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn session(value: &OptionValue) -> Result<Option<Scope>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Options {
        #[serde(default, deserialize_with = "scope_or_refusal")]
        scope: Option<Scope>,
    }
    read("options", value).map(|options: Options| options.scope)
}

/// Reads a scope: `"all"`, or an object of servers and tools.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn scope(value: &OptionValue) -> Result<Scope> {
    read("scope", value)
}

/// Reads the options of a restoration: those of a session, and whether its reveals take the place of what there is.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn restore(value: &OptionValue) -> Result<(Option<Scope>, bool)> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Options {
        #[serde(default, deserialize_with = "scope_or_refusal")]
        scope: Option<Scope>,
        replace: Option<bool>,
    }
    read("options", value).map(|options: Options| (options.scope, options.replace.unwrap_or_default()))
}

/// Reads what an eviction leaves at most: tools, and tokens of their definitions.
///
/// # Errors
/// `option_unknown`, `option_invalid`, `limit_out_of_range`; also when neither is said.
pub fn evict(value: &OptionValue) -> Result<(usize, usize)> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Options {
        tools: Option<Count<0, REVEALED_CEILING>>,
        tokens: Option<Count<0, BUDGET_CEILING>>,
    }
    let options: Options = read("options", value)?;
    if options.tools.is_none() && options.tokens.is_none() {
        return Err(Error::new(ErrorCode::OptionInvalid, "options need tools or tokens: what is to be left at most"));
    }
    Ok((options.tools.map_or(usize::MAX, usize::from), options.tokens.map_or(usize::MAX, usize::from)))
}

/// Reads the options of an assembly.
///
/// # Errors
/// `option_unknown`, `option_invalid`.
pub fn assemble(value: &OptionValue) -> Result<Format> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Options {
        format: Option<Format>,
    }
    read("options", value).map(|options: Options| options.format.unwrap_or_default())
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
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Options {
        limit: Option<Count<1, TOOLS_CEILING>>,
        #[serde(default, deserialize_with = "session_or_refusal")]
        session: Option<String>,
        reasons: Option<bool>,
        scores: Option<Entries<Share>>,
    }
    let options: Options = read("options", value)?;
    Ok(SearchOptions {
        limit: options.limit.map(usize::from),
        session: options.session,
        reasons: options.reasons.unwrap_or_default(),
        scores: scores(options.scores),
    })
}

/// Reads a list of names.
///
/// # Errors
/// `option_invalid`.
pub fn names(value: &OptionValue) -> Result<Vec<String>> {
    read("names", value).map(|names: Labels| names.0)
}

fn scores(entries: Option<Entries<Share>>) -> Vec<(String, f64)> {
    entries.into_iter().flat_map(|entries| entries.0).map(|(name, score)| (name, score.0)).collect()
}

impl RegisterOptions {
    /// Reads `{ server?, names?, deferral?, category?, enrichment? }`.
    ///
    /// # Errors
    /// `option_unknown`, `option_invalid`, `enrichment_invalid`.
    pub fn from_options(options: &(impl Serialize + ?Sized)) -> Result<RegisterOptions> {
        register(&OptionValue::of(options)?)
    }
}

impl SearchOptions {
    /// Reads `{ limit?, session?, reasons?, scores? }`.
    ///
    /// # Errors
    /// `option_unknown`, `option_invalid`, `limit_out_of_range`.
    pub fn from_options(options: &(impl Serialize + ?Sized)) -> Result<SearchOptions> {
        search(&OptionValue::of(options)?)
    }
}

impl Turn {
    /// Reads `{ now?, visible?, scores? }`.
    ///
    /// # Errors
    /// `option_unknown`, `option_invalid`, `limit_out_of_range`.
    pub fn from_options(options: &(impl Serialize + ?Sized)) -> Result<Turn> {
        turn(&OptionValue::of(options)?)
    }
}

impl Scope {
    /// Reads `"all"`, or `{ servers?, tools? }`.
    ///
    /// # Errors
    /// `option_unknown`, `option_invalid`.
    pub fn from_options(options: &(impl Serialize + ?Sized)) -> Result<Scope> {
        scope(&OptionValue::of(options)?)
    }
}
