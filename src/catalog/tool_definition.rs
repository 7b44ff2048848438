//! A tool as a Rust program defines it.

use serde::Serialize;
use serde_json::Value;

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
/// assert_eq!(sift.search("umbrella", None, None)?.hits[0].name.as_ref(), "get_forecast");
/// # Ok::<(), toolsift::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDefinition {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    annotations: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search_hint: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    search_queries: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    search_keywords: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deferral: Option<Deferral>,
}

impl ToolDefinition {
    /// A tool of this name, without description and parameters.
    pub fn new(name: impl Into<String>) -> Self {
        ToolDefinition {
            name: name.into(),
            description: None,
            parameters: None,
            annotations: None,
            server: None,
            title: None,
            category: None,
            search_hint: None,
            tags: Vec::new(),
            search_queries: Vec::new(),
            search_keywords: Vec::new(),
            deferral: None,
        }
    }

    /// What it does, for the model.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The JSON Schema of its parameters: that of an object.
    #[must_use]
    pub fn parameters(mut self, schema: Value) -> Self {
        self.parameters = Some(schema);
        self
    }

    /// MCP's annotations: `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`.
    #[must_use]
    pub fn annotations(mut self, annotations: Value) -> Self {
        self.annotations = Some(annotations);
        self
    }

    /// The server that it comes from, where the registration does not name one for all.
    #[must_use]
    pub fn server(mut self, server: impl Into<String>) -> Self {
        self.server = Some(server.into());
        self
    }

    /// A name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// A group, which the settings can name.
    #[must_use]
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.category = Some(category.into());
        self
    }

    /// Words that it should be found by.
    #[must_use]
    pub fn search_hint(mut self, hint: impl Into<String>) -> Self {
        self.search_hint = Some(hint.into());
        self
    }

    /// Labels that it should be found by.
    #[must_use]
    pub fn tags<T: Into<String>>(mut self, tags: impl IntoIterator<Item = T>) -> Self {
        self.tags = tags.into_iter().map(T::into).collect();
        self
    }

    /// Whole requests of people who need it. The model never sees them.
    #[must_use]
    pub fn search_queries<T: Into<String>>(mut self, queries: impl IntoIterator<Item = T>) -> Self {
        self.search_queries = queries.into_iter().map(T::into).collect();
        self
    }

    /// Words and short phrases of people who need it. The model never sees them.
    #[must_use]
    pub fn search_keywords<T: Into<String>>(mut self, keywords: impl IntoIterator<Item = T>) -> Self {
        self.search_keywords = keywords.into_iter().map(T::into).collect();
        self
    }

    /// Whether it may be held back.
    #[must_use]
    pub fn deferral(mut self, deferral: Deferral) -> Self {
        self.deferral = Some(deferral);
        self
    }
}
