//! Reads the options of a new [`ToolSift`](crate::ToolSift) over the settings of a profile.

use serde::{Deserialize, Serialize};

use crate::assembly::{Disclosure, StubWhen};
use crate::catalog::{Selection, ToolNames};
use crate::discovery::{OutOfScope, Reveal, UnrevealedCall};
use crate::error::{Error, ErrorCode, Result};
use crate::limits::{
    BUDGET_CEILING, CATALOG_BYTES_CEILING, RATE_CEILING, REVEALED_CEILING, SESSIONS_CEILING, TOOLS_CEILING,
};
use crate::profile::{Profile, Settings};
use crate::search::{Cutoff, Grammar, Ingredient, Ranker, SearchSettings, Universe, Without};
use crate::session::{Consent, WhenFull};
use crate::text::snake_case;

use super::forms::{ActivationOption, Listed};
use super::path::read;
use super::types::{Count, Entries, Label, Labels, Window, given, selection_or_refusal};
use super::{OptionValue, own_config};

impl Settings {
    /// Reads the options of a `ToolSift`, as `docs/reference.md` lists them, over the settings of the profile that they name.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolsift::{ErrorCode, Settings};
    ///
    /// let settings = Settings::from_options(&json!({ "profile": "bridge", "limits": { "tools": 500 } }))?;
    /// assert_eq!(settings.info().limits.tools, 500);
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

/// Reads the options of a new [`ToolSift`](crate::ToolSift).
///
/// # Errors
/// `option_unknown`, `option_invalid`, `option_conflict`, `limit_out_of_range`, `alias_invalid`.
pub fn settings(value: &OptionValue) -> Result<Settings> {
    let options: Options = read("options", value)?;
    let mut settings = options.profile.map(Profile::settings).unwrap_or_default();
    if let Some(config) = &options.config {
        own_config::read(config, &mut settings)?;
    }
    options.apply(&mut settings)?;
    settings.check()?;
    Ok(settings)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    profile: Option<&'static Profile>,
    #[serde(default, deserialize_with = "given")]
    config: Option<OptionValue>,
    context_window: Option<Window>,
    activation: Option<ActivationOption>,
    deferral: Option<Consent>,
    disclosure: Option<Disclosure>,
    stub_when: Option<StubWhen>,
    reveal: Option<Reveal>,
    budget: Option<Budget>,
    unrevealed_call: Option<UnrevealedCall>,
    out_of_scope: Option<OutOfScope>,
    search: Option<Search>,
    searches_per_minute: Option<Count<0, RATE_CEILING>>,
    synonyms: Option<Vec<Labels>>,
    pre_discovered: Option<Labels>,
    always_available: Option<Labels>,
    special_categories: Option<Labels>,
    aliases: Option<Entries<Label>>,
    categories: Option<Labels>,
    #[serde(default, deserialize_with = "selection_or_refusal")]
    selection: Option<Listed>,
    limits: Option<Limits>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Budget {
    tools: Option<Count<0, TOOLS_CEILING>>,
    tokens: Option<Count<0, BUDGET_CEILING>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Search {
    ranker: Option<Ranker>,
    grammar: Option<Grammar>,
    universe: Option<Universe>,
    cutoff: Option<Cutoff>,
    hits: Option<Count<1, TOOLS_CEILING>>,
    max_hits: Option<Count<1, TOOLS_CEILING>>,
    without: Option<Vec<Ingredient>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Limits {
    tools: Option<Count<1, TOOLS_CEILING>>,
    bytes: Option<Count<1, CATALOG_BYTES_CEILING>>,
    server_bytes: Option<Count<1, CATALOG_BYTES_CEILING>>,
    sessions: Option<Count<1, SESSIONS_CEILING>>,
    revealed: Option<Count<1, REVEALED_CEILING>>,
    revealed_tokens: Option<Count<1, BUDGET_CEILING>>,
    when_full: Option<WhenFull>,
}

/// Puts an option that was given into its place.
fn set<T>(place: &mut T, option: Option<impl Into<T>>) {
    if let Some(option) = option {
        *place = option.into();
    }
}

impl Options {
    fn apply(self, settings: &mut Settings) -> Result<()> {
        let Settings { assembly, discovery, eligibility, .. } = settings;
        set(&mut assembly.context_window, self.context_window.map(|window| Some(window.0)));
        if let Some(ActivationOption { activation, share }) = self.activation {
            assembly.activation = activation;
            set(&mut assembly.context_share, share);
        }
        set(&mut assembly.disclosure, self.disclosure);
        set(&mut assembly.stub_when, self.stub_when);
        set(&mut assembly.categories, self.categories.map(|categories| categories.0));

        set(&mut discovery.reveal, self.reveal);
        let budget = self.budget.unwrap_or_default();
        set(&mut discovery.budget.tools, budget.tools);
        set(&mut discovery.budget.tokens, budget.tokens);
        set(&mut discovery.unrevealed_call, self.unrevealed_call);
        set(&mut discovery.out_of_scope, self.out_of_scope);
        set(&mut discovery.searches_per_minute, self.searches_per_minute);
        self.search.unwrap_or_default().apply(&mut discovery.search);
        if let Some(Entries(entries)) = self.aliases {
            discovery.aliases = aliases(entries)?;
        }

        let lists = &mut eligibility.lists;
        set(&mut lists.consent, self.deferral);
        set(&mut lists.pre_discovered, self.pre_discovered.map(|names| ToolNames::from_iter(names.0)));
        lists.always_available.extend(self.always_available.unwrap_or_default().0);
        if let Some(Labels(categories)) = self.special_categories {
            lists.special_categories = categories.iter().cloned().collect();
            eligibility.rules.exempt = categories;
        }
        if let Some((servers, tools)) = self.selection.map(Listed::lists) {
            eligibility.selection = Selection::new(&servers, &tools);
        }

        let limits = self.limits.unwrap_or_default();
        set(&mut discovery.bounds.tools, limits.revealed);
        set(&mut discovery.bounds.tokens, limits.revealed_tokens);
        set(&mut discovery.bounds.when_full, limits.when_full);
        set(&mut settings.most_tools, limits.tools);
        set(&mut settings.most_bytes, limits.bytes);
        set(&mut settings.most_server_bytes, limits.server_bytes);
        set(&mut settings.most_sessions, limits.sessions);
        let groups = self.synonyms.map(|groups| groups.into_iter().map(|group| group.0).collect::<Vec<_>>());
        set(&mut settings.synonyms, groups);
        Ok(())
    }
}

impl Search {
    fn apply(self, search: &mut SearchSettings) {
        set(&mut search.ranker, self.ranker);
        set(&mut search.grammar, self.grammar);
        set(&mut search.universe, self.universe);
        set(&mut search.cutoff, self.cutoff);
        set(&mut search.hits, self.hits.map(|hits| Some(hits.into())));
        set(&mut search.most_hits, self.max_hits);
        let without = self.without.map(|ingredients| ingredients.into_iter().fold(Without::NONE, Without::and));
        set(&mut search.without, without);
    }
}

/// Aliases in snake case and in alphabetical order, each with its name. Of aliases that are the same so, the first counts.
fn aliases(entries: Vec<(String, Label)>) -> Result<Vec<(String, String)>> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (alias, Label(name)) in entries {
        if alias.is_empty() || alias == name {
            let message = format!("alias {alias:?} for {name:?}: an alias is another, non-empty name");
            return Err(Error::new(ErrorCode::AliasInvalid, message));
        }
        let alias = snake_case(&alias);
        if let Err(at) = all.binary_search_by(|(known, _)| known.cmp(&alias)) {
            all.insert(at, (alias, name));
        }
    }
    Ok(all)
}
