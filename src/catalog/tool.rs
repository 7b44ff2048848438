//! A tool of the catalog: its definition, the name that the model sees, and its identity.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::effect::{Effect, Hints};
use super::enrichment::Enrichment;
use super::outline::Outline;
use super::schema::Schema;

/// Whether a tool may be held back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Deferral {
    /// Always sent in full, and not part of what is searched.
    Never,
    /// The profile decides.
    #[default]
    Automatic,
    /// Held back whenever tool search is active.
    Always,
}

impl Deferral {
    /// Every value with its text form.
    pub const ALL: &[(&str, Deferral)] =
        &[("never", Deferral::Never), ("automatic", Deferral::Automatic), ("always", Deferral::Always)];
}

/// The owner of the tools that all sessions share. Any other owner is the opening of a session.
pub const SHARED: u32 = 0;

/// One version of one tool. A tool that changes gets a new id, so that what is derived from a version can be kept by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolId(pub(crate) u64);

/// The identity of a tool: the server that it comes from and its name there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ToolKey {
    /// The server, or none for a tool of the host's own.
    pub server: Option<Arc<str>>,
    /// The name under which it was registered.
    pub name: Arc<str>,
}

/// A tool of the catalog.
///
/// A catalog holds up to 200,000 tools, so a tool is kept small: texts have no spare capacity, and fields that few tools
/// have are boxed together.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// This version of the tool.
    pub(crate) id: ToolId,
    /// Its identity.
    pub(crate) key: ToolKey,
    /// The session whose own tool it is, by the number of its opening; 0 for a tool that all sessions share.
    pub(crate) owner: u32,
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
    outline: Outline,
    /// Whether it has left the catalog, and only keeps its place in the list of tools.
    gone: bool,
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
}

impl Tool {
    /// A tool with the next id and no place yet.
    pub(super) fn new(
        id: ToolId,
        (owner, key): (u32, ToolKey),
        model_name: Arc<str>,
        (description, parameters): (Arc<str>, Schema),
        (deferral, hints): (Deferral, Hints),
        labels: Labels,
    ) -> Self {
        let texts = [&*model_name, &*description, parameters.kept_text()];
        let chars: usize = texts.iter().map(|text| text.chars().count()).sum();
        let labels = (labels != Labels::default()).then(|| Box::new(labels));
        // The limits on names, descriptions and schemas keep the sum far below 4 billion.
        let chars = u32::try_from(chars).unwrap_or(u32::MAX);
        Tool {
            id,
            effect: Effect::of(hints, &key.name),
            key,
            owner,
            model_name,
            description,
            parameters,
            deferral,
            hints,
            order: 0,
            labels,
            chars,
            outline: Outline::default(),
            gone: false,
        }
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

    /// The name under which Google's format declares it: the model-facing name, or a safe form of it where Google refuses that.
    pub fn google_name(&self) -> &Arc<str> {
        self.own_google_name().unwrap_or(&self.model_name)
    }

    /// The name in Google's format, where it differs from the model-facing name.
    pub fn own_google_name(&self) -> Option<&Arc<str>> {
        self.labels.as_ref()?.google_name.as_ref()
    }

    /// Whether it has left the catalog.
    pub(super) fn is_gone(&self) -> bool {
        self.gone
    }

    /// What stays in its place when it leaves the catalog: the number of the version, and no texts.
    pub(super) fn gone(&self) -> Tool {
        let key = ToolKey { server: None, name: "".into() };
        let texts = (Arc::from(""), Schema::default());
        let settings = (Deferral::default(), Hints::default());
        let place = Tool::new(self.id, (self.owner, key), "".into(), texts, settings, Labels::default());
        Tool { order: self.order, gone: true, ..place }
    }

    pub(super) fn set_google_name(&mut self, name: Arc<str>) {
        self.labels.get_or_insert_default().google_name = Some(name);
    }

    /// What a list shows behind its name: its parameters, optional ones with a question mark, and the first sentence of its
    /// description.
    pub(crate) fn outline(&self) -> &str {
        self.outline.of(&self.parameters, &self.description)
    }

    /// An estimate of what its definition costs: `ceil(characters / 4)` of name, description and parameters.
    pub fn tokens(&self) -> usize {
        self.chars.div_ceil(4) as usize
    }

    /// UTF-8 bytes of the texts that are kept of it.
    pub fn bytes(&self) -> usize {
        let texts = [&*self.key.name, &*self.model_name, &*self.description, self.parameters.kept_text()];
        let labels = [self.title(), self.category(), self.search_hint()].into_iter().flatten().chain(self.tags());
        let words = self.keywords().iter().chain(self.queries()).map(|text| &**text);
        texts.into_iter().chain(labels).chain(words).map(str::len).sum()
    }

    /// Whether two versions say the same, whatever their ids.
    pub(super) fn says_the_same(&self, other: &Tool) -> bool {
        let Tool {
            id: _,
            key,
            owner: _,
            model_name,
            description,
            parameters,
            deferral,
            // It follows from the name and the hints.
            effect: _,
            hints,
            order: _,
            labels,
            chars: _,
            outline: _,
            gone: _,
        } = self;
        *key == other.key
            && *model_name == other.model_name
            && *description == other.description
            && *parameters == other.parameters
            && *deferral == other.deferral
            && *hints == other.hints
            && *labels == other.labels
    }
}
