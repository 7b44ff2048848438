//! A tool or a skill as a Rust program defines it.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::tool::Deferral;

/// The definition of a tool, for hosts that do not have one as JSON already.
///
/// ```
/// use serde_json::json;
/// use toolsift::{RegisterOptions, Settings, ToolDefinition, ToolSift};
///
/// let tool = ToolDefinition::new("get_forecast")
///     .description("Tomorrow's weather at a place.")
///     .parameters(json!({ "type": "object", "properties": { "place": { "type": "string" } }, "required": ["place"] }))
///     .search_queries(["do I need an umbrella"]);
/// let sift = ToolSift::new(Settings::default());
/// sift.register(&[tool], &RegisterOptions::default())?;
/// assert_eq!(sift.search("umbrella").run()?.hits[0].name.as_ref(), "get_forecast");
/// # Ok::<(), toolsift::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ToolDefinition(Map<String, Value>);

impl ToolDefinition {
    /// A tool of this name, without description and parameters.
    pub fn new(name: impl Into<String>) -> Self {
        ToolDefinition(Map::new()).with("name", name.into())
    }

    /// A skill of this name, with its instructions: the model finds it as it finds tools, and reads it.
    pub fn skill(name: impl Into<String>, text: impl Into<String>) -> Self {
        ToolDefinition::new(name).with("kind", "skill").with("text", text.into())
    }

    /// Of a skill: the names of the tools that it uses, which are revealed with it.
    #[must_use]
    pub fn tools<T: Into<String>>(self, names: impl IntoIterator<Item = T>) -> Self {
        self.with("tools", names.into_iter().map(T::into).collect::<Vec<String>>())
    }

    /// Of a skill: the host reads its files, for a dispatch with a [`SkillFile`](crate::SkillFile).
    #[must_use]
    pub fn readable(self) -> Self {
        self.with("readable", true)
    }

    fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }

    /// What it does, for the model.
    #[must_use]
    pub fn description(self, description: impl Into<String>) -> Self {
        self.with("description", description.into())
    }

    /// The JSON Schema of its parameters: that of an object.
    #[must_use]
    pub fn parameters(self, schema: Value) -> Self {
        self.with("parameters", schema)
    }

    /// MCP's annotations: `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`.
    #[must_use]
    pub fn annotations(self, annotations: Value) -> Self {
        self.with("annotations", annotations)
    }

    /// The server that it comes from, where the registration does not name one for all.
    #[must_use]
    pub fn server(self, server: impl Into<String>) -> Self {
        self.with("server", server.into())
    }

    /// A name for people.
    #[must_use]
    pub fn title(self, title: impl Into<String>) -> Self {
        self.with("title", title.into())
    }

    /// A group, which the settings can name.
    #[must_use]
    pub fn category(self, category: impl Into<String>) -> Self {
        self.with("category", category.into())
    }

    /// Words that it should be found by.
    #[must_use]
    pub fn search_hint(self, hint: impl Into<String>) -> Self {
        self.with("searchHint", hint.into())
    }

    /// Labels that it should be found by.
    #[must_use]
    pub fn tags<T: Into<String>>(self, tags: impl IntoIterator<Item = T>) -> Self {
        self.with("tags", tags.into_iter().map(T::into).collect::<Vec<String>>())
    }

    /// Whole requests of people who need it. The model never sees them.
    #[must_use]
    pub fn search_queries<T: Into<String>>(self, queries: impl IntoIterator<Item = T>) -> Self {
        self.with("searchQueries", queries.into_iter().map(T::into).collect::<Vec<String>>())
    }

    /// Words and short phrases of people who need it. The model never sees them.
    #[must_use]
    pub fn search_keywords<T: Into<String>>(self, keywords: impl IntoIterator<Item = T>) -> Self {
        self.with("searchKeywords", keywords.into_iter().map(T::into).collect::<Vec<String>>())
    }

    /// Whether it may be held back.
    #[must_use]
    pub fn deferral(self, deferral: Deferral) -> Self {
        self.with("deferral", json!(deferral))
    }
}
