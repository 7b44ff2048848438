//! A tool of the catalog: its definition, the name that the model sees, and its identity.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::macros::choices;
use crate::markers::A_SKILL;
use crate::text::{one_line, short_list, short_sentence};

use super::effect::{Effect, Hints};
use super::enrichment::Enrichment;
use super::own_verbs::OwnVerbs;
use super::schema::Schema;
use super::skill::Skill;

/// Parameters that [`Tool::outline`] names.
const OUTLINED_PARAMETERS: usize = 8;

choices! {
    /// Whether a tool may be held back.
    #[derive(Default, Hash, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Deferral {
        /// Always sent in full, and not part of what is searched.
        Never = "never",
        /// The profile decides.
        #[default]
        Automatic = "automatic",
        /// Held back whenever tool search is active.
        Always = "always",
    }
}

/// Whose a tool is. Most tools are shared by all sessions; a session may have tools of its own, which no other session sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Owner(u32);

impl Owner {
    /// All sessions.
    pub const SHARED: Owner = Owner(0);
    /// The owner of what has left the catalog.
    pub(super) const NOBODY: Owner = Owner(u32::MAX);

    /// The session of a number, or [`Owner::SHARED`] for 0. A session that is closed and opened again has another number.
    pub const fn new(number: u32) -> Self {
        Owner(number)
    }

    /// The number.
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// One version of one tool. A tool that changes gets a new id, so that what is derived from a version can be kept by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolId(pub(crate) u64);

/// The identity of a tool: the server that it comes from and its name there. A server may have a skill of the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolKey {
    /// The server, or none for a tool of the host's own.
    pub server: Option<Arc<str>>,
    /// The name under which it was registered.
    pub name: Arc<str>,
    /// Whether it is a skill.
    #[serde(default, rename = "skill", skip_serializing_if = "is_false")]
    pub is_skill: bool,
}

impl ToolKey {
    /// The identity of a tool of a server.
    pub fn new(server: &str, name: &str) -> Self {
        ToolKey { server: Some(server.into()), name: name.into(), is_skill: false }
    }
}

/// A tool of the catalog.
///
/// A catalog holds up to 200,000 tools, so a tool is kept small: texts have no spare capacity, and fields that few tools
/// have are boxed together.
#[derive(Clone, Debug)]
pub struct Tool {
    /// This version of the tool. The catalog gives it out.
    pub(crate) id: ToolId,
    /// Its identity.
    pub(crate) key: ToolKey,
    /// Whose tool it is.
    pub(crate) owner: Owner,
    /// The name that the model sees: unique among the tools that there are for a session.
    pub(crate) model_name: Arc<str>,
    /// What it does, as the server put it.
    pub(crate) description: Arc<str>,
    /// Its parameters.
    pub(crate) parameters: Schema,
    /// Whether it may be held back.
    pub(crate) deferral: Deferral,
    /// What a call of it does to the world, by its hints or its name.
    pub(crate) effect: Effect,
    /// What its server says of its effect.
    pub(crate) hints: Hints,
    /// A number that grows in registration order. A changed tool keeps its number.
    pub(super) order: u64,
    labels: Option<Box<Labels>>,
    /// Characters of name, description and parameters, counted once.
    chars: u32,
    /// See [`Tool::outline`], once it was needed.
    outline: OnceLock<Box<str>>,
    /// What its own name says that it does, once it was needed.
    verbs: OnceLock<OwnVerbs>,
}

/// What a definition says of a tool, beside its identity.
#[derive(Debug)]
pub(super) struct Content {
    pub description: Arc<str>,
    pub parameters: Schema,
    /// None where the definition leaves it to the profile.
    pub deferral: Option<Deferral>,
    pub hints: Hints,
    pub labels: Labels,
}

/// Fields that few tools have.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Labels {
    pub title: Option<Box<str>>,
    pub category: Option<Arc<str>>,
    pub search_hint: Option<Box<str>>,
    pub tags: Box<[Box<str>]>,
    pub enrichment: Enrichment,
    /// The name in Google's format, where that format refuses the name that the model sees elsewhere.
    pub google_name: Option<Arc<str>>,
    /// What only a skill has.
    pub skill: Option<Skill>,
}

/// Whether a field is left out, as it is where it says nothing.
pub(crate) fn is_false(value: &bool) -> bool {
    !value
}

impl Tool {
    /// A tool without an id and a place yet.
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

    /// What stays in its place when it leaves the catalog: its version and order, and no texts.
    pub(super) fn empty_place(&self) -> Tool {
        let key = ToolKey::default();
        let (description, parameters) = ("".into(), Schema::default());
        let content = Content { description, parameters, deferral: None, hints: 0, labels: Labels::default() };
        Tool { id: self.id, order: self.order, ..Tool::new(Owner::NOBODY, key, "".into(), content) }
    }

    /// This version of the tool.
    pub fn id(&self) -> ToolId {
        self.id
    }

    /// Its identity: the server and the name under which it was registered.
    pub fn key(&self) -> &ToolKey {
        &self.key
    }

    /// The name that the model sees: unique among the tools that there are for a session.
    pub fn model_name(&self) -> &str {
        &self.model_name
    }

    /// What it does, as the server put it.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The JSON Schema of its parameters as JSON text, in the form in which models are sent it.
    pub fn parameters_json(&self) -> &str {
        self.parameters.as_str()
    }

    /// Whether it may be held back.
    pub fn deferral(&self) -> Deferral {
        self.deferral
    }

    /// What a call of it does to the world, by its annotations or else its name.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The server, or none for a tool of the host's own.
    pub fn server(&self) -> Option<&str> {
        self.key.server.as_deref()
    }

    /// A name for people.
    pub fn title(&self) -> Option<&str> {
        self.labels.as_ref()?.title.as_deref()
    }

    /// A group that the host put it in.
    pub fn category(&self) -> Option<&str> {
        self.labels.as_ref()?.category.as_deref()
    }

    /// Words that it should be found by.
    pub fn search_hint(&self) -> Option<&str> {
        self.labels.as_ref()?.search_hint.as_deref()
    }

    /// Labels that it should be found by.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.labels.iter().flat_map(|labels| labels.tags.iter().map(|tag| &**tag))
    }

    /// Words and short phrases of people who need it.
    pub fn keywords(&self) -> &[Box<str>] {
        self.labels.as_ref().map_or(&[], |labels| &labels.enrichment.keywords)
    }

    /// Whole requests of people who need it.
    pub fn queries(&self) -> &[Box<str>] {
        self.labels.as_ref().map_or(&[], |labels| &labels.enrichment.queries)
    }

    /// What its server says for the search alone.
    pub fn words_of_server(&self) -> &[Box<str>] {
        self.labels.as_ref().map_or(&[], |labels| &labels.enrichment.of_server)
    }

    /// The name under which Google's format declares it: the model-facing name, or a safe form of it where Google refuses that.
    pub fn google_name(&self) -> &Arc<str> {
        self.own_google_name().unwrap_or(&self.model_name)
    }

    /// What only a skill has: its text, and the tools that it names.
    pub fn skill(&self) -> Option<&Skill> {
        self.labels.as_ref()?.skill.as_ref()
    }

    /// The names by which models know it, in any vendor's format.
    pub(super) fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        [Some(&self.model_name), self.own_google_name()].into_iter().flatten()
    }

    /// The name in Google's format, where it differs from the model-facing name.
    pub fn own_google_name(&self) -> Option<&Arc<str>> {
        self.labels.as_ref()?.google_name.as_ref()
    }

    pub(super) fn set_google_name(&mut self, name: Arc<str>) {
        self.labels.get_or_insert_default().google_name = Some(name);
    }

    /// The effect that a call of it must be allowed to have.
    pub(crate) fn declared_effect(&self) -> Effect {
        Effect::declared(self.hints)
    }

    /// What a list shows behind its name: its parameters, optional ones with a question mark, and the first sentence of its
    /// description. Such as `(path, limit?): Reads a file.`; of a skill ` [skill]: Sorts issues.`
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

    /// The verbs of its own name.
    pub(crate) fn verbs(&self) -> &OwnVerbs {
        self.verbs.get_or_init(|| OwnVerbs::of(self))
    }

    /// An estimate of what its definition costs: `ceil(characters / 4)` of name, description and parameters.
    pub fn tokens(&self) -> usize {
        self.chars.div_ceil(4) as usize
    }

    /// UTF-8 bytes of the texts that are kept of it.
    pub fn bytes(&self) -> usize {
        let texts = [&*self.key.name, &*self.model_name, &*self.description, self.parameters.kept_text()];
        let labels = [self.title(), self.category(), self.search_hint()].into_iter().flatten().chain(self.tags());
        let words = self.keywords().iter().chain(self.queries()).chain(self.words_of_server()).map(|text| &**text);
        let texts = texts.into_iter().chain(labels).chain(words).chain(self.skill().into_iter().flat_map(Skill::texts));
        texts.map(str::len).sum()
    }

    /// Whether two versions of a tool say the same.
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
