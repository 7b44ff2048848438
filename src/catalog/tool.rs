//! What is a tool? What a host said of it, the name that the model sees, and an identity that outlives both.

use std::rc::Rc;

use serde::Serialize;

use super::effect::Effect;
use super::schema::Schema;

/// Whether a tool may be held back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
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

/// One version of one tool: a tool that changes gets a new id, so that whatever was derived from it can be kept by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ToolId(pub(crate) u64);

/// Who a tool is: the server that it came from and the name that it has there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct ToolKey {
    /// The server, or none for a tool of the host's own.
    pub server: Option<Rc<str>>,
    /// The name under which it was registered.
    pub name: Rc<str>,
}

/// A tool of the catalog.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// This version of the tool.
    pub id: ToolId,
    /// Who it is.
    pub key: ToolKey,
    /// The name that the model sees: unique in the catalog.
    pub model_name: Rc<str>,
    /// What it does, as the server put it.
    pub description: String,
    /// Its parameters.
    pub parameters: Schema,
    /// A name for people.
    pub title: Option<String>,
    /// A group that the host put it in.
    pub category: Option<String>,
    /// Words that it should be found by.
    pub search_hint: Option<String>,
    /// Labels that it should be found by.
    pub tags: Vec<String>,
    /// Whether it may be held back.
    pub deferral: Deferral,
    /// What a call of it does to the world.
    pub effect: Effect,
}

impl Tool {
    /// The server, or none for a tool of the host's own.
    pub fn server(&self) -> Option<&str> {
        self.key.server.as_deref()
    }

    /// What its definition costs, about: `ceil(characters / 4)` of name, description and parameters.
    pub fn tokens(&self) -> usize {
        let texts = [&*self.model_name, &*self.description, self.parameters.as_str()];
        texts.iter().map(|text| text.chars().count()).sum::<usize>().div_ceil(4)
    }

    /// Whether two versions say the same, whatever their ids.
    pub(crate) fn says_the_same(&self, other: &Tool) -> bool {
        Tool { id: other.id, ..self.clone() } == *other
    }
}
