//! Defines a tool of the catalog: its definition, the name that the model sees, and its identity.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::macros::choices;
use crate::markers::A_SKILL;
use crate::text::{one_line, short_list, short_sentence};

use super::effect::{Effect, Hints};
use super::enrichment::Enrichment;
use super::names::google_name;
use super::own_verbs::OwnVerbs;
use super::schema::Schema;
use super::skill::Skill;

/// The maximum number of parameters in [`Tool::outline`].
const OUTLINED_PARAMETERS: usize = 8;

choices! {
    /// The rule for whether a tool may be deferred.
    #[derive(Default, Hash, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Deferral {
        /// Always sent in full, and not searched.
        Never = "never",
        /// The profile decides.
        #[default]
        Automatic = "automatic",
        /// Deferred whenever tool search is active.
        Always = "always",
    }
}

/// The owner of a tool. Most tools are shared by all sessions; a session may have tools of its own, which no other
/// session sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Owner(u32);

impl Owner {
    /// All sessions.
    pub const SHARED: Owner = Owner(0);
    /// The owner of empty places in the catalog.
    pub(super) const NOBODY: Owner = Owner(u32::MAX);

    /// Returns the session with this number, or [`Owner::SHARED`] for 0. A session that is closed and opened again has
    /// a new number.
    pub const fn new(number: u32) -> Self {
        Owner(number)
    }

    /// Returns the number.
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// One version of one tool. A changed tool gets a new id, so that data derived from a version can be cached by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolId(pub(crate) u64);

/// The identity of a tool: its server, and its name there. A server may also have a skill of the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolKey {
    /// The server; `None` for a tool of the host's own.
    pub server: Option<Arc<str>>,
    /// The name under which it was registered.
    pub name: Arc<str>,
    /// True if it is a skill.
    #[serde(default, rename = "skill", skip_serializing_if = "is_false")]
    pub is_skill: bool,
}

impl ToolKey {
    /// Makes the identity of a server's tool.
    pub fn new(server: &str, name: &str) -> Self {
        ToolKey { server: Some(server.into()), name: name.into(), is_skill: false }
    }
}

/// A tool of the catalog.
///
/// A catalog has up to 200,000 tools, so a tool is kept small: texts have no spare capacity, and rarely used fields are
/// boxed together.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The id of this version, which the catalog assigns.
    pub(crate) id: ToolId,
    /// Its identity.
    pub(crate) key: ToolKey,
    /// Its owner.
    pub(crate) owner: Owner,
    /// The name that the model sees. It is unique among the tools of a session.
    pub(crate) model_name: Arc<str>,
    /// Its description, as the server wrote it.
    pub(crate) description: Arc<str>,
    /// Its parameters.
    pub(crate) parameters: Schema,
    /// The rule for whether it may be deferred.
    pub(crate) deferral: Deferral,
    /// The effect of a call, by its hints or its name.
    pub(crate) effect: Effect,
    /// The server's hints about its effect.
    pub(crate) hints: Hints,
    /// A number that rises in registration order. A changed tool keeps its number.
    pub(super) order: u64,
    labels: Option<Box<Labels>>,
    /// The number of characters of name, description and parameters, counted once.
    chars: u32,
    /// The result of [`Tool::outline`], computed when first needed.
    outline: OnceLock<Box<str>>,
    /// The verbs in its own name, computed when first needed.
    verbs: OnceLock<OwnVerbs>,
}

/// The content of a definition, without the identity.
#[derive(Debug)]
pub(super) struct Content {
    pub description: Arc<str>,
    pub parameters: Schema,
    /// `None` if the definition does not state it.
    pub deferral: Option<Deferral>,
    pub hints: Hints,
    pub labels: Labels,
}

/// Rarely used fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Labels {
    pub title: Option<Box<str>>,
    pub category: Option<Arc<str>>,
    pub search_hint: Option<Box<str>>,
    pub tags: Box<[Box<str>]>,
    pub enrichment: Enrichment,
    /// The parts that only a skill has.
    pub skill: Option<Skill>,
}

/// Returns true if a flag is false, so that serde leaves it out.
pub(crate) fn is_false(value: &bool) -> bool {
    !value
}

impl Tool {
    /// Makes a tool that has no id and no place yet.
    pub(super) fn new(owner: Owner, key: ToolKey, model_name: Arc<str>, content: Content) -> Self {
        let Content { description, parameters, deferral, hints, labels } = content;
        let texts = [&*model_name, &*description, parameters.kept_text()];
        let chars: usize = texts.iter().map(|text| text.chars().count()).sum();
        Tool {
            id: ToolId(0),
            effect: if key.is_skill { Effect::Unknown } else { Effect::of(hints, &key.name) },
            key,
            owner,
            model_name,
            description,
            parameters,
            deferral: deferral.unwrap_or_default(),
            hints,
            order: 0,
            labels: (labels != Labels::default()).then(|| Box::new(labels)),
            // The limits on names, descriptions and schemas keep the sum far below 4 billion.
            chars: u32::try_from(chars).unwrap_or(u32::MAX),
            outline: OnceLock::new(),
            verbs: OnceLock::new(),
        }
    }

    /// Returns the empty place that it leaves in the catalog: its version and order, without texts.
    pub(super) fn empty_place(&self) -> Tool {
        let key = ToolKey::default();
        let (description, parameters) = ("".into(), Schema::default());
        let content = Content { description, parameters, deferral: None, hints: 0, labels: Labels::default() };
        Tool { id: self.id, order: self.order, ..Tool::new(Owner::NOBODY, key, "".into(), content) }
    }

    /// Returns the id of this version.
    pub fn id(&self) -> ToolId {
        self.id
    }

    /// Returns its identity: the server and the name under which it was registered.
    pub fn key(&self) -> &ToolKey {
        &self.key
    }

    /// Returns the name that the model sees. It is unique among the tools of a session.
    pub fn model_name(&self) -> &str {
        &self.model_name
    }

    /// Returns its description, as the server wrote it.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the JSON Schema of its parameters as JSON text, in the form that is sent to models.
    pub fn parameters_json(&self) -> &str {
        self.parameters.as_str()
    }

    /// Returns the rule for whether it may be deferred.
    pub fn deferral(&self) -> Deferral {
        self.deferral
    }

    /// Returns the effect of a call, by its annotations or else by its name.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns the server; `None` for a tool of the host's own.
    pub fn server(&self) -> Option<&str> {
        self.key.server.as_deref()
    }

    /// Returns its title.
    pub fn title(&self) -> Option<&str> {
        self.labels.as_ref()?.title.as_deref()
    }

    /// Returns the group that the host put it in.
    pub fn category(&self) -> Option<&str> {
        self.labels.as_ref()?.category.as_deref()
    }

    /// Returns a hint with extra search words.
    pub fn search_hint(&self) -> Option<&str> {
        self.labels.as_ref()?.search_hint.as_deref()
    }

    /// Returns labels with extra search words.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.labels.iter().flat_map(|labels| labels.tags.iter().map(|tag| &**tag))
    }

    /// Returns all of its search words.
    pub(super) fn enrichment(&self) -> Enrichment {
        self.labels.as_ref().map_or_else(Enrichment::default, |labels| labels.enrichment.clone())
    }

    /// Returns words and short phrases of people who need it.
    pub fn keywords(&self) -> &[Box<str>] {
        self.labels.as_ref().map_or(&[], |labels| &labels.enrichment.keywords)
    }

    /// Returns whole requests of people who need it.
    pub fn queries(&self) -> &[Box<str>] {
        self.labels.as_ref().map_or(&[], |labels| &labels.enrichment.queries)
    }

    /// Returns the search words that its server sends.
    pub fn words_of_server(&self) -> &[Box<str>] {
        self.labels.as_ref().map_or(&[], |labels| &labels.enrichment.of_server)
    }

    /// Returns the name in Google's format: the model-facing name, or a safe form of it if Google refuses that name.
    pub fn google_name(&self) -> Arc<str> {
        match google_name(&self.model_name) {
            Cow::Borrowed(_) => self.model_name.clone(),
            Cow::Owned(name) => name.into(),
        }
    }

    /// Returns the parts that only a skill has: its text, and the tools that it names.
    pub fn skill(&self) -> Option<&Skill> {
        self.labels.as_ref()?.skill.as_ref()
    }

    /// Returns the effect that a call of it must be allowed to have.
    pub(crate) fn declared_effect(&self) -> Effect {
        Effect::declared(self.hints)
    }

    /// Returns the text that lists show after its name: its parameters, optional ones with a question mark, and the
    /// first sentence of its description. Examples: `(path, limit?): Reads a file.`; for a skill ` [skill]: Sorts
    /// issues.`
    pub(crate) fn outline(&self) -> &str {
        self.outline.get_or_init(|| {
            let sentence = one_line(&short_sentence(&self.description));
            let sentence = if sentence.is_empty() { sentence } else { format!(": {sentence}") };
            if self.key.is_skill {
                return format!("{A_SKILL}{sentence}").into();
            }
            let (names, required) = (self.parameters.property_names(), self.parameters.required_names());
            let parameter = |name: &String| format!("{name}{}", if required.contains(name) { "" } else { "?" });
            let mut parameters: Vec<String> = names.iter().take(OUTLINED_PARAMETERS).map(parameter).collect();
            if names.len() > OUTLINED_PARAMETERS {
                parameters.push("…".to_owned());
            }
            format!("({}){sentence}", short_list(&parameters.join(", "))).into()
        })
    }

    /// Returns the verbs in its own name.
    pub(crate) fn verbs(&self) -> &OwnVerbs {
        self.verbs.get_or_init(|| OwnVerbs::of(self))
    }

    /// Estimates the tokens of its definition: `ceil(characters / 4)` of name, description and parameters.
    pub fn tokens(&self) -> usize {
        self.chars.div_ceil(4) as usize
    }

    /// Returns the number of UTF-8 bytes of its texts in memory.
    pub fn bytes(&self) -> usize {
        let texts = [&*self.key.name, &*self.model_name, &*self.description, self.parameters.kept_text()];
        let labels = [self.title(), self.category(), self.search_hint()].into_iter().flatten().chain(self.tags());
        let words = self.keywords().iter().chain(self.queries()).chain(self.words_of_server()).map(|text| &**text);
        let texts = texts.into_iter().chain(labels).chain(words).chain(self.skill().into_iter().flat_map(Skill::texts));
        texts.map(str::len).sum()
    }

    /// Returns true if two versions of a tool have the same content.
    pub(super) fn says_the_same(&self, other: &Tool) -> bool {
        self.model_name == other.model_name
            && self.description == other.description
            && self.parameters == other.parameters
            && self.deferral == other.deferral
            && self.hints == other.hints
            && self.labels == other.labels
    }
}

impl PartialEq for Tool {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.key == other.key && self.says_the_same(other)
    }
}
