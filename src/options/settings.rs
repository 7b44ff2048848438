//! Reads the options of a new [`ToolSift`](crate::ToolSift) over the settings of a profile.

use serde::Serialize;

use crate::assembly::{Activation, AssemblySettings, Disclosure, StubWhen};
use crate::catalog::Selection;
use crate::discovery::{DiscoverySettings, OutOfScope, Reveal, UnrevealedCall};
use crate::error::{Error, ErrorCode, Result};
use crate::limits;
use crate::map::Map;
use crate::profile::{PROFILES, Profile, Settings};
use crate::search::{Cutoff, Grammar, Ingredient, Ranker, SearchSettings, Translations, Universe, Without};
use crate::session::{Consent, Eligibility, WhenFull};
use crate::text::snake_case;

use super::calls::servers_and_tools;
use super::reader::{Fields, Reader};
use super::{OptionValue, own_config};

impl Settings {
    /// Reads the options of a `ToolSift`, listed in `docs/reference.md`, over the settings of the profile that they
    /// name.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolsift::{ErrorCode, Settings};
    ///
    /// let settings = Settings::from_options(&json!({ "profile": "bridge", "limits": { "tools": 500 } }))?;
    /// assert_eq!(settings.info()["limits"]["tools"], 500);
    ///
    /// let typo = Settings::from_options(&json!({ "contextwindow": 200_000 })).unwrap_err();
    /// assert_eq!(typo.code(), ErrorCode::OptionUnknown);
    /// assert!(typo.message().contains("did you mean contextWindow?"));
    /// # Ok::<(), toolsift::Error>(())
    /// ```
    ///
    /// # Errors
    /// `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`, `alias_invalid`.
    pub fn from_options(options: &(impl Serialize + ?Sized)) -> Result<Settings> {
        settings(&OptionValue::of(options)?)
    }
}

/// Reads the same options as [`Settings::from_options`].
pub fn settings(value: &OptionValue) -> Result<Settings> {
    let options = Reader::new("options", value).fields()?;
    let profiles: Vec<(&str, &'static Profile)> = PROFILES.iter().map(|profile| (profile.name, profile)).collect();
    let mut settings = match options.get("profile") {
        Some(own) if own.is_map() => with_own(&own.fields()?, &profiles)?,
        Some(name) => name.choice(&profiles)?.settings(),
        None => Settings::default(),
    };
    if let Some(surface) = options.get("surface") {
        if surface.choice(&[("growing", false), ("constant", true)])? {
            settings = settings.constant()?;
        }
    }
    read_assembly(&options, &mut settings.assembly)?;
    read_discovery(&options, &mut settings.discovery)?;
    read_eligibility(&options, &mut settings.eligibility)?;
    options.set("translations", &mut settings.translations, |table| {
        let refused = |error: Error| Error::new(error.code(), format!("options.{}", error.message()));
        Translations::read(table.text()?).map_err(refused)
    })?;
    options.set("synonyms", &mut settings.synonyms, |groups| groups.each(|list| list.labels()))?;
    if let Some(bounds) = options.get("limits") {
        let bounds = bounds.fields()?;
        bounds.set_count("tools", &mut settings.most_tools, (1, limits::TOOLS_CEILING))?;
        bounds.set_count("bytes", &mut settings.most_bytes, (1, limits::CATALOG_BYTES_CEILING))?;
        bounds.set_count("serverBytes", &mut settings.most_server_bytes, (1, limits::CATALOG_BYTES_CEILING))?;
        bounds.set_count("sessions", &mut settings.most_sessions, (1, limits::SESSIONS_CEILING))?;
        let revealed = &mut settings.discovery.bounds;
        bounds.set_count("revealed", &mut revealed.tools, (1, limits::REVEALED_CEILING))?;
        bounds.set_count("revealedTokens", &mut revealed.tokens, (1, limits::BUDGET_CEILING))?;
        bounds.set_choice("whenFull", &mut revealed.when_full, WhenFull::ALL)?;
        bounds.finish()?;
    }
    options.finish()?;
    settings.check()?;
    Ok(settings)
}

/// Reads `{ name, config?, specialCategories? }`: a profile, with the options that only its published system has.
fn with_own(own: &Fields<'_>, profiles: &[(&str, &'static Profile)]) -> Result<Settings> {
    let Some(name) = own.get("name") else { return Err(own.of.invalid("a name, or an object with a name")) };
    let mut settings = name.choice(profiles)?.settings();
    if let Some(config) = own.get_any("config") {
        own_config::read(config.value(), &mut settings)?;
    }
    if let Some(categories) = own.get("specialCategories") {
        let Eligibility { rules, lists, .. } = &mut settings.eligibility;
        rules.exempt = categories.labels()?;
        lists.special_categories = rules.exempt.iter().cloned().collect();
    }
    own.finish()?;
    Ok(settings)
}

fn read_assembly(options: &Fields<'_>, assembly: &mut AssemblySettings) -> Result<()> {
    options.set("contextWindow", &mut assembly.context_window, |window| {
        Ok(Some(window.number(1.0..=limits::CONTEXT_WINDOW_CEILING)? as u64))
    })?;
    if let Some(activation) = options.get("activation") {
        read_activation(activation, assembly)?;
    }
    options.set_choice("disclosure", &mut assembly.disclosure, Disclosure::ALL)?;
    options.set_choice("stubWhen", &mut assembly.stub_when, StubWhen::ALL)?;
    options.set("categories", &mut assembly.categories, |list| list.labels())
}

/// The values that `activation` accepts, for messages.
const ACTIVATIONS: &str = "one of on, off, auto, { tools }, { tokens } and { contextShare }";

/// Reads a word, or an object with one number.
fn read_activation(activation: Reader<'_>, assembly: &mut AssemblySettings) -> Result<()> {
    if !activation.is_map() {
        let words = [("on", Activation::On), ("off", Activation::Off), ("auto", Activation::Auto)];
        assembly.activation = activation.choice(&words).map_err(|_| activation.invalid(ACTIVATIONS))?;
        return Ok(());
    }
    let activation = activation.fields()?;
    let (tools, tokens) = (activation.get("tools"), activation.get("tokens"));
    let share = activation.get("contextShare");
    activation.finish()?;
    assembly.activation = match (tools, tokens, share) {
        (Some(tools), None, None) => Activation::Tools(tools.count(0, limits::TOOLS_CEILING)?),
        (None, Some(tokens), None) => Activation::Tokens(tokens.count(0, limits::BUDGET_CEILING)? as u64),
        (None, None, Some(share)) => {
            assembly.context_share = share.number(0.0..=1.0)?;
            Activation::ContextShare
        }
        _ => return Err(activation.of.invalid(ACTIVATIONS)),
    };
    Ok(())
}

fn read_discovery(options: &Fields<'_>, discovery: &mut DiscoverySettings) -> Result<()> {
    options.set_choice("reveal", &mut discovery.reveal, Reveal::ALL)?;
    if let Some(budget) = options.get("budget") {
        let budget = budget.fields()?;
        budget.set_count("tools", &mut discovery.budget.tools, (0, limits::TOOLS_CEILING))?;
        budget.set_count("tokens", &mut discovery.budget.tokens, (0, limits::BUDGET_CEILING))?;
        budget.finish()?;
    }
    options.set_choice("unrevealedCall", &mut discovery.unrevealed_call, UnrevealedCall::ALL)?;
    options.set_choice("outOfScope", &mut discovery.out_of_scope, OutOfScope::ALL)?;
    options.set("aliases", &mut discovery.aliases, read_aliases)?;
    options.set_count("searchesPerMinute", &mut discovery.searches_per_minute, (0, limits::RATE_CEILING))?;
    if let Some(search) = options.get("search") {
        read_search(search, &mut discovery.search)?;
    }
    Ok(())
}

fn read_search(options: Reader<'_>, search: &mut SearchSettings) -> Result<()> {
    let options = options.fields()?;
    options.set_choice("ranker", &mut search.ranker, Ranker::ALL)?;
    options.set_choice("grammar", &mut search.grammar, Grammar::ALL)?;
    options.set_choice("universe", &mut search.universe, Universe::ALL)?;
    options.set_choice("cutoff", &mut search.cutoff, Cutoff::ALL)?;
    options.set("hits", &mut search.hits, |hits| hits.count(1, limits::TOOLS_CEILING).map(Some))?;
    options.set_count("maxHits", &mut search.most_hits, (1, limits::TOOLS_CEILING))?;
    options.set("without", &mut search.without, |list| {
        let ingredients = list.each(|ingredient| ingredient.choice(Ingredient::ALL))?;
        Ok(ingredients.into_iter().fold(Without::NONE, Without::and))
    })?;
    options.finish()
}

/// Reads aliases in snake case, each with its name. If two become equal in snake case, the first counts.
fn read_aliases(aliases: &Reader<'_>) -> Result<Map<String, String>> {
    let mut all = Map::default();
    for (alias, name) in aliases.entries()? {
        let name = name.label()?;
        if alias.is_empty() || alias == name {
            let message = format!("alias {alias:?} for {name:?}: an alias is another, non-empty name");
            return Err(Error::new(ErrorCode::AliasInvalid, message));
        }
        all.entry(snake_case(alias)).or_insert(name);
    }
    Ok(all)
}

fn read_eligibility(options: &Fields<'_>, eligibility: &mut Eligibility) -> Result<()> {
    let lists = &mut eligibility.lists;
    options.set_choice("deferral", &mut lists.consent, Consent::ALL)?;
    options.set("preDiscovered", &mut lists.pre_discovered, |names| Ok(names.labels()?.into_iter().collect()))?;
    if let Some(names) = options.get("alwaysAvailable") {
        lists.always_available.extend(names.labels()?);
    }
    if let Some(selection) = options.get_narrowing("selection", "leave the key out where every tool takes part")? {
        let (servers, tools) = servers_and_tools(selection)?;
        eligibility.selection = Selection::new(&servers, &tools);
    }
    Ok(())
}
