//! Builds the definition of a tool or a skill in Rust.

use serde::Serialize;
use serde_json::{Map, Value};

/// The definition of a tool, for hosts that do not have one as JSON already.
///
/// ```
/// use serde_json::json;
/// use toolsift::{RegisterOptions, Settings, ToolDefinition, ToolSift};
///
/// let tool = ToolDefinition::new("get_forecast")
///     .description("Tomorrow's weather at a place.")
///     .parameters(json!({ "type": "object", "properties": { "place": { "type": "string" } }, "required": ["place"] }))
///     .with("searchQueries", ["do I need an umbrella"]);
/// let sift = ToolSift::new(Settings::default());
/// sift.register(&[tool], &RegisterOptions::default())?;
/// assert_eq!(sift.search("umbrella").run()?.hits[0].name.as_ref(), "get_forecast");
/// # Ok::<(), toolsift::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct ToolDefinition(Map<String, Value>);

impl ToolDefinition {
    /// Makes the definition of a tool with this name, without description and parameters.
    pub fn new(name: impl Into<String>) -> Self {
        ToolDefinition(Map::new()).with("name", name.into())
    }

    /// Makes the definition of a skill with this name and these instructions. The model finds it as it finds tools, and
    /// reads it.
    pub fn skill(name: impl Into<String>, text: impl Into<String>) -> Self {
        ToolDefinition::new(name).with("kind", "skill").with("text", text.into())
    }

    /// Sets the description for the model.
    #[must_use]
    pub fn description(self, description: impl Into<String>) -> Self {
        self.with("description", description.into())
    }

    /// Sets the JSON Schema of the parameters, which must describe an object.
    #[must_use]
    pub fn parameters(self, schema: Value) -> Self {
        self.with("parameters", schema)
    }

    /// Sets any other field by its name in JSON: `server`, `title`, `category`, `annotations` (MCP's), `deferral`,
    /// `tags`, `searchHint`, `searchQueries`, `searchKeywords`; for a skill also `tools` and `readable`.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }
}
